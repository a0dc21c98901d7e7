// SPDX-License-Identifier: BSD-3-Clause
// Runs randomly on virtual ranks: every mechanism, schedule and number of ranks, tight buffers and memory, failures, and planted
// bugs that such runs must find. FROND_ADVERSARIAL_SEEDS=10000 asks for a long run, FROND_ADVERSARIAL_SEED=s for one.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <map>
#include <random>
#include <string>

#include "frond/error.hpp"
#include "tests/support/oracles/dense_determinant.hpp"
#include "tests/support/oracles/dense_matrix_oracle.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/drawn_run.hpp"

namespace frond::test {
namespace {

constexpr std::array kMechanisms = {LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::local_increments,
                                    LoadMechanism::snapshot, LoadMechanism::partial_snapshot};
constexpr double kPivotThreshold = 0.1;
constexpr double kNullThreshold = 1e-40;  // no matrix is singular, but graded ones have small pivots
constexpr std::array<Rank, 6> kNumRanks = {2, 3, 5, 8, 16, 32};

// The trouble that a run has to handle, drawn with these odds.
enum class Trouble { none, memory, budget, error, message };
constexpr std::array kTroubles = {Trouble::none,  Trouble::none,  Trouble::memory, Trouble::budget,
                                  Trouble::error, Trouble::error, Trouble::message};

std::string delays_between(NodeType child, NodeType parent) {
  return "delays from type " + std::to_string(static_cast<int>(child) + 1) + " to " + std::to_string(static_cast<int>(parent) + 1);
}

// One run drawn from a seed.
struct Draw {
  explicit Draw(std::uint32_t run_seed) : seed(run_seed), random(run_seed) {}

  [[nodiscard]] std::size_t below(std::size_t end) { return random() % end; }

  std::uint32_t seed;
  std::mt19937 random;
};

class Problems {
 public:
  virtual ~Problems() = default;
  [[nodiscard]] virtual const std::string& name() const = 0;
  // Runs the matrix over `num_ranks` ranks. Returns what is wrong.
  virtual std::string run(Draw& draw, Rank num_ranks, PlantedBug bug, testing::EventCoverage& coverage) = 0;
};

template <Scalar S>
class ProblemsOf final : public Problems {
 public:
  ProblemsOf(std::string name, Method method, SparseMatrix<S> a, DenseDeterminant determinant)
      : name_(std::move(name)), method_(method), a_(std::move(a)), determinant_(determinant) {}

  [[nodiscard]] const std::string& name() const override { return name_; }

  std::string run(Draw& draw, Rank num_ranks, PlantedBug bug, testing::EventCoverage& coverage) override {
    const Types types = bug == PlantedBug::none && draw.below(2) == 0 ? Types::grid : Types::row_distributed;
    const RankProblem<S>& problem = mapped_to(num_ranks, types);
    VirtualRun run{.seed = draw.seed};
    run.pivoting = {.pivot_threshold = kPivotThreshold, .null_threshold = kNullThreshold};
    run.bug = bug;
    run.buffer_bytes = Count{200} << draw.below(12);
    run.piece_bytes = Count{64} << draw.below(10);
    run.relayed_bytes = draw.below(2) == 0 ? 0 : Count{1} << 30;
    run.mechanism = bug == PlantedBug::lost_end || bug == PlantedBug::doubled_reservation
                        ? LoadMechanism::snapshot
                        : kMechanisms[draw.below(kMechanisms.size())];
    run.selection.schedule = draw.below(2) == 0 ? Schedule::flops : Schedule::memory;
    run.selection.min_rows = 1 + static_cast<Index>(draw.below(6));
    const Trouble trouble = bug == PlantedBug::none ? kTroubles[draw.below(kTroubles.size())] : Trouble::none;
    if (trouble == Trouble::memory) {
      run.memory_limit = needs(num_ranks, types).peak_bytes * static_cast<Count>(50 + draw.below(70)) / 100;
      run.selection.memory_limit = draw.below(2) == 0 ? run.memory_limit : 0;  // 0: only the rank that refuses knows
    }
    if (trouble == Trouble::budget) {
      run.budget = drawn_budget(draw, num_ranks, types);
    }
    PlantedFailure error;
    if (trouble == Trouble::error) {
      error.draw(draw.random, num_ranks, kPhases.size());
      run.before = [&error](Rank rank, Phase phase) { error.before(rank, phase); };
    }
    const auto victim = static_cast<Rank>(draw.below(static_cast<std::size_t>(num_ranks)));
    auto messages_left = static_cast<int>(1 + draw.below(30));
    if (trouble == Trouble::message) {
      run.is_garbled = [&](Rank rank) { return rank == victim && --messages_left == 0; };
    }
    const VirtualRunResult<S> result = factorize_on_virtual_ranks<S>(problem.symbolic, method_, problem.a, problem.mapping, run);
    count(problem, result, coverage);
    if (!result.complaints.empty()) {
      return result.complaints.front();
    }
    if (trouble == Trouble::error && (error.has_struck() || result.failure)) {
      coverage.note("failures in " + to_string(error.phase()), error.has_struck() ? 1 : 0);
      return judge(error, result.failure);
    }
    if (trouble == Trouble::budget && result.failure) {
      coverage.note("budgets passed");
      return result.failure->kind == Failure::Kind::budget ? "" : result.failure->text;
    }
    if (!result.failure) {
      coverage.note("successes");
      return judge(problem, result, coverage);
    }
    coverage.note("lack of memory", trouble == Trouble::memory ? 1 : 0);
    coverage.note("failures in messages", trouble == Trouble::message ? 1 : 0);
    const bool is_expected = trouble == Trouble::memory || messages_left <= 0;
    return is_expected ? "" : result.failure->text;
  }

