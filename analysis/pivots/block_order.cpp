// SPDX-License-Identifier: BSD-3-Clause
// Sorts columns by strong component, and orders each component.
#include "analysis/pivots/block_order.hpp"

#include <amd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "analysis/graph/compress.hpp"
#include "analysis/graph/graph.hpp"
#include "analysis/graph/owned_pattern.hpp"
#include "analysis/graph/permutation.hpp"
#include "analysis/graph/strong_components.hpp"
#include "analysis/ordering/amd_ordering.hpp"
#include "analysis/ordering/elimination.hpp"
#include "analysis/pivots/singletons.hpp"
#include "analysis/pivots/structural_rank.hpp"

namespace frond {
namespace {

constexpr Count kMostEntries = std::numeric_limits<int>::max() / 4;  // AMD takes twice as many, and some room

class BlockOrderer {
 public:
  BlockOrderer(const PatternView& pattern, std::vector<Index> column_of_row, BlockOrder& order)
      : pattern_(pattern), column_of_row_(std::move(column_of_row)), order_(order), place_(column_of_row_.size()) {}

  // Groups columns by component; components are numbered from the first block to the last.
  void group() {
    const StrongComponents components = strong_components(pattern_, column_of_row_);
    order_.blocks.assign(static_cast<std::size_t>(components.count) + 1, 0);
    for (const Index component : components.of_column) {
      ++order_.blocks[component + 1];
    }
    std::partial_sum(order_.blocks.begin(), order_.blocks.end(), order_.blocks.begin());
    order_.column_order.resize(column_of_row_.size());
    std::vector<Index> next(order_.blocks.begin(), order_.blocks.end() - 1);
    for (std::size_t column = 0; column < components.of_column.size(); ++column) {
      place_[column] = next[components.of_column[column]]++;
      order_.column_order[place_[column]] = static_cast<Index>(column);
    }
  }

  // Orders the block of these places. Blocks of up to two columns keep their order: each is as good as the other.
  void order(Index begin, Index end) {
    if (end - begin > 2) {
      take_pattern(begin, end);
      order_by_degree(begin, end);
    } else {
      const Index size = end - begin;
      order_.entries += static_cast<double>(size) * size;
      order_.multiplications += size - 1;
    }
  }

 private:
  void take_pattern(Index begin, Index end) {
    block_offsets_.assign(1, 0);
    block_rows_.resize(pattern_.row_indices.size());
    int num_entries = 0;
    for (Index k = begin; k < end; ++k) {
      const Index column = order_.column_order[k];
      for (Count entry = pattern_.column_offsets[column]; entry < pattern_.column_offsets[column + 1]; ++entry) {
        const Index place = place_[column_of_row_[pattern_.row_indices[entry]]];
        if (place >= begin) {
          block_rows_[num_entries++] = place - begin;
        }
      }
      block_offsets_.push_back(num_entries);
    }
  }

  void order_by_degree(Index begin, Index end) {
    const Index size = end - begin;
    double info[AMD_INFO];
    perm_.resize(static_cast<std::size_t>(size));
    amd_order(size, block_offsets_.data(), block_rows_.data(), perm_.data(), nullptr, info);
    const std::vector<Index> columns(order_.column_order.begin() + begin, order_.column_order.begin() + end);
    for (Index k = 0; k < size; ++k) {
      order_.column_order[begin + k] = columns[perm_[k]];
    }
    order_.entries += 2 * info[AMD_LNZ] + size;
    order_.multiplications += info[AMD_NMULTSUBS_LU];
  }

  const PatternView& pattern_;
  std::vector<Index> column_of_row_;
  BlockOrder& order_;
  std::vector<Index> place_;  // [column], within its block as the components came
  std::vector<int> block_offsets_;
  std::vector<int> block_rows_;
  std::vector<int> perm_;
};

// Orders a matrix, given a matching of its rows and columns, [row] = column or kUnmatched, that may not have all.
std::optional<BlockOrder> order_matched(const PatternView& pattern, std::vector<Index> column_of_row) {
  if (!complete_matching(pattern, column_of_row).empty()) {
    return std::nullopt;
  }
  const std::vector<Index> row_of_column = invert(column_of_row);
  BlockOrder order;
  BlockOrderer orderer(pattern, std::move(column_of_row), order);
  orderer.group();
  for (std::size_t block = 0; block + 1 < order.blocks.size(); ++block) {
    orderer.order(order.blocks[block], order.blocks[block + 1]);
  }
  order.row_order.reserve(row_of_column.size());
  for (const Index column : order.column_order) {
    order.row_order.push_back(row_of_column[column]);
  }
  return order;
}

// What singletons leave of a matrix, with numbers of its own.
class Core {
 public:
  Core(const PatternView& pattern, const Singletons& singletons) : inner_row_(static_cast<std::size_t>(pattern.num_rows), kInner) {
    const std::size_t num_inner = inner_row_.size() - singletons.first.size() - singletons.last.size();
    rows_.reserve(num_inner);
    columns_.reserve(num_inner);
    pattern_.column_offsets.reserve(num_inner + 1);
    pattern_.row_indices.resize(num_inner > 0 ? pattern.row_indices.size() : 0);
    std::vector<Index> column_mark(inner_row_.size(), kInner);
    for (const auto* pairs : {&singletons.first, &singletons.last}) {
      for (const auto& [row, column] : *pairs) {
        inner_row_[row] = column_mark[column] = kOuter;
      }
    }
    for (Index row = 0; row < pattern.num_rows; ++row) {
      if (inner_row_[row] == kInner) {
        inner_row_[row] = static_cast<Index>(rows_.size());
        rows_.push_back(row);
      }
    }
    column_of_row_.assign(rows_.size(), kUnmatched);
    pattern_.column_offsets.push_back(0);
    for (Index column = 0; column < pattern.num_cols; ++column) {
      if (column_mark[column] == kInner) {
        take_column(pattern, column);
      }
    }
    pattern_.order = static_cast<Index>(columns_.size());
    pattern_.row_indices.resize(static_cast<std::size_t>(pattern_.column_offsets.back()));
  }

