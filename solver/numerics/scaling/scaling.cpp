// SPDX-License-Identifier: BSD-3-Clause
// Chooses a scaling, and rounds it to powers of 2.
#include "solver/numerics/scaling/scaling.hpp"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "analysis/pivots/weighted_matching.hpp"
#include "frond/error.hpp"
#include "solver/numerics/scaling/equilibrate.hpp"
#include "solver/numerics/scaling/independent_parts.hpp"
#include "solver/numerics/scaling/least_squares_scales.hpp"
#include "solver/numerics/scaling/level_scales.hpp"
#include "solver/numerics/scaling/log_scales.hpp"

namespace frond {
namespace {

// A step of the matching search takes about 10 ns, a sweep of equilibrate() about 2 ns per entry. General matrices that need more
// steps are matched nearly as well in linear time.
constexpr Count kMostLooksPerEntry = 6;

constexpr std::array<double, 2> kTolerances = {4 * kLogOfTwo, 32 * kLogOfTwo};

constexpr Count kFreeLooks = 100000;  // about a millisecond

constexpr std::size_t kGrain = 8192;  // powers computed by one task

constexpr int kMostStepsPerSweep = 5;  // of least squares: usually 20 to 60 in all

struct SoughtScales {
  LogScales scales;
  ScalingKind kind = ScalingKind::equilibrate;
  int num_sweeps = 0;
};

Count most_looks(const LogMatrix& matrix, ScalingKind kind) {
  if (kind == ScalingKind::matching) {
    return std::numeric_limits<Count>::max();
  }
  const Count size = matrix.pattern.num_entries() + matrix.pattern.num_rows;
  return std::max(kFreeLooks, kMostLooksPerEntry * size);
}

// The logarithms of entries above `least` with these scales.
std::vector<double> scaled_logarithms(const LogMatrix& matrix, const LogScales& scales, Log least) {
  std::vector<double> logarithms(matrix.logs.size(), -std::numeric_limits<double>::infinity());
  const PatternView& pattern = matrix.pattern;
  for (std::size_t j = 0; j < scales.cols.size(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < static_cast<std::size_t>(pattern.column_offsets[j + 1]);
         ++k) {
      if (matrix.logs[k] != kLogOfZero) {
        const Log scaled = matrix.logs[k] + scales.rows[pattern.row_indices[k]] + scales.cols[j];
        if (scaled > least) {
          logarithms[k] = scaled;
        }
      }
    }
  }
  return logarithms;
}

void add_rounded(const std::vector<double>& logs, std::vector<Log>& scales) {
  constexpr double kLargest = kLargestLog;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i] = static_cast<Log>(std::clamp(scales[i] + std::floor(logs[i]), -kLargest, kLargest));
  }
}

// Whether balancing about the diagonal, from `start`, makes it strong.
bool try_diagonal(const LogMatrix& matrix, std::span<const Index> row_of_column, const LogScales& start, SoughtScales& found) {
  std::optional<BalancedScales> balanced = balance_about(matrix, row_of_column, start);
  const bool is_strong = balanced && balanced->largest <= kStrong;
  if (is_strong) {
    found.scales = std::move(balanced->scales);
    found.num_sweeps += balanced->num_sweeps + equilibrate(matrix, found.scales);
  }
  return is_strong;
}

// Whether all columns are matched along entries that are strong enough without further scaling.
bool is_strong(const LogMatrix& matrix, const WeightedMatching& matching, const LogScales& scales) {
  if (matching.rank < matrix.pattern.num_cols) {
    return false;
  }
  Log smallest = kLargestLog;
  matrix.for_each([&](std::size_t row, std::size_t column, Log log) {
    if (static_cast<std::size_t>(matching.row_of_column[column]) == row) {
      smallest = std::min(smallest, log + scales.rows[row] + scales.cols[column]);
    }
  });
  return smallest >= -kStrong;
}

// The matrix without the entries that these scales, of a matrix with the same pattern, make at most `least`.
LogMatrix without_faint(const LogMatrix& matrix, const LogScales& scales, Log least) {
  LogMatrix others = matrix;
  const std::vector<double> kept = scaled_logarithms(matrix, scales, least);
  std::transform(kept.begin(), kept.end(), matrix.logs.begin(), others.logs.begin(),
                 [](double scaled, Log log) { return std::isinf(scaled) ? kLogOfZero : log; });
  return others;
}

