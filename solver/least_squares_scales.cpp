// SPDX-License-Identifier: BSD-3-Clause
// With E the pattern as a matrix of ones, M and N the numbers of entries of rows and columns, s and t the sums of their logarithms,
// the scales r and c satisfy  M r + E c = -s,  E^T r + N c = -t,  and without r  (N - E^T M^-1 E) c = E^T M^-1 s - t.  If r = c,
// then  (N + E) c = -t.
#include "solver/least_squares_scales.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace frond {
namespace {

constexpr double kTolerance = 0.05 * kLogOfTwo;
constexpr int kMostTrimmings = 3;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double largest_magnitude(const Vector& a) {
  return std::accumulate(a.begin(), a.end(), 0.0, [](double largest, double value) { return std::max(largest, std::abs(value)); });
}

void add_multiple(double factor, const Vector& a, Vector& to) {
  std::transform(a.begin(), a.end(), to.begin(), to.begin(), [factor](double x, double y) { return y + factor * x; });
}

// Zero where there is nothing to divide by.
Vector quotient(Vector sums, const Vector& counts) {
  std::transform(sums.begin(), sums.end(), counts.begin(), sums.begin(),
                 [](double sum, double count) { return count > 0 ? sum / count : 0; });
  return sums;
}

// Solves a semidefinite system of which the counts are the diagonal, and the preconditioner; `residual` is its right-hand side.
// Returns the number of steps.
int conjugate_gradients(const std::function<Vector(const Vector&)>& apply, const Vector& counts, Vector residual, int max_steps,
                        Vector& solution) {
  solution.assign(counts.size(), 0);
  Vector correction = quotient(residual, counts);
  Vector direction = correction;
  double product = dot(residual, correction);
  for (int step = 0; step < max_steps; ++step) {
    if (largest_magnitude(correction) <= kTolerance) {
      return step;
    }
    const Vector image = apply(direction);
    const double curvature = dot(direction, image);
    if (!(curvature > 0)) {  // nothing is left but rounding errors
      return step;
    }
    add_multiple(product / curvature, direction, solution);
    add_multiple(-product / curvature, image, residual);
    correction = quotient(residual, counts);
    const double next_product = dot(residual, correction);
    std::transform(direction.begin(), direction.end(), correction.begin(), direction.begin(),
                   [factor = next_product / product](double d, double c) { return c + factor * d; });
    product = next_product;
  }
  return max_steps;
}

// The pattern as a matrix of ones; of a triangle it is that of both.
class Ones {
 public:
  explicit Ones(const LogMatrix& matrix) : matrix_(matrix), mirrors_(!matrix.is_general()) {}

  [[nodiscard]] Vector times(const Vector& cols) const {
    Vector rows(static_cast<std::size_t>(matrix_.pattern.num_rows), 0);
    matrix_.for_each([&](std::size_t row, std::size_t column, Log /*log*/) {
      rows[row] += cols[column];
      if (mirrors_ && row != column) {
        rows[column] += cols[row];
      }
    });
    return rows;
  }
  [[nodiscard]] Vector transposed_times(const Vector& rows) const {
    Vector cols(static_cast<std::size_t>(matrix_.pattern.num_cols), 0);
    matrix_.for_each([&](std::size_t row, std::size_t column, Log /*log*/) { cols[column] += rows[row]; });
    return cols;
  }

  // The sums of the logarithms of the rows and of the columns, with the scales that there are.
  void sum(const LogScales& scales, Vector& rows, Vector& cols) const {
    rows.assign(static_cast<std::size_t>(matrix_.pattern.num_rows), 0);
    cols.assign(static_cast<std::size_t>(matrix_.pattern.num_cols), 0);
    matrix_.for_each([&](std::size_t row, std::size_t column, Log log) {
      const Log scaled = log + scales.rows[row] + scales.cols[column];
      rows[row] += scaled;
      cols[column] += scaled;
      if (mirrors_ && row != column) {
        rows[column] += scaled;
        cols[row] += scaled;
      }
    });
  }

 private:
  const LogMatrix& matrix_;
  bool mirrors_;
};

Vector negative(Vector a) {
  std::transform(a.begin(), a.end(), a.begin(), std::negate<>());
  return a;
}

// diag(counts) x + y
Vector with_diagonal(const Vector& counts, const Vector& x, Vector y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] += counts[i] * x[i];
  }
  return y;
}

void add(const Vector& changes, std::vector<Log>& scales) {
  static constexpr double kLargest = kLargestLog;
  std::transform(scales.begin(), scales.end(), changes.begin(), scales.begin(), [](Log scale, double change) {
    return static_cast<Log>(std::clamp(scale + std::round(change), -kLargest, kLargest));
  });
}

// Returns the number of steps.
int improve(const LogMatrix& matrix, int max_steps, LogScales& scales) {
  const Ones ones(matrix);
  Vector row_sums;
  Vector col_sums;
  ones.sum(scales, row_sums, col_sums);
  const Vector row_counts = ones.times(Vector(col_sums.size(), 1));
  Vector cols;
  if (!matrix.is_general()) {
    const auto apply = [&](const Vector& x) { return with_diagonal(row_counts, x, ones.times(x)); };
    const int num_steps = conjugate_gradients(apply, row_counts, negative(row_sums), max_steps, cols);
    add(cols, scales.cols);
    scales.rows = scales.cols;
    return num_steps;
  }
  const Vector col_counts = ones.transposed_times(Vector(row_sums.size(), 1));
  const auto apply = [&](const Vector& x) {
    return with_diagonal(col_counts, x, negative(ones.transposed_times(quotient(ones.times(x), row_counts))));
  };
  Vector right_side = ones.transposed_times(quotient(row_sums, row_counts));
  add_multiple(-1, col_sums, right_side);
  const int num_steps = conjugate_gradients(apply, col_counts, std::move(right_side), max_steps, cols);
  add_multiple(1, ones.times(cols), row_sums);
  add(negative(quotient(std::move(row_sums), row_counts)), scales.rows);
  add(cols, scales.cols);
  return num_steps;
}

// Makes zeros of entries below the root of epsilon. Returns whether there were any.
bool drop_small_entries(const LogScales& scales, LogMatrix& matrix) {
  const PatternView& pattern = matrix.pattern;
  bool has_dropped = false;
  for (std::size_t j = 0; j < scales.cols.size(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < static_cast<std::size_t>(pattern.column_offsets[j + 1]);
         ++k) {
      const Log scale = scales.rows[static_cast<std::size_t>(pattern.row_indices[k])] + scales.cols[j];
      if (matrix.logs[k] != kLogOfZero && matrix.logs[k] + scale < matrix.epsilon / 2) {
        matrix.logs[k] = kLogOfZero;
        has_dropped = true;
      }
    }
  }
  return has_dropped;
}

}  // namespace

int scale_by_least_squares(const LogMatrix& matrix, int max_steps, LogScales& scales) {
  scales = unit_scales(matrix.pattern);
  int num_steps = improve(matrix, max_steps, scales);
  LogMatrix trimmed = matrix;
  for (int round = 0; round < kMostTrimmings && drop_small_entries(scales, trimmed); ++round) {
    num_steps += improve(trimmed, max_steps, scales);
  }
  return num_steps;
}

}  // namespace frond
