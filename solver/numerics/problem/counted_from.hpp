// SPDX-License-Identifier: BSD-3-Clause
// Renumbers rows, columns and variables in sentences.
#pragma once

#include <string>

#include "frond/types.hpp"

namespace frond {

/// Returns the sentence with indices in the reader's base, 0 or 1, instead of its own, so that "row 2, column 1 (counted from 0)"
/// becomes "row 3, column 2 (counted from 1)": numbers behind these words, and "variable", in the clause before "counted from".
[[nodiscard]] std::string counted_from(std::string sentence, Index base);

}  // namespace frond
