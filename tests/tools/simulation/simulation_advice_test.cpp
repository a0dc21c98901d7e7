// SPDX-License-Identifier: BSD-3-Clause
// Tests advice from made-up sweeps.
#include "tools/simulation/simulation_advice.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace frond {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson run(Rank ranks, double seconds, Count bytes, const char* schedule = "flops") {
  return {{"ranks", ranks},      {"load_exchange", "partial-snapshot"}, {"schedule", schedule},
          {"load_thread", true}, {"predicted_seconds", seconds},        {"peak_bytes_max", bytes}};
}

OrderedJson sweep_of(OrderedJson runs) {
  return {{"matrix", "A.mtx"}, {"runs", std::move(runs)}, {"failed_runs", OrderedJson::array()}};
}

// Up to 8 ranks, doubling them takes little more than half the time; beyond that it gains little.
OrderedJson sweep() {
  return sweep_of({run(1, 100, 1000), run(2, 55, 600), run(4, 30, 400), run(8, 17, 300), run(8, 17.2, 200, "memory"),
                   run(16, 14, 180), run(32, 13.5, 120)});
}

TEST(SimulationAdvice, TakesTheLeastMemoryOfThoseAsFast) {
  EXPECT_EQ(best_runs(sweep(), {}), (std::vector<std::size_t>{0, 1, 2, 4, 5, 6}));
}

TEST(SimulationAdvice, EndsWhereMoreRanksDoNotPay) {
  EXPECT_EQ(advised_run(sweep(), {}), 4U);
  EXPECT_FALSE(may_more_pay(sweep(), {}));
  EXPECT_TRUE(may_more_pay(sweep_of({run(1, 100, 1000)}), {}));
  EXPECT_TRUE(may_more_pay(sweep_of({run(1, 100, 1000), run(2, 99, 600)}), {}));
  EXPECT_FALSE(may_more_pay(sweep_of({run(1, 100, 1000), run(2, 99, 600), run(4, 98, 600)}), {}));
  EXPECT_TRUE(may_more_pay(sweep_of({run(1, 100, 1000)}), {1}));
}

TEST(SimulationAdvice, GoesOverOneStepThatBringsLittle) {
  EXPECT_EQ(advised_run(sweep_of({run(1, 100, 9), run(2, 80, 9), run(4, 50, 9), run(8, 49, 9)}), {}), 2U);
}

TEST(SimulationAdvice, KeepsToTheMemoryThereIs) {
  EXPECT_EQ(advised_run(sweep(), {190}), 5U);
  EXPECT_EQ(advised_run(sweep(), {1}), std::nullopt);
  EXPECT_EQ(advised_run(sweep_of(OrderedJson::array()), {}), std::nullopt);
}

TEST(SimulationAdvice, IsToldInWords) {
  const std::string text = advice_text(sweep(), {});
  EXPECT_NE(text.find("8 processes: 17.2 s, at most 200 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("mpiexec.mpich -n 8 frond solve A.mtx --schedule memory --load-exchange partial-snapshot"),
            std::string::npos);
  EXPECT_NE(text.find("Half as many take 30 s"), std::string::npos) << text;
  EXPECT_NE(text.find("Twice as many take 14 s"), std::string::npos) << text;
  EXPECT_NE(advice_text(sweep(), {1}).find("120 bytes on 32 processes"), std::string::npos) << advice_text(sweep(), {1});
  EXPECT_NE(advice_text(sweep_of({run(1, 1, 10)}), {}).find("\n               frond solve A.mtx\n"), std::string::npos);
}

TEST(SimulationAdvice, QuotesFileNames) {
  OrderedJson spaced = sweep_of({run(1, 1, 10)});
  spaced["matrix"] = "my dir/it's.mtx";
  EXPECT_NE(advice_text(spaced, {}).find("frond solve 'my dir/it'\\''s.mtx'\n"), std::string::npos) << advice_text(spaced, {});
}

}  // namespace
}  // namespace frond
