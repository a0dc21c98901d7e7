// SPDX-License-Identifier: BSD-3-Clause
// The data that pages of simulated and real runs draw: what each rank did when, and the tree of the work.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "factorization/memory/work_log.hpp"

namespace frond {

using Role = WorkRole;
inline constexpr std::size_t kNumRoles = 5;

/// The spellings used in records.
inline constexpr std::array<std::string_view, kNumRoles> kRoleNames = {"subtree", "sequential", "master", "slave", "grid"};
inline constexpr std::array<std::string_view, kNumRoles> kRoleTexts = {"leaf subtree", "type 1 node", "master of a type 2 node",
                                                                       "slave of a type 2 node", "type 3 node (grid)"};

[[nodiscard]] inline std::string_view to_string(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }
/// "leaf subtree", "slave of a type 2 node", ...
[[nodiscard]] inline std::string_view describe(Role role) { return kRoleTexts[static_cast<std::size_t>(role)]; }

struct TimelineSpan {
  double begin = 0;  ///< seconds
  double end = 0;
  long node = 0;
  Role role = Role::subtree;
};

/// timeline[row] = its activities, in order of time.
using Timeline = std::vector<std::vector<TimelineSpan>>;

/// What the rows stand for: "rank" or "thread".
struct TimelineRows {
  std::string kind = "rank";
  std::vector<std::string> names = {};  ///< [row], such as "rank 1, thread 0"; empty: the kind and the row's number
};

enum class TreeMarkKind { subtree, type1, type2, type3 };
inline constexpr std::size_t kNumTreeMarkKinds = 4;

struct TreeMark {
  long node = 0;
  long parent = -1;  ///< -1: a root
  TreeMarkKind kind = TreeMarkKind::subtree;
  long master = 0;
  double order = 0;
  double num_fully_summed = 0;
  double flops = 0;
};

}  // namespace frond
