// SPDX-License-Identifier: BSD-3-Clause
// Detects symmetry in values, and extracts one triangle.
#include "solver/numerics/problem/found_symmetry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "matrices/explicit_zeros.hpp"
#include "matrices/near_symmetry.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

// One triangle has one list of scales, and LU needs both triangles.
bool looks_for_symmetry(const SolverOptions& options) {
  const bool are_alike = options.col_scales.empty() || options.col_scales == options.row_scales;
  return options.detect_symmetry && options.method != Method::lu && are_alike;
}

// False if one of the first entries has no mirror image of its magnitude, which shows for most matrices that they are unsymmetric.
template <Scalar S>
bool may_be_symmetric(const MatrixView<S>& matrix) {
  constexpr Count kFirst = 32;
  const PatternView& pattern = matrix.pattern;
  const Count num_looked_at = std::min(kFirst, pattern.num_entries());
  Index column = 0;
  for (Count entry = 0; entry < num_looked_at; ++entry) {
    while (entry >= pattern.column_offsets[column + 1]) {
      ++column;
    }
    const Index row = pattern.row_indices[entry];
    const auto begin = pattern.row_indices.begin() + pattern.column_offsets[row];
    const auto end = pattern.row_indices.begin() + pattern.column_offsets[row + 1];
    const auto mirror = std::find(begin, end, column);
    if (mirror == end || std::abs(matrix.values[mirror - pattern.row_indices.begin()]) != std::abs(matrix.values[entry])) {
      return false;
    }
  }
  return true;
}

}  // namespace

template <Scalar S>
SystemMatrix<S> with_symmetry(const SystemMatrix<S>& matrix, Symmetry symmetry) {
  if (matrix.stored.pattern.symmetry != Symmetry::general || symmetry == Symmetry::general) {
    return matrix;
  }
  const auto triangle = std::make_shared<const SparseMatrix<S>>(lower_triangle(matrix.stored, symmetry));
  SystemMatrix<S> result(triangle->view(), matrix.transposed);
  result.converted_arrays = triangle;
  return result;
}

template <Scalar S>
SystemMatrix<S> with_found_symmetry(const SystemMatrix<S>& matrix, const SolverOptions& options) {
  return looks_for_symmetry(options) ? with_symmetry(matrix, find_symmetry(matrix.stored)) : matrix;
}

template <Scalar S>
Symmetry treated_symmetry(const MatrixView<S>& matrix, const SolverOptions& options) {
  const bool looks = matrix.pattern.symmetry == Symmetry::general && looks_for_symmetry(options) && may_be_symmetric(matrix);
  return looks ? find_symmetry(matrix) : matrix.pattern.symmetry;
}

template <Scalar S>
std::string near_symmetry_note(const MatrixView<S>& matrix) {
  const NearSymmetry near = find_near_symmetry(matrix);
  return near.symmetry == Symmetry::general
             ? ""
             : fmt::format(
                   "the matrix is {} but for rounding, {:.1g} of its entries at most: with (A + A^{}) / 2 in its place it would "
                   "be factorized as such, in about half the time",
                   to_string(near.symmetry), near.gap, near.symmetry == Symmetry::hermitian ? 'H' : 'T');
}

template <Scalar S>
std::vector<std::string> notes_of_values(const MatrixView<S>& matrix, const SolverOptions& options) {
  std::vector<std::string> notes;
  if (const Count num_zeros = count_zeros_off_diagonal(matrix); num_zeros > 0) {
    notes.push_back(fmt::format(
        "entries off the diagonal that are zero, and that count as part of the pattern, for further values or because variables "
        "are alike with them: {} of {}{}; leave out those that are of no use",
        num_zeros, matrix.pattern.num_entries(), matrix.pattern.symmetry == Symmetry::general ? "" : " of one triangle"));
  }
  if (matrix.pattern.symmetry == Symmetry::general && looks_for_symmetry(options)) {
    if (std::string note = near_symmetry_note(matrix); !note.empty()) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

#define FROND_INSTANTIATE(S)                                                                     \
  template std::string near_symmetry_note(const MatrixView<S>&);                                 \
  template std::vector<std::string> notes_of_values(const MatrixView<S>&, const SolverOptions&); \
  template Symmetry treated_symmetry(const MatrixView<S>&, const SolverOptions&);                \
  template SystemMatrix<S> with_symmetry(const SystemMatrix<S>&, Symmetry);                      \
  template SystemMatrix<S> with_found_symmetry(const SystemMatrix<S>&, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