 private:
  const RankProblem<S>& mapped_to(Rank num_ranks, Types types) {
    const std::pair key(num_ranks, types);
    const auto found = mapped_.find(key);
    return found != mapped_.end() ? found->second
                                  : mapped_.emplace(key, RankProblem<S>(method_, a_, types, num_ranks)).first->second;
  }

  // The needs of a run without trouble.
  struct Needs {
    Count peak_bytes = 0;
    double flops = 0;
  };
  Needs needs(Rank num_ranks, Types types) {
    Needs& needs = needs_[{num_ranks, types}];
    if (needs.peak_bytes == 0) {
      const RankProblem<S>& problem = mapped_to(num_ranks, types);
      const auto result = factorize_on_virtual_ranks<S>(problem.symbolic, method_, problem.a, problem.mapping, {.seed = 1});
      needs = {result.counts.peak_bytes, result.report.flops};
    }
    return needs;
  }

  // Draws a budget of flops or of bytes, tight or not.
  WorkBudget drawn_budget(Draw& draw, Rank num_ranks, Types types) {
    const Needs all = needs(num_ranks, types);
    const auto percent = static_cast<Count>(10 + draw.below(110));
    return draw.below(2) == 0 ? WorkBudget{.flops = all.flops * static_cast<double>(percent) / 100}
                              : WorkBudget{.bytes = all.peak_bytes * percent / 100};
  }

  void count(const RankProblem<S>& problem, const VirtualRunResult<S>& result, testing::EventCoverage& coverage) const {
    coverage.note("runs");
    coverage.note("row-distributed fronts", problem.mapping.num_nodes_of(NodeType::row_distributed));
    coverage.note("roots on a grid", problem.mapping.num_nodes_of(NodeType::grid_distributed));
    coverage.note("slaves", result.counts.slaves_chosen);
    coverage.note("simultaneous decisions", result.counts.simultaneous_decisions);
    coverage.note("panels undone", result.report.num_panels_undone);
    coverage.note("full buffers", result.counts.refused_sends);
    coverage.note("refusals", result.counts.refusals);
    coverage.note("tasks put off", result.counts.put_off);
  }

  // Returns what is wrong with the failure that all ranks ended with.
  static std::string judge(const PlantedFailure& error, const std::optional<Failure>& failure) {
    if (!failure) {
      return "the error in " + to_string(error.phase()) + " was lost";
    }
    const bool is_mine = error.has_struck() && failure->kind == Failure::Kind::memory && failure->origin == error.victim();
    return is_mine ? "" : failure->text;
  }

  std::string judge(const RankProblem<S>& problem, const VirtualRunResult<S>& result, testing::EventCoverage& coverage) const {
    const Factors<S> factors = problem.gather(result);
    const AssemblyTree& tree = problem.symbolic->tree();
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      if (tree.parent(node) != kNoParent && factors.front(node).num_delayed() > 0) {
        coverage.note(delays_between(problem.mapping.type(node), problem.mapping.type(tree.parent(node))),
                      factors.front(node).num_delayed());
      }
    }
    const DenseOracle<S> oracle = multiply_out(factors);
    if (std::string complaint = wrong_factors(problem, factors, oracle); !complaint.empty()) {
      return complaint;
    }
    const double bound = 1 / kPivotThreshold * (1 + 100 * std::numeric_limits<RealOf<S>>::epsilon());
    if (method_ != Method::cholesky && !(oracle.largest_multiplier() <= bound)) {
      return "a multiplier of " + std::to_string(oracle.largest_multiplier());
    }
    if (const double error = relative_difference(result.report.determinant, determinant_.value);
        !(error <= determinant_.tolerance)) {
      return "the determinant is wrong by " + std::to_string(error) + " of it";
    }
    coverage.note("successes of " + name_);
    return "";
  }

