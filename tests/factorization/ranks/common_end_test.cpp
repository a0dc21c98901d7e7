// SPDX-License-Identifier: BSD-3-Clause
// Tests that all ranks end together, in whatever order they finish or fail.
#include "factorization/ranks/common_end.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "frond/error.hpp"
#include "tests/support/ranks/virtual_programs.hpp"

namespace frond::test {
namespace {

// A program that only ends.
class EndProgram final : public MessageProgram {
 public:
  explicit EndProgram(Channel& channel) : outbox_(channel), end_(outbox_, {.done = 5, .failure = 9}) {}

  void start() override { end_.finish(); }
  void on_message(const ReceivedMessage& message) override {
    ByteReader reader(message.bytes());
    EXPECT_TRUE(end_.receive(reader.value<std::uint8_t>(), message.from(), reader));
  }
  void on_room() override { outbox_.pump(); }
  void fail(const std::exception_ptr& exception) override { end_.fail(exception); }
  [[nodiscard]] bool ended() const override { return end_.ended(); }

  [[nodiscard]] const std::optional<Failure>& failure() const { return end_.failure(); }

 private:
  Outbox outbox_;
  CommonEnd end_;
};

struct EndRun {
  EndRun(Rank num_ranks, const ProgramRun& run) : network(num_ranks, 1, 8, run.seed) {
    std::vector<MessageProgram*> pointers;
    for (Rank rank = 0; rank < num_ranks; ++rank) {
      programs.push_back(std::make_unique<EndProgram>(network.channel(0, rank)));
      pointers.push_back(programs.back().get());
    }
    run_programs(network, pointers, run);
  }

  VirtualNetwork network;
  std::vector<std::unique_ptr<EndProgram>> programs;
};

TEST(CommonEnd, EndsAllRanks) {
  for (const Rank num_ranks : {1, 2, 3, 7}) {
    const EndRun run(num_ranks, {.seed = std::random_device{}()});
    for (const auto& program : run.programs) {
      EXPECT_FALSE(program->failure());
    }
  }
}

TEST(CommonEnd, AllRanksEndWithTheSameFailureOrWithNone) {
  int num_failed = 0;
  int num_too_late = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    ProgramRun drawn{.seed = seed};
    bool has_thrown = false;
    drawn.before_event = [&](Rank rank) {
      if (random() % 8 == 0) {
        has_thrown = true;
        throw MemoryError("planted on " + std::to_string(rank), 3, 2);
      }
    };
    const EndRun run(5, drawn);
    const std::optional<Failure>& failure = run.programs[0]->failure();
    num_failed += failure ? 1 : 0;
    num_too_late += has_thrown && !failure ? 1 : 0;
    EXPECT_TRUE(has_thrown || !failure);
    EXPECT_TRUE(!failure || failure->text == "planted on " + std::to_string(failure->origin));
    for (const auto& program : run.programs) {
      EXPECT_EQ(program->failure(), failure);
    }
  }
  EXPECT_GT(num_failed, 0);
  EXPECT_GT(num_too_late, 0);
}

TEST(CommonEnd, RankThatHasFinishedFailsOnlyIfItWentOn) {
  for (const bool goes_on : {false, true}) {
    VirtualNetwork network(3, 1, 8, 1);
    Outbox outbox(network.channel(0, 1));
    CommonEnd end(outbox, {.done = 5, .failure = 9});
    end.finish();
    if (goes_on) {
      end.resume();
    }
    end.fail(std::make_exception_ptr(MemoryError("planted", 3, 2)));
    EXPECT_EQ(end.failure().has_value(), goes_on);
  }
}

TEST(CommonEnd, RankThatFinishesAgainSaysSoOnce) {
  VirtualNetwork network(2, 1, 8, 1);
  Outbox of_one(network.channel(0, 1));
  CommonEnd one(of_one, {.done = 5, .failure = 9});
  one.finish();
  one.resume();
  one.finish();
  EXPECT_TRUE(network.deliver());
  EXPECT_FALSE(network.deliver());
  one.fail(std::make_exception_ptr(MemoryError("too late", 3, 2)));
  EXPECT_FALSE(one.failure());
}

TEST(CommonEnd, LeavesOtherMessagesAlone) {
  VirtualNetwork network(2, 1, 8, 1);
  Outbox outbox(network.channel(0, 0));
  CommonEnd end(outbox, {.done = 5, .failure = 9});
  const std::vector<std::byte> never_renewed(sizeof(Index));
  ByteReader reader(never_renewed);
  EXPECT_FALSE(end.receive(4, 1, reader));
  EXPECT_TRUE(end.receive(5, 1, reader));
}

// Rank 1 finishes twice, before and after it learns that rank 0 goes on: the first time does not count.
TEST(CommonEnd, ForgetsWhatWasSaidBeforeItWasRenewed) {
  VirtualNetwork network(2, 1, 100, 1);
  Outbox outbox(network.channel(0, 0));
  CommonEnd end(outbox, {.done = 5, .failure = 9});
  const auto hear = [&end](Index num_renewals) {
    ByteWriter writer;
    writer.value(num_renewals);
    const std::vector<std::byte> bytes = writer.take();
    ByteReader reader(bytes);
    EXPECT_TRUE(end.receive(5, 1, reader));
  };
  end.finish();
  end.renew();
  hear(0);
  EXPECT_FALSE(end.is_decided());
  end.finish();
  EXPECT_FALSE(end.is_decided());
  hear(1);
  EXPECT_TRUE(end.is_decided());
}

}  // namespace
}  // namespace frond::test
