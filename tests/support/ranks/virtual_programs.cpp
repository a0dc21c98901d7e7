// SPDX-License-Identifier: BSD-3-Clause
// Drives message programs adversarially.
#include "tests/support/ranks/virtual_programs.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace frond::test {
namespace {

class ProgramDriver {
 public:
  ProgramDriver(VirtualNetwork& network, std::span<MessageProgram* const> programs, const ProgramRun& run)
      : network_(network), programs_(programs), run_(run), random_(run.seed), has_started_(programs.size()) {}

  Count drive() {
    for (bool has_moved = true; has_moved;) {
      has_moved = network_.deliver();
      const std::size_t first = random_() % programs_.size();
      for (std::size_t i = 0; i < programs_.size() && !(has_moved && random_() % 3 == 0); ++i) {
        has_moved = step((first + i) % programs_.size()) || has_moved;
      }
    }
    return num_messages_;
  }

 private:
  // Runs one event of a rank; false if there is none.
  bool step(std::size_t index) {
    const auto rank = static_cast<Rank>(index);
    MessageProgram& program = *programs_[index];
    Channel& channel = network_.channel(0, rank);
    if (!has_started_[index]) {
      has_started_[index] = true;
      tell(rank, [&] { program.start(); });
      return true;
    }
    if (channel.take_room_event()) {
      tell(rank, [&] { program.on_room(); });
      return true;
    }
    std::optional<ReceivedMessage> message = channel.poll();
    if (!message) {
      return false;
    }
    ++num_messages_;
    EXPECT_FALSE(program.ended()) << "rank " << rank << " has ended with a message of rank " << message->from() << " under way";
    if (run_.is_garbled(rank)) {
      message.emplace(message->from(), 1, std::make_unique<std::byte[]>(1));
    }
    tell(rank, [&] { program.on_message(*message); });
    return true;
  }

  template <class Event>
  void tell(Rank rank, Event event) {
    try {
      run_.before_event(rank);
    } catch (...) {
      programs_[rank]->fail(std::current_exception());
    }
    event();
  }

  VirtualNetwork& network_;
  std::span<MessageProgram* const> programs_;
  const ProgramRun& run_;
  std::mt19937 random_;
  std::vector<bool> has_started_;
  Count num_messages_ = 0;
};

}  // namespace

Count run_programs(VirtualNetwork& network, std::span<MessageProgram* const> programs, const ProgramRun& run) {
  const Count num_messages = ProgramDriver(network, programs, run).drive();
  for (std::size_t rank = 0; rank < programs.size(); ++rank) {
    EXPECT_TRUE(programs[rank]->ended()) << "rank " << rank << " hangs";
  }
  EXPECT_TRUE(network.is_empty());
  return num_messages;
}

}  // namespace frond::test
