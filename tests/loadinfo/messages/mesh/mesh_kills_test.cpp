// SPDX-License-Identifier: BSD-3-Clause
// Kills processes in the middle of messages: the survivors receive each other's messages whole, in order, and nothing else.
// FROND_MESH_SEEDS=2000 asks for a long run, FROND_MESH_SEED=s for one.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "loadinfo/messages/mesh/mesh.hpp"
#include "matrices/checksum.hpp"
#include "matrices/steady_clock.hpp"
#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

constexpr Rank kMostRanks = 8;
constexpr double kMostSeconds = 30;
constexpr double kCalmSeconds = 0.05;  // of messages after the last death

/// Shows the processes the state of each other, in shared memory.
struct Truth {
  std::array<std::atomic<bool>, kMostRanks> is_dead;
  std::array<std::atomic<bool>, kMostRanks> sends_no_more;
  std::array<std::atomic<bool>, kMostRanks> has_all;                            // of what the others have sent
  std::array<std::array<std::atomic<Count>, kMostRanks>, kMostRanks> num_sent;  // [from][to]
  std::atomic<Count> num_messages;                                              // that were received
};

struct Head {
  Count number = 0;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

/// One process, which sends and receives.
class Talker {
 public:
  Talker(Mesh& mesh, Truth& truth, std::uint32_t seed, Rank num_victims)
      : mesh_(mesh), truth_(truth), random_(seed), num_victims_(num_victims), num_heard_(kMostRanks, 0) {}

  // Returns what is wrong.
  std::string talk() {
    const double begin = steady_seconds();
    double last_death = 0;
    while (steady_seconds() - begin < kMostSeconds) {
      if (last_death == 0 && num_dead() == num_victims_) {
        last_death = steady_seconds();
      }
      const bool is_calm = last_death > 0 && steady_seconds() - last_death > kCalmSeconds;
      if (!is_calm) {
        say();
      }
      truth_.sends_no_more[index(mesh_.rank())] = is_calm;
      bool has_heard = false;
      while (const std::optional<ReceivedMessage> message = mesh_.take(MeshLane::work, 1)) {
        has_heard = true;
        if (std::string complaint = hear(*message); !complaint.empty()) {
          return complaint;
        }
      }
      if (is_calm && has_all()) {
        return "";
      }
      if (!has_heard && is_calm) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
    return "messages of the living are missing after " + std::to_string(kMostSeconds) + " s";
  }

 private:
  static std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }
  [[nodiscard]] bool is_dead(Rank rank) const { return truth_.is_dead[index(rank)]; }
  [[nodiscard]] Rank num_dead() const {
    return static_cast<Rank>(
        std::count_if(truth_.is_dead.begin(), truth_.is_dead.end(), [](const auto& dead) { return dead.load(); }));
  }

  void say() {
    const auto to = static_cast<Rank>(random_() % static_cast<std::uint32_t>(mesh_.num_ranks()));
    if (to == mesh_.rank() || is_dead(to)) {
      return;
    }
    std::vector<std::byte> body(sizeof(Head) + random_() % (1U << (random_() % 21)));
    for (std::size_t k = sizeof(Head); k < body.size(); k += 7) {
      body[k] = static_cast<std::byte>(random_());
    }
    std::atomic<Count>& num_sent = truth_.num_sent[index(mesh_.rank())][index(to)];
    const Head head{num_sent, checksum_of(std::span(body).subspan(sizeof(Head)))};
    std::memcpy(body.data(), &head, sizeof(Head));
    ++num_sent;
    if (!mesh_.send(to, MeshLane::work, 1, body)) {
      --num_sent;
    }
  }

  std::string hear(const ReceivedMessage& message) {
    Head head;
    if (message.bytes().size() < sizeof(Head)) {
      return "a message is cut off";
    }
    std::memcpy(&head, message.bytes().data(), sizeof(Head));
    if (head.number != num_heard_[index(message.from())]++) {
      return "a message is lost, doubled or overtaken";
    }
    ++truth_.num_messages;
    return head.checksum == checksum_of(message.bytes().subspan(sizeof(Head))) ? "" : "a message has other bytes";
  }

