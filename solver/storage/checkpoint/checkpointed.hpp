// SPDX-License-Identifier: BSD-3-Clause
// Factorizes with a directory that stores its fronts, and provides those of earlier runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analysis/symbolic.hpp"
#include "factorization/factorize.hpp"
#include "frond/report.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"

namespace frond {

/// A hash of everything that a factorization in F depends on: factorizations with equal keys have the same fronts.
template <Scalar F>
[[nodiscard]] std::uint64_t factorization_key(const Symbolic& symbolic, Method method, const PivotingOptions& pivoting,
                                              std::span<const F> values, std::span<const RealOf<F>> row_scaling,
                                              std::span<const RealOf<F>> col_scaling);

/// A description for people.
template <Scalar F>
[[nodiscard]] std::string about_factorization(Method method) {
  return to_string(method) + (sizeof(RealOf<F>) == sizeof(float) ? " in single precision" : " in double precision");
}

/// Throws UsageError for what a checkpoint excludes.
void check_checkpoint_options(bool keeps_schur_complement, KeptFactors kept);

/// What a checkpoint needs in addition to the factorization.
struct CheckpointUse {
  CheckpointDirectory& directory;
  const CheckpointOptions& options;
  CheckpointReport& report;  ///< is added to
};

/// As factorize(), but keeps all factors. A factorization that ended without factors in an earlier run ends in the same way at
/// once. Throws InputError if the directory is damaged and OutputError if it is not writable; after the start, disk errors do not
/// end it.
template <Scalar F>
[[nodiscard]] FactorizationResult<F> factorize_checkpointed(std::shared_ptr<const Symbolic> symbolic, Method method,
                                                            std::span<const F> values, std::vector<RealOf<F>> row_scaling,
                                                            std::vector<RealOf<F>> col_scaling,
                                                            const FactorizationRunOptions& options, const CheckpointUse& use);

}  // namespace frond
