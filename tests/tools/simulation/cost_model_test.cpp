// SPDX-License-Identifier: BSD-3-Clause
// Rates between measured sizes, files of machines that are as they should be or not, and the costs that come of them.
#include "tools/simulation/cost_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "matrices/error.hpp"
#include "scratch_folder.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

MachineProfile small_machine() {
  MachineProfile machine;
  machine.processor = "abacus";
  machine.date = "2026-01-31";
  machine.seconds_per_message = 2e-6;
  CoreProfile& core = machine.cores["double"];
  core.seconds_per_front = 3e-6;
  core.entries_per_second = 4e8;
  core.elimination.emplace(Method::cholesky, RateTable({{8, 1e8}, {32, 4e8}}));
  core.elimination.emplace(Method::ldlt, RateTable({{8, 1e8}, {32, 2e8}, {64, 3e8}}));
  core.elimination.emplace(Method::lu, RateTable({{10, 5e8}}));
  return machine;
}

CostModel costs(Method method, const std::string& scalar = "double") {
  return cost_model({.machine = "m.json"}, small_machine(), method, scalar);
}

class MachineFile : public ::testing::Test {
 protected:
  // The text of the error that reading such a file brings.
  std::string error_of(const std::string& text) {
    const std::string path = folder_.write("m.json", text);
    try {
      (void)read_machine_profile(path);
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), path);
      const std::string remedy = "frond calibrate -o " + path;
      EXPECT_NE(std::string(error.what()).find(remedy), std::string::npos) << error.what();
      return error.what();
    }
    return "none";
  }
  // Likewise, of a good file but for one value.
  std::string error_with(const std::string& pointer, const Json& value) {
    Json json = to_json(small_machine());
    json[Json::json_pointer(pointer)] = value;
    return error_of(json.dump());
  }

  testing::ScratchFolder folder_;
};

void expect_within(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}

TEST(RateTable, InterpolatesLogarithms) {
  const RateTable table({{8, 1e8}, {32, 4e8}, {128, 2e8}});
  EXPECT_DOUBLE_EQ(table.rate(8), 1e8);
  EXPECT_DOUBLE_EQ(table.rate(16), 2e8);
  EXPECT_DOUBLE_EQ(table.rate(32), 4e8);
  EXPECT_NEAR(table.rate(64), 4e8 / std::sqrt(2.0), 1);
}

TEST(RateTable, IsFlatOutside) {
  const RateTable table({{8, 1e8}, {32, 4e8}});
  EXPECT_EQ(table.rate(1), 1e8);
  EXPECT_EQ(table.rate(1e6), 4e8);
  EXPECT_EQ(RateTable({{5, 7}}).rate(3), 7);
  EXPECT_EQ(RateTable({{5, 7}}).rate(5), 7);
  EXPECT_EQ(RateTable({{5, 7}}).rate(9), 7);
}

TEST(RateTable, KnowsItsLargestAndScales) {
  const RateTable table({{8, 1e8}, {32, 4e8}, {128, 2e8}});
  EXPECT_EQ(table.largest_rate(), 4e8);
  EXPECT_EQ(table.times(0.5).largest_rate(), 2e8);
  EXPECT_DOUBLE_EQ(table.times(0.5).rate(16), 1e8);
}

TEST(RateTable, RefusesWhatIsNoTable) {
  EXPECT_THROW(RateTable({}), UsageError);
  EXPECT_THROW(RateTable({{8, 1}, {8, 2}}), UsageError);
  EXPECT_THROW(RateTable({{8, 0}}), UsageError);
  EXPECT_THROW(RateTable({{-8, 1}}), UsageError);
}

TEST_F(MachineFile, ComesBackAsItWasWritten) {
  MachineProfile machine = small_machine();
  machine.latency_seconds = 1e-6;
  machine.bytes_per_second = 5e9;
  const MachineProfile read = read_machine_profile(folder_.write("m.json", to_json(machine).dump()));
  EXPECT_EQ(to_json(read), to_json(machine));
  EXPECT_EQ(read.processor, "abacus");
  EXPECT_EQ(read.latency_seconds, 1e-6);
  EXPECT_EQ(read.cores.at("double").elimination.at(Method::ldlt).rate(32), 2e8);
}

TEST_F(MachineFile, MayLackANetwork) {
  const MachineProfile read = read_machine_profile(folder_.write("m.json", to_json(small_machine()).dump()));
  EXPECT_FALSE(read.latency_seconds);
  EXPECT_FALSE(read.bytes_per_second);
}

