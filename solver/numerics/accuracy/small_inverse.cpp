// SPDX-License-Identifier: BSD-3-Clause
// Computes the inverse and its error column by column.
#include "solver/numerics/accuracy/small_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <span>

#include "frond/matrix.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"

namespace frond {
namespace {

constexpr int kMostTerms = 40;

// M v for M >= 0.
std::vector<double> multiply(const DenseMatrix<double>& matrix, const std::vector<double>& v) {
  std::vector<double> product(v.size());
  for (Index j = 0; j < matrix.num_cols; ++j) {
    const double factor = v[j];
    if (factor > 0) {
      const std::span<const double> column = matrix.column(j);
      std::transform(product.begin(), product.end(), column.begin(), product.begin(),
                     [factor](double sum, double entry) { return sum + factor * entry; });
    }
  }
  return product;
}

}  // namespace

template <Scalar S>
SmallInverse<S>::SmallInverse(const MatrixView<S>& matrix, Operation operation, const SolveInPlace<S>& solve) {
  const Index n = matrix.pattern.num_cols;
  const bool is_plain = operation == Operation::plain;
  DenseMatrix<S> inverse(n, n);
  for (Index j = 0; j < n; ++j) {
    inverse(j, j) = S(1);
  }
  solve({is_plain ? Operation::plain : Operation::adjoint, view_of(inverse)});
  magnitudes_ = DenseMatrix<double>(n, n);
  std::transform(inverse.values.begin(), inverse.values.end(), magnitudes_.values.begin(),
                 [](S value) { return static_cast<double>(std::abs(value)); });
  measure_rest(matrix, is_plain, inverse);
}

template <Scalar S>
void SmallInverse<S>::measure_rest(const MatrixView<S>& matrix, bool is_plain, const DenseMatrix<S>& inverse) {
  const Index n = inverse.num_cols;
  const SparseMatrix<S> whole = expand_to_general(matrix);
  std::vector<WideNumber<S>> sums(inverse.values.size());  // of G op(A) - I
  rest_ = DenseMatrix<double>(n, n);                       // |G| |op(A)| at first
  const auto at = [n](Index i, Index j) { return static_cast<std::size_t>(i + j * n); };
  for (Index j = 0; j < n; ++j) {
    sums[at(j, j)] = WideNumber<S>::of_parts(S(-1), S(0));
  }
  for (Index j = 0; j < n; ++j) {
    const auto end = static_cast<std::size_t>(whole.column_offsets[static_cast<std::size_t>(j) + 1]);
    for (auto e = static_cast<std::size_t>(whole.column_offsets[j]); e < end; ++e) {
      const Index from = is_plain ? whole.row_indices[e] : j;
      const Index to = is_plain ? j : whole.row_indices[e];
      const S entry = is_plain ? whole.values[e] : conjugate(whole.values[e]);
      for (Index i = 0; i < n; ++i) {
        sums[at(i, to)] += WideNumber<S>::of_product(inverse(i, from), entry);
        rest_(i, to) += magnitudes_(i, from) * static_cast<double>(std::abs(entry));
      }
    }
  }
  const double rounding = n * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  std::transform(sums.begin(), sums.end(), rest_.values.begin(), rest_.values.begin(),
                 [rounding](const WideNumber<S>& sum, double size) {
                   return static_cast<double>(std::abs(sum.rounded())) + rounding * rounding * size;
                 });
}

template <Scalar S>
double SmallInverse<S>::norm_of_product(const std::vector<double>& f) const {
  std::vector<double> term = multiply(magnitudes_, f);
  if (!std::all_of(term.begin(), term.end(), [](double value) { return std::isfinite(value); })) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> sum = term;
  for (int k = 1; k < kMostTerms; ++k) {
    const std::vector<double> next = multiply(rest_, term);
    double growth = 0;  // maximum over all entries
    for (std::size_t i = 0; i < next.size(); ++i) {
      growth = std::max(growth, next[i] > 0 ? next[i] / term[i] : 0.0);
      sum[i] += next[i];
    }
    term = next;
    if (growth <= 0.5) {  // the remaining terms are bounded by a geometric series
      return *std::max_element(sum.begin(), sum.end()) + *std::max_element(term.begin(), term.end()) * growth / (1 - growth);
    }
  }
  return std::numeric_limits<double>::infinity();
}

FROND_INSTANTIATE_CLASS(SmallInverse)

}  // namespace frond
