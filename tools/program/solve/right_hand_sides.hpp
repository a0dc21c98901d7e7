// SPDX-License-Identifier: BSD-3-Clause
// Reads right-hand sides from a file, or makes them from a known solution; checks and writes solutions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
  DenseMatrix<S> kept{};                ///< x2, if a solution of the kept variables is given
  std::optional<DenseMatrix<S>> exact;  ///< the solution that b was made from
  bool has_complex_halves = false;      ///< real S: the columns are all real parts, then all imaginary parts of complex ones
  std::vector<std::string> notes{};     ///< losses on reading the file
};

/// b = op(A) x for x with random entries in [1, 2), rounded to S; scaled down by a power of two if b would overflow.
template <Scalar S>
[[nodiscard]] RightHandSides<S> make_right_hand_sides(const MatrixView<S>& matrix, Operation operation, Index num_columns,
                                                      std::uint64_t seed);

/// Reads the columns of a dense matrix with `order` rows. Complex columns for a real matrix become twice as many real ones. S may
/// be single precision. Throws InputError.
template <Scalar S>
[[nodiscard]] RightHandSides<S> read_right_hand_sides(const std::string& path, Index order);

/// Does the same for content already read from the file `name`.
template <Scalar S>
[[nodiscard]] RightHandSides<S> right_hand_sides_of(AnyDense content, const std::string& name, Index order);

/// Reads x2 of the kept variables of a Schur complement for these right-hand sides. Throws InputError.
template <Scalar S>
void read_kept_solution(const std::string& path, Index schur_order, RightHandSides<S>& sides);

/// max_j ||x_j - exact_j|| / ||exact_j||, maximum norms; infinite if x is not finite.
template <Scalar S>
[[nodiscard]] double largest_forward_error(const DenseMatrix<S>& x, const DenseMatrix<S>& exact);

/// Returns the largest componentwise backward error of op(A) x = b over all columns and over the equations of variables that are
/// not `kept`; infinite if x is not finite.
template <Scalar S>
[[nodiscard]] double expansion_error(const MatrixView<S>& matrix, Operation operation, std::span<const Index> kept,
                                     DenseMatrix<S> b, const DenseMatrix<S>& x);

/// Returns the solutions as they are written to a file: in double precision, with complex columns reassembled.
template <Scalar S>
[[nodiscard]] AnyDense joined_solutions(DenseMatrix<S> x, bool has_complex_halves);

/// Writes the matrix completely or not at all. Throws OutputError.
void write_dense_file(const std::string& path, const AnyDense& matrix);
template <Scalar S>
void write_dense_file(const std::string& path, DenseMatrix<S> matrix) {
  write_dense_file(path, AnyDense(widened(std::move(matrix))));
}

}  // namespace frond
