// SPDX-License-Identifier: BSD-3-Clause
// The parts of a row-distributed front with right-hand sides that are eliminated with it.
#pragma once

#include <memory>
#include <vector>

#include "factorization/distributed/front_watcher.hpp"
#include "factorization/distributed/part_work.hpp"

namespace frond {

/// Appends the watcher's turn to `work`: when all slaves have followed the master's panels, it sends them the watcher's numbers,
/// and has finished with the last of their answers. The arguments outlive the part.
template <Scalar S>
[[nodiscard]] std::unique_ptr<MasterWork<S>> make_watched_master_work(std::unique_ptr<MasterWork<S>> work, NodeId node,
                                                                      const FrontFactor<S>& front,
                                                                      const std::vector<RowShare>& shares,
                                                                      RankFrontWatcher<S>& watcher);

/// The same for a slave, whose rows must stay until it has finished.
template <Scalar S>
[[nodiscard]] std::unique_ptr<PartWork> make_watched_slave_work(std::unique_ptr<PartWork> work, const SlaveRows<S>& rows,
                                                                Rank master, const RankFrontWatcher<S>& watcher);

}  // namespace frond
