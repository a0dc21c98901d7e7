// SPDX-License-Identifier: BSD-3-Clause
// Selects the slaves of a type 2 front among its candidates, and the rows of each. After Amestoy, Duff, L'Excellent & Koster 2001
// (selection by work) and Guermouche & L'Excellent 2004 (by memory).
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "frond/analysis_options.hpp"
#include "frond/load_options.hpp"
#include "frond/types.hpp"
#include "loadinfo/mechanisms/load.hpp"

namespace frond {

/// Returns the mapping options with the number of candidates for a schedule: as asked for work; by memory with at least eight times
/// a node's proportional share beyond it. To balance memory, the rank that holds least should be a candidate; to balance work,
/// ranks that have finished their own part of the tree come in from next to it, and others would only disturb them.
[[nodiscard]] MappingOptions mapping_options(MappingOptions asked, Schedule schedule);

/// Parses "flops" or "memory"; throws UsageError for anything else.
[[nodiscard]] Schedule parse_schedule(std::string_view text);
[[nodiscard]] std::string_view to_string(Schedule schedule);

/// A front whose rows behind the fully summed ones are to be distributed.
struct SharedFront {
  Index order = 0;
  Index num_fully_summed = 0;  ///< delayed pivots of children included
  Method method = Method::lu;
  Count scalar_bytes = 8;

  [[nodiscard]] Index num_shared_rows() const { return order - num_fully_summed; }
};

struct SelectionOptions {
  Schedule schedule = Schedule::flops;
  Index min_rows = 32;     ///< of a block except the last: fewer are not worth their messages, and DGEMM is slow on them
  double min_flops = 1e6;  ///< of a block except the last: what a core computes while a message is under way
  Count memory_limit = 0;  ///< bytes per rank that no view plus block may exceed; 0: no limit
  std::map<Rank, Count> most_bytes = {};  ///< of a block, on ranks that have refused larger ones
  /// [rank] = factor of the PaceTable by which flops count more where a rank is slower than others, by more than noise; empty: all
  /// ranks work at the same pace.
  std::vector<double> slowness = {};
};

/// Rows [row_begin, row_end) of the shared ones for one slave, and their cost to it.
struct RowBlock {
  Rank rank = kNobody;
  Index row_begin = 0;
  Index row_end = 0;
  Load load;

  friend bool operator==(const RowBlock&, const RowBlock&) = default;
};

struct Selection {
  std::vector<RowBlock> blocks;  ///< cover the shared rows in order; empty when memory does not suffice
  Count missing_bytes = 0;       ///< then: the least number of bytes that the candidates lack together
};

/// Returns the load of a slave with the rows [row_begin, row_end) of the shared ones: its flops, and the bytes of its part of L or
/// U and of the contribution block. Additive over adjacent blocks up to rounding of flops to whole numbers.
[[nodiscard]] Load block_load(const SharedFront& front, Index row_begin, Index row_end);

/// Distributes all rows so that the largest resulting load of a slave, in flops or in bytes as the schedule says, is as small as
/// the candidates, the granularity and the memory limit admit. By memory, the largest may then be a fifth higher if that balances
/// the work better: the ranks that hold least would otherwise take nearly all rows, and the others wait for them. `view[j]` is the
/// load of rank j; negative loads, which a view can hold for a moment, count as zero. Ties go to the lower rank, so that the same
/// view gives the same blocks. O(candidates * log rows) for each of a fixed number of trial levels.
[[nodiscard]] Selection select_slaves(const SharedFront& front, std::span<const Rank> candidates, std::span<const Load> view,
                                      const SelectionOptions& options);

}  // namespace frond
