// SPDX-License-Identifier: BSD-3-Clause
// Runs Frond in one process as a peer of itself: the steps of frond::Factorization without refinement and error analysis.
#include <optional>
#include <utility>

#include "factorization/factorize.hpp"
#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/sweeps/block_substitution.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "tools/program/bench/adapters/peer.hpp"

namespace frond {
namespace {

template <Scalar S>
class FrondSolver final : public PeerSolver<S> {
 public:
  explicit FrondSolver(const PeerProblem<S>& problem) : problem_(problem) {
    options_.method = problem.method;
    options_.factorization.num_threads = problem.num_threads;
    options_.factorization.memory = std::make_shared<RegionPool>();
    if (!problem.ordering.empty()) {
      options_.analysis.ordering = {.kind = OrderingKind::given, .perm = problem.ordering, .row_of_column = problem.row_of_column};
    }
  }

  void analyze() override {
    symbolic_ = analyze_system<S>(problem_.matrix, options_).symbolic;
    plan_ = SolvePlan(symbolic_->tree());
    if (symbolic_->blocks().splits()) {
      levels_.emplace(*symbolic_, plan_, std::span<const S>(problem_.matrix.values));
    }
  }

  void discard() override {
    factors_.reset();
    safer_.reset();
  }

  void factorize() override {
    Scaling<RealOf<S>> scaling =
        find_scaling(problem_.matrix.view(), scaling_options(options_), symbolic_->row_of_column(), symbolic_->blocks());
    FactorizationResult<S> result = frond::factorize<S>(symbolic_, problem_.method, problem_.matrix.values, std::move(scaling.rows),
                                                        std::move(scaling.cols), options_.factorization);
    if (result.report.status != FactorizationStatus::success) {
      take_safer_way();
      return;
    }
    factor_entries_ = result.report.factor_entries;
    factors_ = std::move(result.factors);
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    if (safer_) {
      (void)safer_->solve(b, x);
      return;
    }
    std::copy(b.begin(), b.end(), x.begin());
    const auto n = static_cast<Index>(x.size());
    const DenseView<S> sides{x.data(), n, 1, n};
    if (!levels_) {
      solve_with_factors<S>(*factors_, plan_, {Operation::plain, sides}, problem_.num_threads);
      return;
    }
    for (BlockSubstitution<S> course(*levels_, {Operation::plain, sides}); !course.ended(); course.take()) {
      solve_with_factors<S>(*factors_, plan_, course.sweep(), problem_.num_threads, &levels_->trees(course.level()));
    }
  }

  [[nodiscard]] Count factor_entries() const override { return factor_entries_; }

  [[nodiscard]] Count estimated_bytes() const override {
    return estimate_memory(*symbolic_, problem_.method, sizeof(S), problem_.num_threads).peak_bytes();
  }

 private:
  // If pivots are too small, everything that frond solve tries counts.
  void take_safer_way() {
    SolverOptions options = options_;
    options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
    safer_.emplace(frond::analyze(problem_.matrix, options), problem_.matrix);
    factor_entries_ = safer_->report().factorization.factor_entries;
  }

  const PeerProblem<S>& problem_;
  SolverOptions options_;
  std::shared_ptr<const Symbolic> symbolic_;
  SolvePlan plan_;
  std::optional<CoupledLevels<S>> levels_;
  std::optional<Factors<S>> factors_;
  std::optional<Factorization<S>> safer_;
  Count factor_entries_ = 0;
};

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  using frond::PeerThreads;
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::FrondSolver<double>, frond::FrondSolver<std::complex<double>>>(
                             {.solver = "Frond " FROND_VERSION,
                              .real_methods = {Method::cholesky, Method::ldlt, Method::lu},
                              .complex_methods = {Method::cholesky, Method::ldlt, Method::ldlh, Method::lu},
                              .threads = PeerThreads::own}));
}