  std::string name_;
  Method method_;
  SparseMatrix<S> a_;
  DenseDeterminant determinant_;
  std::map<std::pair<Rank, Types>, RankProblem<S>> mapped_;
  std::map<std::pair<Rank, Types>, Needs> needs_;
};

std::vector<std::unique_ptr<Problems>> make_problems() {
  using Complex = std::complex<double>;
  std::vector<std::unique_ptr<Problems>> problems;
  const auto add = [&problems]<Scalar S>(const std::string& name, Method method, SparseMatrix<S> a) {
    const DenseDeterminant determinant = dense_determinant(to_dense(a.view()));
    problems.push_back(std::make_unique<ProblemsOf<S>>(name, method, std::move(a), determinant));
  };
  add("Cholesky", Method::cholesky, grid_matrix<double>(Symmetry::symmetric, 6, 6, 5, Values::dominant, 1));
  add("LDLT", Method::ldlt, grid_matrix<double>(Symmetry::symmetric, 6, 5, 5, Values::zero_diagonal, 2));
  add("LDLT saddle", Method::ldlt, saddle_matrix<double>(Symmetry::symmetric, 60, 3));
  add("LDLT deceptive", Method::ldlt, deceptive_blocks(3, 30, 8));
  add("LDLH", Method::ldlh, grid_matrix<Complex>(Symmetry::hermitian, 5, 5, 5, Values::zero_diagonal, 4));
  add("LU", Method::lu, grid_matrix<double>(Symmetry::general, 6, 5, 5, Values::zero_diagonal, 5));
  add("complex LU", Method::lu, grid_matrix<Complex>(Symmetry::general, 5, 5, 5, Values::random, 6));
  const Index sizes[] = {5, 4, 3, 3};
  add("LU forest", Method::lu, uncoupled_grids(Symmetry::general, sizes, 7));
  // Elimination preserves the grading, so the determinant is as exact as without it.
  const auto add_graded = [&problems]<Scalar S>(const std::string& name, Method method, const SparseMatrix<S>& a) {
    SparseMatrix<S> scaled = graded(a, 9);
    const Determinant determinant = dense_determinant(to_dense(scaled.view())).value;
    const double tolerance = dense_determinant(to_dense(a.view())).tolerance;
    problems.push_back(std::make_unique<ProblemsOf<S>>(name, method, std::move(scaled), DenseDeterminant{determinant, tolerance}));
  };
  add_graded("graded LDLT", Method::ldlt, grid_matrix<double>(Symmetry::symmetric, 6, 5, 5, Values::zero_diagonal, 10));
  add_graded("graded LDLH saddle", Method::ldlh, saddle_matrix<Complex>(Symmetry::hermitian, 50, 11));
  add_graded("graded LU", Method::lu, grid_matrix<double>(Symmetry::general, 6, 5, 5, Values::random, 12));
  add_graded("graded LU saddle", Method::lu, saddle_matrix<double>(Symmetry::general, 50, 13));
  return problems;
}

std::string run_one(const std::vector<std::unique_ptr<Problems>>& problems, std::uint32_t seed, PlantedBug bug,
                    testing::EventCoverage& coverage) {
  Draw draw(seed);
  Problems& problem = *problems[draw.below(problems.size())];
  return problem.run(draw, kNumRanks[draw.below(kNumRanks.size())], bug, coverage);
}

TEST(Adversarial, RandomRunsAreExactAndEnd) {
  const auto problems = make_problems();
  testing::EventCoverage coverage(
      "row-distributed fronts; roots on a grid; slaves; simultaneous decisions; panels undone; full buffers; refusals; tasks put "
      "off; lack of memory; budgets passed; failures in messages");
  for (const auto& problem : problems) {
    coverage.want("successes of " + problem->name());
  }
  for (const Phase phase : kPhases) {
    coverage.want("failures in " + to_string(phase));
  }
  for (const NodeType child : {NodeType::sequential, NodeType::row_distributed}) {
    for (const NodeType parent : {NodeType::sequential, NodeType::row_distributed, NodeType::grid_distributed}) {
      coverage.want(delays_between(child, parent));
    }
  }
  const auto run = [&problems](std::uint32_t seed, testing::EventCoverage& all) {
    return run_one(problems, seed, PlantedBug::none, all);
  };
  testing::run_drawn_seeds("ADVERSARIAL", 300, coverage, run);
}

// The protocol has its own checks, which throw when they find an impossible state.
std::string complaint_about(const std::vector<std::unique_ptr<Problems>>& problems, std::uint32_t seed, PlantedBug bug) {
  testing::EventCoverage coverage("");
  try {
    return run_one(problems, seed, bug, coverage);
  } catch (const InternalError& error) {
    return error.what();
  }
}

class PlantedBugTest : public ::testing::TestWithParam<PlantedBug> {};

TEST_P(PlantedBugTest, IsFoundWithinAThousandSeeds) {
  const auto problems = make_problems();
  std::random_device device;
  int num_runs = 1;
  while (complaint_about(problems, device(), GetParam()).empty() && num_runs < 1000) {
    ++num_runs;
  }
  EXPECT_LT(num_runs, 1000);
  std::cout << "found after " << num_runs << " runs\n";
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBugTest,
                         ::testing::Values(PlantedBug::lost_end, PlantedBug::doubled_reservation, PlantedBug::lost_delays,
                                           PlantedBug::lost_room));

}  // namespace
}  // namespace frond::test
