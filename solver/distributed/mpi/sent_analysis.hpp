// SPDX-License-Identifier: BSD-3-Clause
// An analysis as bytes, for processes that have not made it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frond/analysis.hpp"

namespace frond {

/// Without scales of the values that were analysed.
[[nodiscard]] std::vector<std::byte> bytes_of(const Analysis& analysis);

/// Reads what bytes_of() has written, for factorizations in this process.
[[nodiscard]] Analysis analysis_of(std::span<const std::byte> bytes, const SolverOptions& options);

}  // namespace frond
