// SPDX-License-Identifier: BSD-3-Clause
// The common part of `frond solve --save-factors` and `--load-factors` in one process and in several.
#pragma once

#include <functional>
#include <string>

#include "solver/numerics/problem/report.hpp"
#include "tools/program/records/run_record.hpp"

namespace frond {

/// True if there are factors to save. If not, a note says so: the verdict on the matrix is worth more than an error.
[[nodiscard]] bool has_factors_to_save(SystemReport& report, const SolveReport& solved);

/// Calls transfer(), which reads or writes the file, and returns its time and size.
[[nodiscard]] FactorFileFacts timed_transfer(const std::string& file, const std::function<void()>& transfer);

}  // namespace frond
