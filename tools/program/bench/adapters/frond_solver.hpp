// SPDX-License-Identifier: BSD-3-Clause
// Runs Frond as a peer of itself by its public calls, at any place.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "factorization/factorize.hpp"
#include "factorization/memory/region_pool.hpp"
#include "frond/factorization.hpp"
#include "frond/place.hpp"
#include "solver/course/analyze_system.hpp"
#include "tools/program/bench/adapters/peer.hpp"

namespace frond {

template <Scalar S>
class FrondSolver final : public PeerSolver<S> {
 public:
  FrondSolver(const PeerProblem<S>& problem, Place place) : problem_(problem), place_(std::move(place)) {
    options_.method = problem.method;
    options_.detect_symmetry = false;  // the problem has the symmetry of its values
    options_.factorization.num_threads = problem.num_threads;
    options_.factorization.memory = std::make_shared<RegionPool>();
    options_.refinement.measures = problem.refines;
    if (!problem.ordering.empty()) {
      options_.analysis.ordering = {.kind = OrderingKind::given, .perm = problem.ordering, .row_of_column = problem.row_of_column};
    }
  }

  void analyze() override { analysis_ = frond::analyze(matrix(), options_, place_); }
  void discard() override { factorization_.reset(); }

  void factorize() override { factorization_.emplace(*analysis_, matrix()); }
  void refactorize(std::span<const S> values) override { factorization_->refactorize(values); }

  void solve(std::span<const S> b, std::span<S> x) override { (void)factorization_->solve(column_view(b), column_view(x)); }

  // Not timed, unlike the calls before, which need no report.
  [[nodiscard]] Count factor_entries() const override {
    const FactorizationReport& report = factorization_->report().factorization;
    require_success(report.status == FactorizationStatus::success, "factorization", static_cast<int>(report.status));
    return report.factor_entries;
  }

  [[nodiscard]] Count estimated_bytes() const override {
    return place_.num_ranks() > 1 || analysis_->thin()
               ? 0
               : estimate_memory(*analysis_->parts().symbolic, problem_.method, sizeof(S), problem_.num_threads).peak_bytes();
  }

 private:
  [[nodiscard]] SystemMatrix<S> matrix() const { return place_.rank() == 0 ? SystemMatrix<S>(problem_.matrix) : SystemMatrix<S>(); }

  const PeerProblem<S>& problem_;
  Place place_;
  SolverOptions options_;
  std::optional<Analysis> analysis_;
  std::optional<Factorization<S>> factorization_;
};

/// Describes Frond at the place that make_place() returns for this number of threads.
[[nodiscard]] inline Peer frond_peer(Place (*make_place)(int num_threads)) {
  return {.solver = "Frond " FROND_VERSION,
          .real_methods = {Method::cholesky, Method::ldlt, Method::lu},
          .complex_methods = {Method::cholesky, Method::ldlt, Method::ldlh, Method::lu},
          .threads = PeerThreads::own,
          .make_real =
              [make_place](const PeerProblem<double>& problem) {
                return std::make_unique<FrondSolver<double>>(problem, make_place(problem.num_threads));
              },
          .make_complex =
              [make_place](const PeerProblem<std::complex<double>>& problem) {
                return std::make_unique<FrondSolver<std::complex<double>>>(problem, make_place(problem.num_threads));
              }};
}

}  // namespace frond
