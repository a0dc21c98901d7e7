// SPDX-License-Identifier: BSD-3-Clause
// Tests desks of several processes, which are threads here: each result arrives once, copies of finished tasks are called off, and
// a silent process delays no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "solver/distributed/batch/desk_server.hpp"
#include "solver/distributed/batch/pool_desk.hpp"
#include "solver/distributed/batch/remote_desk.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/ranks/concurrent_network.hpp"

namespace frond {
namespace {

using Results = std::map<Count, std::string>;

std::vector<Count> numbers(Count num_tasks) {
  std::vector<Count> tasks(static_cast<std::size_t>(num_tasks));
  std::iota(tasks.begin(), tasks.end(), Count{100});
  return tasks;
}

TEST(PoolDesk, CallsOffCopiesOfWhatIsFinishedAndTellsOtherPlaces) {
  Results results;
  PoolDesk desk({.tasks = numbers(2), .gives_copies = true, .num_places = 3},
                [&results](Count task, std::string&& result) { results[task] += result; });
  EXPECT_EQ(desk.take(0, {}), std::vector<Count>{100});
  EXPECT_EQ(desk.take(1, {}), std::vector<Count>{101});
  EXPECT_EQ(desk.take(2, {}), std::vector<Count>{100});
  EXPECT_TRUE(desk.begin(0, 100));
  EXPECT_FALSE(desk.is_called_off(0));
  desk.finish(2, 100, "of place 2");
  EXPECT_TRUE(desk.is_called_off(0));
  EXPECT_FALSE(desk.begin(0, 100)) << "it is done";
  desk.finish(0, 100, "too late");
  EXPECT_EQ(desk.take(2, {}), std::vector<Count>{101});
  desk.finish(2, 101, "of place 2");
  EXPECT_EQ(desk.take_news(), (std::vector<std::pair<Rank, Count>>{{1, 101}}));
  EXPECT_TRUE(desk.is_over());
  EXPECT_EQ(desk.failure(), nullptr);
  EXPECT_EQ(results, (Results{{100, "of place 2"}, {101, "of place 2"}}));
}

TEST(PoolDesk, KeepsResultsThatComeAfterAStop) {
  bool is_wanted = false;
  Results results;
  testing::Calls observer(&testing::Calls::batch_end, [&is_wanted] { return is_wanted; });
  PoolDesk desk({.tasks = numbers(3), .observer = &observer},
                [&results](Count task, std::string&& result) { results[task] = result; });
  EXPECT_EQ(desk.take(0, {}), std::vector<Count>{100});
  is_wanted = true;
  EXPECT_TRUE(desk.is_over());
  desk.finish(0, 100, "kept");
  EXPECT_TRUE(desk.take(0, {}).empty());
  EXPECT_THROW(std::rethrow_exception(desk.failure()), StoppedError);
  EXPECT_EQ(results, (Results{{100, "kept"}}));
}

// Acts as a process that takes a task and is never heard of again.
void take_and_vanish(Channel& channel) {
  RemoteDesk desk(channel.rank(), 1, {});
  const auto message = encoded(DeskMessage::want, Rank{0}, ChunkSeconds{});
  while (!channel.send(0, std::span<const std::byte>(message))) {
  }
}

TEST(Desks, OfSeveralProcessesDoAllThoughOneVanishes) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    test::ConcurrentNetwork network(4, 4096, seed);
    Results results;
    PoolDesk desk({.tasks = numbers(25), .gives_copies = true, .num_places = 4},
                  [&results](Count task, std::string&& result) { EXPECT_TRUE(results.emplace(task, result).second); });
    const std::function<std::string(Count)> work = [](Count task) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      return std::to_string(task);
    };
    take_and_vanish(network.channel(3));
    std::vector<std::thread> others;
    for (const Rank rank : {1, 2}) {
      others.emplace_back([&, rank] {
        RemoteDesk mine(rank, 1, {});
        const DeskWorkers workers(mine, work, 0);
        mine.serve(network.channel(rank));
      });
    }
    {
      const DeskWorkers workers(desk, work, 0);
      DeskServerPort port;
      port.shared = [] { return std::vector<std::byte>(); };
      port.is_gone = [](Rank rank) { return rank == 3; };
      port.must_meet = true;
      DeskServer(desk, network.channel(0), port).run();
    }
    std::for_each(others.begin(), others.end(), [](std::thread& thread) { thread.join(); });
    EXPECT_EQ(results.size(), 25U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace frond
