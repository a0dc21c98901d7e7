// SPDX-License-Identifier: BSD-3-Clause
// Chooses the rank that a rank without work asks for some: around a ring (Mór & Maillard, "Towards Space-Efficient Dynamic Process
// Scheduling for Recursive Divide and Conquer Programs in MPICH2", section 4), or each other rank individually.
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

/// "static", "ring", "random", "loaded" or "pool".
[[nodiscard]] std::string_view to_string(WorkSharing sharing);

/// One rank's search. A round asks every other member once, unless one has work; around a ring the request passes from one to the
/// next, otherwise it goes to one and comes back. After a round that met no movable work at all there will be none: only new plans
/// create tasks. After one that met work which needs more memory, another round pays off as soon as there is more.
class WorkSearch {
 public:
  /// `seed` is used by WorkSharing::random.
  WorkSearch(WorkSharing sharing, Rank rank, std::span<const Rank> members, std::uint32_t seed);

  /// Called for a new plan: forgets all requests.
  void restart(std::span<const Rank> members);

  [[nodiscard]] bool is_out() const { return is_out_; }  ///< an answer is pending
  [[nodiscard]] bool is_dry() const { return is_dry_; }  ///< no rank has anything to give
  [[nodiscard]] Count asked_bytes() const { return asked_bytes_; }

  /// True if a round pays off with that much memory.
  [[nodiscard]] bool may_begin(Count free_bytes) const { return !is_out_ && !is_dry_ && free_bytes >= enough_bytes_; }
  /// Begins a round, and returns the rank to ask first. `view` has the loads of all ranks.
  [[nodiscard]] Rank begin(Count free_bytes, std::span<const Load> view);
  /// Called when the request has come back; `num_seen` are the tasks that were met in vain since it left. Returns the rank to ask
  /// next, unless the round is over. It is over when a rank that was asked is dry: what that rank knows holds for all, so that not
  /// each of P ranks has to ask P others.
  [[nodiscard]] std::optional<Rank> come_back(Index num_seen, bool has_met_dry);
  void granted();

  /// Returns the rank to which a thief's request goes that this rank has nothing for.
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
  Count enough_bytes_ = 1;  // from which on another round pays off
  bool is_out_ = false;
  bool is_dry_ = false;
};

}  // namespace frond
