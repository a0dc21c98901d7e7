// SPDX-License-Identifier: BSD-3-Clause
// Searches notes for words, and checks how fronts were spread.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/stages/stage.hpp"

namespace frond::stages {

bool has_note(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

void expect_spread(const Spread& sum) {
  EXPECT_EQ(sum.by_rows > 0, team().size() > 1);
  EXPECT_EQ(sum.on_grids > 0, has_grids());
}

}  // namespace frond::stages
