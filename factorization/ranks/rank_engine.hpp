// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in a factorization over several ranks: its tasks and parts of fronts, the rows it sends and receives, its
// decisions, and the common end.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "factorization/distributed/front_parts.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "factorization/ranks/common_end.hpp"
#include "factorization/ranks/main_message.hpp"
#include "factorization/ranks/pace_meter.hpp"
#include "factorization/ranks/rank_engine_counts.hpp"
#include "factorization/ranks/work_search.hpp"
#include "factorization/recovery/movable_fronts.hpp"
#include "factorization/recovery/move_file.hpp"
#include "factorization/scheduling/engine.hpp"
#include "loadinfo/load_service.hpp"
#include "loadinfo/messages/message_program.hpp"
#include "loadinfo/messages/outbox.hpp"

namespace frond {

struct RankEngineOptions {
  EngineOptions tasks;
  SelectionOptions selection;
  Count planned_peak_bytes = 0;        ///< of the active memory of this rank's own tasks, one after the other
  Count piece_bytes = Count{1} << 20;  ///< of a stream, per message, a multiple of 16: large enough for bandwidth, small enough to
                                       ///< let others pass
  Count relayed_bytes = Count{1} << 20;      ///< of a panel times the number of receivers: above this, slaves relay a panel for all
                                             ///< slaves of a front to one another
  WorkSharing sharing = WorkSharing::fixed;  ///< the tasks of the graph may move, unless it is fixed
  std::uint32_t sharing_seed = 1;            ///< of WorkSharing::random
  /// Shares of fronts, and of tasks that others request, are larger for ranks that were measured to be fast.
  bool follows_paces = false;
  ChunkKind chunks = ChunkKind::fac;   ///< of WorkSharing::pool
  std::function<double()> clock = {};  ///< returns seconds for adaptive rules; empty: they do not adapt
  /// Called with each choice of slaves before these are asked: for drivers that know all ranks and measure the error of views.
  std::function<void(const LoadExchange& exchange, std::span<const Assignment> chosen)> watch_decision = {};
};

/// What ranks need to be able to leave: either all of it is set, or nothing.
struct RankRecovery {
  PlanInForce* plan = nullptr;
  MovableFronts* fronts = nullptr;
  MoveFiles* files = nullptr;
};

/// The data and services of a rank, which outlive the RankEngine. A new plan changes what `graph` and `mapping` refer to.
struct RankContext {
  const AssemblyTree& tree;
  Method method;
  Count scalar_bytes;
  const TaskGraph& graph;
  const Mapping& mapping;
  Numerics& numerics;
  FrontParts& parts;
  Channel& channel;
  LoadService& loads;
  RankRecovery recovery = {};
  FinishedNodes finished = {};  ///< used to make the graph
};

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
class RankEngine final : public MessageProgram, public TaskEvents {
 public:
  RankEngine(const RankContext& context, RankEngineOptions options);

  void start() override;
  void on_assembled(TaskId id) override;
  void on_finished(TaskId id) override;
  void on_timed(TaskId id, double seconds) override;
  void on_step(FrontPart part, PartStep step) override;
  void stop() override;                                     ///< a task has failed; fail() says why
  void fail(const std::exception_ptr& exception) override;  ///< an exception on this rank
  void fail(const Failure& failure);                        ///< the same, where exceptions are not passed between threads
  void on_message(const ReceivedMessage& message) override;
  void on_room() override;
  /// Called after load messages, which may have made a decision or the start of a task possible. Returns true if so.
  bool on_load_event();

