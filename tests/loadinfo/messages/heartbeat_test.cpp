// SPDX-License-Identifier: BSD-3-Clause
// Tests when a rank is lost and when it only seems to be, and the watching threads on a network without MPI.
#include "loadinfo/messages/heartbeat.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "loadinfo/messages/rank_watch.hpp"
#include "tests/support/ranks/concurrent_network.hpp"
#include "tests/support/run_threads.hpp"

namespace frond::test {
namespace {

TEST(Heartbeat, NamesTheRankThatIsSilentForTheLimit) {
  Heartbeat heartbeat(0, 3, 8, 100);
  for (int second = 1; second < 8; ++second) {
    (void)heartbeat.look(100 + second);
    heartbeat.heard_from(1);
    EXPECT_FALSE(heartbeat.lost_rank());
  }
  (void)heartbeat.look(108);
  EXPECT_EQ(heartbeat.lost_rank(), 2);
}

TEST(Heartbeat, IsForgivenByOneSign) {
  Heartbeat heartbeat(1, 2, 8, 0);
  for (int second = 1; second < 8; ++second) {
    (void)heartbeat.look(second);
  }
  heartbeat.heard_from(0);
  (void)heartbeat.look(8);
  EXPECT_FALSE(heartbeat.lost_rank());
}

TEST(Heartbeat, BlamesNobodyForItsOwnSleep) {
  Heartbeat heartbeat(0, 2, 8, 0);
  (void)heartbeat.look(1);
  (void)heartbeat.look(1000);
  EXPECT_FALSE(heartbeat.lost_rank());
}

TEST(Heartbeat, AsksForASignFourTimesPerLimit) {
  Heartbeat heartbeat(0, 2, 8, 0);
  int num_signs = 0;
  for (int i = 0; i < 160; ++i) {
    num_signs += heartbeat.look(0.1 * i) ? 1 : 0;
  }
  EXPECT_EQ(num_signs, 8);
}

TEST(Heartbeat, DoesNotWatchWhoSaidGoodbyeNorItself) {
  Heartbeat heartbeat(0, 2, 8, 0);
  EXPECT_TRUE(heartbeat.watches_anybody());
  heartbeat.said_goodbye(1);
  EXPECT_FALSE(heartbeat.watches_anybody());
  for (int second = 1; second < 20; ++second) {
    (void)heartbeat.look(second);
  }
  EXPECT_FALSE(heartbeat.lost_rank());
}

// lost[rank] = the rank that it has lost, -1 if none. The first `num_watching` of three ranks watch, the later ones for longer.
std::vector<Rank> watch(Rank num_watching, double limit_seconds, double seconds) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  ConcurrentNetwork network(3, 1 << 16, seed);
  std::vector<Rank> lost(3, -1);
  testing::run_threads(num_watching, [&](Rank rank) {
    const RankWatch rank_watch(network.channel(rank), limit_seconds, [&lost, rank](Rank silent) { lost[rank] = silent; });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds * (1 + rank)));
  });
  return lost;
}

TEST(RankWatch, NamesTheRankThatIsGone) { EXPECT_EQ(watch(2, 0.2, 0.4), (std::vector<Rank>{2, 2, -1})); }

/// The channel of a process that has no memory for messages.
class FailingChannel final : public Channel {
 public:
  [[nodiscard]] Rank rank() const override { return 0; }
  [[nodiscard]] Rank num_ranks() const override { return 2; }
  [[nodiscard]] bool send(Rank /*to*/, const MessageBody& /*body*/) override { throw std::bad_alloc(); }
  [[nodiscard]] bool take_room_event() override { return false; }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override { throw std::bad_alloc(); }
};

TEST(RankWatch, HearsNobodyWhereNothingCanBeHeard) {
  FailingChannel channel;
  Rank lost = -1;
  {
    const RankWatch watch(channel, 0.1, [&lost](Rank silent) { lost = silent; });
  }
  EXPECT_EQ(lost, 1);
}

TEST(RankWatch, LosesNobodyWhoSaysGoodbye) { EXPECT_EQ(watch(3, 2, 0.05), (std::vector<Rank>{-1, -1, -1})); }

}  // namespace
}  // namespace frond::test
