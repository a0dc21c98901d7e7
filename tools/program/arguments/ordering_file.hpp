// SPDX-License-Identifier: BSD-3-Clause
// Reads orderings by name or from files: one number per line, the k-th is the variable that is eliminated k-th, counted from 1. If
// rows were matched with columns, each line has two numbers: the column, and the row that is eliminated with it.
#pragma once

#include <string>

#include "analysis/symbolic.hpp"

namespace frond {

/// Parses "automatic", "dissection", "metis", "amd", "natural", or the name of a file. Throws InputError for a file that cannot be
/// read as an ordering.
[[nodiscard]] OrderingOptions parse_ordering(const std::string& kind_or_file);

/// Writes the order of columns and rows. Throws OutputError.
void write_ordering(const std::string& path, const Symbolic& symbolic);

[[nodiscard]] std::string to_string(OrderingKind kind);
[[nodiscard]] std::string to_string(MatchingKind kind);

}  // namespace frond
