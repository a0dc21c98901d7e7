// SPDX-License-Identifier: BSD-3-Clause
// A factorization that leaves its fronts in a directory, and finds there those of runs before it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "analysis/symbolic.hpp"
#include "factorization/factorize.hpp"
#include "frond/report.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"

namespace frond {

/// What a factorization in F depends on, so that fronts of two are those of one if their keys are the same.
template <Scalar F>
[[nodiscard]] std::uint64_t factorization_key(const Symbolic& symbolic, Method method, const PivotingOptions& pivoting,
                                              std::span<const F> values, std::span<const RealOf<F>> row_scaling,
                                              std::span<const RealOf<F>> col_scaling);

/// For people.
template <Scalar F>
[[nodiscard]] std::string about_factorization(Method method) {
  return to_string(method) + (sizeof(RealOf<F>) == sizeof(float) ? " in single precision" : " in double precision");
}

/// Throws UsageError for what a checkpoint excludes.
void check_checkpoint_options(bool keeps_schur_complement, KeptFactors kept);

/// Asks whether a list is wanted now; `directory`, where others may ask for one, may be null, and outlives it.
[[nodiscard]] std::function<bool()> list_requests(const CheckpointDirectory* directory, const CheckpointOptions& options);

/// What a checkpoint needs to know beside the factorization.
struct CheckpointUse {
  CheckpointDirectory& directory;
  const CheckpointOptions& options;
  CheckpointReport& report;  ///< is added to
};

/// As factorize(), of which all factors are kept. A factorization that ended before without factors ends so again at once. Throws
/// InputError for a directory that is damaged and OutputError for one that cannot be written to; when it has begun, nothing that
/// goes wrong with the disk ends it.
template <Scalar F>
[[nodiscard]] FactorizationResult<F> factorize_checkpointed(std::shared_ptr<const Symbolic> symbolic, Method method,
                                                            std::span<const F> values, std::vector<RealOf<F>> row_scaling,
                                                            std::vector<RealOf<F>> col_scaling,
                                                            const FactorizationRunOptions& options, const CheckpointUse& use);

}  // namespace frond
