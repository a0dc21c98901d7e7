// SPDX-License-Identifier: BSD-3-Clause
// Solves b = A x for a known x.
#include "tools/benchmarks/factor_benchmark_check.hpp"

#include <fmt/format.h>

#include "matrices/error.hpp"
#include "solver/backward_error.hpp"

namespace frond {
namespace {

/// Without refinement and scaling: far above what a sound factorization leaves, far below what a wrong one does.
constexpr double kLargestBackwardError = 1e-10;

std::vector<double> known_solution(Index n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i * 7919 % 1000) / 1000;
  return x;
}

}  // namespace

double checked_backward_error(const Problem& problem, Contender& contender) {
  const std::vector<double> solution = known_solution(problem.matrix.num_rows);
  std::vector<double> b(solution.size());
  multiply<double>(problem.matrix.view(), Operation::plain, solution, b);
  const std::vector<double> x = contender.solve(b);
  std::vector<double> residual(b.size());
  const BackwardErrorMeter<double> meter(problem.matrix.view(), Operation::plain);
  const double error = meter.measure(b, x, residual).normwise_backward_error;
  if (!(error <= kLargestBackwardError)) {
    throw Error(fmt::format("wrong answer: backward error {:.1e}, above {:.0e}", error, kLargestBackwardError));
  }
  return error;
}

}  // namespace frond
