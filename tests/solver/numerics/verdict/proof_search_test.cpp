// SPDX-License-Identifier: BSD-3-Clause
// Tests the ways that the search for a proof of the rank takes, on made-up outcomes of factorizations.
#include "solver/numerics/verdict/proof_search.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "frond/error.hpp"
#include "solver/numerics/problem/rank_proof.hpp"

namespace frond {
namespace {

constexpr Index kOrderOfSearch = 100;

/// The made-up outcome of a factorization.
struct Outcome {
  Index num_null = 0;
  Index num_proved = 0;     // null vectors proved
  double rest = 1e-3;       // tau rho of the eliminated part; infinite if unknown
  bool has_hidden = false;  // a null vector without a null pivot
  Index num_anchors = 0;    // anchors of null vectors
  double flops = 1e10;
};

/// Returns the outcomes one after another in place of factorizations; a missing outcome stands for an error.
class ToldFactors {
 public:
  explicit ToldFactors(std::vector<std::optional<Outcome>> outcomes, bool ends_in_memory = false)
      : outcomes_(std::move(outcomes)), ends_in_memory_(ends_in_memory) {
    take(*outcomes_[0]);
  }

  SystemReport search(bool has_choice = true, bool measures_solutions = true, bool leaves_doubts = false) {
    const ProofPort<double> port{.factorize = [this](const FactorizationWay& way) { factorize(way); },
                                 .has_factors = [this] { return has_factors_; },
                                 .examine = [this](const auto&) { return evidence(); }};
    search_proof<double>(report_,
                         {.order = kOrderOfSearch,
                          .structural_rank = kOrderOfSearch,
                          .has_choice = has_choice,
                          .measures_solutions = measures_solutions,
                          .leaves_doubts = leaves_doubts},
                         port);
    return report_;
  }

  std::vector<FactorizationWay> ways;  // taken so far

 private:
  void take(const Outcome& outcome) {
    now_ = outcome;
    has_factors_ = true;
    report_.factorization = {};
    report_.factorization.status = outcome.num_null > 0 ? FactorizationStatus::singular : FactorizationStatus::success;
    report_.factorization.flops = outcome.flops;
    report_.factorization.smallest_pivot = 1e-10;
    report_.factorization.smallest_pivot_variable = 7;
    report_.factorization.largest_entry = 1;
    report_.scaling = ScalingKind::equilibrate;
    for (Index k = 0; k < outcome.num_null; ++k) {
      report_.factorization.null_pivots.push_back(k);
    }
  }

  void factorize(const FactorizationWay& way) {
    ways.push_back(way);
    has_factors_ = false;
    const std::size_t next = std::min(ways.size(), outcomes_.size() - 1);
    if (outcomes_[next]) {
      take(*outcomes_[next]);
    } else if (ends_in_memory_) {
      throw MemoryError("no memory", 2, 1);
    } else {
      throw BudgetError("too much work", {.flops_done = 5e9});
    }
  }

  [[nodiscard]] ProofEvidence evidence() const {
    ProofEvidence evidence;
    const bool is_known = now_.rest < std::numeric_limits<double>::infinity();
    evidence.contraction = is_known ? 0 : 1e3;
    evidence.bauer_skeel = is_known ? now_.rest / kSingularTolerance<double> : 1e30;
    evidence.nulls = {now_.num_null, now_.num_proved, 1e-16, false};
    evidence.hidden = {is_known ? 0 : 1, now_.has_hidden ? 1 : 0, 1e-16, false};
    for (Index k = now_.num_anchors; k > 0; --k) {
      evidence.anchors.add(10 * k);
    }
    return evidence;
  }

