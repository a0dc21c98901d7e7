// SPDX-License-Identifier: BSD-3-Clause
// Tests programs that only send and wait, on ranks that are threads: the loop ends with them, reports waits, and proves deadlocks.
#include "factorization/ranks/rank_driver.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/ranks/concurrent_network.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::test {
namespace {

constexpr Count kRoom = 1 << 16;

// Passes a token around the ring of ranks, through a job on each; a rank that loses it leaves all others waiting.
class TokenRing final : public MessageProgram {
 public:
  TokenRing(Channel& channel, TaskPool& pool, CallQueue& calls, int num_rounds, int rounds_to_loss)
      : channel_(channel), pool_(pool), calls_(calls), num_rounds_(num_rounds), rounds_to_loss_(rounds_to_loss) {}

  void start() override {
    if (channel_.rank() == 0) {
      take();
    }
  }
  void on_message(const ReceivedMessage& /*message*/) override { take(); }
  void on_room() override {}
  void fail(const std::exception_ptr& exception) override { failure_ = exception; }
  [[nodiscard]] std::string describe_wait() const override { return "waits for the token"; }
  [[nodiscard]] bool ended() const override { return failure_ || (num_taken_ == num_rounds_ && !has_token_); }

 private:
  void take() {
    ++num_taken_;
    if (num_taken_ == rounds_to_loss_) {
      return;
    }
    has_token_ = true;
    pool_.submit(0, [this] {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      calls_.post([this] { pass_on(); });
    });
  }
  void pass_on() {
    has_token_ = false;
    const bool is_last = channel_.rank() == channel_.num_ranks() - 1;
    if (!is_last || num_taken_ < num_rounds_) {
      const std::array<std::byte, 1> token{};
      ASSERT_TRUE(channel_.send(is_last ? 0 : channel_.rank() + 1, std::span<const std::byte>(token)));
    }
  }

  Channel& channel_;
  TaskPool& pool_;
  CallQueue& calls_;
  int num_rounds_;
  int rounds_to_loss_;
  int num_taken_ = 0;
  bool has_token_ = false;
  std::exception_ptr failure_;
};

struct RingSetup {
  Rank num_ranks = 3;
  int num_workers = 1;
  int num_rounds = 20;
  Rank loser = -1;
  double watchdog_seconds = 0;
};

struct RingOutcome {
  std::vector<std::string> errors;  // [rank]
  std::vector<std::string> waits;   // [rank] = the last report of its watchdog
};

RingOutcome run_ring(const RingSetup& setup) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  ConcurrentNetwork main_network(setup.num_ranks, kRoom, seed);
  ConcurrentNetwork control_network(setup.num_ranks, kRoom, seed + 1);
  RingOutcome outcome;
  outcome.errors.resize(static_cast<std::size_t>(setup.num_ranks));
  outcome.waits.resize(static_cast<std::size_t>(setup.num_ranks));
  testing::run_threads(setup.num_ranks, [&](Rank rank) {
    CallQueue calls;
    WorkerPool pool(setup.num_workers, [](const std::exception_ptr&) {});
    CountedChannel main(main_network.channel(rank));
    TokenRing ring(main, pool, calls, setup.num_rounds, rank == setup.loser ? 3 : -1);
    RankDriverOptions options{.census_seconds = 0.05, .watchdog_seconds = setup.watchdog_seconds};
    std::string& wait = outcome.waits[rank];
    testing::Calls observer(&testing::Calls::text, [&wait](const std::string& text) { wait = text; });
    options.observer = &observer;
    RankDriver driver({main, control_network.channel(rank), nullptr, pool, calls}, options);
    try {
      driver.run(ring);
    } catch (const InternalError& error) {
      outcome.errors[rank] = error.what();
    }
  });
  return outcome;
}

TEST(RankDriver, EndsWithItsPrograms) {
  for (const Rank num_ranks : {1, 2, 5}) {
    for (const int num_workers : {1, 3}) {
      const RingOutcome outcome = run_ring({.num_ranks = num_ranks, .num_workers = num_workers, .num_rounds = 1});
      EXPECT_EQ(outcome.errors, std::vector<std::string>(static_cast<std::size_t>(num_ranks)));
    }
  }
  const RingOutcome outcome = run_ring({.num_ranks = 3, .num_workers = 2});
  EXPECT_EQ(outcome.errors, std::vector<std::string>(3));
}

TEST(RankDriver, ProvesADeadlockOnAllRanksAndNamesWhoWaits) {
  const RingOutcome outcome = run_ring({.loser = 1});
  for (const std::string& error : outcome.errors) {
    EXPECT_EQ(error, outcome.errors.front());
    EXPECT_NE(error.find("deadlock"), std::string::npos);
    for (const char* rank : {"rank 0 waits for the token", "rank 1 waits for the token", "rank 2 waits for the token"}) {
      EXPECT_NE(error.find(rank), std::string::npos) << error;
    }
  }
}

TEST(RankDriver, TellsWaitsAndGoesOn) {
  const RingOutcome outcome = run_ring({.loser = 2, .watchdog_seconds = 0.02});
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_NE(outcome.waits[rank].find("rank " + std::to_string(rank) + " has been idle"), std::string::npos)
        << outcome.waits[rank];
    EXPECT_NE(outcome.waits[rank].find("waits for the token"), std::string::npos);
    EXPECT_NE(outcome.errors[rank], "");
  }
  EXPECT_EQ(run_ring({.watchdog_seconds = 10}).waits, std::vector<std::string>(3));
}

}  // namespace
}  // namespace frond::test
