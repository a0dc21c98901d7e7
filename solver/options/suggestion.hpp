// SPDX-License-Identifier: BSD-3-Clause
// Suggests what an unknown word may have meant.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// Returns "; did you mean 'solve'?" if one of the names is close to the word: few letters are missing, wrong or exchanged.
/// Otherwise nothing.
[[nodiscard]] std::string suggestion(const std::string& word, const std::vector<std::string>& names);

}  // namespace frond
