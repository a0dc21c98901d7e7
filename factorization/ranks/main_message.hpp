// SPDX-License-Identifier: BSD-3-Clause
// The messages by which the ranks factorize one tree together, as values and as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "factorization/distributed/front_plan.hpp"
#include "factorization/ranks/common_end.hpp"
#include "factorization/ranks/unit_pool.hpp"
#include "loadinfo/mechanisms/load_message.hpp"

namespace frond {

/// A child's master to its parent's: the child is eliminated.
struct AnnounceMessage {
  ChildOutput output;
  std::vector<std::byte> right_sides{};  ///< that were eliminated with it, as FrontParts has them; empty: there are none
  friend bool operator==(const AnnounceMessage&, const AnnounceMessage&) = default;
};

/// A master to each of its slaves, or to each rank of the root's grid: the receiver is to hold its part of the front.
struct SlaveTaskMessage {
  FrontPlan plan;
  friend bool operator==(const SlaveTaskMessage&, const SlaveTaskMessage&) = default;
};

/// A slave to its master: it has memory for its share, or the limit forbids it. A rank of a grid to the root's master: it has
/// memory; there is no other answer.
struct SlaveAnswerMessage {
  TaskId task = kNoTask;
  bool is_accepted = false;
  Count needed_bytes = 0;  ///< for its share, and the rows that come to it
  Count free_bytes = 0;    ///< that it might still take
  friend bool operator==(const SlaveAnswerMessage&, const SlaveAnswerMessage&) = default;
};

/// A slave that has refused to its master: more memory is free now.
struct FreeMemoryMessage {
  TaskId task = kNoTask;
  Count free_bytes = 0;
  friend bool operator==(const FreeMemoryMessage&, const FreeMemoryMessage&) = default;
};

/// A slave that has refused to its master: it has learned that the shares are settled, and will report no more memory.
struct RefusalEndMessage {
  TaskId task = kNoTask;
  friend bool operator==(const RefusalEndMessage&, const RefusalEndMessage&) = default;
};

/// A master to slaves that have accepted: the shares will change; or, also to those that have refused before: all have accepted.
struct SettleMessage {
  TaskId task = kNoTask;
  bool stands = false;
  friend bool operator==(const SettleMessage&, const SettleMessage&) = default;
};

/// A parent's master to a part of a child: memory for its rows is available wherever the map sends them.
struct RowMapMessage {
  FrontPart part;  ///< of the child
  RowMap map;
  friend bool operator==(const RowMapMessage&, const RowMapMessage&) = default;
};

/// A piece of a stream, from byte `offset` on. The bytes belong to the message that was received; those of a ghost are absent.
struct RowsMessage {
  NodeId child = 0;
  PartRole source = PartRole::master;
  PartRole target = PartRole::master;
  Count offset = 0;
  Count num_bytes = 0;  ///< of the piece
  std::span<const std::byte> bytes;
};

/// Passes a message from one part of a front to another: the body of a PartMessage, aligned, which belongs to the message that was
/// received.
struct FrontMessage {
  FrontPart part;             ///< the receiver's
  Rank origin = kNobody;      ///< whose part has sent it, if others have passed it on
  std::vector<Rank> relays;   ///< ranks to whose parts of the same role the receiver is to pass it on
  Count num_ghost_bytes = 0;  ///< behind the body
  std::span<const std::byte> body;
};

/// Rank 0 to all: no front may begin, so that these ranks may leave; or: continue, they cannot leave yet.
struct PauseMessage {
  Index number = 0;  ///< of the pause: 1, 2, ...
  bool is_on = true;
  std::vector<Rank> leaving;  ///< increasing
  friend bool operator==(const PauseMessage&, const PauseMessage&) = default;
};

/// A row-distributed front and the shares of its rows.
struct DealtFront {
  NodeId node = 0;
  std::vector<RowShare> shares;
  friend bool operator==(const DealtFront&, const DealtFront&) = default;
};

/// To rank 0: no front is under way on this rank. Until a message arrives it begins nothing and sends nothing.
struct RestMessage {
  Index number = 0;  ///< of the pause
  Count num_received = 0;
  std::vector<Count> num_sent;     ///< [rank]
  std::vector<NodeId> finished;    ///< since the last record, as a master: begins and ends of tasks, increasing
  std::vector<DealtFront> shared;  ///< fronts of this master, finished, of which leaving ranks hold rows
  std::vector<NodeId> taken;       ///< from others since the last record, finished or not: begins and ends of tasks
  Count free_bytes = 0;
  friend bool operator==(const RestMessage&, const RestMessage&) = default;
};

/// To rank 0: this rank cannot come to rest, since work under way waits for memory that work not under way would free.
struct StuckMessage {
  Index number = 0;  ///< of the pause
  friend bool operator==(const StuckMessage&, const StuckMessage&) = default;
};

/// Rank 0 to all: the new distribution of work.
struct RecordMessage {
  std::vector<std::byte> plan;  ///< a RecoveryPlan
  friend bool operator==(const RecordMessage&, const RecordMessage&) = default;
};

/// A piece of a part of a finished front on its way to another rank. The bytes belong to the message that was received; those of a
/// ghost are absent.
struct MoveMessage {
  NodeId node = 0;
  PartRole role = PartRole::master;
  Count total_bytes = 0;             ///< of the part
  std::vector<std::byte> described;  ///< its description, as describe_part() makes it; with the first piece
  Count num_bytes = 0;               ///< of this piece; pieces come in order
  bool is_in_file = false;           ///< the whole part is, and this message has no bytes
  std::span<const std::byte> bytes;
};

/// A rank without work looks for a task that it may take. A rank that has none for it passes the message on; when it comes back, no
/// rank has any.
struct StealMessage {
  Rank thief = 0;
  Count free_bytes = 0;      ///< that the thief has set aside
  Pace pace{};               ///< that the thief measured last
  Index num_seen = 0;        ///< movable tasks that need more memory, on the ranks that were asked
  bool has_met_dry = false;  ///< the rank asked last knows that no rank has any
  friend bool operator==(const StealMessage&, const StealMessage&) = default;
};

/// To a rank that has asked: these tasks are now its own, each with all tasks below it.
struct GrantMessage {
  std::vector<TaskId> tops;
  friend bool operator==(const GrantMessage&, const GrantMessage&) = default;
};

/// A rank without work to the rank that gives out the units of the pool, which answers by a grant, or by a StealMessage.
struct PoolRequestMessage {
  Count free_bytes = 0;  ///< that it has set aside
  DoneChunk done;        ///< the last chunk that it was given
  friend bool operator==(const PoolRequestMessage&, const PoolRequestMessage&) = default;
};

/// The rank that gives out the units of the pool to the rank whose units these were: another rank has them.
struct GivenMessage {
  std::vector<TaskId> tops;
  friend bool operator==(const GivenMessage&, const GivenMessage&) = default;
};

using MainMessage = std::variant<AnnounceMessage, SlaveTaskMessage, SlaveAnswerMessage, FreeMemoryMessage, RefusalEndMessage,
                                 SettleMessage, RowMapMessage, RowsMessage, FrontMessage, PauseMessage, RestMessage, StuckMessage,
                                 RecordMessage, MoveMessage, StealMessage, GrantMessage, PoolRequestMessage, GivenMessage>;

/// The first byte of a message is its kind: the number of the alternative, then those of the common end on the same channel.
inline constexpr CommonEnd::Kinds kEndMessages{.done = std::variant_size_v<MainMessage>,
                                               .failure = std::variant_size_v<MainMessage> + 1};
inline constexpr std::size_t kNumMainMessageKinds = std::variant_size_v<MainMessage> + 2;

/// Returns the name in reports: announce, slave_task, ...
[[nodiscard]] std::string_view main_message_name(std::size_t kind);

/// Integers in the byte order of the machine: all ranks run on the same kind. `record` is the number of the plan by which the
/// sender works, 0 before there is one.
[[nodiscard]] std::vector<std::byte> encode(const MainMessage& message, Index record = 0);

/// Decodes what encode() wrote; messages with large arrays refer to `bytes`. Throws InternalError for anything else.
[[nodiscard]] MainMessage decode_main_message(std::span<const std::byte> bytes);
[[nodiscard]] Index record_of_main_message(std::span<const std::byte> bytes);

}  // namespace frond
