// SPDX-License-Identifier: BSD-3-Clause
// Names the parts.
#include "factorization/scheduling/front_part.hpp"

namespace frond {

WorkRole work_role(const Task& task, PartRole role) {
  if (role != PartRole::master) {
    return role == PartRole::slave ? WorkRole::slave : WorkRole::grid;
  }
  if (task.is_subtree) {
    return WorkRole::subtree;
  }
  return task.type == NodeType::sequential ? WorkRole::sequential : WorkRole::master;
}

}  // namespace frond
