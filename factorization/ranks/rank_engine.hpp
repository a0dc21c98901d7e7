// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in a factorization over several ranks: its tasks and parts of fronts, the rows it sends and receives, its
// decisions, and the common end.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "factorization/ranks/common_end.hpp"
#include "factorization/ranks/rank_moves.hpp"
#include "factorization/ranks/rank_records.hpp"
#include "factorization/ranks/rank_sharing.hpp"
#include "loadinfo/messages/message_program.hpp"

namespace frond {

/// A state machine that never waits: it receives events (finished tasks and steps, messages, room in channels) and answers by
/// starting tasks and steps and by sending.
///
/// Structure comes before numbers. The master of a finished front announces its delayed variables to the parent's master. Once that
/// master knows all children of a front it chooses slaves, if the front is row-distributed; for the root on a grid, the ranks of
/// the grid take their place. When these have the memory, it sends the layout to all parts of the children. Only then do rows move,
/// each straight to the part of the parent that holds it; until then they stay where they are.
///
/// All ranks end together. A rank that sends any other message has not finished: it waits for what follows, so its receiver may
/// still fail.
///
/// A rank without work takes subtrees that others have not begun (WorkSearch): one request at a time, for which it has set memory
/// aside, so that these can begin whatever else arrives. A parent's master learns which rank has done a task when it is announced,
/// and the other ranks concerned learn it from the plan of the front.
///
/// A rank leaves by a *record*: rank 0 makes all ranks pause, so that no front begins; each reports when none is under way (that no
/// message is either follows from the numbers that each has sent to each other and received: Mattern 1987, the vector counters);
/// then rank 0 sends all of them the plan by which they continue (recovery_plan.hpp). Finished fronts of leaving ranks move to
/// others while these continue. A message of a later record that reaches a rank at rest waits until that rank has the record, too.
///
/// The engine consists of small machines, each with its own state and its own messages, in the order in which they know each other:
/// RankMail < RankTasks < RankStreams < RankParts < RankSlaves < RankLayout < RankPool < RankSharing, RankMoves, RankRecords. It
/// hands each message to the machine that receives such, lets all advance until none can, and has finished when all are idle.
class RankEngine final : public MessageProgram, public TaskEvents, private RankHost {
 public:
  RankEngine(const RankContext& context, RankEngineOptions options);

  void start() override {
    handle([this] { begin({}); });
  }
  void on_assembled(TaskId id) override {
    handle([this, id] { tasks_->on_assembled(id); });
  }
  void on_finished(TaskId id) override {
    handle([this, id] { on_front_finished(id); });
  }
  void on_timed(TaskId id, double seconds) override { tasks_.on_timed(id, seconds); }
  void on_step(FrontPart part, PartStep step) override;
  void stop() override { tasks_->stop(); }  ///< a task has failed; fail() says why
  /// An exception on this rank, or what it says where exceptions are not passed between threads.
  void fail(const std::exception_ptr& exception) override { fail(make_failure(rank(), exception)); }
  void fail(const Failure& failure) {
    handle([&] { end_.fail(failure); });
  }
  void on_message(const ReceivedMessage& message) override;
  void on_room() override {
    handle([this] { send_waiting(); });
  }
  bool on_load_event() override;  ///< a decision or the start of a task may have become possible

  /// On rank 0: asks these ranks, increasing, to leave, in addition to those that have left. Their parts move through files in
  /// `folder`, or, if that is empty, from memory to memory. Returns false if the request comes at the wrong time: a pause is on, or
  /// the run is over. Throws UsageError where fronts cannot move.
  bool drain(std::span<const Rank> leaving, const std::string& folder = {});
  [[nodiscard]] bool pauses() const { return tasks_.is_paused(); }
  [[nodiscard]] Rank num_ranks() const { return context_.channel.num_ranks(); }
  /// On rank 0: why the last drain was refused; empty if it was not, or is still pending.
  [[nodiscard]] const std::optional<Failure>& refusal() const { return records_.refusal(); }
  [[nodiscard]] Index record() const { return mail_.record(); }  ///< number of the plan in force; 0: the static mapping

  [[nodiscard]] bool ended() const override { return end_.ended(); }
  /// The same on all ranks once they have ended.
  [[nodiscard]] const std::optional<Failure>& failure() const { return end_.failure(); }

  [[nodiscard]] const Engine& tasks() const { return *tasks_; }
  [[nodiscard]] Rank rank() const { return context_.me(); }
  /// True if this rank has learned that no rank has tasks to give any more, until the next record.
  [[nodiscard]] bool is_dry() const { return sharing_.is_dry(); }
  /// Returns begins and ends of the units that this rank has taken since the last record.
  [[nodiscard]] std::vector<NodeId> taken_nodes() const { return tasks_.taken_nodes(); }
  [[nodiscard]] const RankEngineCounts& counts() const { return counts_; }

  [[nodiscard]] bool is_deciding() const { return slaves_.is_deciding(); }
  [[nodiscard]] std::string describe_wait() const override;

  /// Returns, while an own front finds no slaves with enough memory, the least number of bytes that are missing; otherwise 0. If
  /// nothing else happens on any rank any more, the run fails.
  [[nodiscard]] Count missing_bytes() const override { return slaves_.missing_bytes(); }

 private:
  void on_settled(const FrontPlan& plan) override { layout_.lay_out(plan); }
  void on_arrived(const RowStream& stream) override;
  [[nodiscard]] bool is_finished(FrontPart part) const override {
    return !parts_.has(part) && !moves_.is_coming(context_.graph.task(part.task).node_begin, part.role);
  }
  void send_waiting() override;
  // A front that has been laid out has parts or streams to come; one that has asked for slaves is awaited by them.
  [[nodiscard]] bool is_at_rest() const override {
    return tasks_->is_at_rest() && parts_.is_idle() && streams_.is_at_rest() && moves_.is_idle() && slaves_.is_at_rest();
  }
  void adopt(const RecoveryPlan& plan) override;

  void set_up(const PlanInForce::Terms& terms, std::vector<TaskId> coming);
  void begin(std::span<const TaskId> coming);
  void handle(const std::function<void()>& handler);
  [[nodiscard]] bool advance();
  void take_message(Rank from, std::span<const std::byte> bytes);
  void take_own_messages();
  void hand_over(Rank from, const MainMessage& message);
  void on_front_finished(TaskId id);
  [[nodiscard]] bool has_finished() const;
  void stop_all();
  [[nodiscard]] bool has_failed() const { return end_.failure().has_value(); }

  RankContext context_;
  RankEngineOptions options_;
  RankEngineCounts counts_;
  RankMail mail_;
  CommonEnd end_;
  RankTasks tasks_;
  RankMachine shared_{context_, options_, mail_, tasks_, counts_, *this};
  RankStreams streams_;
  RankParts parts_;
  RankSlaves slaves_;
  RankLayout layout_;
  RankPool pool_;
  RankSharing sharing_;
  RankMoves moves_;
  RankRecords records_;
  bool has_stopped_ = false;  // after a failure
};

}  // namespace frond
