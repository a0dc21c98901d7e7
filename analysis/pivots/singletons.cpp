// SPDX-License-Identifier: BSD-3-Clause
// Counts what is left of each row and column, and takes those that have one partner left.
#include "analysis/pivots/singletons.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "analysis/graph/owned_pattern.hpp"

namespace frond {
namespace {

// The rows or the columns, and what each meets on the other side.
class Partners {
 public:
  Partners(std::span<const Count> offsets, std::span<const Index> partners)
      : offsets_(offsets),
        partners_(partners),
        num_left_(offsets.size() - 1),
        code_(offsets.size() - 1, 0),
        singles_(num_left_.size()) {
    for (std::size_t k = num_left_.size(); k-- > 0;) {  // so that the first are matched first
      for (const Index partner : partners_of(static_cast<Index>(k))) {
        code_[k] ^= partner;
      }
      num_left_[k] = static_cast<Index>(offsets_[k + 1] - offsets_[k]);
      if (num_left_[k] == 1) {
        singles_[num_singles_++] = static_cast<Index>(k);
      }
    }
  }

  [[nodiscard]] std::span<const Index> partners_of(Index k) const {
    return partners_.subspan(offsets_[k], offsets_[k + 1] - offsets_[k]);
  }
  void lose(Index k, Index partner) {
    code_[k] ^= partner;
    if (--num_left_[k] == 1) {
      singles_[num_singles_++] = k;
    }
  }

  // Matches each that has one partner left with that, and calls record(own, partner).
  template <class Record>
  void match_singles(Partners& other, const Record& record) {
    while (has_singles()) {
      const Index own = singles_[--num_singles_];
      if (num_left_[own] == 1) {  // else this partner has been matched since
        const Index partner = code_[own];
        record(own, partner);
        num_left_[own] = other.num_left_[partner] = 0;
        std::ranges::for_each(other.partners_of(partner), [&](Index k) { lose(k, partner); });
        std::ranges::for_each(partners_of(own), [&](Index k) { other.lose(k, own); });
      }
    }
  }
  [[nodiscard]] bool has_singles() const { return num_singles_ > 0; }

 private:
  std::span<const Count> offsets_;
  std::span<const Index> partners_;
  std::vector<Index> num_left_;  // partners that are not matched; at most 0 once it is matched itself
  std::vector<Index> code_;      // the exclusive or of their numbers: the number of the last one
  std::vector<Index> singles_;   // those that wait; each comes once
  std::size_t num_singles_ = 0;
};

// Returns the columns of each row.
OwnedPattern transposed(const PatternView& pattern) {
  OwnedPattern rows{pattern.num_rows, Symmetry::general, std::vector<Count>(static_cast<std::size_t>(pattern.num_rows) + 1, 0), {}};
  for (const Index row : pattern.row_indices) {
    ++rows.column_offsets[row + 1];
  }
  std::partial_sum(rows.column_offsets.begin(), rows.column_offsets.end(), rows.column_offsets.begin());
  rows.row_indices.resize(pattern.row_indices.size());
  std::vector<Count> next(rows.column_offsets.begin(), rows.column_offsets.end() - 1);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count entry = pattern.column_offsets[column]; entry < pattern.column_offsets[column + 1]; ++entry) {
      rows.row_indices[next[pattern.row_indices[entry]]++] = column;
    }
  }
  return rows;
}

}  // namespace

Singletons find_singletons(const PatternView& pattern) {
  Singletons found;
  const OwnedPattern by_rows = transposed(pattern);
  Partners columns(pattern.column_offsets, pattern.row_indices);
  Partners rows(by_rows.column_offsets, by_rows.row_indices);
  found.first.reserve(static_cast<std::size_t>(pattern.num_cols));
  found.last.reserve(static_cast<std::size_t>(pattern.num_cols));
  while (columns.has_singles() || rows.has_singles()) {
    columns.match_singles(rows, [&](Index column, Index row) { found.first.push_back({row, column}); });
    rows.match_singles(columns, [&](Index row, Index column) { found.last.push_back({row, column}); });
  }
  return found;
}

}  // namespace frond
