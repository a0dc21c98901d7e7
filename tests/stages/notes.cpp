// SPDX-License-Identifier: BSD-3-Clause
// Searches notes for words.
#include <algorithm>

#include "tests/stages/stage.hpp"

namespace frond::stages {

bool has_note(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace frond::stages
