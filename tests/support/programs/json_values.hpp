// SPDX-License-Identifier: BSD-3-Clause
// Compares what a program writes as JSON with a table of expected values.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace frond::testing {

using Json = nlohmann::json;

/// Expects each value of the object `expected` under its key; a key that is missing counts as null.
inline void expect_values(Json told, const Json& expected) {
  for (const auto& [key, value] : expected.items()) {
    EXPECT_EQ(told[key], value) << key;
  }
}

}  // namespace frond::testing
