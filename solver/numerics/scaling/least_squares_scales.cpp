// SPDX-License-Identifier: BSD-3-Clause
// With E the pattern as a matrix of ones, M and N the numbers of entries of rows and columns, s and t the sums of their logarithms,
// the scales r and c satisfy  M r + E c = -s,  E^T r + N c = -t,  and without r  (N - E^T M^-1 E) c = E^T M^-1 s - t.  If r = c,
// then  (N + E) c = -t.
#include "solver/numerics/scaling/least_squares_scales.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace frond {
namespace {

constexpr double kTolerance = 0.05 * kLogOfTwo;
constexpr int kMostTrimmings = 3;
constexpr std::size_t kEntriesPerTask = 20000;  // about 20 us

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double largest_magnitude(const Vector& a) {
  return std::accumulate(a.begin(), a.end(), 0.0, [](double largest, double value) { return std::max(largest, std::abs(value)); });
}

void add_multiple(double factor, const Vector& a, Vector& to) {
  std::transform(a.begin(), a.end(), to.begin(), to.begin(), [factor](double x, double y) { return y + factor * x; });
}

// Zero where the divisor is zero.
Vector quotient(Vector sums, const Vector& counts) {
  std::transform(sums.begin(), sums.end(), counts.begin(), sums.begin(),
                 [](double sum, double count) { return count > 0 ? sum / count : 0; });
  return sums;
}

// Solves a semidefinite system by conjugate gradients; `counts` are its diagonal, which is the preconditioner, and `residual` is
// its right-hand side. Returns the number of steps.
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
    if (!(curvature > 0)) {  // only rounding errors are left
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

// Adds the values at these indices. Each addition waits for the previous one, so four independent sums are used.
double sum_at(const Vector& values, std::span<const Index> indices) {
  constexpr std::size_t kSums = 4;
  std::array<double, kSums> sums = {};
  std::size_t k = 0;
  for (; k + kSums <= indices.size(); k += kSums) {
    for (std::size_t part = 0; part < kSums; ++part) {
      sums[part] += values[indices[k + part]];
    }
  }
  for (; k < indices.size(); ++k) {
    sums[0] += values[indices[k]];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Lists of indices, one for each row or column.
class IndexLists {
 public:
  // Collects the items that for_each(visit) passes by visit(list, index), in its order.
  template <class ForEach>
  IndexLists(std::size_t num_lists, const ForEach& for_each) : offsets_(num_lists + 1, 0) {
    for_each([this](std::size_t list, std::size_t /*index*/) { ++offsets_[list + 1]; });
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    indices_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for_each([&](std::size_t list, std::size_t index) { indices_[next[list]++] = static_cast<Index>(index); });
  }

  // [list] = sum of the values at its indices.
  [[nodiscard]] Vector sums(const Vector& values) const {
    Vector result(offsets_.size() - 1);
    const std::size_t grain = kEntriesPerTask * result.size() / (indices_.size() + 1) + 1;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, result.size(), grain), [&](const tbb::blocked_range<std::size_t>& lists) {
      for (std::size_t list = lists.begin(); list < lists.end(); ++list) {
        result[list] = sum_at(values, {indices_.data() + offsets_[list], indices_.data() + offsets_[list + 1]});
      }
    });
    return result;
  }

  [[nodiscard]] Vector lengths() const {
    Vector result(offsets_.size() - 1);
    std::transform(offsets_.begin() + 1, offsets_.end(), offsets_.begin(), result.begin(),
                   [](std::size_t end, std::size_t begin) { return static_cast<double>(end - begin); });
    return result;
  }

 private:
  std::vector<std::size_t> offsets_;
  LargeVector<Index> indices_;
};

// The columns of the entries of each row; for a triangle, those of the whole matrix.
IndexLists columns_of_rows(const LogMatrix& matrix) {
  return {static_cast<std::size_t>(matrix.pattern.num_rows), [&](const auto& visit) {
            matrix.for_each([&](std::size_t row, std::size_t column, Log /*log*/) {
              visit(row, column);
              if (!matrix.is_general() && row != column) {
                visit(column, row);
              }
            });
          }};
}

IndexLists rows_of_columns(const LogMatrix& matrix) {
  return {static_cast<std::size_t>(matrix.pattern.num_cols), [&](const auto& visit) {
            matrix.for_each([&](std::size_t row, std::size_t column, Log /*log*/) { visit(column, row); });
          }};
}

// The sums of the logarithms of the rows and of the columns, with the current scales.
void sum(const LogMatrix& matrix, const LogScales& scales, Vector& rows, Vector& cols) {
  rows.assign(static_cast<std::size_t>(matrix.pattern.num_rows), 0);
  cols.assign(static_cast<std::size_t>(matrix.pattern.num_cols), 0);
  matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
    const Log scaled = log + scales.rows[row] + scales.cols[column];
    rows[row] += scaled;
    cols[column] += scaled;
    if (!matrix.is_general() && row != column) {
      rows[column] += scaled;
      cols[row] += scaled;
    }
  });
}

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
  const IndexLists rows = columns_of_rows(matrix);
  Vector row_sums;
  Vector col_sums;
  sum(matrix, scales, row_sums, col_sums);
  const Vector row_counts = rows.lengths();
  Vector cols;
  if (!matrix.is_general()) {
    const auto apply = [&](const Vector& x) { return with_diagonal(row_counts, x, rows.sums(x)); };
    const int num_steps = conjugate_gradients(apply, row_counts, negative(row_sums), max_steps, cols);
    add(cols, scales.cols);
    scales.rows = scales.cols;
    return num_steps;
  }
  const IndexLists columns = rows_of_columns(matrix);
  const Vector col_counts = columns.lengths();
  const auto apply = [&](const Vector& x) {
    return with_diagonal(col_counts, x, negative(columns.sums(quotient(rows.sums(x), row_counts))));
  };
  Vector right_side = columns.sums(quotient(row_sums, row_counts));
  add_multiple(-1, col_sums, right_side);
  const int num_steps = conjugate_gradients(apply, col_counts, std::move(right_side), max_steps, cols);
  add_multiple(1, rows.sums(cols), row_sums);
  add(negative(quotient(std::move(row_sums), row_counts)), scales.rows);
  add(cols, scales.cols);
  return num_steps;
}

// Sets entries below the square root of epsilon to zero. Returns whether there were any.
bool drop_small_entries(const LogScales& scales, LogMatrix& matrix) {
  const PatternView& pattern = matrix.pattern;
  bool has_dropped = false;
  for (std::size_t j = 0; j < scales.cols.size(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < static_cast<std::size_t>(pattern.column_offsets[j + 1]);
         ++k) {
      const Log scale = scales.rows[pattern.row_indices[k]] + scales.cols[j];
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