  std::vector<std::optional<Outcome>> outcomes_;
  bool ends_in_memory_;
  Outcome now_;
  bool has_factors_ = false;
  SystemReport report_;
};

constexpr double kUnknown = std::numeric_limits<double>::infinity();

TEST(PresumedRank, IsFullWherePivotsAreAsTheyWere) {
  FactorizationReport report;
  EXPECT_EQ(presumed_rank(report, kOrderOfSearch, kOrderOfSearch).lowest, kOrderOfSearch);
  EXPECT_TRUE(presumed_rank(report, kOrderOfSearch, kOrderOfSearch).is_certain());
  report.num_perturbed_pivots = 1;
  EXPECT_EQ(presumed_rank(report, kOrderOfSearch, kOrderOfSearch).status, RankVerdict::in_doubt) << "factors of a neighbour";
  report.num_perturbed_pivots = 0;
  report.status = FactorizationStatus::singular;
  EXPECT_EQ(presumed_rank(report, kOrderOfSearch, kOrderOfSearch - 2).status, RankVerdict::in_doubt);
  EXPECT_EQ(presumed_rank(report, kOrderOfSearch, kOrderOfSearch - 2).highest, kOrderOfSearch - 2);
}

TEST(ProofSearch, EndsWithTheFirstFactorsThatProve) {
  for (const Index num_null : {0, 3}) {
    ToldFactors factors({Outcome{.num_null = num_null, .num_proved = num_null}});
    const SystemReport report = factors.search();
    EXPECT_TRUE(factors.ways.empty());
    EXPECT_TRUE(report.notes.empty());
    EXPECT_EQ(report.rank.status, num_null == 0 ? RankVerdict::nonsingular : RankVerdict::singular);
    EXPECT_EQ(report.rank.lowest, kOrderOfSearch - num_null);
    EXPECT_EQ(report.rank.highest, kOrderOfSearch - num_null);
    EXPECT_DOUBLE_EQ(report.rank.rest, 1e-3);
  }
}

// The factors represent A^-1 accurately and are close to singular: so is A itself.
TEST(ProofSearch, EndsWhereTheDoubtIsTheMatrixsOwn) {
  ToldFactors factors({Outcome{.rest = 5}});
  const SystemReport report = factors.search();
  EXPECT_TRUE(factors.ways.empty());
  EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
  EXPECT_EQ(report.rank.highest, kOrderOfSearch);
  EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
  EXPECT_EQ(describe_bounds(report.rank, kOrderOfSearch), "nothing is proved of it");
}

// Where no backward errors are measured, factors that skip refuted null pivots are not called those of a regular matrix.
TEST(ProofSearch, LeavesDoubtsOnlyWhereNothingLooksSingular) {
  for (const Outcome& outcome : {Outcome{.rest = kUnknown}, Outcome{.rest = kUnknown, .has_hidden = true, .num_anchors = 1},
                                 Outcome{.num_null = 1, .rest = kUnknown}}) {
    ToldFactors factors({outcome, Outcome{}});
    const SystemReport report = factors.search(true, true, true);
    const bool looks_singular = outcome.num_null > 0 || outcome.has_hidden;
    EXPECT_EQ(report.rank.status == RankVerdict::in_doubt, !looks_singular || outcome.has_hidden);
    EXPECT_EQ(factors.ways.empty(), !looks_singular);
  }
}

TEST(ProofSearch, KeepsRefutedNullPivotsWhereSolutionsAreNotMeasured) {
  ToldFactors factors({Outcome{.num_null = 2, .num_proved = 0}, std::nullopt, std::nullopt, Outcome{.num_null = 2}});
  const SystemReport report = factors.search(true, false);
  EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
  EXPECT_EQ(report.factorization.status, FactorizationStatus::singular);
  EXPECT_EQ(report.factorization.null_pivots.size(), 2U);
}

TEST(ProofSearch, TriesOtherScalesWhereClaimsAreRefuted) {
  ToldFactors factors({Outcome{.num_null = 2, .num_proved = 0}, Outcome{}});
  const SystemReport report = factors.search();
  ASSERT_EQ(factors.ways.size(), 1U);
  EXPECT_EQ(factors.ways[0].scaling, ScalingKind::matching);
  EXPECT_EQ(report.rank.status, RankVerdict::nonsingular);
  EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
  EXPECT_EQ(report.notes.size(), 1U);
}

TEST(ProofSearch, TriesSaferPivotsAndThenLargerThresholdsWhereTheRestIsInDoubt) {
  ToldFactors factors({Outcome{.rest = kUnknown, .has_hidden = true, .flops = 1e6},
                       Outcome{.num_null = 1, .num_proved = 1, .rest = kUnknown, .has_hidden = true, .flops = 1e6},
                       Outcome{.num_null = 2, .num_proved = 2, .flops = 1e6}});
  const SystemReport report = factors.search();
  ASSERT_EQ(factors.ways.size(), 2U);
  EXPECT_EQ(factors.ways[0].pivoting.pivot_threshold, 1);
  EXPECT_GT(factors.ways[1].pivoting.null_threshold, 1e-10) << "the smallest pivot counts as zero";
  EXPECT_EQ(report.rank.status, RankVerdict::singular);
  EXPECT_EQ(report.rank.highest, kOrderOfSearch - 2);
}

// Pivots that stand for zeros spoil others, unless they come last.
TEST(ProofSearch, LeavesVariablesOfHiddenNullVectorsForTheEnd) {
  ToldFactors factors({Outcome{.rest = kUnknown, .has_hidden = true, .num_anchors = 2}, Outcome{.num_null = 2, .num_proved = 2}});
  const SystemReport report = factors.search();
  ASSERT_EQ(factors.ways.size(), 1U);
  const std::span<const Index> last = factors.ways[0].last_variables.view();
  EXPECT_EQ(std::vector<Index>(last.begin(), last.end()), (std::vector<Index>{10, 20}));
  EXPECT_EQ(factors.ways[0].pivoting.pivot_threshold, FactorizationWay().pivoting.pivot_threshold);
  EXPECT_EQ(report.rank.status, RankVerdict::singular);
  EXPECT_EQ(report.rank.lowest, kOrderOfSearch - 2);
  EXPECT_EQ(report.rank.highest, kOrderOfSearch - 2);
}

// The first factors prove a rank of at least 98; the second ones, with one null pivot less, prove at most 98.
TEST(ProofSearch, GoesBackToFactorsThatHaveTheRank) {
  const Outcome first{.num_null = 2, .num_proved = 1, .flops = 1e6};
  ToldFactors factors(
      {first, Outcome{.num_null = 1, .num_proved = 1, .rest = kUnknown, .has_hidden = true, .flops = 1e6}, std::nullopt, first});
  const SystemReport report = factors.search();
  EXPECT_EQ(report.rank.status, RankVerdict::singular);
  EXPECT_EQ(report.rank.lowest, kOrderOfSearch - 2);
  EXPECT_EQ(report.rank.highest, kOrderOfSearch - 2);
  EXPECT_EQ(report.factorization.null_pivots.size(), 2U);
}

TEST(ProofSearch, EndsWithFactorsThatSolveWhereNothingIsProved) {
  const Outcome refuted{.num_null = 2, .num_proved = 0};
  ToldFactors factors({refuted, refuted, Outcome{.rest = kUnknown}});
  const SystemReport report = factors.search();
  ASSERT_EQ(factors.ways.size(), 2U);
  EXPECT_LT(factors.ways[1].pivoting.null_threshold, 1e-30);
  EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
  EXPECT_EQ(report.rank.lowest, kOrderOfSearch - 2) << "proved by the first two";
  EXPECT_EQ(report.rank.highest, kOrderOfSearch);
  EXPECT_EQ(report.factorization.status, FactorizationStatus::success) << "not singular without a proof";
}

TEST(ProofSearch, CallsSingularWhatHasANullVectorThoughItsNumberIsInDoubt) {
  const Outcome hidden{.rest = kUnknown, .has_hidden = true};
  ToldFactors factors({hidden, hidden, hidden});
  const SystemReport report = factors.search(false);
  EXPECT_TRUE(factors.ways.empty()) << "thresholds were the caller's own";
  EXPECT_EQ(report.factorization.status, FactorizationStatus::singular);
  EXPECT_TRUE(report.is_singular_by_condition);
  EXPECT_EQ(report.factorization.null_pivots, std::vector<Index>{7});
  EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
  EXPECT_EQ(report.rank.highest, kOrderOfSearch - 1);
}

// The null vector of the last factors is refuted: the proof reports the vector of the factors before.
TEST(ProofSearch, KeepsTheVectorOfFactorsBefore) {
  ToldFactors factors({Outcome{.rest = kUnknown, .has_hidden = true}, Outcome{.num_null = 1, .num_proved = 0}});
  const SystemReport report = factors.search();
  EXPECT_EQ(factors.ways.size(), 1U);
  EXPECT_EQ(report.rank.status, RankVerdict::singular);
  EXPECT_EQ(report.rank.highest, kOrderOfSearch - 1);
  EXPECT_EQ(report.rank.lowest, kOrderOfSearch - 1);
  EXPECT_EQ(report.rank.number, 1e-16);
  EXPECT_EQ(report.rank.num_vectors, 1);
}

TEST(ProofSearch, SpendsNoMoreThanItsBudget) {
  const Outcome unknown{.rest = kUnknown};
  ToldFactors factors({unknown, unknown, unknown, unknown});
  const SystemReport report = factors.search();
  ASSERT_EQ(factors.ways.size(), 1U);
  EXPECT_LE(factors.ways[0].budget.flops, (kMostFlops - 1) * 1e10) << "with what there is to go back";
  EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
}

TEST(ProofSearch, GoesBackToTheFactorsBefore) {
  for (const bool ends_in_memory : {false, true}) {
    const Outcome first{.rest = kUnknown};
    ToldFactors factors({first, std::nullopt, first}, ends_in_memory);
    const SystemReport report = factors.search();
    ASSERT_GE(factors.ways.size(), 2U);
    EXPECT_EQ(factors.ways.back().pivoting.pivot_threshold, FactorizationWay().pivoting.pivot_threshold);
    EXPECT_EQ(factors.ways.back().budget.flops, std::numeric_limits<double>::infinity());
    EXPECT_EQ(report.rank.status, RankVerdict::in_doubt);
    EXPECT_EQ(report.factorization.status, FactorizationStatus::success);
    EXPECT_NE(report.notes.front().find("went back to the factors before"), std::string::npos);
  }
}

}  // namespace
}  // namespace frond
