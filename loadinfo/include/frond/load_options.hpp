// SPDX-License-Identifier: BSD-3-Clause
// How ranks learn of each other's load, and what they balance by it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <frond/types.hpp>

namespace frond {

enum class LoadMechanism {
  naive,             ///< absolute loads past a threshold; nothing is reserved
  increments,        ///< variations past a threshold, and reservations told to everybody
  local_increments,  ///< the same, told to those who may choose the rank whose load it is
  snapshot,          ///< loads on demand, from everybody; decisions one after the other, exact
  partial_snapshot   ///< loads on demand, from the candidates; exact, and decisions without common candidates at the same time
};

/// What dynamic decisions balance.
enum class Schedule {
  flops,  ///< the work that ranks have still to do
  memory  ///< the active memory that ranks hold
};

/// Whom a rank without work asks for leaf subtrees that others have not begun.
enum class WorkSharing {
  fixed,   ///< nobody: ranks do what was dealt out to them
  ring,    ///< one rank after the other, round a ring
  random,  ///< all ranks, in a drawn order
  loaded   ///< all ranks, those first that have most to do as far as the load exchange knows
};

struct LoadServiceOptions {
  bool use_thread = true;                          ///< a thread for load messages; else they wait for the main loop, between jobs
  std::chrono::microseconds shortest_period{50};   ///< between two looks for messages while they come
  std::chrono::microseconds longest_period{5000};  ///< and while it is quiet: at some 25 us a look, half a percent of a core
};

/// Ranks that are to leave a factorization.
struct LeaveRequest {
  std::vector<Rank> ranks{};
  std::string folder{};  ///< through files in which what they hold moves; empty: from memory to memory
};

}  // namespace frond
