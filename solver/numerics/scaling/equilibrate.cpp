// SPDX-License-Identifier: BSD-3-Clause
// Implements Ruiz's iteration and Osborne's, on logarithms.
#include "solver/numerics/scaling/equilibrate.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace frond {
namespace {

// The largest magnitudes of D_r |A| D_c by rows and by columns; kLogOfZero for rows and columns of zeros.
struct Maxima {
  std::vector<Log> rows;
  std::vector<Log> cols;
};

Maxima measure(const LogMatrix& matrix, const LogScales& scales) {
  Maxima maxima{std::vector<Log>(scales.rows.size(), kLogOfZero), std::vector<Log>(scales.cols.size(), kLogOfZero)};
  matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
    const Log scaled = log + scales.rows[row] + scales.cols[column];
    maxima.rows[row] = std::max(maxima.rows[row], scaled);
    maxima.cols[column] = std::max(maxima.cols[column], scaled);
  });
  if (!matrix.is_general()) {  // the other triangle: row i is column i
    std::transform(maxima.rows.begin(), maxima.rows.end(), maxima.cols.begin(), maxima.rows.begin(),
                   [](Log a, Log b) { return std::max(a, b); });
    maxima.cols = maxima.rows;
  }
  return maxima;
}

Log within_range(Log scale) { return std::clamp(scale, -kLargestLog, kLargestLog); }

bool are_near_one(const std::vector<Log>& maxima, Log tolerance) {
  return std::all_of(maxima.begin(), maxima.end(), [&](Log log) { return log == kLogOfZero || std::abs(log) <= tolerance; });
}

// Whether the whole diagonal is near 1, and no entry is above it: then all maxima are near 1. Runs on all threads; the usual case
// for matrices scaled by their diagonal.
bool is_bounded_by_diagonal(const LogMatrix& matrix, const LogScales& scales, Log tolerance) {
  constexpr Index kGrain = 4096;
  const auto are_bounded = [&](const tbb::blocked_range<Index>& columns, bool are_others) {
    Index num_near_one = 0;
    Log largest = kLogOfZero;
    if (are_others) {
      matrix.for_each_in(columns.begin(), columns.end(), [&](std::size_t row, std::size_t column, Log log) {
        const Log scaled = log + scales.rows[row] + scales.cols[column];
        largest = std::max(largest, scaled);
        num_near_one += row == column && scaled >= -tolerance ? 1 : 0;
      });
    }
    return are_others && num_near_one == static_cast<Index>(columns.size()) && largest <= tolerance;
  };
  return tbb::parallel_reduce(tbb::blocked_range<Index>(0, matrix.pattern.num_cols, kGrain), true, are_bounded,
                              std::logical_and<>());
}

void divide_by_roots(const std::vector<Log>& maxima, std::vector<Log>& scales) {
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (maxima[i] != kLogOfZero) {
      scales[i] = within_range(scales[i] - (maxima[i] >> 1));
    }
  }
}

// [column] = the logarithm at (row_of_column[column], column), or on the diagonal; kLogOfZero if there is none.
std::vector<Log> chosen_entries(const LogMatrix& matrix, std::span<const Index> row_of_column) {
  std::vector<Log> chosen(static_cast<std::size_t>(matrix.pattern.num_cols), kLogOfZero);
  matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
    if (row == chosen_row(row_of_column, column)) {
      chosen[column] = log;
    }
  });
  return chosen;
}

// Entries below 2^-10 are far below any pivot threshold. If they were balanced, too, scales would drift apart for nothing.
constexpr Log kNegligible = -10 * kLogOfTwo;

