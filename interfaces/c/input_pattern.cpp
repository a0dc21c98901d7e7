// SPDX-License-Identifier: BSD-3-Clause
// Checks arrays with arbitrary contents, and combines entries of one position.
#include "interfaces/c/input_pattern.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <utility>

#include "frond/error.hpp"
#include "matrices/position.hpp"
#include "matrices/symmetry.hpp"

namespace frond {
namespace {

Index checked_order(std::int64_t order) {
  if (order < 0 || order > std::numeric_limits<Index>::max()) {
    throw UsageError(
        fmt::format("the order of the matrix is {}: it must be from 0 to {}", order, std::numeric_limits<Index>::max()));
  }
  return static_cast<Index>(order);
}

void require_array(const void* array, const char* name) {
  if (array == nullptr) {
    throw UsageError(fmt::format("the array {} is NULL", name));
  }
}

// No array has more entries: its size in bytes would overflow, even if each were as short as an index.
constexpr std::int64_t kMostEntries = std::numeric_limits<std::int64_t>::max() / std::int64_t{sizeof(Index)};

// Returns the index counted from 0.
template <class I>
Index checked_index(I given, IndexBase base, Index order, const char* what, std::int64_t entry) {
  const std::int64_t index = given;
  if (index < base.first || index - base.first >= order) {
    throw UsageError(fmt::format("{} {} of entry {} is outside the matrix, whose {}s are {} to {}; see the option index-base", what,
                                 index, entry, what, base.first, order - 1 + base.first));
  }
  return static_cast<Index>(index - base.first);
}

// Returns offsets that start at 0, whatever the base.
template <class I>
std::vector<Count> checked_offsets(Index order, const I* offsets, IndexBase base) {
  std::vector<Count> result(at(order) + 1);
  Count least = base.first;
  for (std::size_t j = 0; j < result.size(); ++j) {
    const Count offset = offsets[j];
    if (offset < least || (j == 0 && offset > least)) {
      throw UsageError(j == 0 ? fmt::format("offsets[0] is {}: it must be {}; see the option index-base", offset, base.first)
                              : fmt::format("offsets[{}] is {}, which is less than the offset before it", j, offset));
    }
    if (offset > kMostEntries) {
      throw UsageError(fmt::format("offsets[{}] is {}: no array has so many entries", j, offset));
    }
    result[j] = offset - base.first;
    least = offset;
  }
  return result;
}

// Sorts the numbers of some entries by their keys; entries with the same key keep their order.
std::vector<Count> sorted_by(const std::vector<Index>& keys, Index num_keys, const std::vector<Count>& entries) {
  std::vector<Count> next(at(num_keys) + 1, 0);
  for (const Index key : keys) {
    ++next[at(key) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Count> sorted(entries.size());
  for (const Count entry : entries) {
    sorted[at(next[at(keys[at(entry)])]++)] = entry;
  }
  return sorted;
}

[[noreturn]] void refuse_mirrored(Symmetry symmetry, std::int64_t row, std::int64_t col) {
  throw UsageError(fmt::format(
      "a {} matrix is given by one triangle, but there are entries at row {}, column {} and at row {}, column {}: give one "
      "of each two, or set the option mirrored to sum if they are to add up",
      to_string(symmetry), row, col, col, row));
}

}  // namespace

template <class I, class J>
CompressedIndices::CompressedIndices(Index num_columns, Index num_rows, const I* given_offsets, const J* given_indices,
                                     IndexBase base, const char* what)
    : offsets({0}) {
  if (num_columns > 0 || given_offsets != nullptr) {
    require_array(given_offsets, "offsets");
    offsets = checked_offsets(num_columns, given_offsets, base);
  }
  const Count num_entries = offsets.back();
  if (num_entries > 0) {
    require_array(given_indices, "of indices");
  }
  indices.resize(at(num_entries));
  for (Count k = 0; k < num_entries; ++k) {
    indices[at(k)] = checked_index(given_indices[k], base, num_rows, what, k);
  }
}

template <class I>
InputPattern InputPattern::compressed(std::int64_t order, Symmetry symmetry, const I* offsets, const I* indices, IndexBase base,
                                      bool by_rows) {
  InputPattern pattern;
  pattern.order_ = checked_order(order);
  pattern.symmetry_ = symmetry;
  CompressedIndices given(pattern.order_, pattern.order_, offsets, indices, base, by_rows ? "column" : "row");
  pattern.offsets_ = std::move(given.offsets);
  pattern.rows_ = std::move(given.indices);
  pattern.num_given_ = pattern.offsets_.back();
  pattern.is_transposed_ = by_rows;
  if (!pattern.is_as_stored()) {
    TripletPattern triplets{pattern.order_, symmetry, std::move(pattern.rows_), std::vector<Index>(at(pattern.num_given_))};
    for (Index j = 0; j < pattern.order_; ++j) {
      std::fill(triplets.cols.begin() + pattern.offsets_[at(j)], triplets.cols.begin() + pattern.offsets_[at(j) + 1], j);
    }
    pattern.merge(triplets, base);
  }
  return pattern;
}

template <class I>
TripletPattern TripletPattern::checked(std::int64_t order, Symmetry symmetry, std::int64_t num_entries, const I* rows,
                                       const I* cols, IndexBase base) {
  TripletPattern triplets{checked_order(order), symmetry};
  if (num_entries < 0 || num_entries > kMostEntries) {
    throw UsageError(fmt::format("the number of entries is {}: it must be from 0 to {}", num_entries, kMostEntries));
  }
  if (num_entries > 0) {
    require_array(rows, "rows");
    require_array(cols, "cols");
  }
  triplets.rows.resize(at(num_entries));
  triplets.cols.resize(at(num_entries));
  for (std::int64_t k = 0; k < num_entries; ++k) {
    triplets.rows[at(k)] = checked_index(rows[k], base, triplets.order, "row", k);
    triplets.cols[at(k)] = checked_index(cols[k], base, triplets.order, "column", k);
  }
  return triplets;
}

InputPattern InputPattern::of(const TripletPattern& triplets, IndexBase base) {
  InputPattern pattern;
  pattern.order_ = triplets.order;
  pattern.symmetry_ = triplets.symmetry;
  pattern.num_given_ = triplets.num_entries();
  pattern.merge(triplets, base);
  return pattern;
}

InputPattern InputPattern::elsewhere(Index order) {
  InputPattern pattern;
  pattern.order_ = order;
  return pattern;
}

// Whether no position is repeated, and a pattern that is not general holds its lower triangle, so that no entry can be mirrored.
bool InputPattern::is_as_stored() const {
  std::vector<Index> last_column(at(order_), -1);  // [row] = the last column that had it
  for (Index j = 0; j < order_; ++j) {
    for (Count k = offsets_[at(j)]; k < offsets_[at(j) + 1]; ++k) {
      const Index row = rows_[at(k)];
      if (last_column[at(row)] == j || (symmetry_ != Symmetry::general && row < j)) {
        return false;
      }
      last_column[at(row)] = j;
    }
  }
  return true;
}

// Sorts by columns and rows; if the pattern is not general, entries of the upper triangle are sorted into the lower one.
void InputPattern::merge(const TripletPattern& triplets, IndexBase base) {
  std::vector<Index> rows = triplets.rows;
  std::vector<Index> cols = triplets.cols;
  std::vector<bool> is_mirrored(rows.size(), false);
  if (symmetry_ != Symmetry::general) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k] < cols[k]) {
        std::swap(rows[k], cols[k]);
        is_mirrored[k] = true;
      }
    }
  }
  std::vector<Count> entries(rows.size());
  std::iota(entries.begin(), entries.end(), Count{0});
  entries = sorted_by(cols, order_, sorted_by(rows, order_, entries));
  places_.resize(rows.size());
  rows_.clear();
  offsets_.assign(at(order_) + 1, 0);
  Index last_row = -1;
  Index last_col = -1;
  bool last_is_mirrored = false;
  for (const Count entry : entries) {
    const Index row = rows[at(entry)];
    const Index col = cols[at(entry)];
    if (row != last_row || col != last_col) {
      rows_.push_back(row);
      ++offsets_[at(col) + 1];
      last_row = row;
      last_col = col;
      last_is_mirrored = is_mirrored[at(entry)];
    } else if (last_is_mirrored != is_mirrored[at(entry)] && !base.adds_mirrored) {
      refuse_mirrored(symmetry_, row + base.first, col + base.first);
    }
    const auto place = static_cast<Count>(rows_.size()) - 1;
    places_[at(entry)] = is_mirrored[at(entry)] ? -1 - place : place;
  }
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
}