int equilibrate_by_least_squares(const LogMatrix& matrix, LogScales& scales) {
  const int num_sweeps = scale_by_least_squares(matrix, kMostStepsPerSweep * kMostSweeps, scales);
  return num_sweeps + equilibrate(matrix, scales);
}

// Entries below epsilon in an equilibrated matrix are not matched: zeros spoilt by cancellation would make a singular matrix look
// regular if they were scaled to 1.
void scale_by_matching(const LogMatrix& matrix, ScalingKind kind, SoughtScales& found) {
  const WeightedMatching matching = nearly_largest_product_matching(
      matrix.pattern, scaled_logarithms(matrix, found.scales, matrix.epsilon), most_looks(matrix, kind), kTolerances);
  if (kind == ScalingKind::automatic && is_strong(matrix, matching, found.scales)) {
    return;
  }
  found.kind = ScalingKind::matching;
  add_rounded(matching.row_logs, found.scales.rows);
  add_rounded(matching.col_logs, found.scales.cols);
  if (matching.rank == matrix.pattern.num_cols) {
    found.num_sweeps += balance(matrix, matching.row_of_column, found.scales);
  }
  found.num_sweeps += equilibrate(matrix, found.scales);
}

// Entries that are rounding errors, as where contributions to an assembled matrix cancel, draw the scales away from all others,
// which say with scales of their own which these are. `scales` are equilibrated; those of all other entries replace them.
int scale_without_rounding_errors(const LogMatrix& matrix, Log least, LogScales& scales) {
  constexpr Log kLarge = -28 * kLogOfTwo;
  LogScales of_large;
  const int num_sweeps = equilibrate_by_least_squares(without_faint(matrix, scales, kLarge), of_large);
  return num_sweeps + scale_by_least_squares(without_faint(matrix, of_large, least), kMostStepsPerSweep * kMostSweeps, scales);
}

SoughtScales scale_as_a_whole(const LogMatrix& matrix, ScalingKind kind, std::span<const Index> row_of_column) {
  constexpr Log kSomeUnits = 8 * kLogOfTwo;
  const Log least = matrix.epsilon + kSomeUnits;
  SoughtScales found;
  const bool looks_at_diagonal = kind != ScalingKind::matching;
  if (looks_at_diagonal && try_diagonal(matrix, row_of_column, unit_scales(matrix.pattern), found)) {
    return found;
  }
  found.num_sweeps = scale_by_least_squares(matrix, kMostStepsPerSweep * kMostSweeps, found.scales);
  if (looks_at_diagonal && try_diagonal(matrix, row_of_column, found.scales, found)) {
    return found;
  }
  found.num_sweeps += equilibrate(matrix, found.scales);
  if (smallest_entry(matrix, found.scales) <= least) {
    found.num_sweeps += scale_without_rounding_errors(matrix, least, found.scales);
    if (looks_at_diagonal && try_diagonal(matrix, row_of_column, found.scales, found)) {
      return found;
    }
    found.num_sweeps += equilibrate(matrix, found.scales);
  }
  if (kind != ScalingKind::equilibrate) {
    scale_by_matching(matrix, kind, found);
  }
  return found;
}

void take_part(const SoughtScales& of_part, const IndependentParts& parts, std::size_t part, SoughtScales& whole) {
  const auto spread = [](const std::vector<Log>& from, std::span<const Index> places, std::vector<Log>& to) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      to[places[k]] = from[k];
    }
  };
  spread(of_part.scales.rows, parts.rows(part), whole.scales.rows);
  spread(of_part.scales.cols, parts.cols(part), whole.scales.cols);
  whole.num_sweeps = std::max(whole.num_sweeps, of_part.num_sweeps);
  if (of_part.kind == ScalingKind::matching) {
    whole.kind = ScalingKind::matching;
  }
}

// Scales on all threads, each with a part that fits into its cache.
SoughtScales scale_parts(const LogMatrix& matrix, const IndependentParts& parts, ScalingKind kind,
                         std::span<const Index> row_of_column) {
  std::vector<SoughtScales> found(parts.count());
  tbb::parallel_for(std::size_t{0}, parts.count(), [&](std::size_t part) {
    const PartMatrix own(matrix, parts, part, row_of_column);
    found[part] = scale_as_a_whole(own.matrix, kind, own.row_of_column);
  });
  SoughtScales whole{.scales = unit_scales(matrix.pattern)};
  for (std::size_t part = 0; part < parts.count(); ++part) {
    take_part(found[part], parts, part, whole);
  }
  return whole;
}

