// SPDX-License-Identifier: BSD-3-Clause
// Tests the seconds predicted by the plain model and by a machine's rates, against values computed by hand.
#include "tools/simulation/cost_model.hpp"

#include <gtest/gtest.h>

#include "frond/error.hpp"
#include "tests/tools/program/calibration/small_machine.hpp"

namespace frond::testing {
namespace {

CostModel costs(Method method, const std::string& scalar = "double") {
  return cost_model({.machine = "m.json"}, small_machine(), method, scalar);
}

TEST(CostModel, IsHockneysWithoutAMachine) {
  const CostModel model = cost_model({}, std::nullopt, Method::lu, "double");
  EXPECT_DOUBLE_EQ(model.of_fronts.elimination(5e9, 60, 30), 2);
  EXPECT_DOUBLE_EQ(model.of_fronts.assembly(1e9, 60), 2);
  EXPECT_EQ(model.of_fronts.seconds_per_front, 1e-6);
  EXPECT_EQ(model.of_fronts.seconds_per_original_entry, 0);
  EXPECT_EQ(model.of_fronts.seconds_per_fresh_byte, 0);
  EXPECT_EQ(model.seconds_per_message, 1e-6);
  EXPECT_EQ(model.seconds_per_message_byte, 0);
  EXPECT_FALSE(model.wake_seconds);
}

TEST(CostModel, TakesHockneysParameters) {
  const CostModel model = cost_model({.flops_per_second = 1e9, .half_rate_order = 0}, std::nullopt, Method::lu, "double");
  EXPECT_DOUBLE_EQ(model.of_fronts.elimination(1e9, 5, 5), 1);
  EXPECT_EQ(model.largest_rate, 1e9);
}

TEST(CostModel, TakesTheRatesOfTheMethod) {
  EXPECT_DOUBLE_EQ(costs(Method::cholesky).of_fronts.elimination(2e8, 16, 8), 1);
  EXPECT_DOUBLE_EQ(costs(Method::cholesky).of_fronts.elimination(2e8, 16, 16), 2);
  EXPECT_DOUBLE_EQ(costs(Method::ldlt).of_fronts.elimination(2e8, 32, 1), 1);
  EXPECT_DOUBLE_EQ(costs(Method::ldlh).of_fronts.elimination(2e8, 32, 1), 1);
  EXPECT_DOUBLE_EQ(costs(Method::lu).of_fronts.elimination(5e8, 1, 0), 1);
  EXPECT_EQ(costs(Method::lu).of_fronts.seconds_per_front, 5e-6);
}

TEST(CostModel, TakesTheRatesOfParts) {
  const CostModel model = costs(Method::lu);
  EXPECT_DOUBLE_EQ(model.of_fronts.master(4e8, 1000, 32), 1);
  EXPECT_DOUBLE_EQ(model.of_fronts.slave(3e8, 1000, 500), 1);
  const CostModel plain = cost_model({}, std::nullopt, Method::lu, "double");
  EXPECT_DOUBLE_EQ(plain.of_fronts.master(5e9, 60, 1), 2);
  EXPECT_DOUBLE_EQ(plain.of_fronts.slave(5e9, 60, 1), 2);
}

TEST(CostModel, TakesTheRatesOfMemoryAndMessages) {
  const CostModel model = costs(Method::lu);
  EXPECT_DOUBLE_EQ(model.of_fronts.assembly(4e8, 64), 1);
  EXPECT_DOUBLE_EQ(model.of_fronts.assembly(2e8, 8), 1);
  EXPECT_DOUBLE_EQ(model.of_fronts.seconds_per_original_entry, 1e-7);
  EXPECT_DOUBLE_EQ(model.of_fronts.seconds_per_fresh_byte, 0.25e-9);
  EXPECT_EQ(model.seconds_per_message, 2e-6);
  EXPECT_DOUBLE_EQ(model.seconds_per_message_byte, 1 / 8e9);
  EXPECT_EQ(model.wake_seconds, 5e-5);
}

TEST(CostModel, DerivesScalarsThatWereNotMeasured) {
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex double").largest_rate, 5e8 / 4);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "float").largest_rate, 5e8 * 2);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex float").largest_rate, 5e8 / 2);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex double").of_fronts.assembly(2e8, 64), 1);
  EXPECT_DOUBLE_EQ(costs(Method::lu, "complex float").of_fronts.assembly(4e8, 64), 1);
}

TEST(CostModel, TakesAMeasuredScalarAsItIs) {
  MachineProfile machine = small_machine();
  machine.cores["complex double"] = machine.cores.at("double");
  EXPECT_EQ(cost_model({.machine = "m.json"}, machine, Method::ldlh, "complex double").largest_rate, 3e8);
  machine.cores.erase("double");
  EXPECT_THROW((void)cost_model({.machine = "m.json"}, machine, Method::ldlt, "double"), InputError);
}

TEST(CostModel, ScalesAMachineToALargestRate) {
  const CostArguments arguments{.machine = "m.json", .flops_per_second = 8e8};
  const CostModel faster = cost_model(arguments, small_machine(), Method::cholesky, "double");
  EXPECT_DOUBLE_EQ(faster.largest_rate, 8e8);
  EXPECT_DOUBLE_EQ(faster.of_fronts.elimination(4e8, 16, 8), 1);
  EXPECT_DOUBLE_EQ(faster.of_fronts.slave(6e8, 1000, 500), 1);
  EXPECT_DOUBLE_EQ(faster.of_fronts.assembly(4e8, 64), 1);
}

TEST(CostModel, RefusesAHalfRateOrderForAMachine) {
  const CostArguments arguments{.machine = "m.json", .half_rate_order = 60};
  EXPECT_THROW((void)cost_model(arguments, small_machine(), Method::lu, "double"), UsageError);
}

}  // namespace
}  // namespace frond::testing
