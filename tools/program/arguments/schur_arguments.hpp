// SPDX-License-Identifier: BSD-3-Clause
// Reads the variables of a Schur complement from the command line or a file.
#pragma once

#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// "3,7-9" means variables 3, 7, 8, 9; anything else is the name of a file with such numbers and ranges, separated by blanks,
/// commas or line ends. Variables count from 1 there and from 0 in the result, which keeps their order. Throws InputError, with the
/// line, also for text that does not name a variable.
[[nodiscard]] std::vector<Index> parse_schur_variables(const std::string& list_or_file);

/// Throws UsageError, which names the option and counts from 1, unless all are distinct variables of a matrix of this order.
void check_schur_list(const std::string& list_or_file, const std::vector<Index>& variables, Index order);

/// True if the text is a list rather than the name of a file.
[[nodiscard]] bool is_schur_list(const std::string& list_or_file);

}  // namespace frond
