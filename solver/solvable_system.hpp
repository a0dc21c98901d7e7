// SPDX-License-Identifier: BSD-3-Clause
// A factorized system as programs over several ranks solve with it, whatever its factors are.
#pragma once

#include <functional>
#include <memory>

#include "solver/lower_sweeps.hpp"
#include "solver/schur_sweeps.hpp"

namespace frond {

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
};

}  // namespace frond
