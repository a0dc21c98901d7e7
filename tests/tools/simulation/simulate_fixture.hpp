// SPDX-License-Identifier: BSD-3-Clause
// Generates a matrix, and runs frond simulate as a program.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/programs/program_fixture.hpp"

namespace frond::testing {

class SimulateTest : public Program {
 protected:
  using Json = testing::Json;

  void SetUp() override { ASSERT_EQ(run({"generate", "elasticity3d", "12", "-o", matrix()}).exit_code, 0); }

  [[nodiscard]] std::string matrix() const { return path("A.mtx"); }
};

}  // namespace frond::testing
