// SPDX-License-Identifier: BSD-3-Clause
// Defines the names of roles.
#include "tools/program/page/picture.hpp"

namespace frond {
namespace {

constexpr std::array<std::string_view, kNumRoles> kNames = {"subtree", "sequential", "master", "slave", "grid"};
constexpr std::array<std::string_view, kNumRoles> kTexts = {"leaf subtree", "type 1 node", "master of a type 2 node",
                                                            "slave of a type 2 node", "type 3 node (grid)"};

}  // namespace

std::string_view to_string(Role role) { return kNames[static_cast<std::size_t>(role)]; }
std::string_view describe(Role role) { return kTexts[static_cast<std::size_t>(role)]; }

}  // namespace frond
