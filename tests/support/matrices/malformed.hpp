// SPDX-License-Identifier: BSD-3-Clause
// Checks the errors that malformed files must cause.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "frond/types.hpp"

namespace frond {

struct Malformed {
  const char* name;   ///< of the test
  std::string text;   ///< of the file
  Count line;         ///< that the error must name; 0: the file as a whole
  const char* cause;  ///< that the message must contain
};

inline std::ostream& operator<<(std::ostream& out, const Malformed& malformed) { return out << malformed.name; }

inline std::string name_of(const ::testing::TestParamInfo<Malformed>& info) { return info.param.name; }

/// Reads the text and expects an InputError that starts with the file name and gives the line and the cause.
void expect_input_error(const Malformed& malformed);

}  // namespace frond