template <Scalar S>
std::vector<S> InputPattern::arrange(std::span<const S> given) const {
  if (places_.empty()) {
    return {given.begin(), given.end()};
  }
  std::vector<S> values(rows_.size(), S(0));
  for (std::size_t k = 0; k < given.size(); ++k) {
    const Count place = places_[k];
    if (place >= 0) {
      values[at(place)] += given[k];
    } else {
      values[at(-1 - place)] += mirrored(symmetry_, given[k]);
    }
  }
  return values;
}

template CompressedIndices::CompressedIndices(Index, Index, const std::int64_t*, const std::int32_t*, IndexBase, const char*);
template InputPattern InputPattern::compressed(std::int64_t, Symmetry, const std::int32_t*, const std::int32_t*, IndexBase, bool);
template InputPattern InputPattern::compressed(std::int64_t, Symmetry, const std::int64_t*, const std::int64_t*, IndexBase, bool);
template TripletPattern TripletPattern::checked(std::int64_t, Symmetry, std::int64_t, const std::int32_t*, const std::int32_t*,
                                                IndexBase);
template TripletPattern TripletPattern::checked(std::int64_t, Symmetry, std::int64_t, const std::int64_t*, const std::int64_t*,
                                                IndexBase);
template std::vector<float> InputPattern::arrange(std::span<const float>) const;
template std::vector<double> InputPattern::arrange(std::span<const double>) const;
template std::vector<std::complex<float>> InputPattern::arrange(std::span<const std::complex<float>>) const;
template std::vector<std::complex<double>> InputPattern::arrange(std::span<const std::complex<double>>) const;

}  // namespace frond
