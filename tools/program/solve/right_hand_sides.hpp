// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides: from a file, or made from a solution that is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frond/files.hpp"
#include "matrices/products.hpp"
#include "tools/program/solve/single_precision.hpp"

namespace frond {

template <Scalar S>
struct RightHandSides {
  DenseMatrix<S> b;
  DenseMatrix<S> kept{};                ///< x2, where a solution of the kept variables is given
  std::optional<DenseMatrix<S>> exact;  ///< the solution that b was made from
  bool has_complex_halves = false;      ///< real S: the columns are all real parts, then all imaginary parts of complex ones
  std::vector<std::string> notes{};     ///< what was lost on the way from the file
};

/// b = op(A) x for x with entries drawn from [1, 2), rounded to S; smaller by a power of two where b would overflow.
template <Scalar S>
[[nodiscard]] RightHandSides<S> make_right_hand_sides(const MatrixView<S>& matrix, Operation operation, Index num_columns,
                                                      std::uint64_t seed);

/// Reads the columns of a dense matrix with `order` rows. Complex ones for a real matrix become twice as many real ones. S may
/// be of single precision. Throws InputError.
template <Scalar S>
[[nodiscard]] RightHandSides<S> read_right_hand_sides(const std::string& path, Index order);

/// The same for what was read already, from the file of this name.
template <Scalar S>
[[nodiscard]] RightHandSides<S> right_hand_sides_of(AnyDense content, const std::string& name, Index order);

/// Reads x2 of the kept variables of a Schur complement for these right-hand sides. Throws InputError.
template <Scalar S>
void read_kept_solution(const std::string& path, Index schur_order, RightHandSides<S>& sides);

/// max_j ||x_j - exact_j|| / ||exact_j||, maximum norms; infinite when x is not finite.
template <Scalar S>
[[nodiscard]] double largest_forward_error(const DenseMatrix<S>& x, const DenseMatrix<S>& exact);

/// The solutions as they go to a file: in double precision, complex ones put together again.
template <Scalar S>
[[nodiscard]] AnyDense joined_solutions(DenseMatrix<S> x, bool has_complex_halves);

/// Writes the matrix as a whole or not at all. Throws OutputError.
void write_dense_file(const std::string& path, const AnyDense& matrix);
template <Scalar S>
void write_dense_file(const std::string& path, DenseMatrix<S> matrix) {
  write_dense_file(path, AnyDense(widened(std::move(matrix))));
}

}  // namespace frond
