// SPDX-License-Identifier: BSD-3-Clause
// Checks whether the entries of a general matrix are mirrored, in one pass over its columns.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "matrices/near_symmetry.hpp"
#include "matrices/position.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

// The symmetries that all entries seen so far allow.
template <Scalar S>
struct Mirrors {
  bool are_equal = true;
  bool are_negative = true;
  bool are_conjugate = kIsComplex<S>;

  void see_pair(S below, S above) {
    are_equal = are_equal && below == above;
    are_negative = are_negative && mirrored(Symmetry::skew_symmetric, below) == above;
    are_conjugate = are_conjugate && mirrored(Symmetry::hermitian, below) == above;
  }
  void see_diagonal(S value) {
    are_negative = are_negative && value == S(0);
    are_conjugate = are_conjugate && std::imag(value) == 0;
  }
  [[nodiscard]] bool are_none() const { return !are_equal && !are_negative && !are_conjugate; }
  // Hermitian first: such a matrix may be positive definite.
  [[nodiscard]] Symmetry symmetry() const {
    if (are_conjugate) {
      return Symmetry::hermitian;
    }
    if (are_equal) {
      return Symmetry::symmetric;
    }
    return are_negative ? Symmetry::skew_symmetric : Symmetry::general;
  }
};

bool has_sorted_rows(const PatternView& pattern) {
  for (Index j = 0; j < pattern.num_cols; ++j) {
    for (Count k = pattern.column_offsets[at(j)] + 1; k < pattern.column_offsets[at(j) + 1]; ++k) {
      if (pattern.row_indices[at(k)] <= pattern.row_indices[at(k - 1)]) {
        return false;
      }
    }
  }
  return true;
}

// Passes all entries to `mirrors` until are_none(); false if an entry has no mirror image. Rows must increase within columns.
// Column j meets its entries below the diagonal in the columns of their rows, where the entries above the diagonal come in the
// order of j.
template <Scalar S, class Seen>
bool see_all(const MatrixView<S>& matrix, Seen& mirrors) {
  const PatternView& pattern = matrix.pattern;
  std::vector<Count> next(pattern.column_offsets.begin(), pattern.column_offsets.end() - 1);  // first unmet entry of each column
  for (Index j = 0; j < pattern.num_cols && !mirrors.are_none(); ++j) {
    const Count end = pattern.column_offsets[at(j) + 1];
    Count k = next[at(j)];
    if (k < end && pattern.row_indices[at(k)] < j) {
      return false;  // an entry above the diagonal without a mirror image
    }
    if (k < end && pattern.row_indices[at(k)] == j) {
      mirrors.see_diagonal(matrix.values[at(k++)]);
    }
    for (; k < end; ++k) {
      const Index i = pattern.row_indices[at(k)];
      const Count above = next[at(i)]++;
      if (above == pattern.column_offsets[at(i) + 1] || pattern.row_indices[at(above)] != j) {
        return false;
      }
      mirrors.see_pair(matrix.values[at(k)], matrix.values[at(above)]);
    }
  }
  return true;
}

template <Scalar S>
Mirrors<S> mirrors_of(const MatrixView<S>& matrix) {
  Mirrors<S> mirrors;
  return see_all(matrix, mirrors) ? mirrors : Mirrors<S>{false, false, false};
}

// The largest relative differences seen so far between entries and their mirror images.
template <Scalar S>
struct Gaps {
  static constexpr double kMost = 4096 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());  // by rounding
  double to_equal = 0;
  double to_conjugate = kIsComplex<S> ? 0 : std::numeric_limits<double>::infinity();

  void see_pair(S below, S above) {
    const double size = std::max(std::abs(below), std::abs(above));
    to_equal = std::max(to_equal, size > 0 ? std::abs(below - above) / size : 0);
    to_conjugate = std::max(to_conjugate, size > 0 ? std::abs(below - mirrored(Symmetry::hermitian, above)) / size : 0);
  }
  void see_diagonal(S value) { see_pair(value, value); }
  [[nodiscard]] bool are_none() const { return !(std::min(to_equal, to_conjugate) <= kMost); }
};

template <Scalar S>
bool allows(const Mirrors<S>& mirrors, Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return mirrors.are_equal;
    case Symmetry::skew_symmetric:
      return mirrors.are_negative;
    case Symmetry::hermitian:
      return mirrors.are_conjugate;
    default:
      return true;
  }
}

// Returns the matrix with sorted rows; arrays made for that go to `sorted`.
template <Scalar S>
MatrixView<S> with_sorted_rows(const MatrixView<S>& matrix, std::optional<SparseMatrix<S>>& sorted) {
  if (has_sorted_rows(matrix.pattern)) {
    return matrix;
  }
  const SparseMatrix<S> transposed = transpose(matrix);
  sorted = transpose(transposed.view());
  return sorted->view();
}

}  // namespace

template <Scalar S>
Symmetry find_symmetry(const MatrixView<S>& matrix) {
  const PatternView& pattern = matrix.pattern;
  if (pattern.symmetry != Symmetry::general || pattern.num_rows != pattern.num_cols) {
    return pattern.symmetry;
  }
  std::optional<SparseMatrix<S>> sorted;
  return mirrors_of(with_sorted_rows(matrix, sorted)).symmetry();
}

template <Scalar S>
NearSymmetry find_near_symmetry(const MatrixView<S>& matrix) {
  std::optional<SparseMatrix<S>> sorted;
  Gaps<S> gaps;
  if (!see_all(with_sorted_rows(matrix, sorted), gaps) || gaps.are_none()) {
    return {};
  }
  const bool is_hermitian = gaps.to_conjugate <= gaps.to_equal;
  return {is_hermitian ? Symmetry::hermitian : Symmetry::symmetric, std::min(gaps.to_equal, gaps.to_conjugate)};
}

template <Scalar S>
SparseMatrix<S> lower_triangle(const MatrixView<S>& matrix, Symmetry symmetry) {
  if (matrix.pattern.symmetry != Symmetry::general || matrix.pattern.num_rows != matrix.pattern.num_cols) {
    throw UsageError("lower_triangle() wants a square matrix of which both triangles are stored");
  }
  std::optional<SparseMatrix<S>> sorted;
  const MatrixView<S> view = with_sorted_rows(matrix, sorted);
  if (!allows(mirrors_of(view), symmetry)) {
    throw UsageError(fmt::format("the values of this matrix are not {}; factorize it as a general one", to_string(symmetry)));
  }
  const PatternView& pattern = view.pattern;
  const bool has_diagonal = symmetry != Symmetry::skew_symmetric;
  SparseMatrix<S> lower;
  lower.num_rows = pattern.num_rows;
  lower.num_cols = pattern.num_cols;
  lower.symmetry = symmetry;
  lower.column_offsets.reserve(pattern.column_offsets.size());
  for (Index j = 0; j < pattern.num_cols; ++j) {
    for (Count k = pattern.column_offsets[at(j)]; k < pattern.column_offsets[at(j) + 1]; ++k) {
      const Index i = pattern.row_indices[at(k)];
      if (symmetry == Symmetry::general || i > j || (i == j && has_diagonal)) {
        lower.row_indices.push_back(i);
        lower.values.push_back(view.values[at(k)]);
      }
    }
    lower.column_offsets.push_back(lower.num_entries());
  }
  return lower;
}

#define FROND_INSTANTIATE(S)                                      \
  template Symmetry find_symmetry(const MatrixView<S>&);          \
  template NearSymmetry find_near_symmetry(const MatrixView<S>&); \
  template SparseMatrix<S> lower_triangle(const MatrixView<S>&, Symmetry);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
