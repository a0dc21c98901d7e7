// SPDX-License-Identifier: BSD-3-Clause
// Whom a rank without work asks for some: round a ring (Mór & Maillard, "Towards Space-Efficient Dynamic Process Scheduling for
// Recursive Divide and Conquer Programs in MPICH2", section 4), or each other rank by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "frond/load_options.hpp"
#include "loadinfo/mechanisms/load.hpp"

namespace frond {

/// "static", "ring", "random", "loaded" or "pool"; parse_work_sharing() throws UsageError for anything else.
[[nodiscard]] WorkSharing parse_work_sharing(std::string_view text);
[[nodiscard]] std::string_view to_string(WorkSharing sharing);

// A request round the ring:
//
//   thief                                         victim 1                       victim 2
//   has nothing to do, sets memory aside
//         ── steal (bytes, pace) ──────────────►  nothing fits ── steal ──────►  its last units, as far as they fit
//   begins them  ◄──────────────────────────────────────────────────── grant ──
//
// A victim gives half of its work that may move, or, where both know how fast they are, the part with which both end together. It
// gives the end of its sequential order, so that the blocks that wait are those of two traversals, one from either end.

/// One rank's search. A round asks every other member once, unless somebody has work; round a ring the request passes from one to
/// the next, otherwise it goes to one and comes back. After a round that met no work that might be given at all there is none to be
/// had any more: tasks come to be by new plans alone. After one that met work which needs more memory, another round is worth it as
/// soon as there is more.
class WorkSearch {
 public:
  /// What the search goes by; `seed` is for WorkSharing::random.
  WorkSearch(WorkSharing sharing, Rank rank, std::span<const Rank> members, std::uint32_t seed);

  /// A new plan: all that was asked is forgotten.
  void restart(std::span<const Rank> members);

  [[nodiscard]] bool is_out() const { return is_out_; }  ///< an answer is to come
  [[nodiscard]] bool is_dry() const { return is_dry_; }  ///< nobody has anything to give
  [[nodiscard]] Count asked_bytes() const { return asked_bytes_; }

  /// Whether a round is worth it with so much memory.
  [[nodiscard]] bool may_begin(Count free_bytes) const;
  /// Begins one, and returns who is to be asked first. `view` has the loads of all ranks.
  [[nodiscard]] Rank begin(Count free_bytes, std::span<const Load> view);
  /// The request has come back; `num_seen` are the tasks that were met in vain since it left. Returns who is to be asked next, if
  /// the round is not over. It is when somebody is dry who was asked: what that one knows is true of all, so that not each of P
  /// ranks has to ask P others.
  [[nodiscard]] std::optional<Rank> come_back(Index num_seen, bool has_met_dry);
  void granted();

  /// To whom the request of a thief goes that this rank has nothing for.
  [[nodiscard]] Rank next_after_me(Rank thief) const;

 private:
  [[nodiscard]] Rank neighbour() const;
  [[nodiscard]] Count least_bytes() const;

  WorkSharing sharing_;
  Rank rank_;
  std::vector<Rank> members_;
  std::mt19937 random_;
  std::vector<Rank> to_ask_;  // in this round, the last one first
  Index num_seen_ = 0;
  Count asked_bytes_ = 0;
  Count enough_bytes_ = 1;  // from which another round is worth it
  bool is_out_ = false;
  bool is_dry_ = false;
};

}  // namespace frond
