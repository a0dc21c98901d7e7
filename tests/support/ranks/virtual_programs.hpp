// SPDX-License-Identifier: BSD-3-Clause
// Runs message programs of virtual ranks on one thread, in an order of events drawn from a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "loadinfo/messages/message_program.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {

struct ProgramRun {
  std::uint32_t seed = 0;
  /// Called before each event of a rank; its exceptions count as thrown on that rank.
  std::function<void(Rank)> before_event = [](Rank) {};
  /// True if the message that a rank is about to receive arrives garbled.
  std::function<bool(Rank)> is_garbled = [](Rank) { return false; };
};

/// Starts program r on channel 0 of rank r, and continues until no event is possible. Reports a GoogleTest failure if ranks have
/// not ended then, or have ended with messages under way. Returns the number of messages.
Count run_programs(VirtualNetwork& network, std::span<MessageProgram* const> programs, const ProgramRun& run);

}  // namespace frond::test
