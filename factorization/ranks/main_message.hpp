// SPDX-License-Identifier: BSD-3-Clause
// The messages by which the ranks factorize one tree together, as values and as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// A slave to its master: memory for its share is there, or the limit forbids it. A rank of a grid to the root's master: memory is
/// there; there is no other answer.
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

/// A slave that has refused to its master: it has heard that the shares are settled, and tells of no more memory.
struct RefusalEndMessage {
  TaskId task = kNoTask;
  friend bool operator==(const RefusalEndMessage&, const RefusalEndMessage&) = default;
};

/// A master to slaves that have accepted: the shares will be others; or, to those that have refused before as well: all have
/// accepted.
struct SettleMessage {
  TaskId task = kNoTask;
  bool stands = false;
  friend bool operator==(const SettleMessage&, const SettleMessage&) = default;
};

/// A parent's master to a part of a child: memory for its rows is there, wherever the map sends them.
struct RowMapMessage {
  FrontPart part;  ///< of the child
  RowMap map;
  friend bool operator==(const RowMapMessage&, const RowMapMessage&) = default;
};

/// A piece of a stream, from byte `offset` on. The bytes belong to the message that was received; those of a ghost are not there.
struct RowsMessage {
  NodeId child = 0;
  PartRole source = PartRole::master;
  PartRole target = PartRole::master;
  Count offset = 0;
  Count num_bytes = 0;  ///< of the piece
  std::span<const std::byte> bytes;
};

/// From one part of a front to another: the body of a PartMessage, aligned, which belongs to the message that was received.
struct FrontMessage {
  FrontPart part;             ///< the receiver's
  Rank origin = kNobody;      ///< whose part has sent it, if others have passed it on
  std::vector<Rank> relays;   ///< ranks to whose parts of the same role the receiver is to pass it on
  Count num_ghost_bytes = 0;  ///< behind the body
  std::span<const std::byte> body;
};

/// Rank 0 to all: no front is to begin, so that these ranks may leave; or: go on, they cannot yet.
struct PauseMessage {
  Index number = 0;  ///< of the pause: 1, 2, ...
  bool is_on = true;
  std::vector<Rank> leaving;  ///< increasing
  friend bool operator==(const PauseMessage&, const PauseMessage&) = default;
};

/// A row-distributed front and who holds its rows.
struct DealtFront {
  NodeId node = 0;
  std::vector<RowShare> shares;
  friend bool operator==(const DealtFront&, const DealtFront&) = default;
};

/// To rank 0: no front is under way on this rank. Until a message comes it begins nothing and sends nothing.
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

/// To rank 0: this rank will not come to rest, since what is under way waits for memory that what is not under way would free.
struct StuckMessage {
  Index number = 0;  ///< of the pause
  friend bool operator==(const StuckMessage&, const StuckMessage&) = default;
};

/// Rank 0 to all: who does what from now on.
struct RecordMessage {
  std::vector<std::byte> plan;  ///< a RecoveryPlan
  friend bool operator==(const RecordMessage&, const RecordMessage&) = default;
};

/// A piece of a part of a finished front on its way to another rank. The bytes belong to the message that was received; those of a
/// ghost are not there.
struct MoveMessage {
  NodeId node = 0;
  PartRole role = PartRole::master;
  Count total_bytes = 0;             ///< of the part
  std::vector<std::byte> described;  ///< what it is, as FrontParts has it; with the first piece
  Count num_bytes = 0;               ///< of this piece; pieces come in order
  bool is_in_file = false;           ///< all of it is, and this message has none
  std::span<const std::byte> bytes;
};

/// A rank without work looks for a task that it may take. Who has none for it passes that on; when it comes back, nobody has.
struct StealMessage {
  Rank thief = 0;
  Count free_bytes = 0;      ///< that the thief has set aside
  Pace pace{};               ///< that the thief has measured last
  Index num_seen = 0;        ///< tasks that may move, but need more, on the ranks that were asked
  bool has_met_dry = false;  ///< who was asked last knows that nobody has any
  friend bool operator==(const StealMessage&, const StealMessage&) = default;
};

/// To a rank that has asked: these tasks are its, each with all below it.
struct GrantMessage {
  std::vector<TaskId> tops;
  friend bool operator==(const GrantMessage&, const GrantMessage&) = default;
};

/// A rank without work to the one that gives units out of the pool. It is answered by a grant, or by a StealMessage.
struct PoolRequestMessage {
  Count free_bytes = 0;  ///< that it has set aside
  DoneChunk done;        ///< the last chunk that it was given
  friend bool operator==(const PoolRequestMessage&, const PoolRequestMessage&) = default;
};

/// The one that gives units out of the pool to the rank whose units these were: another has them.
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

/// As reports spell it: announce, slave_task, ...
[[nodiscard]] std::string_view main_message_name(std::size_t kind);

/// Integers in the byte order of the machine: all ranks run on the same kind. `record` is the number of the plan by which the
/// sender works, 0 before there is one.
[[nodiscard]] std::vector<std::byte> encode(const MainMessage& message, Index record = 0);

/// What encode() wrote; messages with large arrays refer to `bytes`. Anything else is an InternalError.
[[nodiscard]] MainMessage decode_main_message(std::span<const std::byte> bytes);
[[nodiscard]] Index record_of_main_message(std::span<const std::byte> bytes);

}  // namespace frond
