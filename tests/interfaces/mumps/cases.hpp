// SPDX-License-Identifier: BSD-3-Clause
// Calls that are made by both libraries.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "tests/interfaces/mumps/systems.hpp"

namespace frond::testing {

struct Case {
  std::string name;
  const char* function;
  std::function<std::string(void*)> calls;

  friend void PrintTo(const Case& one, std::ostream* stream) { *stream << one.name; }
};

/// Makes the calls by both, each in a process of its own, and compares what they return.
inline void expect_as_in_mumps(const Case& what) {
  const std::string folder = FROND_REAL_MUMPS_FOLDER;
  const std::string theirs = with_library(folder + "/lib" + what.function[0] + "mumps_seq.so", what.function, what.calls);
  const std::string ours = with_library(FROND_IN_PLACE_OF_MUMPS, what.function, what.calls);
  EXPECT_FALSE(theirs.starts_with("died")) << theirs;
  EXPECT_EQ(ours, theirs);
}

}  // namespace frond::testing