SoughtScales scale_general(const LogMatrix& matrix, ScalingKind kind, std::span<const Index> row_of_column) {
  const IndependentParts parts(matrix.pattern, row_of_column);
  return parts.count() > 1 ? scale_parts(matrix, parts, kind, row_of_column) : scale_as_a_whole(matrix, kind, row_of_column);
}

SoughtScales scale_levels(const LogMatrix& matrix, const BlockTriangularForm& blocks, ScalingKind kind,
                          std::span<const Index> row_of_column) {
  const LevelMatrix own(matrix, blocks);
  SoughtScales found = scale_general(own.matrix, kind, row_of_column);
  shift_levels(matrix, blocks, found.scales);
  return found;
}

/// Both triangles of a symmetric matrix.
struct WholeMatrix {
  SparseMatrix<double> logs;
  LogMatrix matrix;

  explicit WholeMatrix(const LogMatrix& triangle) {
    PatternView pattern = triangle.pattern;
    pattern.symmetry = Symmetry::symmetric;
    const std::vector<double> values(triangle.logs.begin(), triangle.logs.end());
    logs = expand_to_general(MatrixView<double>{pattern, values});
    matrix.pattern = logs.pattern();
    matrix.epsilon = triangle.epsilon;
    matrix.logs.resize(logs.values.size());
    std::transform(logs.values.begin(), logs.values.end(), matrix.logs.begin(), [](double log) { return static_cast<Log>(log); });
  }
};

// Duff & Pralet 2005: with the geometric mean of the scales of row and column every entry is at most the geometric mean of two
// entries that are at most 1, and those of the matching, which are tight along with their mirror images, are 1. The latter requires
// a complete matching of entries above `least`; returns false otherwise.
bool match_symmetric(const LogMatrix& whole, Log least, Count most_looks, LogScales& scales) {
  std::optional<WeightedMatching> matching =
      largest_product_matching(whole.pattern, scaled_logarithms(whole, scales, least), most_looks);
  if (!matching || matching->rank < whole.pattern.num_cols) {
    return false;
  }
  std::transform(matching->row_logs.begin(), matching->row_logs.end(), matching->col_logs.begin(), matching->row_logs.begin(),
                 [](double row, double col) { return (row + col) / 2; });
  add_rounded(matching->row_logs, scales.rows);
  scales.cols = scales.rows;
  return true;
}

// Entries far below all others draw scales of least squares away from these. Where some come out below epsilon, the matrix is
// equilibrated again without those that its best matching makes so small. `whole` has both triangles. Returns the number of sweeps.
int equilibrate_without_faint(const LogMatrix& matrix, const LogMatrix& whole, Count most_looks, LogScales& scales) {
  LogScales of_all = scales;
  if (smallest_entry(matrix, scales) > matrix.epsilon || !match_symmetric(whole, -kLargestLog, most_looks, of_all)) {
    return 0;
  }
  return equilibrate_by_least_squares(without_faint(matrix, of_all, matrix.epsilon), scales);
}

bool scale_by_symmetric_matching(const LogMatrix& matrix, Count most_looks, SoughtScales& found) {
  const WholeMatrix whole(matrix);
  found.num_sweeps += equilibrate_without_faint(matrix, whole.matrix, most_looks, found.scales);
  return match_symmetric(whole.matrix, matrix.epsilon, most_looks, found.scales);
}

SoughtScales scale_symmetric(const LogMatrix& matrix, ScalingKind kind) {
  SoughtScales by_diagonal;
  std::optional<LogScales> from_diagonal = scales_from_diagonal(matrix, kMostSweeps);
  if (from_diagonal) {
    by_diagonal.scales = std::move(*from_diagonal);
    by_diagonal.num_sweeps = equilibrate(matrix, by_diagonal.scales);
    if (kind == ScalingKind::equilibrate || (kind == ScalingKind::automatic && suits_diagonal(matrix, by_diagonal.scales))) {
      return by_diagonal;
    }
  }
  SoughtScales found;
  found.num_sweeps = equilibrate_by_least_squares(matrix, found.scales);
  SoughtScales equilibrated = from_diagonal ? std::move(by_diagonal) : found;
  if (kind == ScalingKind::equilibrate || !scale_by_symmetric_matching(matrix, most_looks(matrix, kind), found)) {
    return equilibrated;
  }
  found.kind = ScalingKind::matching;
  found.num_sweeps += equilibrate(matrix, found.scales);
  return found;
}

