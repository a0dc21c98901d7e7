// SPDX-License-Identifier: BSD-3-Clause
// How ranks learn of each other's load, and what they balance by it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <frond/types.hpp>

namespace frond {

enum class LoadMechanism {  ///< how ranks learn of the loads of others
  naive,                    ///< absolute loads past a threshold; nothing is reserved
  increments,               ///< variations past a threshold, and reservations told to everybody
  local_increments,         ///< the same, told to those who may choose the rank whose load it is
  snapshot,                 ///< loads on demand, from everybody; decisions one after the other, exact
  partial_snapshot  ///< loads on demand, from the candidates; exact, and decisions without common candidates at the same time
};

/// What dynamic decisions balance.
enum class Schedule {
  flops,  ///< the work that ranks have still to do
  memory  ///< the active memory that ranks hold
};

/// Whom a rank without work asks for subtrees that others have not begun. Unless it is nobody, ranks that are measured to be slow
/// have smaller shares of fronts, too.
enum class WorkSharing {
  fixed,   ///< nobody: ranks do what was dealt out to them
  ring,    ///< one rank after the other, round a ring
  random,  ///< all ranks, in a drawn order
  loaded,  ///< all ranks, those first that have most to do as far as the load exchange knows
  pool     ///< the first one, which gives parts of subtrees to all, by a rule of self-scheduling (ChunkKind)
};

struct LoadServiceOptions {                        ///< who looks for messages on loads, and how often
  bool use_thread = true;                          ///< a thread for load messages; else they wait for the main loop, between jobs
  std::chrono::microseconds shortest_period{50};   ///< between two looks for messages while they come
  std::chrono::microseconds longest_period{5000};  ///< and while it is quiet: at some 25 us a look, half a percent of a core
};

/// How many of the tasks that are left somebody without work gets: rules of dynamic loop self-scheduling.
enum class ChunkKind {
  fixed,  ///< STATIC: an equal part for each rank, at once
  ss,     ///< one by one
  fsc,    ///< fixed size chunks (Kruskal & Weiss 1985)
  mfsc,   ///< the same, as many chunks as factoring has (Banicescu, Ciorba & Srivastava 2013)
  gss,    ///< guided (Polychronopoulos & Kuck 1987)
  tss,    ///< trapezoid (Tzen & Ni 1993)
  fac,    ///< factoring (Hummel, Schonberg & Flynn 1992)
  wf,     ///< the same, weighted by speeds that are known beforehand (Hummel, Schmidt, Uma & Wein 1996)
  rand,   ///< drawn between a hundredth and a half of an equal part (Ciorba, Iwainsky & Buder 2018)
  awf_b,  ///< factoring weighted by measured speeds, batch by batch (Cariño & Banicescu 2008)
  awf_c,  ///< chunk by chunk
  awf_d,  ///< as awf_b, by times with what scheduling takes
  awf_e,  ///< as awf_c, likewise
  af      ///< adaptive factoring, by measured means and variances (Banicescu & Liu 2000)
};

/// Ranks that are to leave a factorization.
struct LeaveRequest {
  std::vector<Rank> ranks{};  ///< that are to leave, or have left
  std::string folder{};       ///< through files in which what they hold moves; empty: from memory to memory
};

}  // namespace frond