TEST_F(MachineFile, IsRefusedWithKeyAndRemedy) {
  expect_within(error_of("{"), "is not JSON");
  expect_within(error_of("[]"), "must be an object");
  expect_within(error_of("{}"), "processor: is missing");
  expect_within(error_with("/seconds_per_message", "soon"), "seconds_per_message: must be a number, 0 or more");
  expect_within(error_with("/latency_seconds", -1), "latency_seconds: must be a number, 0 or more");
  expect_within(error_with("/bytes_per_second", 0), "bytes_per_second: must be a number greater than 0");
  expect_within(error_with("/cores", Json::object()), "cores: holds no scalar type");
  expect_within(error_with("/cores/double", Json::object()), "cores.double.seconds_per_front: is missing");
  const std::string rates = "/cores/double/elimination_flops_per_second/lu";
  const std::string key = "cores.double.elimination_flops_per_second.lu: ";
  expect_within(error_with(rates, 5), key + "must be a list of pairs");
  expect_within(error_with(rates, {5, 6}), key + "must be a list of pairs");
  expect_within(error_with(rates, Json::array()), key + "a table of rates without a rate");
  expect_within(error_with(rates, {{16, 1e9}, {8, 1e9}}), key + "sizes must increase");
  expect_within(error_with(rates, {{16, 0}}), key + "sizes and rates must be positive");
}

TEST(ReadMachineProfile, TellsOfAFileThatIsNotThere) {
  try {
    (void)read_machine_profile("absent.json");
    FAIL();
  } catch (const InputError& error) {
    expect_within(error.what(), "absent.json: cannot be read; write it with frond calibrate -o absent.json");
  }
}

TEST(CostModel, IsHockneysWithoutAMachine) {
  const GhostCosts model = ghost_costs(cost_model({}, std::nullopt, Method::lu, "double"));
  EXPECT_DOUBLE_EQ(model.elimination(5e9, 60), 1e-6 + 2);
  EXPECT_DOUBLE_EQ(model.assembly(1e9), 2);
  const CostArguments arguments{.flops_per_second = 1e9, .half_rate_order = 0};
  EXPECT_DOUBLE_EQ(ghost_costs(cost_model(arguments, std::nullopt, Method::lu, "double")).elimination(1e9, 5), 1e-6 + 1);
  EXPECT_EQ(cost_model(arguments, std::nullopt, Method::lu, "double").largest_rate(), 1e9);
}

TEST(CostModel, TakesTheRatesOfTheMethod) {
  EXPECT_DOUBLE_EQ(ghost_costs(costs(Method::cholesky)).elimination(2e8, 16), 3e-6 + 1);
  EXPECT_DOUBLE_EQ(ghost_costs(costs(Method::ldlt)).elimination(2e8, 32), 3e-6 + 1);
  EXPECT_DOUBLE_EQ(ghost_costs(costs(Method::ldlh)).elimination(2e8, 32), 3e-6 + 1);
  EXPECT_DOUBLE_EQ(ghost_costs(costs(Method::lu)).elimination(5e8, 1), 3e-6 + 1);
  EXPECT_DOUBLE_EQ(ghost_costs(costs(Method::lu)).assembly(4e8), 1);
  EXPECT_EQ(costs(Method::lu).seconds_per_message, 2e-6);
}

TEST(CostModel, DerivesScalarsThatWereNotMeasured) {
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex double").largest_rate(), 5e8 / 4);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "float").largest_rate(), 5e8 * 2);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex float").largest_rate(), 5e8 / 2);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex double").entries_per_second, 2e8);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex float").entries_per_second, 4e8);
}

TEST(CostModel, TakesAMeasuredScalarAsItIs) {
  MachineProfile machine = small_machine();
  CoreProfile core = machine.cores.at("double");
  core.entries_per_second = 1;
  machine.cores["complex double"] = core;
  EXPECT_EQ(cost_model({.machine = "m.json"}, machine, Method::ldlh, "complex double").entries_per_second, 1);
  machine.cores.erase("double");
  EXPECT_THROW((void)cost_model({.machine = "m.json"}, machine, Method::ldlt, "double"), InputError);
}

TEST(CostModel, ScalesAMachineToALargestRate) {
  const CostArguments arguments{.machine = "m.json", .flops_per_second = 8e8};
  const CostModel faster = cost_model(arguments, small_machine(), Method::cholesky, "double");
  EXPECT_DOUBLE_EQ(faster.largest_rate(), 8e8);
  EXPECT_DOUBLE_EQ(ghost_costs(faster).elimination(4e8, 16), 3e-6 + 1);
  EXPECT_EQ(faster.entries_per_second, 4e8);
}

TEST(CostModel, RefusesAHalfRateOrderForAMachine) {
  const CostArguments arguments{.machine = "m.json", .half_rate_order = 60};
  EXPECT_THROW((void)cost_model(arguments, small_machine(), Method::lu, "double"), UsageError);
}

}  // namespace
}  // namespace frond
