// SPDX-License-Identifier: BSD-3-Clause
// Tests the channel over MPI: order, full buffers, room, large and empty messages, an early end.
#include "loadinfo/messages/mpi/mpi_channel.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::test {
namespace {

constexpr Count kLarge = 8 << 20;  // bytes: far more than MPI buffers on its own

class MpiChannelTest : public ::testing::Test {
 protected:
  [[nodiscard]] MpiChannel make_channel(Count buffer_bytes) const { return {world_.duplicate(), buffer_bytes}; }
  void meet() const {
    (void)sum_over_ranks(world_, {0}, [] {});
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }
  static bool send(MpiChannel& channel, Rank to, const std::vector<std::byte>& body) {
    return channel.send(to, std::span<const std::byte>(body));
  }
  static ReceivedMessage receive(MpiChannel& channel) {
    while (true) {
      if (auto message = channel.poll()) {
        return std::move(*message);
      }
      pause();
    }
  }

  Communicator world_ = mpi_world(mpi_gate());
};

// Returns message number `number` from a rank to another: its number, then bytes that depend on it; lengths spread from 8 to
// 100,008.
std::vector<std::byte> body_of(Count number) {
  std::vector<std::byte> body(sizeof(Count) + static_cast<std::size_t>(number * number * number % 100001), std::byte(number % 251));
  std::memcpy(body.data(), &number, sizeof(Count));
  return body;
}

TEST_F(MpiChannelTest, KeepsTheOrderOfEachPairThroughFullBuffers) {
  constexpr Count kNumMessages = 200;
  MpiChannel channel = make_channel(1000);
  const auto num_ranks = static_cast<std::size_t>(channel.num_ranks());
  std::vector<Count> next_sent(num_ranks, 0);      // next_sent[j]: number of the next message to rank j
  std::vector<Count> next_received(num_ranks, 0);  // next_received[j]: number of the next message of rank j
  Count num_left = 2 * kNumMessages * (channel.num_ranks() - 1);
  bool has_room = true;
  while (num_left > 0) {
    for (Rank to = 0; to < channel.num_ranks(); ++to) {
      while (has_room && to != channel.rank() && next_sent[to] < kNumMessages) {
        has_room = send(channel, to, body_of(next_sent[to]));
        next_sent[to] += has_room ? 1 : 0;
        num_left -= has_room ? 1 : 0;
      }
    }
    if (const auto message = channel.poll()) {
      const std::vector<std::byte> expected = body_of(next_received[message->from()]++);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), message->bytes().begin(), message->bytes().end()));
      --num_left;
    } else {
      pause();
    }
    has_room = channel.take_room_event() || has_room;
  }
  while (channel.has_unfinished_sends()) {
    EXPECT_FALSE(channel.poll());
    pause();
  }
  meet();
}

TEST_F(MpiChannelTest, RefusesWhenItIsFullAndTellsOnceWhenThereIsRoom) {
  MpiChannel channel = make_channel(1000);
  if (channel.rank() == 0 && channel.num_ranks() > 1) {
    const std::vector<std::byte> large(kLarge);
    const std::vector<std::byte> small(1);
    EXPECT_FALSE(channel.take_room_event());
    EXPECT_TRUE(send(channel, 1, large));   // an empty buffer takes any length
    EXPECT_FALSE(send(channel, 1, small));  // rank 1 does not receive yet
    EXPECT_FALSE(channel.take_room_event());
    EXPECT_TRUE(channel.has_unfinished_sends());
    meet();
    while (!channel.take_room_event()) {
      pause();
    }
    EXPECT_FALSE(channel.take_room_event());
    EXPECT_TRUE(send(channel, 1, small));
    EXPECT_FALSE(channel.take_room_event());
  } else {
    meet();
  }
  if (channel.rank() == 1) {
    EXPECT_EQ(receive(channel).num_bytes(), kLarge);
    EXPECT_EQ(receive(channel).num_bytes(), 1);
  }
  meet();
}

TEST_F(MpiChannelTest, KeepsTheOrderOfMessagesOfWhichTheLaterIsSoonerComplete) {
  MpiChannel channel = make_channel(2 * kLarge);
  if (channel.rank() == 0 && channel.num_ranks() > 1) {
    EXPECT_TRUE(send(channel, 1, std::vector<std::byte>(kLarge)));
    EXPECT_TRUE(send(channel, 1, std::vector<std::byte>(1)));
  }
  meet();  // both have arrived at rank 1
  while (channel.rank() == 0 && channel.has_unfinished_sends()) {
    EXPECT_FALSE(channel.poll());
    pause();
  }
  if (channel.rank() == 1) {
    EXPECT_EQ(receive(channel).num_bytes(), kLarge);
    EXPECT_EQ(receive(channel).num_bytes(), 1);
  }
  meet();
}

TEST_F(MpiChannelTest, CarriesEmptyMessages) {
  MpiChannel channel = make_channel(1 << 20);
  const Rank next = (channel.rank() + 1) % channel.num_ranks();
  if (next != channel.rank()) {
    ASSERT_TRUE(send(channel, next, {}));
    const ReceivedMessage message = receive(channel);
    EXPECT_EQ(message.num_bytes(), 0);
    EXPECT_FALSE(message.has_ghost());
  }
  meet();
}

TEST_F(MpiChannelTest, RefusesGhostsAndRanksThatAreNotOther) {
  MpiChannel channel = make_channel(1000);
  const std::vector<std::byte> body(1);
  EXPECT_THROW((void)send(channel, channel.rank(), body), InternalError);
  EXPECT_THROW((void)send(channel, channel.num_ranks(), body), InternalError);
  EXPECT_THROW((void)send(channel, -1, body), InternalError);
  EXPECT_THROW((void)channel.send((channel.rank() + 1) % channel.num_ranks(), MessageBody::ghost(5)), InternalError);
  EXPECT_FALSE(channel.poll());
}

TEST_F(MpiChannelTest, MayEndWithMessagesUnderWay) {
  MpiChannel channel = make_channel(1000);
  if (channel.num_ranks() > 1) {
    EXPECT_TRUE(send(channel, (channel.rank() + 1) % channel.num_ranks(), std::vector<std::byte>(kLarge)));
    EXPECT_TRUE(channel.has_unfinished_sends());
  }
  meet();
}

TEST_F(MpiChannelTest, TellsHowLongItWasKeptOut) {
  MpiChannel channel = make_channel(1000);
  if (mpi_gate()->level() == MpiThreadLevel::serialized) {
    while (channel.seconds_kept_out() == 0) {  // the other thread may be late
      std::unique_lock inside = mpi_gate()->enter();
      std::thread other([&channel] { (void)channel.poll(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      inside.unlock();
      other.join();
    }
  } else {
    (void)channel.poll();
    EXPECT_EQ(channel.seconds_kept_out(), 0);
  }
}

}  // namespace
}  // namespace frond::test