  /// On rank 0: asks these ranks, increasing, to leave, in addition to those that have left. Their parts move through files in
  /// `folder`, or, if that is empty, from memory to memory. Returns false if the request comes at the wrong time: a pause is on, or
  /// the run is over. Throws UsageError where fronts cannot move.
  bool drain(std::span<const Rank> leaving, const std::string& folder = {});
  [[nodiscard]] bool pauses() const { return pause_.is_on; }
  [[nodiscard]] Rank num_ranks() const { return context_.channel.num_ranks(); }
  /// On rank 0: why the last drain was refused; empty if it was not, or is still pending.
  [[nodiscard]] const std::optional<Failure>& refusal() const { return refusal_; }
  [[nodiscard]] Index record() const { return record_; }  ///< number of the plan in force; 0: the static mapping

  [[nodiscard]] bool ended() const override { return end_.ended(); }
  /// The same on all ranks once they have ended.
  [[nodiscard]] const std::optional<Failure>& failure() const { return end_.failure(); }

  [[nodiscard]] const Engine& tasks() const { return *engine_; }
  [[nodiscard]] Rank rank() const { return me(); }
  /// True if this rank has learned that no rank has tasks to give any more, until the next record.
  [[nodiscard]] bool is_dry() const { return search_.is_dry(); }
  /// Returns begins and ends of the units that this rank has taken since the last record.
  [[nodiscard]] std::vector<NodeId> taken_nodes() const;
  [[nodiscard]] const RankEngineCounts& counts() const { return counts_; }

  /// For a report of what ranks wait for: messages refused by the channel and streams not yet sent, outputs not yet sent, streams
  /// not yet arrived, fronts without slaves.
  [[nodiscard]] Index num_waiting_sends() const {
    return static_cast<Index>(outbox_.size()) + static_cast<Index>(outgoing_.size());
  }
  [[nodiscard]] Index num_outputs_left() const { return num_outputs_left_; }
  [[nodiscard]] Index num_arriving() const { return static_cast<Index>(arriving_.size()); }
  [[nodiscard]] Index num_undecided() const { return num_undecided_; }
  [[nodiscard]] bool is_deciding() const { return is_deciding_; }

  /// Returns, while an own front finds no slaves with enough memory, the least number of bytes that are missing; otherwise 0. If
  /// nothing else happens on any rank any more, the run fails.
  [[nodiscard]] Count missing_bytes() const;

 private:
  struct Outgoing {
    SizedStream sized;
    Count offset = 0;
  };
  /// Capacity of a rank that has refused a share.
  struct Capacity {
    Count bytes = 0;      // of a share
    double overhead = 1;  // bytes needed per byte of a share
  };
  /// A share that this rank has refused.
  struct Refusal {
    TaskId task = kNoTask;
    Count told_bytes = 0;  // reported as free
  };
  /// An own front that waits for streams, or has slaves.
  struct GatheredFront {
    Index children_left = 0;  // neither finished here nor announced
    FrontPlan plan;
    std::map<Rank, Capacity> refused;  // ranks that have refused
    std::size_t answers_left = 0;
    std::set<Rank> accepted;
    std::size_t streams_left = 0;
  };
  /// A part of a front of type 2 or 3 on this rank.
  struct Part {
    std::deque<std::pair<Rank, std::vector<std::byte>>> mailbox;
    bool is_busy = true;  // a step is under way, or the first one has not begun
    bool goes_on = false;
    // For all except masters:
    Load cost;
    bool stands = false;
    std::size_t streams_left = 0;
  };
  /// Lasts from the announcement of a pause until there is a new plan, or all ranks continue unchanged.
  struct Pause {
    Index number = 0;
    bool is_on = false;
    bool has_told = false;                           // has reported to rank 0 that this rank rests, and nothing has happened since
    std::vector<Rank> leaving;                       // including those that have left
    std::string folder;                              // rank 0
    std::vector<std::optional<RestMessage>> others;  // rank 0: [rank] = the last one
  };
  struct OutgoingMove {
    MovedPart part;
    Count total_bytes = 0;
    Count offset = 0;
  };
  using StreamKey = std::tuple<NodeId, PartRole, Rank, PartRole>;  // child, source, its rank, target
  struct Arriving {
    RowStream stream;
    Count bytes_left = 0;
  };

