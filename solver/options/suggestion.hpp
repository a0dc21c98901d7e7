// SPDX-License-Identifier: BSD-3-Clause
// What may have been meant by a word that nobody knows.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// "; did you mean 'solve'?" where one of the names is close to the word: few letters are missing, wrong or exchanged. Else
/// nothing.
[[nodiscard]] std::string suggestion(const std::string& word, const std::vector<std::string>& names);

}  // namespace frond