  // True if no living process sends any more, and all their messages were received.
  [[nodiscard]] bool has_all() const {
    for (Rank from = 0; from < mesh_.num_ranks(); ++from) {
      const bool is_missing =
          !truth_.sends_no_more[index(from)] || truth_.num_sent[index(from)][index(mesh_.rank())] != num_heard_[index(from)];
      if (from != mesh_.rank() && !is_dead(from) && is_missing) {
        return false;
      }
    }
    return true;
  }

  Mesh& mesh_;
  Truth& truth_;
  std::mt19937 random_;
  Rank num_victims_;
  std::vector<Count> num_heard_;
};

/// Counts the events that a long run must contain.
struct Coverage {
  Count runs = 0;
  Count kills = 0;
  Count messages = 0;

  [[nodiscard]] std::string missing() const { return kills > 0 && messages > 0 ? "" : "kills among messages"; }
  void print() const { std::cout << "runs " << runs << ", kills " << kills << ", messages " << messages << '\n'; }
};

[[noreturn]] void run_process(const std::string& folder, Rank rank, Rank num_ranks, Rank num_victims, bool is_victim,
                              bool is_one_machine, std::uint32_t seed, Truth& truth) {
  try {
    const std::string machine = is_one_machine ? "" : rank % 2 == 0 ? "127.0.0.1" : "localhost";
    Mesh mesh({.directory = folder, .rank = rank, .num_ranks = num_ranks, .machine = machine});
    if (is_victim) {
      std::thread([&truth, rank, after = seed % 200] {
        std::this_thread::sleep_for(std::chrono::milliseconds(after));
        truth.is_dead[rank] = true;
        kill(getpid(), SIGKILL);
      }).detach();
    }
    const std::string complaint = Talker(mesh, truth, seed, num_victims).talk();
    if (!complaint.empty()) {
      std::cerr << "process " << rank << ": " << complaint << std::endl;
    }
    // A process that has received everything stays until all have: its last messages may be in its own memory.
    truth.has_all[rank] = true;
    for (std::size_t other = 0; other < static_cast<std::size_t>(num_ranks); ++other) {
      while (!truth.has_all[other] && !truth.is_dead[other]) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    _exit(complaint.empty() ? 0 : 1);
  } catch (const std::exception& error) {
    std::cerr << "process " << rank << ": " << error.what() << std::endl;
    truth.has_all[rank] = true;
    _exit(2);
  }
}

std::string run_one(std::uint32_t seed, Coverage& coverage) {
  std::mt19937 random(seed);
  const testing::ScratchFolder folder;
  void* memory = mmap(nullptr, sizeof(Truth), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Truth& truth = *new (memory) Truth{};
  const auto num_ranks = static_cast<Rank>(2 + random() % (kMostRanks - 1));
  const auto num_victims = static_cast<Rank>(1 + random() % static_cast<std::uint32_t>(num_ranks - 1));
  std::vector<Rank> order(static_cast<std::size_t>(num_ranks));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  const bool is_one_machine = random() % 2 == 0;  // otherwise half of the messages go over TCP
  std::vector<pid_t> processes;
  for (Rank rank = 0; rank < num_ranks; ++rank) {
    const bool is_victim = std::find(order.begin(), order.begin() + num_victims, rank) != order.begin() + num_victims;
    const auto own_seed = static_cast<std::uint32_t>(random());
    processes.push_back(fork());
    if (processes.back() == 0) {
      run_process(folder.path("."), rank, num_ranks, num_victims, is_victim, is_one_machine, own_seed, truth);
    }
  }
  std::string complaint;
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    int status = 0;
    waitpid(processes[rank], &status, 0);
    const bool is_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && truth.is_dead[rank];
    if (!is_killed && status != 0) {
      complaint =
          "process " + std::to_string(rank) + " of " + std::to_string(num_ranks) + " ended with status " + std::to_string(status);
    }
  }
  ++coverage.runs;
  coverage.kills += num_victims;
  coverage.messages += truth.num_messages;
  munmap(memory, sizeof(Truth));
  return complaint;
}

TEST(MeshKills, AreNothingToTheOthers) {
  Coverage coverage;
  testing::run_drawn_seeds("MESH", 20, coverage, run_one);
}

}  // namespace
}  // namespace frond
