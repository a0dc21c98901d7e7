// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in a factorization over several ranks: its own tasks, the outputs that come and go, and the common end.
#pragma once

#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <vector>

#include "factorization/engine.hpp"
#include "factorization/main_message.hpp"
#include "loadinfo/channel.hpp"

namespace frond {

struct RankEngineOptions {
  EngineOptions tasks;
  Count piece_bytes = Count{1} << 20;  ///< of an output, per message: large enough for bandwidth, small enough to let others pass
};

/// A state machine that never waits: it is told of finished tasks, messages and room, and answers by starting tasks and sending.
/// Its calls must not overlap, and throw nothing: what is thrown inside is a failure.
///
/// Structure comes before numbers: a finished task whose parent belongs to another rank is announced with its delayed variables,
/// and its output stays where it is until the parent's rank, which then knows all of the parent's children, fetches it.
///
/// The end is common. Ranks tell rank 0 when they have nothing left to do, and rank 0 tells all when that holds for everybody. A
/// failure, once known, is passed on by every rank to every other as its last message; a rank ends when it has those of all others.
/// So no message is under way between ranks that have ended, and all of them end with the same failure.
class RankEngine final : public TaskEvents {
 public:
  RankEngine(const TaskGraph& graph, Numerics& numerics, Contributions& contributions, Channel& channel, RankEngineOptions options);

  void start();
  void on_assembled(TaskId id) override;
  void on_finished(TaskId id) override;
  void stop() override;                            ///< a task has failed; fail() says why
  void fail(const std::exception_ptr& exception);  ///< something was thrown on this rank
  void on_message(const ReceivedMessage& message);
  void on_room();  ///< the channel, after it refused a message, has room

  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }  ///< the same on all ranks once they have ended

  [[nodiscard]] Count active_bytes() const { return engine_.active_bytes(); }  ///< of own tasks and outputs that came

  /// For a report of who waits for what: messages refused by the channel, outputs not yet fetched, outputs to come.
  [[nodiscard]] Index num_waiting_sends() const { return static_cast<Index>(waiting_.size() + outgoing_.size()); }
  [[nodiscard]] Index num_outputs_left() const { return num_outputs_left_; }
  [[nodiscard]] Index num_arriving() const { return static_cast<Index>(arriving_.size()); }

 private:
  struct Waiting {
    Rank to;
    std::vector<std::byte> bytes;
  };
  struct Outgoing {
    TaskId task;
    Rank to;
    Count offset = 0;
    Count num_bytes = 0;
  };
  struct Parent {
    Index children_left = 0;  // that are neither finished here nor announced
    std::map<TaskId, Announcement> announced;
  };

  void receive(Rank from, const AnnounceMessage& message);
  void receive(Rank from, const FetchMessage& message);
  void receive(Rank from, const OutputMessage& message);
  void receive(Rank from, const DoneMessage& message);
  void receive(Rank from, const FailureMessage& message);

  template <class Handler>
  void handle(Handler handler);
  void announce(TaskId id);
  void child_known(TaskId parent);
  void fetch_children(Parent& parent);
  void arrived(TaskId task);
  void send(Rank to, const MainMessage& message);
  void pump();
  bool send_next_piece();
  void end_if_done();
  void note_failure(const std::exception_ptr& exception);
  void take_failure(const Failure& failure);

  const TaskGraph& graph_;
  Engine engine_;
  Contributions& contributions_;
  Channel& channel_;
  RankEngineOptions options_;
  std::map<TaskId, Parent> parents_;  // own tasks with children of other ranks that have not been fetched
  std::map<TaskId, Count> arriving_;  // [task of another rank] = bytes to come
  std::deque<Waiting> waiting_;       // refused by the channel
  std::deque<Outgoing> outgoing_;     // outputs being sent, piece by piece
  Index num_outputs_left_ = 0;        // own tasks whose output has not gone to another rank yet
  bool said_done_ = false;
  Rank num_done_ = 0;  // rank 0: ranks that have nothing left to do
  std::optional<Failure> failure_;
  Rank num_failed_ = 0;    // other ranks whose last message has come
  bool all_done_ = false;  // no rank has anything left to do
  bool ended_ = false;
};

}  // namespace frond
