// SPDX-License-Identifier: BSD-3-Clause
// Tests valid and malformed machine files.
#include "tools/program/calibration/machine_profile.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/tools/program/calibration/small_machine.hpp"

namespace frond::testing {
namespace {

using OrderedJson = nlohmann::ordered_json;

class MachineFile : public ::testing::Test {
 protected:
  MachineProfile read_back(const MachineProfile& machine) {
    return read_machine_profile(folder_.write("m.json", to_json(machine).dump()));
  }
  // Returns the message of the error that reading this text as a machine file raises.
  std::string error_of(const std::string& text) {
    const std::string path = folder_.write("m.json", text);
    const auto error = testing::error_of<InputError>([&] { (void)read_machine_profile(path); });
    EXPECT_EQ(error.file(), path);
    EXPECT_NE(std::string(error.what()).find("frond calibrate -o " + path), std::string::npos) << error.what();
    return error.what();
  }
  // Likewise, for a valid file with one value replaced.
  std::string error_with(const std::string& pointer, const OrderedJson& value) {
    OrderedJson json = to_json(small_machine());
    json[OrderedJson::json_pointer(pointer)] = value;
    return error_of(json.dump());
  }

 private:
  testing::ScratchFolder folder_;
};

void expect_within(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}

TEST(EliminationRates, LieBetweenFrontsHalfAndFullySummed) {
  const EliminationRates rates{RateTable({{8, 4e8}, {32, 8e8}}), RateTable({{8, 1e8}, {32, 2e8}})};
  EXPECT_DOUBLE_EQ(rates.rate(8, 1), 4e8);
  EXPECT_DOUBLE_EQ(rates.rate(8, 4), 4e8);
  EXPECT_DOUBLE_EQ(rates.rate(8, 6), 2e8);
  EXPECT_DOUBLE_EQ(rates.rate(8, 8), 1e8);
  EXPECT_DOUBLE_EQ(rates.rate(32, 32), 2e8);
  EXPECT_EQ(rates.largest_rate(), 8e8);
  EXPECT_DOUBLE_EQ(rates.times(2).rate(8, 8), 2e8);
}

TEST_F(MachineFile, ComesBackAsItWasWritten) {
  MachineProfile machine = small_machine();
  machine.latency_seconds = 1e-6;
  machine.bytes_per_second = 5e9;
  const MachineProfile read = read_back(machine);
  EXPECT_EQ(to_json(read), to_json(machine));
  EXPECT_EQ(read.processor, "abacus");
  EXPECT_EQ(read.latency_seconds, 1e-6);
  EXPECT_EQ(read.seconds_per_message, 2e-6);
  EXPECT_EQ(read.cores.at("double").at(Method::ldlt).elimination.half_summed.rate(32), 2e8);
}

TEST_F(MachineFile, MayLackANetwork) {
  MachineProfile machine = small_machine();
  machine.seconds_per_message.reset();
  const MachineProfile read = read_back(machine);
  EXPECT_FALSE(read.seconds_per_message);
  EXPECT_FALSE(read.latency_seconds);
  EXPECT_FALSE(read.bytes_per_second);
}

TEST_F(MachineFile, KeepsFourDigits) {
  MachineProfile machine = small_machine();
  machine.fresh_bytes_per_second = 1.23456e10;
  machine.latency_seconds = 1.23456e-6;
  const MachineProfile read = read_back(machine);
  EXPECT_DOUBLE_EQ(read.fresh_bytes_per_second, 1.235e10);
  EXPECT_DOUBLE_EQ(*read.latency_seconds, 1.235e-6);
}

TEST_F(MachineFile, IsRefusedWithKeyAndRemedy) {
  expect_within(error_of("{"), "is not JSON");
  expect_within(error_of("[]"), "must be an object");
  expect_within(error_of("{}"), "processor: is missing");
  expect_within(error_with("/date", 5), "date: must be a text");
  expect_within(error_with("/seconds_per_message", "soon"), "seconds_per_message: must be a number, 0 or more");
  expect_within(error_with("/latency_seconds", -1), "latency_seconds: must be a number, 0 or more");
  expect_within(error_with("/bytes_per_second", 0), "bytes_per_second: must be a number greater than 0");
  expect_within(error_with("/cores", OrderedJson::object()), "cores: holds no scalar type");
  expect_within(error_with("/cores/double", OrderedJson::object()), "cores.double.cholesky: is missing");
  const std::string key = "cores.double.lu.all_summed_flops_per_second: ";
  const std::string rates = "/cores/double/lu/all_summed_flops_per_second";
  expect_within(error_with(rates, 5), key + "must be a list of pairs");
  expect_within(error_with(rates, {5, 6}), key + "must be a list of pairs");
  expect_within(error_with(rates, OrderedJson::array()), key + "a table of rates without a rate");
  expect_within(error_with(rates, OrderedJson::array({{16, 1e9}, {8, 1e9}})), key + "sizes must increase");
  expect_within(error_with(rates, OrderedJson::array({{16, 0}})), key + "sizes and rates must be positive");
}

TEST(ReadMachineProfile, TellsOfAFileThatIsNotThere) {
  testing::expect_error<InputError>("absent.json: cannot be read; write it with frond calibrate -o absent.json",
                                    [] { (void)read_machine_profile("absent.json"); });
}

}  // namespace
}  // namespace frond::testing
