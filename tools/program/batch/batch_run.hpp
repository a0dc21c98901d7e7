// SPDX-License-Identifier: BSD-3-Clause
// frond batch.
#pragma once

#include "tools/program/batch/batch_arguments.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/launch.hpp"

namespace frond {

/// Solves the systems of the list that have no results yet, in this process, or in several that it starts, or with those that
/// MPICH's launcher has started; says of each what came of it, of all how many came to what, and which of them were not solved.
/// Throws UsageError, InputError and OutputError before the first one.
[[nodiscard]] ExitCode run_batch(const BatchArguments& arguments, const Launch& launch, Farewell& farewell);

}  // namespace frond
