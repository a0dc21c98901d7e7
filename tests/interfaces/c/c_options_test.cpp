// SPDX-License-Identifier: BSD-3-Clause
// Tests options by name, callbacks and time limits.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>

#include "tests/interfaces/c/c_system.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::testing {
namespace {

TEST(COptions, AllHaveNamesValuesMeaningsAndDefaults) {
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  std::set<std::string> names;
  for (int k = 0; frond_option_name(k) != nullptr; ++k) {
    const char* name = frond_option_name(k);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_STRNE(frond_option_values(name), "") << name;
    EXPECT_STRNE(frond_option_meaning(name), "") << name;
    const char* value = nullptr;
    ASSERT_EQ(frond_get_option(solver, name, &value), FROND_SUCCESS) << name;
    const std::string kept = value;
    EXPECT_EQ(frond_set(solver, name, kept.c_str()), FROND_SUCCESS) << name << " = " << kept << ": " << frond_message(solver);
    ASSERT_EQ(frond_get_option(solver, name, &value), FROND_SUCCESS);
    EXPECT_EQ(kept, value);
  }
  EXPECT_GE(names.size(), 20U);
  EXPECT_EQ(frond_option_name(-1), nullptr);
  EXPECT_EQ(frond_option_values("colour"), nullptr);
  EXPECT_EQ(frond_option_meaning(nullptr), nullptr);
}

TEST(COptions, WhatCannotBeIsRefusedAndChangesNothing) {
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  const auto refused = [&](const char* name, const char* value) {
    EXPECT_EQ(frond_set(solver, name, value), FROND_USAGE_ERROR) << name;
    return std::string(frond_message(solver));
  };
  EXPECT_NE(refused("pivot-treshold", "0.1").find("pivot-threshold"), std::string::npos);
  EXPECT_NE(refused("pivot-threshold", "2").find("0 to 1"), std::string::npos);
  EXPECT_NE(refused("ordering", "best").find("dissection"), std::string::npos);
  EXPECT_NE(refused("threads", "two").find("4096"), std::string::npos);
  EXPECT_NE(refused("threads", "").find("4096"), std::string::npos);
  EXPECT_NE(refused("time-limit", "-1").find("seconds"), std::string::npos);
  EXPECT_NE(refused("index-base", "2").find("0|1"), std::string::npos);
  EXPECT_NE(refused("memory-limit", "lots").find("1.5GB"), std::string::npos);
  const char* value = nullptr;
  ASSERT_EQ(frond_get_option(solver, "pivot-threshold", &value), FROND_SUCCESS);
  EXPECT_STREQ(value, "automatic");
}

TEST(COptions, TakeEffect) {
  const SparseMatrix<double> matrix = random_matrix<double>(200, 4, Symmetry::symmetric, Flavour::zero_diagonal, 5);
  const auto b = random_dense<double>(200, 1, 1);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  const auto method = [&] {
    static_cast<void>(solution(solver, b));
    const char* text = nullptr;
    EXPECT_EQ(frond_get_text(solver, "method", &text), FROND_SUCCESS);
    return std::string(text);
  };
  EXPECT_EQ(method(), "ldlt");
  ASSERT_EQ(frond_set(solver, "method", "lu"), FROND_SUCCESS);
  EXPECT_EQ(method(), "lu");
  ASSERT_EQ(frond_set(solver, "error-bounds", "first"), FROND_SUCCESS);
  double bound = 0;
  EXPECT_EQ(frond_get_real(solver, "forward_error_bound", &bound), FROND_USAGE_ERROR) << "of the last solve there is none";
  static_cast<void>(solution(solver, b));
  EXPECT_EQ(frond_get_real(solver, "forward_error_bound", &bound), FROND_SUCCESS);
  EXPECT_GT(bound, 0);
}

struct Counts {
  frond_solver* solver = nullptr;
  std::atomic<int> progress = 0;
  std::atomic<int> questions = 0;
  std::atomic<int> refused = 0;
  double last = 0;
  bool stops = false;
};

void count_progress(double fraction, void* context) {
  auto* counts = static_cast<Counts*>(context);
  ++counts->progress;
  counts->last = fraction;
}

int count_questions(void* context) {
  auto* counts = static_cast<Counts*>(context);
  ++counts->questions;
  if (frond_factorize(counts->solver) == FROND_USAGE_ERROR) {
    ++counts->refused;
  }
  return counts->stops ? 1 : 0;
}

TEST(COptions, OfSolvesCountWithTheNextSolve) {
  const SparseMatrix<double> matrix = random_matrix<double>(200, 4, Symmetry::symmetric, Flavour::zero_diagonal, 6);  // has fronts
  const auto b = random_dense<double>(200, 1, 2);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  Counts counts;
  ASSERT_EQ(frond_set_progress(solver, count_progress, &counts), FROND_SUCCESS);
  ASSERT_EQ(frond_factorize(solver), FROND_SUCCESS);
  const int calls_of_one_factorization = counts.progress;
  EXPECT_GT(calls_of_one_factorization, 0);
  double bound = 0;
  for (const char* bounds : {"never", "first", "never"}) {
    ASSERT_EQ(frond_set(solver, "error-bounds", bounds), FROND_SUCCESS);
    static_cast<void>(solution(solver, b));
    const bool has_bound = frond_get_real(solver, "forward_error_bound", &bound) == FROND_SUCCESS;
    EXPECT_EQ(has_bound, std::string(bounds) == "first");
  }
  EXPECT_EQ(counts.progress, calls_of_one_factorization) << "it was factorized anew";
}

TEST(CCallbacks, HearOfProgressAndStopCalls) {
  const SparseMatrix<double> matrix = laplacian<double>(16);
  const auto b = random_dense<double>(4096, 1, 1);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  Counts counts{.solver = solver.get()};
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  ASSERT_EQ(frond_set_progress(solver, count_progress, &counts), FROND_SUCCESS);
  ASSERT_EQ(frond_set_stop(solver, count_questions, &counts), FROND_SUCCESS);
  EXPECT_TRUE(succeeds(solver, frond_factorize(solver)));
  EXPECT_GT(counts.progress, 0);
  EXPECT_LE(counts.last, 1.0 + 1e-9);
  EXPECT_GT(counts.questions, 0);
  EXPECT_EQ(counts.refused, counts.questions) << "calls from a callback";

  counts.stops = true;
  ASSERT_EQ(frond_set_values(solver, matrix.num_entries(), matrix.values.data()), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver), FROND_STOPPED);
  EXPECT_STRNE(frond_message(solver), "");
  counts.stops = false;
  frond_status status = FROND_INTERNAL_ERROR;
  static_cast<void>(solution(solver, b, FROND_PLAIN, &status));
  EXPECT_EQ(status, FROND_SUCCESS);

  ASSERT_EQ(frond_set_stop(solver, nullptr, nullptr), FROND_SUCCESS);
  const int before = counts.questions;
  static_cast<void>(solution(solver, b));
  EXPECT_EQ(counts.questions, before);
}

TEST(CCallbacks, TimeLimits) {
  const SparseMatrix<double> matrix = laplacian<double>(24);
  const OwnedSolver solver = make_solver(FROND_DOUBLE);
  ASSERT_EQ(set_columns(solver, matrix), FROND_SUCCESS);
  ASSERT_EQ(frond_analyze(solver), FROND_SUCCESS);
  ASSERT_EQ(frond_set(solver, "time-limit", "1e-6"), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver), FROND_STOPPED);
  ASSERT_EQ(frond_set(solver, "time-limit", "0"), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(solver), FROND_SUCCESS);
}

}  // namespace
}  // namespace frond::testing