  void receive(Rank from, const AnnounceMessage& message);
  void receive(Rank from, const SlaveTaskMessage& message);
  void receive(Rank from, const SlaveAnswerMessage& message);
  void receive(Rank from, const FreeMemoryMessage& message);
  void receive(Rank from, const RefusalEndMessage& message);
  void receive(Rank from, const SettleMessage& message);
  void receive(Rank from, const RowMapMessage& message);
  void receive(Rank from, const RowsMessage& message);
  void receive(Rank from, const FrontMessage& message);
  void receive(Rank from, const PauseMessage& message);
  void receive(Rank from, const RestMessage& message);
  void receive(Rank from, const StuckMessage& message);
  void receive(Rank from, const RecordMessage& message);
  void receive(Rank from, const MoveMessage& message);
  void receive(Rank from, const StealMessage& message);
  void receive(Rank from, const GrantMessage& message);
  void receive(Rank from, const PoolRequestMessage& message);
  void receive(Rank from, const GivenMessage& message);

  void handle(const std::function<void()>& handler);
  void take_message(Rank from, std::span<const std::byte> bytes);
  void set_up_tasks(Count ahead_limit_bytes, std::vector<TaskId> coming);
  void begin_tasks();
  void no_more_master();
  void receive_local();
  void tell_load();
  void start_tasks();

  // Records (rank_records.cpp).
  void pause(const PauseMessage& message);
  void go_on();
  bool look_after_pause();
  void give_up_choices();
  [[nodiscard]] bool is_at_rest() const;
  [[nodiscard]] RestMessage rest() const;
  [[nodiscard]] bool all_rest() const;
  void make_record();
  void refuse(const std::exception_ptr& exception);
  void adopt(const RecoveryPlan& plan);

  // Tasks that move before they begin (rank_steals.cpp).
  void seek_work();
  void answer(StealMessage message);
  void take_back(const StealMessage& message);
  void answer_put_off();
  [[nodiscard]] Count most_guest_bytes() const;
  [[nodiscard]] Rank parent_rank(TaskId id) const;
  void set_up_pool();
  void lose_unit(TaskId top);
  void take_unit(TaskId top);
  [[nodiscard]] double now() const { return options_.clock ? options_.clock() : 0; }
  [[nodiscard]] Pace pace() const { return options_.follows_paces ? pace_.last() : Pace{}; }
  [[nodiscard]] double part_for(const StealMessage& message) const;

  // Parts of finished fronts that move (rank_moves.cpp).
  void begin_moves(const RecoveryPlan& plan);
  [[nodiscard]] bool is_coming(NodeId node, PartRole role) const;
  void send_next_of_move();
  [[nodiscard]] bool write_move(const OutgoingMove& move);
  void end_move(const MovedPart& part);
  void has_come(NodeId node, PartRole role);

  // Layout of own fronts.
  void announce(TaskId id);
  void child_known(const ChildOutput& child);
  void stored_children_known();
  void announce_held_tasks();
  [[nodiscard]] bool is_stored(const SizedStream& sized) const { return context_.graph.task(sized.stream.source.task).is_stored; }
  GatheredFront& gather(TaskId id);
  void children_known(TaskId id, GatheredFront& front);
  void accept_root_part(const FrontPlan& plan);
  void advance_decisions();
  [[nodiscard]] bool may_decide(LoadExchange& exchange, TaskId id);
  void decide(LoadExchange& exchange, GatheredFront& front);
  void ask_slaves(GatheredFront& front);
  void tell_free_memory();
  [[nodiscard]] Selection choose_slaves(const GatheredFront& front, const LoadExchange& exchange) const;
  [[nodiscard]] SharedFront shared_front(const FrontPlan& plan) const;
  void note_refusal(GatheredFront& front, Rank slave, const SlaveAnswerMessage& message) const;
  void settle(GatheredFront& front);
  void lay_out(GatheredFront& front);
  void gathered_less(TaskId id, GatheredFront& front);

