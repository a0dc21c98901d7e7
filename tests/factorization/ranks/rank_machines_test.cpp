// SPDX-License-Identifier: BSD-3-Clause
// Tests each machine of a rank's engine by itself: the test is the other ranks, the fronts, and the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <variant>

#include "factorization/ranks/rank_moves.hpp"
#include "factorization/ranks/rank_records.hpp"
#include "factorization/ranks/rank_sharing.hpp"
#include "frond/error.hpp"
#include "loadinfo/load_server.hpp"
#include "tests/support/ranks/rank_problem.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {
namespace {

constexpr Count kMuch = Count{1} << 40;

// Fronts without content, which note what happens to them.
class NotedFronts final : public PartNumerics, public FrontParts, public MovableFronts {
 public:
  void start(TaskId /*task*/) override { note("start"); }
  [[nodiscard]] Announcement announce(TaskId /*task*/) const override { return {}; }
  [[nodiscard]] Count bytes_to_expect(const FrontPlan& /*plan*/, FrontPart /*part*/) const override { return 10; }
  [[nodiscard]] Count free_bytes() const override { return free; }
  std::vector<SizedStream> expect(const FrontPlan& /*plan*/, FrontPart /*part*/) override { return {}; }
  void cancel(FrontPart /*part*/) override { note("cancel"); }
  void write(const RowStream& /*stream*/, Count /*offset*/, std::span<const std::byte> /*bytes*/) override { note("write"); }
  [[nodiscard]] std::vector<RowShare> shares_of(FrontPart /*part*/) const override { return {}; }
  [[nodiscard]] Count stream_bytes(const RowStream& /*stream*/) const override { return 8; }
  void read(const RowStream& /*stream*/, Count /*offset*/, std::span<std::byte> /*bytes*/) const override {}
  void release(FrontPart /*part*/) override { note("release"); }
  void begin(FrontPart /*part*/) override { note("begin"); }
  void step(FrontPart /*part*/, Rank /*from*/, std::vector<std::byte> /*body*/) override { note("step"); }
  void go_on(FrontPart /*part*/) override { note("go on"); }
  void abandon_root() override {}
  [[nodiscard]] std::map<FrontPart, Count> held_rows() const override { return {}; }
  [[nodiscard]] Count held_rows_of(FrontPart /*part*/) const override { return 0; }
  [[nodiscard]] std::map<NodeId, std::vector<RowShare>> shared_fronts() const override { return {}; }
  [[nodiscard]] std::vector<std::byte> describe_part(NodeId /*node*/, PartRole /*role*/) const override { return {std::byte{7}}; }
  [[nodiscard]] Count part_bytes(NodeId /*node*/, PartRole /*role*/) const override { return 8; }
  void read_part(NodeId /*node*/, PartRole /*role*/, Count /*offset*/, std::span<std::byte> /*bytes*/) const override {}
  void drop_part(NodeId /*node*/, PartRole /*role*/) override { note("drop"); }
  void take_part(const MovedPart& /*part*/, std::span<const std::byte> /*described*/) override { note("take"); }
  void write_part(const MovedPart& /*part*/, Count /*offset*/, std::span<const std::byte> /*bytes*/) override { note("write"); }
  void join_rows(NodeId /*node*/) override { note("join"); }

  // Returns what has happened since the last call, each with a blank.
  std::string notes() { return std::exchange(notes_, ""); }
  Count free = kMuch;

 private:
  void note(const std::string& what) { notes_ += what + ' '; }
  std::string notes_;
};

// One of three ranks, all machines of which but one are at rest.
struct Bench final : RankHost {
  explicit Bench(Rank rank, WorkSharing kind = WorkSharing::fixed)
      : options{.tasks = {.rank = rank}, .selection = {}, .piece_bytes = 4, .sharing = kind},
        network(3, 2, kMuch, 1),
        loads(network.channel(1, rank), {.mechanism = LoadMechanism::increments, .threshold = {}}),
        context{tree,  problem.method,    8, graph, problem.mapping, fronts, fronts, network.channel(0, rank),
                loads, {nullptr, &fronts}} {
    tasks.set_up({}, {});
    slaves.set_up();
    layout.set_up();
    sharing.set_up();
    pool.set_up();
    tasks->start();
  }

