// SPDX-License-Identifier: BSD-3-Clause
// Orderings by name, and in files: one number a line, the k-th is the variable that is eliminated k-th, counted from 1.
#pragma once

#include <span>
#include <string>

#include "analysis/options.hpp"

namespace frond {

/// "automatic", "dissection", "metis", "amd", "natural", or the name of a file. Throws InputError for a file that cannot be read as
/// an ordering.
[[nodiscard]] OrderingOptions parse_ordering(const std::string& kind_or_file);

/// Writes perm[new] = old. Throws OutputError.
void write_ordering(const std::string& path, std::span<const Index> perm);

[[nodiscard]] std::string to_string(OrderingKind kind);

}  // namespace frond