// Sweeps that change the ratio of the scale of a row to that of its column. Rows are numbered by their columns, so that the chosen
// entries are the diagonal, and the entries outside it are copied: the time of a sweep is that of memory accesses.
class Balancer {
 public:
  Balancer(const LogMatrix& matrix, std::span<const Index> row_of_column, LogScales& scales)
      : row_of_column_(row_of_column), scales_(scales) {
    const auto order = static_cast<std::size_t>(matrix.pattern.num_cols);
    std::vector<Index> column_of_row(order);
    rows_.resize(order);
    for (std::size_t column = 0; column < order; ++column) {
      column_of_row[chosen_row(row_of_column, column)] = static_cast<Index>(column);
      rows_[column].scale = scales.rows[chosen_row(row_of_column, column)];
    }
    offsets_.assign(order + 1, 0);
    entries_.reserve(matrix.logs.size());
    matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
      const Index place = column_of_row[row];
      if (static_cast<std::size_t>(place) != column) {
        entries_.push_back({place, log});
        ++offsets_[column + 1];
      }
    });
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    largest_cols_.resize(order);
  }
  Balancer(const Balancer&) = delete;
  Balancer& operator=(const Balancer&) = delete;
  ~Balancer() = default;

  // Returns the number of sweeps.
  int run() {
    // A row and its column a factor 4 apart; imbalances spread over many rows decay slowly.
    constexpr Log kSmall = kLogOfTwo;
    int sweep = 0;
    while (sweep < kMostSweeps && improve() > kSmall) {
      ++sweep;
    }
    for (std::size_t column = 0; column < rows_.size(); ++column) {
      scales_.rows[chosen_row(row_of_column_, column)] = rows_[column].scale;
    }
    return sweep;
  }

  // The largest of the entries that are not chosen.
  [[nodiscard]] Log largest() {
    measure();
    return largest_cols_.empty() ? kLogOfZero : *std::max_element(largest_cols_.begin(), largest_cols_.end());
  }

 private:
  struct Entry {
    Index place;
    Log log;
  };
  struct Row {
    Log scale = 0;
    Log largest = kLogOfZero;
  };

  void measure() {
    std::for_each(rows_.begin(), rows_.end(), [](Row& row) { row.largest = kLogOfZero; });
    for (std::size_t column = 0; column < rows_.size(); ++column) {
      const Log scale = scales_.cols[column];
      Log largest = kLogOfZero;
      for (std::size_t k = offsets_[column]; k < offsets_[column + 1]; ++k) {
        Row& row = rows_[entries_[k].place];
        const Log scaled = entries_[k].log + row.scale + scale;
        row.largest = std::max(row.largest, scaled);
        largest = std::max(largest, scaled);
      }
      largest_cols_[column] = largest;
    }
  }

  // Returns the largest change.
  Log improve() {
    measure();
    Log largest = 0;
    for (std::size_t column = 0; column < rows_.size(); ++column) {
      Row& row = rows_[column];
      const Log change = imbalance(row.largest, largest_cols_[column]);
      if (std::abs(row.scale + change) <= kLargestLog && std::abs(scales_.cols[column] - change) <= kLargestLog) {
        row.scale += change;
        scales_.cols[column] -= change;
        largest = std::max(largest, std::abs(change));
      }
    }
    return largest;
  }

  // Half of the excess of a column over its row.
  static Log imbalance(Log row, Log col) { return (std::max(col, kNegligible) - std::max(row, kNegligible)) >> 1; }

  std::span<const Index> row_of_column_;
  LogScales& scales_;
  std::vector<Row> rows_;  // [column] = the row of its chosen entry
  std::vector<Log> largest_cols_;
  std::vector<std::size_t> offsets_;  // of column j: entries_[offsets_[j] .. offsets_[j + 1])
  LargeVector<Entry> entries_;
};

// 2^-20: scales from the diagonal preserve what matters if no entry is below it, since elimination produces squares of entries,
// which are then not lost next to 1.
constexpr Log kFaint = -20 * kLogOfTwo;

// [row] = whether its diagonal can be a pivot.
std::vector<bool> find_strong_diagonals(const LogMatrix& matrix, const LogScales& scales) {
  const PatternView& pattern = matrix.pattern;
  std::vector<bool> is_strong(scales.rows.size(), false);
  for (std::size_t j = 0; j < is_strong.size(); ++j) {
    const auto begin = pattern.row_indices.begin() + static_cast<std::ptrdiff_t>(pattern.column_offsets[j]);
    const auto end = pattern.row_indices.begin() + static_cast<std::ptrdiff_t>(pattern.column_offsets[j + 1]);
    const auto diagonal = std::find(begin, end, static_cast<Index>(j));
    if (diagonal != end) {
      const Log log = matrix.logs[diagonal - pattern.row_indices.begin()];
      is_strong[j] = log != kLogOfZero && log + scales.rows[j] + scales.cols[j] >= -kStrong;
    }
  }
  return is_strong;
}

// Whether every row without a strong diagonal gets a strong entry in a row of its own, chosen greedily. If so, elimination finds
// pivots among entries next to which faint ones may be lost.
bool find_strong_pivots(const LogMatrix& matrix, const LogScales& scales, const std::vector<bool>& has_diagonal) {
  std::vector<bool> is_taken(has_diagonal.size(), false);
  auto num_weak = std::count(has_diagonal.begin(), has_diagonal.end(), false);
  matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
    const int num_helped = int{!has_diagonal[row]} + int{!has_diagonal[column]};
    if (row != column && num_helped > 0 && !is_taken[row] && !is_taken[column] &&
        log + scales.rows[row] + scales.cols[column] >= -kStrong) {
      is_taken[row] = true;
      is_taken[column] = true;
      num_weak -= num_helped;
    }
  });
  return num_weak == 0;
}

}  // namespace

