// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a communicator as a team that solves together.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/course/team.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {

/// Rank 0 is the leader.
class RankTeam final : public Team {
 public:
  /// `ranks` must outlive this object, or follow() is called before they are destroyed.
  explicit RankTeam(const Communicator& ranks) : ranks_(&ranks) {}
  /// Communicates over another communicator of the same ranks from now on.
  void follow(const Communicator& ranks) { ranks_ = &ranks; }

  [[nodiscard]] bool leads() const override { return ranks_->rank() == 0; }
  [[nodiscard]] int size() const override { return ranks_->num_ranks(); }
  [[nodiscard]] bool has_callers_side_by_side() const override { return false; }
  void agree(const std::function<void()>& work) const override { frond::agree(*ranks_, work); }
  void share(std::span<std::byte> bytes) const override { broadcast(*ranks_, 0, bytes); }
  [[nodiscard]] std::vector<Count> of_all(Count mine) const override { return all_gather_values(*ranks_, mine); }
  void gather(std::span<const std::byte> mine, std::span<const Count> num_bytes, std::span<std::byte> all) const override {
    frond::gather(*ranks_, 0, mine, num_bytes, all);
  }

 private:
  const Communicator* ranks_;
};

}  // namespace frond
