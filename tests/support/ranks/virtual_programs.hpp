// SPDX-License-Identifier: BSD-3-Clause
// Message programs of virtual ranks on one thread, in an order of events that is drawn from a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "loadinfo/messages/message_program.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::test {

struct ProgramRun {
  std::uint32_t seed = 0;
  /// Called before each event of a rank; what it throws was thrown on that rank.
  std::function<void(Rank)> before_event = [](Rank) {};
  /// Whether the message that a rank is about to receive arrives as something that is none.
  std::function<bool(Rank)> is_garbled = [](Rank) { return false; };
};

/// Starts program r on channel 0 of rank r, and goes on until nothing can happen any more. Reports to GoogleTest when ranks have
/// not ended then, or have ended with messages under way. Returns the number of messages.
Count run_programs(VirtualNetwork& network, std::span<MessageProgram* const> programs, const ProgramRun& run);

}  // namespace frond::test