  // Returns the messages to a rank since the last call.
  std::vector<MainMessage> sent_to(Rank rank) {
    std::vector<MainMessage> messages;
    while (rank == context.me() && mail.has_own()) {
      messages.push_back(decode_main_message(own.emplace_back(mail.take_own())));
    }
    while (network.deliver()) {
    }
    while (std::optional<ReceivedMessage> message = network.channel(0, rank).poll()) {
      messages.push_back(decode_main_message(letters.emplace_back(std::move(*message)).bytes()));
    }
    return messages;
  }
  template <class Message>
  Message only_message_to(Rank rank) {
    const std::vector<MainMessage> messages = sent_to(rank);
    EXPECT_EQ(messages.size(), 1U);
    return messages.empty() ? Message() : std::get<Message>(messages.front());
  }
  // Returns the first task of which that is true.
  template <class Is>
  TaskId task_that(Is is) const {
    for (TaskId id = 0; id < graph.num_tasks(); ++id) {
      if (is(id, graph.task(id))) {
        return id;
      }
    }
    throw InternalError("there is no such task");
  }
  [[nodiscard]] TaskId shared_front_of(Rank master) const {
    return task_that([&](TaskId, const Task& task) { return task.type == NodeType::row_distributed && task.rank == master; });
  }
  [[nodiscard]] FrontPlan plan_of(TaskId id, std::vector<RowShare> shares) const {
    return {id, graph.task(id).rank, std::move(shares), {}};
  }

  void on_settled(const FrontPlan& plan) override { settled.push_back(plan); }
  void on_arrived(const RowStream& /*stream*/) override { ++num_arrived; }
  [[nodiscard]] bool is_finished(FrontPart /*part*/) const override { return rows_may_leave; }
  void send_waiting() override { streams.send_pieces(); }
  [[nodiscard]] bool is_at_rest() const override { return rests; }
  void adopt(const RecoveryPlan& /*plan*/) override {}

