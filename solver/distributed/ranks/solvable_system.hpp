// SPDX-License-Identifier: BSD-3-Clause
// A factorized system as the solve programs of several ranks see it, whatever its factors are.
#pragma once

#include <functional>
#include <memory>

#include "solver/distributed/ranks/block_sweeps.hpp"
#include "solver/distributed/ranks/eliminated_sweeps.hpp"
#include "solver/distributed/ranks/lower_sweeps.hpp"
#include "solver/distributed/ranks/schur_sweeps.hpp"
#include "solver/distributed/ranks/side_loading.hpp"

namespace frond {

/// If the system is not factorized yet, "solves" only bring right-hand sides to where they are to be eliminated.
template <Scalar S>
struct SolvableSystem {
  Index order;
  std::function<std::unique_ptr<Sweeps<S>>(Outbox&)> make_sweeps;

  SolvableSystem(const RankSystem<S>& system)  // NOLINT(google-explicit-constructor): the same system
      : order(system.symbolic.order()),
        make_sweeps([system](Outbox& outbox) { return std::make_unique<RankSweeps<S>>(system, outbox); }) {}
  SolvableSystem(const LowerRankSystem<S>& system)  // NOLINT(google-explicit-constructor): the same system
      : order(system.lower.symbolic.order()),
        make_sweeps([system](Outbox& outbox) { return std::make_unique<LowerSweeps<S>>(system, outbox); }) {}
  SolvableSystem(const SchurRankSystem<S>& system)  // NOLINT(google-explicit-constructor): the same system
      : order(system.interior.symbolic.order()),
        make_sweeps([system](Outbox& outbox) { return std::make_unique<SchurSweeps<S>>(system, outbox); }) {}
  SolvableSystem(const UnfactorizedRankSystem<S>& system)  // NOLINT(google-explicit-constructor): the same system
      : order(system.symbolic.order()),
        make_sweeps([system](Outbox& outbox) { return std::make_unique<SideLoading<S>>(system, outbox); }) {}
  SolvableSystem(const EliminatedRankSystem<S>& system)  // NOLINT(google-explicit-constructor): the same system
      : order(system.system.symbolic.order()),
        make_sweeps([system](Outbox& outbox) { return std::make_unique<EliminatedSweeps<S>>(system, outbox); }) {}

  /// The same for all of A, from `of_levels` for its levels; `levels` must outlive everything that uses it.
  [[nodiscard]] static SolvableSystem coupled(SolvableSystem of_levels, const CoupledLevels<S>& levels) {
    SolvableSystem whole = of_levels;
    whole.make_sweeps = [of_levels = std::move(of_levels), &levels](Outbox& outbox) {
      return std::make_unique<BlockSweeps<S>>(of_levels.make_sweeps(outbox), levels);
    };
    return whole;
  }
};

}  // namespace frond
