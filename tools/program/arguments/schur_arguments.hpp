// SPDX-License-Identifier: BSD-3-Clause
// The variables of a Schur complement, on the command line or in a file.
#pragma once

#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// "3,7-9" is variables 3, 7, 8, 9; anything else is the name of a file with such numbers and ranges, separated by blanks, commas
/// or ends of lines. Variables count from 1 there, and from 0 in what is returned, which has their order. Throws InputError, with
/// the line, and where something is given that names no variable.
[[nodiscard]] std::vector<Index> parse_schur_variables(const std::string& list_or_file);

/// Throws UsageError, which names the option and counts from 1, unless all are variables of a matrix of this order, each once.
void check_schur_list(const std::string& list_or_file, const std::vector<Index>& variables, Index order);

/// Whether the text is a list rather than the name of a file.
[[nodiscard]] bool is_schur_list(const std::string& list_or_file);

}  // namespace frond
