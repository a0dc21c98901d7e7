// SPDX-License-Identifier: BSD-3-Clause
// Rounds values one after the other, and notes what they lost.
#include "tools/program/solve/single_precision.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

template <class R>
bool loses_digits(double value) {
  return value != 0 && std::abs(value) < static_cast<double>(std::numeric_limits<R>::min());
}

// Tests the real part and the imaginary part.
template <Scalar W, class Test>
bool any_part(W value, Test&& test) {
  if constexpr (kIsComplex<W>) {
    return test(value.real()) || test(value.imag());
  } else {
    return test(value);
  }
}

// Rounds values one after the other; `place(k)` names entry k.
template <Scalar S, class Values, class Place>
void round_values(const Values& from, const std::string& file, std::vector<std::string>& notes, Place&& place, S* to) {
  using R = RealOf<S>;
  Count num_small = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const WideOf<S> value = from[k];
    to[k] = static_cast<S>(value);
    if (any_part(to[k], [](R part) { return std::isinf(part); }) &&
        !any_part(value, [](double part) { return std::isinf(part); })) {
      throw InputError(file, 0,
                       fmt::format("the entry in {} is {:.2g} in size, too large for single precision, which ends at {:.2g}; leave "
                                   "out --precision, or take --precision mixed, which scales beforehand",
                                   place(k), std::abs(value), std::numeric_limits<R>::max()));
    }
    num_small += any_part(value, loses_digits<R>) ? 1 : 0;
  }
  if (num_small > 0) {
    notes.push_back(fmt::format("{} entries of {} lose digits, or become 0, in single precision: they are smaller than {:.2g}",
                                num_small, file, std::numeric_limits<R>::min()));
  }
}

template <Scalar W>
std::string place_of(const SparseMatrix<W>& matrix, std::size_t entry) {
  const auto& offsets = matrix.column_offsets;
  const auto next = std::upper_bound(offsets.begin(), offsets.end(), static_cast<Count>(entry));
  return fmt::format("row {}, column {}", matrix.row_indices[entry] + 1, next - offsets.begin());
}

}  // namespace

template <Scalar S>
SparseMatrix<S> rounded(SparseMatrix<WideOf<S>> matrix, const std::string& file, std::vector<std::string>& notes) {
  if constexpr (std::is_same_v<S, WideOf<S>>) {
    return matrix;
  } else {
    decltype(SparseMatrix<S>::values) values(matrix.values.size());
    round_values<S>(
        matrix.values, file, notes, [&matrix](std::size_t k) { return place_of(matrix, k); }, values.data());
    return {matrix.num_rows,  matrix.num_cols, matrix.symmetry, std::move(matrix.column_offsets), std::move(matrix.row_indices),
            std::move(values)};
  }
}

template <Scalar S>
DenseMatrix<S> rounded(DenseMatrix<WideOf<S>> matrix, const std::string& file, std::vector<std::string>& notes) {
  if constexpr (std::is_same_v<S, WideOf<S>>) {
    return matrix;
  } else {
    DenseMatrix<S> result(matrix.num_rows, matrix.num_cols);
    const auto num_rows = static_cast<std::size_t>(matrix.num_rows);
    round_values<S>(
        matrix.values, file, notes,
        [num_rows](std::size_t k) { return fmt::format("row {}, column {}", k % num_rows + 1, k / num_rows + 1); },
        result.values.data());
    return result;
  }
}

template <Scalar S>
SparseMatrix<WideOf<S>> widened(SparseMatrix<S> matrix) {
  if constexpr (std::is_same_v<S, WideOf<S>>) {
    return matrix;
  } else {
    return {matrix.num_rows,
            matrix.num_cols,
            matrix.symmetry,
            std::move(matrix.column_offsets),
            std::move(matrix.row_indices),
            {matrix.values.begin(), matrix.values.end()}};
  }
}

template <Scalar S>
DenseMatrix<WideOf<S>> widened(DenseMatrix<S> matrix) {
  if constexpr (std::is_same_v<S, WideOf<S>>) {
    return matrix;
  } else {
    DenseMatrix<WideOf<S>> result(matrix.num_rows, matrix.num_cols);
    std::copy(matrix.values.begin(), matrix.values.end(), result.values.begin());
    return result;
  }
}

#define FROND_INSTANTIATE(S)                                                                                   \
  template SparseMatrix<S> rounded<S>(SparseMatrix<WideOf<S>>, const std::string&, std::vector<std::string>&); \
  template DenseMatrix<S> rounded<S>(DenseMatrix<WideOf<S>>, const std::string&, std::vector<std::string>&);   \
  template SparseMatrix<WideOf<S>> widened(SparseMatrix<S>);                                                   \
  template DenseMatrix<WideOf<S>> widened(DenseMatrix<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