// Shifts the scales of all rows against those of all columns, so that the largest exponents become as small as possible.
void centre(std::vector<std::int16_t>& rows, std::vector<std::int16_t>& cols) {
  const auto [least_row, largest_row] = std::minmax_element(rows.begin(), rows.end());
  const auto [least_col, largest_col] = std::minmax_element(cols.begin(), cols.end());
  const int shift = (std::min<int>(*least_row, -*largest_col) + std::max<int>(*largest_row, -*least_col)) / 2;
  const auto moved_by = [](int step) {
    return [step](std::int16_t exponent) { return static_cast<std::int16_t>(exponent + step); };
  };
  std::transform(rows.begin(), rows.end(), rows.begin(), moved_by(-shift));
  std::transform(cols.begin(), cols.end(), cols.begin(), moved_by(shift));
}

static_assert(2 * nearest_exponent(kLargestLog) <= std::numeric_limits<std::int16_t>::max());

std::vector<std::int16_t> nearest_exponents(const std::vector<Log>& scales) {
  std::vector<std::int16_t> exponents(scales.size());
  std::transform(scales.begin(), scales.end(), exponents.begin(),
                 [](Log scale) { return static_cast<std::int16_t>(nearest_exponent(scale)); });
  return exponents;
}

// The remaining range of R above the largest scale is for numbers that solves multiply scales with.
template <class R>
constexpr int kLargestExponent = std::numeric_limits<R>::max_exponent - std::numeric_limits<R>::max_exponent / 16;

template <class R>
bool are_within_range(const std::vector<std::int16_t>& exponents) {
  return std::all_of(exponents.begin(), exponents.end(), [](int exponent) { return std::abs(exponent) <= kLargestExponent<R>; });
}

template <class R>
std::vector<R> powers_of_two(const std::vector<std::int16_t>& exponents) {
  std::vector<R> powers(exponents.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, powers.size(), kGrain), [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      powers[i] = std::ldexp(R(1), std::clamp<int>(exponents[i], -kLargestExponent<R>, kLargestExponent<R>));
    }
  });
  return powers;
}

ScaleExponents exponents_of(const SoughtScales& sought, bool is_general) {
  ScaleExponents exponents{
      .rows = nearest_exponents(sought.scales.rows), .cols = {}, .kind = sought.kind, .num_sweeps = sought.num_sweeps};
  if (is_general) {
    exponents.cols = nearest_exponents(sought.scales.cols);
  }
  return exponents;
}

bool are_all_zero(const std::vector<std::int16_t>& exponents) {
  return std::all_of(exponents.begin(), exponents.end(), [](int exponent) { return exponent == 0; });
}

template <class R>
Scaling<R> scaling_of(const ScaleExponents& exponents) {
  Scaling<R> scaling{.rows = {}, .cols = {}, .kind = exponents.kind, .num_sweeps = exponents.num_sweeps};
  const bool is_general = !exponents.cols.empty();
  if (is_general && !(are_within_range<R>(exponents.rows) && are_within_range<R>(exponents.cols))) {
    ScaleExponents centred = exponents;
    centre(centred.rows, centred.cols);
    scaling.rows = powers_of_two<R>(centred.rows);
    scaling.cols = powers_of_two<R>(centred.cols);
  } else if (!are_all_zero(exponents.rows) || !are_all_zero(exponents.cols)) {
    scaling.rows = powers_of_two<R>(exponents.rows);
    scaling.cols = is_general ? powers_of_two<R>(exponents.cols) : scaling.rows;
  }
  return scaling;
}

// The nearest powers of 2. Throws UsageError.
std::vector<Log> checked_scales(std::span<const double> given, Index order, const char* whose) {
  if (given.size() != static_cast<std::size_t>(order)) {
    throw UsageError(fmt::format("there are {} given scales of {}, but the order of the matrix is {}", given.size(), whose, order));
  }
  std::vector<Log> scales(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!(given[i] > 0) || !std::isfinite(given[i])) {
      throw UsageError(fmt::format("the given scale {} of {} is {}: scales are positive", i, whose, given[i]));
    }
    scales[i] = static_cast<Log>(std::llround(std::log2(given[i]))) * kLogOfTwo;
  }
  return scales;
}

