// SPDX-License-Identifier: BSD-3-Clause
// Runs the command frond batch.
#pragma once

#include "tools/program/batch/batch_arguments.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

/// Solves the systems of the list that have no results yet, in this process, in several that it starts, or with those that MPICH's
/// launcher has started; prints each result, the counts of all results, and which systems were not solved. Throws UsageError,
/// InputError and OutputError before the first one.
[[nodiscard]] ExitCode run_batch(const BatchArguments& arguments, const Launch& launch, Farewell& farewell);

}  // namespace frond