  RankProblem<double> problem{Method::lu, 8, Values::dominant, Types::row_distributed, 3};
  const AssemblyTree& tree = problem.symbolic->tree();
  TaskGraph graph{tree, Method::lu, 8, problem.mapping, KeptFactors::all, {}, {.tasks_move = true, .least_seconds = 1e-7}};
  RankEngineOptions options;
  VirtualNetwork network;
  LoadServer loads;
  NotedFronts fronts;
  RankContext context;
  RankEngineCounts counts;
  RankMail mail{context.channel, counts};
  CommonEnd end{mail.outbox(), kEndMessages};
  RankTasks tasks{context, options};
  RankMachine shared{context, options, mail, tasks, counts, *this};
  RankStreams streams{shared};
  RankParts parts{shared, streams};
  RankSlaves slaves{shared, parts};
  RankLayout layout{shared, streams, slaves};
  RankPool pool{shared, layout};
  RankSharing sharing{shared, parts, layout, pool};
  RankMoves moves{shared, streams, layout};
  RankRecords records{shared, end, streams, layout};
  std::deque<ReceivedMessage> letters;
  std::deque<std::vector<std::byte>> own;
  std::vector<FrontPlan> settled;
  int num_arrived = 0;
  bool rows_may_leave = true;
  bool rests = true;
};

TEST(RankMail, CountsWorkSinceTheRecordAndPutsLaterMessagesAside) {
  Bench bench(1);
  bench.mail.send(2, SettleMessage{5, true});
  bench.mail.send(2, PauseMessage{});
  EXPECT_EQ(bench.mail.num_sent(), (std::vector<Count>{0, 0, 1})) << "a pause is no work";
  const std::vector<std::byte> later = encode(SettleMessage{6, true}, 1);
  EXPECT_FALSE(bench.mail.open(0, later));
  EXPECT_EQ(bench.counts.put_aside, 1);
  ASSERT_EQ(bench.mail.begin_record(1), (std::vector<RankMail::Letter>{{0, later}}));
  EXPECT_EQ(bench.mail.num_sent(), std::vector<Count>(3, 0));
  EXPECT_TRUE(bench.mail.open(0, later) && bench.mail.num_received() == 1);
}

TEST(RankTasks, StartAfterTheExchangeIsAskedAndReportTheirLoad) {
  Bench bench(0);
  EXPECT_EQ(bench.fronts.notes(), "");
  bench.tasks.report_load();
  bench.tasks.start();
  EXPECT_NE(bench.fronts.notes(), "");
  EXPECT_EQ(bench.loads.begin_turn().load().flops, bench.tasks->pending_flops());
  EXPECT_FALSE(bench.tasks.is_blocked());
}

TEST(RankStreams, SendRowsInPiecesOnceTheyMayLeave) {
  Bench bench(1);
  const TaskId child = bench.task_that([&](TaskId id, const Task& task) {
    return task.rank == 1 && task.type == NodeType::sequential && !bench.graph.is_direct(id) &&
           bench.graph.task(task.parent).rank == 0;
  });
  const std::size_t num_tops = task_tops(bench.tree, bench.graph.task(child)).size();
  const RowMapMessage message{{child, PartRole::slave}, {0, {}, 0, std::vector<Index>(num_tops), std::vector<Index>(num_tops)}};
  bench.rows_may_leave = false;
  bench.streams.receive(0, message);
  EXPECT_TRUE(bench.sent_to(0).empty());
  bench.rows_may_leave = true;
  bench.streams.receive(0, {{child, PartRole::master}, message.map});
  const std::vector<MainMessage> pieces = bench.sent_to(0);
  ASSERT_FALSE(pieces.empty());
  EXPECT_EQ(std::get<RowsMessage>(pieces.back()).offset, 4);
  EXPECT_EQ(bench.fronts.notes(), "release ");
}

TEST(RankStreams, TakeOnlyWhatIsExpected) {
  Bench bench(1);
  const RowStream stream{.child = 3, .source = {0, PartRole::master}, .target = {1, PartRole::slave}, .from = 2, .to = 1};
  const RowsMessage half{3, PartRole::master, PartRole::slave, 0, 4, {}};
  EXPECT_THROW(bench.streams.receive(2, half), InternalError);
  EXPECT_EQ(bench.streams.expect(std::vector<SizedStream>{{stream, 8}}), 1U);
  bench.streams.receive(2, half);
  EXPECT_EQ(bench.num_arrived, 0);
  bench.streams.receive(2, half);
  EXPECT_EQ(bench.num_arrived, 1);
  EXPECT_TRUE(bench.streams.is_at_rest());
}

TEST(RankParts, RefuseWhatDoesNotFitAndReportWhatBecomesFree) {
  Bench bench(1);
  const TaskId task = bench.shared_front_of(0);
  bench.fronts.free = 5;
  bench.parts.receive(0, SlaveTaskMessage{bench.plan_of(task, {{1, 0, 1}})});
  EXPECT_EQ(bench.only_message_to<SlaveAnswerMessage>(0), (SlaveAnswerMessage{task, false, 10, 5}));
  bench.parts.report_free_memory();
  EXPECT_TRUE(bench.sent_to(0).empty());
  bench.fronts.free = 7;
  bench.parts.report_free_memory();
  EXPECT_EQ(bench.only_message_to<FreeMemoryMessage>(0), (FreeMemoryMessage{task, 7}));
  EXPECT_FALSE(bench.parts.is_idle());
  bench.parts.receive(0, SettleMessage{task, true});
  EXPECT_EQ(bench.only_message_to<RefusalEndMessage>(0), RefusalEndMessage{task});
  EXPECT_TRUE(bench.parts.is_idle());
}

// So masters that ask the same ranks at the same time cannot refuse each other for ever.
TEST(RankParts, KeepTheEarlierFrontWaitingForWhatALaterOneMayGiveBack) {
  Bench bench(1);
  const auto is_shared = [](const Task& task) { return task.type == NodeType::row_distributed; };
  const TaskId earlier = bench.task_that([&](TaskId, const Task& task) { return is_shared(task); });
  const TaskId later = bench.task_that([&](TaskId id, const Task& task) { return id > earlier && is_shared(task); });
  const auto ask = [&](TaskId task, Count free) {
    bench.fronts.free = free;
    bench.parts.receive(bench.graph.task(task).rank, SlaveTaskMessage{bench.plan_of(task, {{1, 0, 1}})});
  };
  const auto settle = [&](TaskId task, bool stands) {
    bench.parts.receive(bench.graph.task(task).rank, SettleMessage{task, stands});
  };
  const auto expect_answer = [&](TaskId task, bool is_accepted) {
    EXPECT_EQ(bench.only_message_to<SlaveAnswerMessage>(bench.graph.task(task).rank),
              (SlaveAnswerMessage{task, is_accepted, 10, bench.fronts.free}));
  };
  ask(later, 10);
  expect_answer(later, true);
  ask(earlier, 0);
  EXPECT_TRUE(bench.sent_to(bench.graph.task(earlier).rank).empty());
  bench.fronts.free = 10;
  settle(later, false);
  expect_answer(earlier, true);
  ask(later, 0);
  expect_answer(later, false);  // at once
  settle(earlier, false);

  ask(later, 10);
  expect_answer(later, true);
  ask(earlier, 0);
  settle(later, true);
  expect_answer(earlier, false);
}

TEST(RankParts, TakeOneStepAtATime) {
  Bench bench(1);
  const FrontPart part{bench.shared_front_of(0), PartRole::slave};
  bench.parts.receive(0, SlaveTaskMessage{bench.plan_of(part.task, {{1, 0, 1}})});
  bench.parts.receive(0, SettleMessage{part.task, true});
  EXPECT_EQ(bench.fronts.notes(), "begin ");
  bench.parts.receive(0, FrontMessage{part, 0, {}, 0, {}});
  bench.parts.advance();
  EXPECT_EQ(bench.fronts.notes(), "") << "it is busy";
  EXPECT_FALSE(bench.parts.on_step(part, {.messages = {}, .goes_on = true}));
  bench.parts.advance();
  EXPECT_EQ(bench.fronts.notes(), "step ") << "messages go first";
  EXPECT_TRUE(bench.parts.on_step(part, {.messages = {}, .finished = true}));
  EXPECT_GT(bench.streams.held_bytes(part), 0);
  EXPECT_TRUE(bench.parts.is_idle());
}

// The first answer to the first request is a refusal.
TEST(RankSlaves, AreAskedAgainUntilAllAccept) {
  Bench bench(0);
  const TaskId task = bench.shared_front_of(0);
  const Index num_before = bench.slaves.num_undecided();
  bench.slaves.choose(bench.plan_of(task, {}));
  Count num_answers = 0;
  for (int round = 0; round < 9 && bench.settled.empty(); ++round) {
    bench.slaves.advance();
    for (const Rank rank : {0, 1, 2}) {
      for (const MainMessage& message : bench.sent_to(rank)) {
        if (std::holds_alternative<SlaveTaskMessage>(message)) {
          const bool is_first = num_answers++ == 0;
          bench.slaves.receive(rank, SlaveAnswerMessage{task, !is_first, 100, is_first ? 0 : kMuch});
        }
      }
    }
  }
  ASSERT_EQ(bench.settled.size(), 1U);
  EXPECT_EQ(bench.counts.decisions, 2);
  EXPECT_GT(num_answers, static_cast<Count>(bench.settled.front().shares.size()));
  EXPECT_EQ(bench.slaves.num_undecided(), num_before - 1);
  EXPECT_FALSE(bench.slaves.is_idle()) << "who has refused must learn that the shares are settled";
}

TEST(RankLayout, TellsWhereRowsGoWhenAllChildrenAreKnown) {
  Bench bench(0);
  const TaskId parent = bench.task_that([&](TaskId id, const Task& task) {
    const std::span<const TaskId> children = bench.graph.children(id);
    return task.rank == 0 && task.type == NodeType::row_distributed &&
           std::any_of(children.begin(), children.end(), [&](TaskId child) { return bench.graph.task(child).rank != 0; });
  });
  for (const TaskId child : bench.graph.children(parent)) {
    EXPECT_FALSE(bench.slaves.has_to_decide()) << "a child is not known";
    const Rank rank = bench.graph.task(child).rank;
    const std::size_t num_tops = task_tops(bench.tree, bench.graph.task(child)).size();
    bench.layout.receive(rank, AnnounceMessage{{child, rank, {std::vector<DelayedVariables>(num_tops), {}}}});
  }
  EXPECT_TRUE(bench.slaves.has_to_decide());
  FrontPlan plan = bench.plan_of(parent, {{1, 0, 1}});
  for (const TaskId child : bench.graph.children(parent)) {
    plan.children.push_back({child, 1, {std::vector<DelayedVariables>(1), {}}});
  }
  bench.layout.lay_out(plan);
  EXPECT_EQ(bench.sent_to(1).size(), plan.children.size()) << "a map for each child";
}

TEST(RankSharing, AsksOnceAndTakesWhatItHasAskedFor) {
  Bench bench(1, WorkSharing::ring);
  const TaskId top = bench.task_that([](TaskId, const Task& task) { return task.may_move && task.rank == 2; });
  EXPECT_THROW(bench.sharing.receive(2, GrantMessage{{top}}), InternalError) << "it has not asked";
  while (bench.tasks->num_movable() > 0) {
    EXPECT_FALSE(bench.tasks->give_last(kMuch, 1).empty());
  }
  bench.sharing.advance();
  bench.sharing.advance();
  EXPECT_EQ(bench.only_message_to<StealMessage>(2).thief, 1);
  EXPECT_FALSE(bench.sharing.is_idle());
  EXPECT_THROW(bench.sharing.receive(0, GrantMessage{{top}}), InternalError) << "it is not that rank's";
  bench.sharing.receive(2, GrantMessage{{top}});
  EXPECT_EQ(bench.counts.tasks_taken, top - bench.graph.task(top).unit.first + 1);
  EXPECT_TRUE(bench.sharing.is_idle());
}

TEST(RankSharing, GivesFromItsEndAndPassesOnWhatItCannotServe) {
  Bench bench(1, WorkSharing::ring);
  const Index num_movable = bench.tasks->num_movable();
  ASSERT_GT(num_movable, 0);
  bench.sharing.receive(0, StealMessage{0, 0, {}, 0, false});
  EXPECT_EQ(bench.only_message_to<StealMessage>(2).num_seen, num_movable) << "they need memory";
  bench.sharing.receive(0, StealMessage{0, kMuch, {}, 0, false});
  EXPECT_FALSE(bench.only_message_to<GrantMessage>(0).tops.empty());
  EXPECT_GT(bench.counts.tasks_given, 0);
}

TEST(RankPool, GivesEachUnitOnceAndTellsItsRank) {
  Bench bench(0, WorkSharing::pool);
  std::set<TaskId> given;
  std::size_t num_of_others = 0;
  for (std::vector<TaskId> tops{0}; !tops.empty();) {
    bench.pool.receive(1, PoolRequestMessage{kMuch, {}});
    tops.clear();
    for (const MainMessage& message : bench.sent_to(1)) {
      if (const auto* grant = std::get_if<GrantMessage>(&message)) {
        tops = grant->tops;
      } else {
        EXPECT_TRUE(std::get<StealMessage>(message).has_met_dry);
      }
    }
    given.insert(tops.begin(), tops.end());
    for (const Rank owner : {0, 2}) {
      for (const MainMessage& message : bench.sent_to(owner)) {
        num_of_others += std::get<GivenMessage>(message).tops.size();
      }
    }
  }
  EXPECT_EQ(std::vector<TaskId>(given.begin(), given.end()), pool_units(bench.graph, 3));
  EXPECT_EQ(num_of_others, static_cast<std::size_t>(std::count_if(given.begin(), given.end(),
                                                                  [&](TaskId top) { return bench.graph.task(top).rank != 1; })));
}

TEST(RankMoves, SendPartsInPiecesAndTakeOnlyThoseOfThePlan) {
  Bench sender(1);
  Bench receiver(2);
  RecoveryPlan plan;
  plan.moves = {{0, PartRole::slave, 1, 2}};
  sender.moves.begin(plan);
  sender.moves.send_pieces();
  EXPECT_EQ(sender.fronts.notes(), "drop ");
  EXPECT_TRUE(sender.moves.is_idle());
  const std::vector<MainMessage> pieces = sender.sent_to(2);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_THROW(receiver.moves.receive(1, std::get<MoveMessage>(pieces[0])), InternalError);
  receiver.moves.begin(plan);
  EXPECT_TRUE(receiver.moves.is_coming(0, PartRole::slave));
  receiver.moves.receive(1, std::get<MoveMessage>(pieces[0]));
  receiver.moves.receive(1, std::get<MoveMessage>(pieces[1]));
  EXPECT_EQ(receiver.fronts.notes(), "take write write join ");
  EXPECT_TRUE(receiver.moves.is_idle());
}

TEST(RankRecords, ReportRestAgainOnlyAfterWork) {
  Bench bench(1);
  bench.records.receive(0, PauseMessage{1, true, {2}});
  EXPECT_TRUE(bench.tasks.is_paused());
  bench.records.advance();
  bench.records.advance();
  EXPECT_EQ(bench.only_message_to<RestMessage>(0).number, 1);
  (void)bench.mail.open(2, encode(SettleMessage{}));
  bench.records.advance();
  EXPECT_EQ(bench.only_message_to<RestMessage>(0).num_received, 1);
  bench.records.receive(0, PauseMessage{1, false, {}});
  EXPECT_FALSE(bench.tasks.is_paused());
}

TEST(RankRecords, AreRefusedWhereARankCannotRest) {
  Bench bench(0);
  EXPECT_EQ(bench.records.all_without(std::vector<Rank>{2}), std::vector<Rank>{2});
  bench.records.begin({2}, "");
  bench.records.receive(1, StuckMessage{7});
  EXPECT_FALSE(bench.records.refusal()) << "of another pause";
  bench.records.receive(1, StuckMessage{1});
  ASSERT_TRUE(bench.records.refusal());
  EXPECT_EQ(bench.records.refusal()->kind, Failure::Kind::memory);
  EXPECT_EQ(bench.sent_to(2).size(), 2U) << "the pause, and its end";
}

}  // namespace
}  // namespace frond::test
