// SPDX-License-Identifier: BSD-3-Clause
// Converts an analysis to bytes, for processes that have not made it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frond/analysis.hpp"

namespace frond {

/// Excludes scales of the analysed values.
[[nodiscard]] std::vector<std::byte> bytes_of(const Analysis& analysis);

/// Reads the bytes written by bytes_of(), for factorizations in this process.
[[nodiscard]] Analysis analysis_of(std::span<const std::byte> bytes, const SolverOptions& options);

}  // namespace frond