Log smallest_entry(const LogMatrix& matrix, const LogScales& scales) {
  Log smallest = kLargestLog;
  matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
    smallest = std::min(smallest, log + scales.rows[row] + scales.cols[column]);
  });
  return smallest;
}

bool is_equilibrated(const LogMatrix& matrix, const LogScales& scales, Log tolerance) {
  if (is_bounded_by_diagonal(matrix, scales, tolerance)) {
    return true;
  }
  const Maxima maxima = measure(matrix, scales);
  return are_near_one(maxima.rows, tolerance) && are_near_one(maxima.cols, tolerance);
}

int equilibrate(const LogMatrix& matrix, LogScales& scales) {
  const Log tolerance = static_cast<Log>(std::lround(std::log2(1.25) * kLogOfTwo));
  if (is_bounded_by_diagonal(matrix, scales, tolerance)) {
    return 0;
  }
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const Maxima maxima = measure(matrix, scales);
    if (are_near_one(maxima.rows, tolerance) && are_near_one(maxima.cols, tolerance)) {
      return sweep;
    }
    divide_by_roots(maxima.rows, scales.rows);
    divide_by_roots(maxima.cols, scales.cols);
  }
  return kMostSweeps;
}

std::optional<LogScales> scales_from_diagonal(const LogMatrix& matrix, int max_layers) {
  const std::vector<Log> diagonal = chosen_entries(matrix, {});
  std::vector<Log> scales(diagonal.size(), 0);
  std::vector<char> is_scaled(diagonal.size(), 0);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (diagonal[i] != kLogOfZero) {
      scales[i] = -(diagonal[i] >> 1);
      is_scaled[i] = 1;
    }
  }
  bool is_complete = std::all_of(is_scaled.begin(), is_scaled.end(), [](char scaled) { return scaled != 0; });
  for (int layer = 0; layer <= max_layers && !is_complete; ++layer) {
    std::vector<Log> largest(scales.size(), kLogOfZero);  // among the entries in rows that have scales
    is_complete = true;
    matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
      if (is_scaled[row] != is_scaled[column]) {
        const auto [next, known] = is_scaled[row] != 0 ? std::pair(column, row) : std::pair(row, column);
        largest[next] = std::max(largest[next], log + scales[known]);
      }
      is_complete = is_complete && is_scaled[row] != 0 && is_scaled[column] != 0;
    });
    for (std::size_t i = 0; i < scales.size(); ++i) {
      if (is_scaled[i] == 0 && largest[i] != kLogOfZero) {
        scales[i] = within_range(-largest[i]);
        is_scaled[i] = 1;
      }
    }
  }
  return is_complete ? std::optional(LogScales{scales, scales}) : std::nullopt;
}

bool suits_diagonal(const LogMatrix& matrix, const LogScales& scales) {
  const std::vector<bool> has_diagonal = find_strong_diagonals(matrix, scales);
  const bool is_whole = std::find(has_diagonal.begin(), has_diagonal.end(), false) == has_diagonal.end();
  return is_whole || smallest_entry(matrix, scales) >= kFaint || find_strong_pivots(matrix, scales, has_diagonal);
}

std::optional<BalancedScales> balance_about(const LogMatrix& matrix, std::span<const Index> row_of_column, LogScales scales) {
  const std::vector<Log> chosen = chosen_entries(matrix, row_of_column);
  if (std::find(chosen.begin(), chosen.end(), kLogOfZero) != chosen.end()) {
    return std::nullopt;
  }
  BalancedScales result{std::move(scales)};
  for (std::size_t column = 0; column < chosen.size(); ++column) {
    Log& row_scale = result.scales.rows[chosen_row(row_of_column, column)];
    Log& col_scale = result.scales.cols[column];
    const Log scaled = chosen[column] + row_scale + col_scale;
    row_scale -= scaled >> 1;
    col_scale -= scaled - (scaled >> 1);
  }
  Balancer balancer(matrix, row_of_column, result.scales);
  result.num_sweeps = balancer.run();
  result.largest = balancer.largest();
  return result;
}

int balance(const LogMatrix& matrix, std::span<const Index> row_of_column, LogScales& scales) {
  return Balancer(matrix, row_of_column, scales).run();
}

}  // namespace frond
