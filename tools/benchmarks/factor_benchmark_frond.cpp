// SPDX-License-Identifier: BSD-3-Clause
// Frond itself as a contender.
#include <memory>
#include <optional>

#include "factorization/factorize.hpp"
#include "matrices/error.hpp"
#include "solver/solve.hpp"
#include "tools/benchmarks/factor_benchmark_solvers.hpp"

namespace frond {
namespace {

class FrondContender final : public Contender {
 public:
  FrondContender(const Problem& problem, int num_threads)
      : problem_(problem), plan_(problem.symbolic->tree()), num_threads_(num_threads) {}

  void discard() override { factors_.reset(); }

  void factorize() override {
    FactorizationOptions options;
    options.num_threads = num_threads_;
    options.memory = memory_;
    FactorizationResult<double> result =
        frond::factorize<double>(problem_.symbolic, problem_.method, problem_.matrix.values, {}, {}, options);
    if (result.report.status == FactorizationStatus::not_positive_definite) {
      throw UsageError("the matrix is not positive definite: choose --method ldlt");
    }
    factors_ = std::move(result.factors);
  }

  std::vector<double> solve(std::span<const double> b) override {
    std::vector<double> x(b.begin(), b.end());
    const auto n = static_cast<Index>(x.size());
    solve_with_factors(*factors_, plan_, Operation::plain, DenseView<double>{x.data(), n, 1, n}, num_threads_);
    return x;
  }

 private:
  const Problem& problem_;
  SolvePlan plan_;
  int num_threads_;
  std::shared_ptr<RegionPool> memory_ = std::make_shared<RegionPool>();
  std::optional<Factors<double>> factors_;
};

}  // namespace

std::unique_ptr<Contender> make_frond(const Problem& problem, int num_threads) {
  return std::make_unique<FrondContender>(problem, num_threads);
}

}  // namespace frond
