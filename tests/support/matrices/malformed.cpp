// SPDX-License-Identifier: BSD-3-Clause
// Expects the error that a malformed file must cause.
#include "tests/support/matrices/malformed.hpp"

#include <gmock/gmock.h>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tests/support/errors.hpp"

namespace frond {

void expect_input_error(const Malformed& malformed) {
  const auto error = testing::error_of<InputError>([&] { static_cast<void>(read_matrix_from_memory(malformed.text, "some.mtx")); });
  EXPECT_EQ(error.file(), "some.mtx");
  EXPECT_EQ(error.line(), malformed.line) << error.what();
  EXPECT_THAT(error.what(), ::testing::StartsWith("some.mtx:"));
  EXPECT_THAT(error.what(), ::testing::HasSubstr(malformed.cause));
}

}  // namespace frond
