// SPDX-License-Identifier: BSD-3-Clause
// How ranks learn each other's load, and what they balance with it.
#pragma once

#include <string>
#include <vector>

#include <frond/types.hpp>

namespace frond {

enum class LoadMechanism {  ///< how ranks learn of the loads of others
  naive,                    ///< absolute loads past a threshold; nothing is reserved
  increments,               ///< variations past a threshold, and reservations sent to everybody
  local_increments,         ///< the same, sent only to ranks that may choose the sender
  snapshot,                 ///< loads on demand, from everybody; decisions one after the other, exact
  partial_snapshot          ///< loads on demand, from the candidates; exact; decisions without common candidates run concurrently
};

/// What dynamic decisions balance.
enum class Schedule {
  flops,  ///< the work that ranks still have to do
  memory  ///< the active memory that ranks hold
};

/// Whom a rank without work asks for subtrees that others have not started. Unless it is nobody, ranks that are measured to be slow
/// also get smaller shares of fronts.
enum class WorkSharing {
  fixed,   ///< nobody: ranks do the work assigned to them
  ring,    ///< one rank after the other, around a ring
  random,  ///< all ranks, in random order
  loaded,  ///< all ranks, the most loaded first as far as the load exchange knows
  pool     ///< the first rank, which gives parts of subtrees to all by a self-scheduling rule (ChunkKind)
};

/// How many of the remaining tasks a rank without work gets: rules of dynamic loop self-scheduling.
enum class ChunkKind {
  fixed,  ///< STATIC: an equal part for each rank, at once
  ss,     ///< one by one
  fsc,    ///< fixed size chunks (Kruskal & Weiss 1985)
  mfsc,   ///< the same, as many chunks as factoring has (Banicescu, Ciorba & Srivastava 2013)
  gss,    ///< guided (Polychronopoulos & Kuck 1987)
  tss,    ///< trapezoid (Tzen & Ni 1993)
  fac,    ///< factoring (Hummel, Schonberg & Flynn 1992)
  wf,     ///< the same, weighted by speeds known in advance (Hummel, Schmidt, Uma & Wein 1996)
  rand,   ///< random between a hundredth and a half of an equal part (Ciorba, Iwainsky & Buder 2018)
  awf_b,  ///< factoring weighted by measured speeds, batch by batch (Cariño & Banicescu 2008)
  awf_c,  ///< chunk by chunk
  awf_d,  ///< as awf_b, with times that include the scheduling overhead
  awf_e,  ///< as awf_c, likewise
  af      ///< adaptive factoring, by measured means and variances (Banicescu & Liu 2000)
};

}  // namespace frond