SoughtScales given_scales(const LogMatrix& matrix, const ScalingOptions& options) {
  SoughtScales found{.scales = {.rows = checked_scales(options.rows, matrix.pattern.num_rows, "rows"), .cols = {}},
                     .kind = ScalingKind::given};
  found.scales.cols = matrix.is_general() ? checked_scales(options.cols, matrix.pattern.num_cols, "columns") : found.scales.rows;
  return found;
}

SoughtScales choose_scales(const LogMatrix& matrix, const ScalingOptions& options, std::span<const Index> row_of_column,
                           const BlockTriangularForm& blocks) {
  if (options.kind == ScalingKind::given) {
    return given_scales(matrix, options);
  }
  if (!matrix.is_general()) {
    return scale_symmetric(matrix, options.kind);
  }
  return blocks.splits() ? scale_levels(matrix, blocks, options.kind, row_of_column)
                         : scale_general(matrix, options.kind, row_of_column);
}

template <Scalar S>
ScaleExponents choose_exponents(const MatrixView<S>& matrix, const ScalingOptions& options, std::span<const Index> row_of_column,
                                const BlockTriangularForm& blocks) {
  if (options.kind == ScalingKind::none) {
    return {};
  }
  const LogMatrix logs = log_magnitudes(matrix);
  return exponents_of(choose_scales(logs, options, row_of_column, blocks), logs.is_general());
}

// Whether scales that were found for other values equilibrate these.
bool serves(const ScaleExponents& exponents, const LogMatrix& matrix) {
  constexpr Log kFactorOfEight = 3 * kLogOfTwo;
  if (exponents.rows.size() != static_cast<std::size_t>(matrix.pattern.num_rows)) {
    return false;  // there are none
  }
  const auto logs_of = [](const std::vector<std::int16_t>& powers) {
    std::vector<Log> logs(powers.size());
    std::transform(powers.begin(), powers.end(), logs.begin(), [](int power) { return power * kLogOfTwo; });
    return logs;
  };
  return is_equilibrated(matrix, {logs_of(exponents.rows), logs_of(matrix.is_general() ? exponents.cols : exponents.rows)},
                         kFactorOfEight);
}

}  // namespace

template <Scalar S>
Scaling<RealOf<S>> find_scaling(const MatrixView<S>& matrix, const ScalingOptions& options, std::span<const Index> row_of_column,
                                const BlockTriangularForm& blocks) {
  return scaling_of<RealOf<S>>(choose_exponents(matrix, options, row_of_column, blocks));
}

template <Scalar S>
FoundScales FoundScales::kept_for(const MatrixView<S>& matrix) const {
  FoundScales kept;
  kept.flops_with_delays_ = flops_with_delays_;
  kept.is_lowering_vain_ = is_lowering_vain_;
  if (!found_.empty()) {
    const LogMatrix logs = log_magnitudes(matrix);
    for (const auto& [kind, exponents] : found_) {
      if (serves(*exponents, logs)) {
        auto own = std::make_shared<ScaleExponents>(*exponents);
        own->num_sweeps = 0;
        kept.found_.emplace(kind, std::move(own));
        kept.are_kept_ = true;
      }
    }
  }
  return kept;
}

template <Scalar S>
Scaling<RealOf<S>> FoundScales::of_kind(const MatrixView<S>& matrix, const ScalingOptions& options,
                                        std::span<const Index> row_of_column, const BlockTriangularForm& blocks) {
  if (!found_.contains(options.kind)) {
    found_[options.kind] = std::make_shared<const ScaleExponents>(choose_exponents(matrix, options, row_of_column, blocks));
  }
  return scaling_of<RealOf<S>>(*found_.at(options.kind));
}

#define FROND_INSTANTIATE(S)                                                                                            \
  template Scaling<RealOf<S>> find_scaling(const MatrixView<S>&, const ScalingOptions&, std::span<const Index>,         \
                                           const BlockTriangularForm&);                                                 \
  template FoundScales FoundScales::kept_for(const MatrixView<S>&) const;                                               \
  template Scaling<RealOf<S>> FoundScales::of_kind(const MatrixView<S>&, const ScalingOptions&, std::span<const Index>, \
                                                   const BlockTriangularForm&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