  // Parts at work.
  Part& expect_part(const FrontPlan& plan, FrontPart id, Load cost);
  void begin_if_complete(FrontPart id, const Part& part);
  void advance(FrontPart id, Part& part);
  void advance_parts();
  void finish_part(FrontPart id);

  // Streams.
  void expect(const SizedStream& sized);
  void arrived(const RowStream& stream);
  void send_rows(FrontPart part, const RowMap& map);
  void send_next_piece();
  void sent(FrontPart part);

  void send(Rank to, const MainMessage& message, Count num_ghost_bytes = 0);
  void send_to_others(const MainMessage& message);
  void send_to_parts(TaskId task, const PartMessage& message);
  void relay(std::span<const Rank> ranks, FrontMessage message);
  void pump();
  [[nodiscard]] bool has_finished() const;
  void stop_all();
  void abandon_root();
  [[nodiscard]] bool has_failed() const { return end_.failure().has_value(); }
  [[nodiscard]] Rank me() const { return context_.channel.rank(); }

  RankContext context_;
  RankEngineOptions options_;
  PaceMeter pace_;
  std::vector<StealMessage> put_off_;  // requests of others, until this rank's own is answered
  std::optional<UnitPool> pool_;       // on the rank that gives its units
  DoneChunk chunk_;                    // the last one from the pool
  double asked_at_ = 0;
  double granted_at_ = 0;
  std::optional<Engine> engine_;
  Outbox outbox_;
  CommonEnd end_{outbox_, kEndMessages};
  bool has_stopped_ = false;  // after a failure
  WorkSearch search_;
  Count most_guest_bytes_ = 0;              // largest need of any unit that others have
  std::map<TaskId, GatheredFront> fronts_;  // own, with streams still to arrive
  std::deque<TaskId> undecided_;            // own fronts whose children are known, in the order in which slaves are chosen
  std::map<TaskId, Count> starved_;         // own fronts that no choice of slaves has memory for = bytes missing
  std::vector<Refusal> refusals_;           // not yet followed by free memory
  bool is_blocked_ = false;                 // by the load exchange, when it was last asked
  bool is_deciding_ = false;                // for the first of these
  Index num_undecided_ = 0;                 // own row-distributed fronts whose slaves have not all accepted
  std::map<FrontPart, Part> parts_;         // under way on this rank
  std::map<FrontPart, Count> held_bytes_;   // [finished slave's part] = as the load exchange knows, until its rows have gone
  std::map<FrontPart, RowMap> row_maps_;    // of parents of parts that are not finished
  std::map<FrontPart, std::size_t> streams_to_send_;
  std::map<StreamKey, Arriving> arriving_;
  std::deque<Outgoing> outgoing_;             // being sent, piece by piece
  std::deque<std::vector<std::byte>> local_;  // to this rank itself
  Load told_;                                 // load of own tasks, as reported to the load exchange
  RankEngineCounts counts_;
  Index record_ = 0;
  FinishedNodes finished_;                                     // when the record was made
  std::vector<Count> num_sent_;                                // [rank] = messages since the record that others may wait for
  Count num_received_ = 0;                                     // likewise
  std::deque<std::pair<Rank, std::vector<std::byte>>> later_;  // messages of records that have not arrived
  Pause pause_;
  std::optional<Failure> refusal_;
  std::deque<TaskId> unlaid_;  // own fronts whose children are known, since a pause has begun
  std::deque<OutgoingMove> outgoing_moves_;
  std::string move_folder_;
  std::map<MovedPart, Count> coming_;  // = bytes that have arrived
  Index num_refusals_left_ = 0;        // by others, of settled fronts, whose last message has not arrived
  Index num_outputs_left_ = 0;         // own tasks whose output has to be sent in streams and has not been
};

}  // namespace frond
