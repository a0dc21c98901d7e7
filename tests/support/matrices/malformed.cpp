// SPDX-License-Identifier: BSD-3-Clause
// Expects the error that a malformed file must cause.
#include "tests/support/matrices/malformed.hpp"

#include <gmock/gmock.h>

#include "frond/error.hpp"
#include "frond/files.hpp"

namespace frond {

void expect_input_error(const Malformed& malformed) {
  try {
    static_cast<void>(read_matrix_from_memory(malformed.text, "some.mtx"));
    ADD_FAILURE() << "the file was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), "some.mtx");
    EXPECT_EQ(error.line(), malformed.line) << error.what();
    EXPECT_THAT(error.what(), ::testing::StartsWith("some.mtx:"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr(malformed.cause));
  }
}

}  // namespace frond