  [[nodiscard]] PatternView pattern() const { return pattern_.view(); }
  // Along the diagonal of the whole matrix, where that is held: so a structure that is almost symmetric stays that.
  [[nodiscard]] std::vector<Index> take_matching() { return std::move(column_of_row_); }

  // The order of all rows and columns, given that of the core.
  [[nodiscard]] BlockOrder order_around(const Singletons& singletons, const BlockOrder& inner) const {
    BlockOrder order;
    Index place = 0;
    std::vector<Index>::iterator block_begin;
    const auto take = [&](const Singletons::Pair& pair) {
      *block_begin++ = place;
      order.row_order[place] = pair.row;
      order.column_order[place++] = pair.column;
    };
    order.blocks.resize(singletons.first.size() + inner.blocks.size() + singletons.last.size());
    order.row_order.resize(inner_row_.size());
    order.column_order.resize(inner_row_.size());
    block_begin = order.blocks.begin();
    std::ranges::for_each(singletons.first, take);
    const auto num_first = static_cast<Index>(singletons.first.size());
    for (std::size_t block = 0; block + 1 < inner.blocks.size(); ++block) {
      *block_begin++ = num_first + inner.blocks[block];
    }
    for (std::size_t k = 0; k < inner.row_order.size(); ++k) {
      order.row_order[place] = rows_[inner.row_order[k]];
      order.column_order[place++] = columns_[inner.column_order[k]];
    }
    std::for_each(singletons.last.rbegin(), singletons.last.rend(), take);
    *block_begin = place;
    order.multiplications = inner.multiplications;
    order.entries = inner.entries + static_cast<double>(singletons.first.size() + singletons.last.size());
    return order;
  }

 private:
  static constexpr Index kInner = -1;
  static constexpr Index kOuter = -2;

  void take_column(const PatternView& pattern, Index column) {
    const Index own_row = inner_row_[column];
    Count num_entries = pattern_.column_offsets.back();
    for (Count entry = pattern.column_offsets[column]; entry < pattern.column_offsets[column + 1]; ++entry) {
      if (const Index row = inner_row_[pattern.row_indices[entry]]; row >= 0) {
        pattern_.row_indices[num_entries++] = row;
        if (row == own_row) {
          column_of_row_[row] = static_cast<Index>(columns_.size());
        }
      }
    }
    pattern_.column_offsets.push_back(num_entries);
    columns_.push_back(column);
  }

  OwnedPattern pattern_;
  std::vector<Index> inner_row_;  // [row] = its number in the core, or kOuter
  std::vector<Index> rows_;       // of the core
  std::vector<Index> column_of_row_;
  std::vector<Index> columns_;
};

}  // namespace

std::optional<BlockOrder> order_blocks(const PatternView& pattern) {
  if (pattern.num_entries() > kMostEntries) {
    return std::nullopt;
  }
  if (has_whole_diagonal(pattern)) {
    std::vector<Index> diagonal(static_cast<std::size_t>(pattern.num_cols));
    std::iota(diagonal.begin(), diagonal.end(), 0);
    return order_matched(pattern, std::move(diagonal));
  }
  const Singletons singletons = find_singletons(pattern);
  Core core(pattern, singletons);
  const std::optional<BlockOrder> inner = order_matched(core.pattern(), core.take_matching());
  return inner ? std::optional(core.order_around(singletons, *inner)) : std::nullopt;
}

std::optional<BlockOrder> order_symmetric(const PatternView& pattern) {
  if (pattern.num_entries() > kMostEntries) {
    return std::nullopt;
  }
  const std::vector<int> offsets(pattern.column_offsets.begin(), pattern.column_offsets.end());
  double info[AMD_INFO];
  BlockOrder order;
  order.row_order.resize(static_cast<std::size_t>(pattern.num_cols));
  if (amd_order(pattern.num_cols, offsets.data(), pattern.row_indices.data(), order.row_order.data(), nullptr, info) < AMD_OK) {
    return std::nullopt;
  }
  order.column_order = order.row_order;
  order.blocks = {0, pattern.num_cols};
  order.entries = info[AMD_LNZ] + pattern.num_cols;
  order.multiplications = info[AMD_NMULTSUBS_LDL];
  return order;
}

BlockOrder order_pairs(const PatternView& pattern, std::span<const Index> partners) {
  const CompressedGraph compressed = gather_pairs(adjacency_graph(pattern), partners);
  const Elimination elimination = eliminate(compressed.graph, amd_ordering(compressed.graph));
  BlockOrder order;
  order.column_order = compressed.expand(elimination.perm);
  order.row_order.reserve(order.column_order.size());
  for (const Index variable : order.column_order) {
    order.row_order.push_back(partners[variable]);
  }
  order.blocks = {0, pattern.num_cols};
  order.entries = 2 * elimination.sum_counts - pattern.num_cols;
  order.multiplications = elimination.sum_squares - 2 * elimination.sum_counts + pattern.num_cols;
  return order;
}

}  // namespace frond
