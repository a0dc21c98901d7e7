// SPDX-License-Identifier: BSD-3-Clause
// The desk of a process that works for the first process of a batch.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/outbox.hpp"
#include "solver/distributed/batch/desk_messages.hpp"
#include "solver/distributed/batch/task_desk.hpp"

namespace frond {

/// The serving thread passes the requests of workers to rank 0.
class RemoteDesk final : public TaskDesk {
 public:
  RemoteDesk(Rank rank, Rank num_workers, Observer* observer);

  [[nodiscard]] std::vector<Count> take(Rank worker, const ChunkSeconds& last) override;
  // Nonblocking take().
  void ask(Rank worker, const ChunkSeconds& last);
  [[nodiscard]] std::optional<std::vector<Count>> take_granted(Rank worker);  ///< nothing: not granted yet
  void finish(Rank worker, Count task, std::string result) override;
  void fail(const std::exception_ptr& exception) override;

  /// For a worker: returns the first process's analysis as bytes; empty: it has none. Throws StoppedError at the end of the run.
  [[nodiscard]] std::vector<std::byte> fetch_shared();

  /// Carries messages until the run and its workers have ended. Throws the failure that ended the run.
  void serve(Channel& channel);
  /// Handles received messages, and sends what can be sent. Returns whether a message arrived.
  bool turn(Channel& channel, Outbox& outbox);

 private:
  [[nodiscard]] bool is_wanted(Count task) const override { return !has_failed_ && !end_ && !dropped_.contains(task); }
  void send(std::vector<std::byte> message);
  [[nodiscard]] std::optional<std::vector<Count>> granted(Rank worker);
  [[nodiscard]] bool hear(Channel& channel);
  void handle(std::span<const std::byte> bytes);
  void look_for_stop();
  void send_waiting(Outbox& outbox);
  [[nodiscard]] bool is_at_end();

  Rank rank_;
  Observer* observer_;
  std::vector<std::optional<std::vector<Count>>> grants_;  // [worker]
  std::optional<std::vector<std::byte>> shared_;
  bool needs_shared_ = false;
  std::set<Count> dropped_;                      // tasks that others have done
  std::vector<std::vector<std::byte>> waiting_;  // messages to rank 0
  bool has_failed_ = false;
  std::optional<DeskEnd> end_;
};

}  // namespace frond
