// SPDX-License-Identifier: BSD-3-Clause
// Sorts columns by strong component, and orders each component.
#include "analysis/pivots/block_order.hpp"

#include <amd.h>

#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "analysis/graph/permutation.hpp"
#include "analysis/graph/strong_components.hpp"
#include "analysis/pivots/structural_rank.hpp"

namespace frond {
namespace {

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
    block_rows_.clear();
    for (Index k = begin; k < end; ++k) {
      const Index column = order_.column_order[k];
      for (Count entry = pattern_.column_offsets[column]; entry < pattern_.column_offsets[column + 1]; ++entry) {
        const Index place = place_[column_of_row_[pattern_.row_indices[entry]]];
        if (place >= begin) {
          block_rows_.push_back(place - begin);
        }
      }
      block_offsets_.push_back(static_cast<int>(block_rows_.size()));
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

}  // namespace

std::optional<BlockOrder> order_blocks(const PatternView& pattern) {
  constexpr Count kMostEntries = std::numeric_limits<int>::max() / 4;  // AMD takes twice as many, and some room
  if (pattern.num_entries() > kMostEntries) {
    return std::nullopt;
  }
  StructuralRank structure = structural_rank(pattern);
  if (structure.rank < pattern.num_cols) {
    return std::nullopt;
  }
  std::vector<Index> row_of_column = std::move(structure.row_of_column);
  if (row_of_column.empty()) {
    row_of_column.resize(static_cast<std::size_t>(pattern.num_cols));
    std::iota(row_of_column.begin(), row_of_column.end(), 0);
  }
  BlockOrder order;
  BlockOrderer orderer(pattern, invert(row_of_column), order);
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

}  // namespace frond
