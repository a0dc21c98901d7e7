// SPDX-License-Identifier: BSD-3-Clause
// Lists the load mechanisms that have a protocol of their own, with and without a load thread.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "loadinfo/mechanisms/load_exchange.hpp"

namespace frond::test {

using LoadVariant = std::tuple<LoadMechanism, bool>;  ///< mechanism, and whether it uses a load thread if it may

[[nodiscard]] inline auto all_load_variants() {
  return ::testing::Combine(
      ::testing::Values(LoadMechanism::naive, LoadMechanism::increments, LoadMechanism::snapshot, LoadMechanism::partial_snapshot),
      ::testing::Bool());
}

[[nodiscard]] inline std::string name_of_variant(const ::testing::TestParamInfo<LoadVariant>& test) {
  std::string name(to_string(std::get<0>(test.param)));
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name + (std::get<1>(test.param) ? "_thread" : "_main_loop");
}

}  // namespace frond::test
