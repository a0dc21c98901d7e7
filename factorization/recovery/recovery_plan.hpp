// SPDX-License-Identifier: BSD-3-Clause
// The plan that a record carries: the distribution of work from then on.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/movable_fronts.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

/// A factorization at rest, as all ranks have reported it: no front is under way, and no message.
struct RestingState {
  const AssemblyTree& tree;
  Method method;
  Count scalar_bytes;
  const Mapping& mapping;
  FinishedNodes finished;                          ///< of all nodes
  std::map<NodeId, std::vector<RowShare>> shares;  ///< of the finished row-distributed fronts in which a leaving rank has a part
  std::vector<Count> free_bytes;                   ///< [rank]: that it may still take
};

// How a plan comes into force:
//
//   rank 0        pause ──►               ──► record, with the plan
//   other ranks          ──► at rest ──┘          │             no front begins between the pause and the record
//   who stays                                     ├──► goes on by the plan; finished fronts are held tasks
//   who leaves                                    └──► sends parts of its fronts, in pieces, to their new ranks; then has no work

struct RecoveryPlan {
  Index number = 0;           ///< of the record that carries it: 1, 2, ...
  std::vector<Rank> leaving;  ///< increasing, including those that have left before
  Mapping mapping;            ///< in which the leaving ranks have no part
  FinishedNodes finished;
  std::map<NodeId, std::vector<RowShare>> shares;  ///< new ones, of the fronts that RestingState lists
  std::vector<MovedPart> moves;
  Count moved_bytes = 0;  ///< of factors and contribution blocks, without delayed pivots
  std::string folder;     ///< folder of the files through which parts move; empty: from memory to memory
};

/// Returns the plan that leaves `leaving` without work. The others keep what they hold and have to do. A leaf subtree of a leaving
/// rank goes as a whole, including its finished nodes, to the rank with the least work left among the candidates of the front
/// above; so does every other front. A share of a row-distributed front joins that of a neighbour, so that shares stay consecutive
/// rows. The root's grid becomes a grid of those of its ranks that stay, if it is not finished and at least two of them stay.
///
/// Throws MemoryError if the moved parts do not fit in the free memory of the others, UsageError if no rank would be left or if a
/// leaving rank holds a part of a root on a grid that is finished.
[[nodiscard]] RecoveryPlan plan_recovery(const RestingState& state, std::span<const Rank> leaving);

/// Returns the mapping of a factorization that begins without these ranks.
[[nodiscard]] Mapping mapping_without(const AssemblyTree& tree, Method method, const Mapping& mapping,
                                      std::span<const Rank> leaving);

[[nodiscard]] std::vector<std::byte> encode(const RecoveryPlan& plan);
/// Throws InternalError for bytes that encode() does not write for the tree and the ranks of `before`.
[[nodiscard]] RecoveryPlan read_recovery_plan(ByteReader& reader, const Mapping& before);

/// Puts a plan in force on a rank.
class PlanInForce {
 public:
  /// The consequences of a plan for one rank.
  struct Terms {
    Count ahead_limit_bytes = -1;  ///< as in EngineOptions
    Count planned_peak_bytes = 0;  ///< as in RankEngineOptions
  };

  virtual ~PlanInForce() = default;

  /// Replaces the task graph and the mapping that RankContext refers to, and renumbers the tasks that fronts refer to. No work is
  /// under way meanwhile.
  virtual Terms adopt(const RecoveryPlan& plan) = 0;
};

}  // namespace frond
