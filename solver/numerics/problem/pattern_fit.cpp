// SPDX-License-Identifier: BSD-3-Clause
// Moves entries to their places in the analysis.
#include "solver/numerics/problem/pattern_fit.hpp"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/analysed_pattern.hpp"
#include "frond/error.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

void check_shape(const Symbolic& symbolic, const PatternView& pattern) {
  if (symbolic.order() != pattern.num_cols || symbolic.symmetry() != pattern.symmetry) {
    throw UsageError(
        fmt::format("the analysis is of a {} pattern of order {}, but a {} one of order {} is to be factorized; analyze the "
                    "matrix itself, with the same method",
                    to_string(symbolic.symmetry()), symbolic.order(), to_string(pattern.symmetry), pattern.num_cols));
  }
}

std::uint64_t hash_by_all_threads(const PatternView& pattern) {
  constexpr Index kGrain = 4096;
  return shape_hash(pattern) + tbb::parallel_reduce(
                                   tbb::blocked_range<Index>(0, pattern.num_cols, kGrain), std::uint64_t{0},
                                   [&](const tbb::blocked_range<Index>& columns, std::uint64_t sum) {
                                     return sum + columns_hash(pattern, columns.begin(), columns.end());
                                   },
                                   std::plus<>());
}

class Places {
 public:
  explicit Places(const PatternView& pattern) : pattern_(pattern) {}

  // The place of the entry in this row and column, if there is one.
  [[nodiscard]] std::optional<std::size_t> of(Index row, Index column) const {
    const auto begin = pattern_.row_indices.begin() + pattern_.column_offsets[column];
    const auto end = pattern_.row_indices.begin() + pattern_.column_offsets[static_cast<std::size_t>(column) + 1];
    const auto place = std::find(begin, end, row);
    return place == end ? std::nullopt : std::optional(static_cast<std::size_t>(place - pattern_.row_indices.begin()));
  }

 private:
  PatternView pattern_;
};

}  // namespace

template <Scalar S>
std::optional<FittedMatrix<S>> fit_to_analysis(const Symbolic& symbolic, const MatrixView<S>& matrix, bool is_transposed) {
  check_shape(symbolic, matrix.pattern);
  if (symbolic.pattern_hash() == hash_by_all_threads(matrix.pattern)) {
    return std::nullopt;
  }
  FittedMatrix<S> fitted{analysed_pattern(symbolic), {}, symbolic.num_entries()};
  const PatternView pattern = fitted.pattern.view();
  fitted.values.assign(pattern.row_indices.size(), S(0));
  constexpr std::size_t kNowhere = -1;
  std::vector<std::size_t> place_of_row(static_cast<std::size_t>(pattern.num_cols), kNowhere);  // in the current column
  const Places places(pattern);
  for (Index j = 0; j < pattern.num_cols; ++j) {
    const auto begin = static_cast<std::size_t>(pattern.column_offsets[j]);
    const auto end = static_cast<std::size_t>(pattern.column_offsets[static_cast<std::size_t>(j) + 1]);
    for (std::size_t place = begin; place < end; ++place) {
      place_of_row[pattern.row_indices[place]] = place;
    }
    for (auto k = static_cast<std::size_t>(matrix.pattern.column_offsets[j]);
         k < static_cast<std::size_t>(matrix.pattern.column_offsets[static_cast<std::size_t>(j) + 1]); ++k) {
      const Index i = matrix.pattern.row_indices[k];
      if (const std::size_t place = place_of_row[i]; place != kNowhere) {
        fitted.values[place] = matrix.values[k];
        --fitted.num_missing;
        continue;
      }
      const std::optional<std::size_t> other =
          pattern.symmetry == Symmetry::general ? std::nullopt : places.of(j, i);  // the other triangle
      if (!other && matrix.values[k] == S(0)) {
        continue;
      }
      if (!other) {
        throw UsageError(
            fmt::format("the entry in row {}, column {} (counted from 0) is not in the pattern that was analysed; analyze the "
                        "matrix itself, or a pattern that has all entries that ever occur",
                        is_transposed ? j : i, is_transposed ? i : j));
      }
      fitted.values[*other] = mirrored(pattern.symmetry, matrix.values[k]);
      --fitted.num_missing;
    }
    for (std::size_t place = begin; place < end; ++place) {
      place_of_row[pattern.row_indices[place]] = kNowhere;
    }
  }
  return fitted;
}

#define FROND_INSTANTIATE(S) template std::optional<FittedMatrix<S>> fit_to_analysis(const Symbolic&, const MatrixView<S>&, bool);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
