// SPDX-License-Identifier: BSD-3-Clause
// Makes and reads right-hand sides.
#include "tools/program/solve/right_hand_sides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <variant>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "solver/numerics/accuracy/backward_error.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "tools/program/process/atomic_output.hpp"

namespace frond {
namespace {

DenseMatrix<double> split_halves(const DenseMatrix<std::complex<double>>& matrix) {
  DenseMatrix<double> halves(matrix.num_rows, 2 * matrix.num_cols);
  const std::size_t size = matrix.values.size();
  for (std::size_t k = 0; k < size; ++k) {
    halves.values[k] = matrix.values[k].real();
    halves.values[size + k] = matrix.values[k].imag();
  }
  return halves;
}

DenseMatrix<std::complex<double>> join_halves(const DenseMatrix<double>& halves) {
  DenseMatrix<std::complex<double>> matrix(halves.num_rows, halves.num_cols / 2);
  const std::size_t size = matrix.values.size();
  for (std::size_t k = 0; k < size; ++k) {
    matrix.values[k] = {halves.values[k], halves.values[size + k]};
  }
  return matrix;
}

// Rounds once, from sums in twice the precision, as the error bound of x assumes of b. These sums are the residual of 0.
template <Scalar S>
void multiply_columns(const MatrixView<S>& matrix, Operation operation, RightHandSides<S>& sides) {
  const BackwardErrorMeter<S> meter(matrix, operation);
  const std::vector<S> zeros(static_cast<std::size_t>(sides.b.num_rows));
  for (Index j = 0; j < sides.b.num_cols; ++j) {
    const std::span<S> b = sides.b.column(j);
    (void)meter.measure(zeros, std::as_const(*sides.exact).column(j), b);
    std::transform(b.begin(), b.end(), b.begin(), [](S value) { return S(0) - value; });
  }
}

// Converts the columns of a file to b.
template <Scalar S>
RightHandSides<S> columns_of(AnyDense content, const std::string& path) {
  RightHandSides<S> sides;
  DenseMatrix<WideOf<S>> b = std::visit(
      [&sides]<Scalar F>(DenseMatrix<F>& file) {
        if constexpr (std::is_same_v<F, WideOf<S>>) {
          return std::move(file);
        } else if constexpr (kIsComplex<F>) {
          sides.has_complex_halves = true;
          return split_halves(file);
        } else {
          DenseMatrix<WideOf<S>> complex(file.num_rows, file.num_cols);
          std::copy(file.values.begin(), file.values.end(), complex.values.begin());
          return complex;
        }
      },
      content);
  sides.b = rounded<S>(std::move(b), path, sides.notes);
  return sides;
}

}  // namespace

template <Scalar S>
RightHandSides<S> make_right_hand_sides(const MatrixView<S>& matrix, Operation operation, Index num_columns, std::uint64_t seed) {
  const Index order = matrix.pattern.num_cols;
  RightHandSides<S> sides{.b = DenseMatrix<S>(order, num_columns), .exact = DenseMatrix<S>(order, num_columns)};
  std::mt19937_64 generator(seed);
  // 53 random bits; std::uniform_real_distribution differs from library to library
  std::generate(sides.exact->values.begin(), sides.exact->values.end(),
                [&generator] { return S(static_cast<RealOf<S>>(1 + static_cast<double>(generator() >> 11) * 0x1p-53)); });
  multiply_columns(matrix, operation, sides);
  // If sums exceed the largest number, a smaller x has a finite right-hand side.
  constexpr int kStep = 16;
  for (int power = 0; !std::isfinite(largest_magnitude<S>(sides.b.values)) && power < std::numeric_limits<RealOf<S>>::max_exponent;
       power += kStep) {
    std::for_each(sides.exact->values.begin(), sides.exact->values.end(),
                  [](S& entry) { entry *= std::ldexp(RealOf<S>(1), -kStep); });
    multiply_columns(matrix, operation, sides);
  }
  return sides;
}

template <Scalar S>
RightHandSides<S> read_right_hand_sides(const std::string& path, Index order) {
  return right_hand_sides_of<S>(read_dense(path), path, order);
}

template <Scalar S>
RightHandSides<S> right_hand_sides_of(AnyDense content, const std::string& path, Index order) {
  RightHandSides<S> sides = columns_of<S>(std::move(content), path);
  if (sides.b.num_rows != order) {
    throw InputError(path, 0,
                     fmt::format("the right-hand sides have {} rows, but the matrix has order {}", sides.b.num_rows, order));
  }
  if (sides.b.num_cols == 0) {
    throw InputError(path, 0, "holds no right-hand side: it has 0 columns; leave out --rhs, and Frond makes one");
  }
  return sides;
}

template <Scalar S>
void read_kept_solution(const std::string& path, Index schur_order, RightHandSides<S>& sides) {
  RightHandSides<S> kept = columns_of<S>(read_dense(path), path);
  if (kept.b.num_rows != schur_order) {
    throw InputError(path, 0, fmt::format("has {} rows, but {} variables are kept", kept.b.num_rows, schur_order));
  }
  if (kept.has_complex_halves != sides.has_complex_halves || kept.b.num_cols != sides.b.num_cols) {
    throw InputError(path, 0, "does not fit the right-hand sides: as many columns are needed, and both real or both complex");
  }
  sides.notes.insert(sides.notes.end(), kept.notes.begin(), kept.notes.end());
  sides.kept = std::move(kept.b);
}

template <Scalar S>
double largest_forward_error(const DenseMatrix<S>& x, const DenseMatrix<S>& exact) {
  double largest = 0;
  for (Index j = 0; j < x.num_cols; ++j) {
    double difference = 0;
    double size = 0;
    for (Index i = 0; i < x.num_rows; ++i) {
      const double distance = std::abs(x(i, j) - exact(i, j));
      difference = std::max(difference, std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity());
      size = std::max(size, static_cast<double>(std::abs(exact(i, j))));
    }
    largest = std::max(largest, size > 0 ? difference / size : difference);
  }
  return largest;
}

template <Scalar S>
double expansion_error(const MatrixView<S>& matrix, Operation operation, std::span<const Index> kept, DenseMatrix<S> b,
                       const DenseMatrix<S>& x) {
  const BackwardErrorMeter<S> meter(matrix, operation);
  std::vector<S> product(static_cast<std::size_t>(x.num_rows));
  std::vector<S> residual(product.size());
  double largest = 0;
  for (Index j = 0; j < x.num_cols; ++j) {
    multiply<S>(matrix, operation, x.column(j), product);
    for (const Index variable : kept) {  // their equations hold by definition
      b(variable, j) = product[variable];
    }
    largest = std::max(largest, meter.measure(b.column(j), x.column(j), residual).componentwise_backward_error);
  }
  return largest;
}

template <Scalar S>
AnyDense joined_solutions(DenseMatrix<S> x, bool has_complex_halves) {
  DenseMatrix<WideOf<S>> wide = widened(std::move(x));
  if constexpr (!kIsComplex<S>) {
    if (has_complex_halves) {
      return join_halves(wide);
    }
  }
  return wide;
}

void write_dense_file(const std::string& path, const AnyDense& matrix) {
  write_atomically(path, [&matrix](const std::string& name) { write_dense(name, matrix); });
}

#define FROND_INSTANTIATE(S)                                                                               \
  template RightHandSides<S> make_right_hand_sides(const MatrixView<S>&, Operation, Index, std::uint64_t); \
  template RightHandSides<S> read_right_hand_sides(const std::string&, Index);                             \
  template RightHandSides<S> right_hand_sides_of(AnyDense, const std::string&, Index);                     \
  template void read_kept_solution(const std::string&, Index, RightHandSides<S>&);                         \
  template double largest_forward_error(const DenseMatrix<S>&, const DenseMatrix<S>&);                     \
  template AnyDense joined_solutions(DenseMatrix<S>, bool);                                                \
  template double expansion_error(const MatrixView<S>&, Operation, std::span<const Index>, DenseMatrix<S>, const DenseMatrix<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
