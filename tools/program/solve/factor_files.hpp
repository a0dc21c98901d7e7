// SPDX-License-Identifier: BSD-3-Clause
// `frond solve --save-factors` and `--load-factors`: what one process and several do alike.
#pragma once

#include <functional>
#include <string>

#include "solver/numerics/problem/report.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {

/// Whether there is something to save. If not, a note says so: the verdict on the matrix is worth more than an error.
[[nodiscard]] bool has_factors_to_save(SystemReport& report, const SolveReport& solved);

/// Calls transfer(), which reads or writes the file, and tells what that took.
[[nodiscard]] FactorFileFacts timed_transfer(const std::string& file, const std::function<void()>& transfer);

}  // namespace frond
