// SPDX-License-Identifier: BSD-3-Clause
// Examines pivots one by one.
#include "factorization/fronts/pivot_report.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "factorization/fronts/level_counts.hpp"

namespace frond {
namespace {

// A pivot of a Hermitian matrix is the real part of a complex number.
template <Scalar S>
int sign_of(S value) {
  return std::real(value) > 0 ? 1 : -1;
}

// Returns the sign of the pivot at a position, for a 2x2 pivot that of its eigenvalue nearer to zero; 0 where pivots have no sign.
template <Scalar S>
int pivot_sign(const FrontFactor<S>& factor, Method method, Index position) {
  if (method == Method::cholesky) {
    return 1;
  }
  if (method == Method::lu || (kIsComplex<S> && method == Method::ldlt)) {
    return 0;
  }
  if (factor.pivots[position] == PivotKind::one_by_one) {
    return sign_of(factor.d[2 * position]);
  }
  const Index first = factor.pivots[position] == PivotKind::two_by_two ? position : position - 1;
  const S* d = factor.d + 2 * first;
  const RealOf<S> largest = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
  const S determinant = (d[0] / largest) * (d[2] / largest) - (d[1] / largest) * (conjugate(d[1]) / largest);
  return sign_of(determinant) * sign_of(d[0] / largest + d[2] / largest);  // the larger one has the sign of the trace
}

// Returns the smallest pivot of a front and its position, null pivots excluded.
template <Scalar S>
std::pair<double, Index> smallest_pivot(const FrontFactor<S>& factor, Method method) {
  std::pair<double, Index> smallest{std::numeric_limits<double>::infinity(), -1};
  for (Index k = 0; k < factor.num_eliminated; ++k) {
    if (method != Method::cholesky && factor.pivots[k] == PivotKind::null) {
      continue;
    }
    double size = 0;
    if (method == Method::cholesky || method == Method::lu) {
      const double diagonal = std::abs(factor.lower[factor.layout.column_offset(k) + k]);
      size = method == Method::lu ? diagonal : diagonal * diagonal;
    } else if (factor.pivots[k] == PivotKind::one_by_one) {
      size = std::abs(factor.d[2 * k]);
    } else {
      const Index first = factor.pivots[k] == PivotKind::two_by_two ? k : k - 1;
      const S* d = factor.d + 2 * first;
      const double largest = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
      const S coupling = d[1] / static_cast<RealOf<S>>(largest) * (method == Method::ldlh ? conjugate(d[1]) : d[1]);
      size = std::abs(d[0] / static_cast<RealOf<S>>(largest) * d[2] - coupling);
    }
    smallest = std::min(smallest, {size, k});
  }
  return smallest;
}

}  // namespace

template <Scalar S>
FactorizationReport report_of_pivots(const FrontFactor<S>& factor, Method method, const PivotCounts& counts,
                                     std::span<const Index> row_perm) {
  FactorizationReport report;
  report.inertia = {counts.positive, counts.negative, static_cast<Count>(counts.null_variables.size())};
  report.num_two_by_two = counts.two_by_two;
  report.num_perturbed_pivots = counts.perturbed;
  for (const Index variable : counts.null_variables) {
    report.null_pivots.push_back(row_perm[variable]);
  }
  std::sort(report.null_pivots.begin(), report.null_pivots.end());
  if (const auto [size, position] = smallest_pivot(factor, method); position >= 0) {
    report.smallest_pivot = size;
    report.smallest_pivot_sign = pivot_sign(factor, method, position);
    report.smallest_pivot_variable = row_perm[factor.row_variables[position]];
  }
  report.status = report.null_pivots.empty() ? FactorizationStatus::success : FactorizationStatus::singular;
  return report;
}

LevelCounts& level_at_depth(FactorizationReport& report, Index depth) {
  if (report.levels.empty()) {
    report.first_level = depth;
  } else if (depth < report.first_level) {
    report.levels.insert(report.levels.begin(), static_cast<std::size_t>(report.first_level - depth), LevelCounts());
    report.first_level = depth;
  }
  return at_level(report.levels, depth - report.first_level);
}

#define FROND_INSTANTIATE(S) \
  template FactorizationReport report_of_pivots(const FrontFactor<S>&, Method, const PivotCounts&, std::span<const Index>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
