// SPDX-License-Identifier: BSD-3-Clause
// The pool of workspaces.
#include "factorization/workspace.hpp"

namespace frond {

Workspace WorkspacePool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      Workspace workspace = std::move(free_.back());
      free_.pop_back();
      return workspace;
    }
  }
  meter_.charge(bytes_);
  try {
    return Workspace(regions_.take(bytes_), bytes_);
  } catch (...) {
    meter_.release(bytes_);
    throw;
  }
}

void WorkspacePool::give_back(Workspace workspace) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(workspace));
  if (--num_subtrees_left_ == 0) {
    clear();
  }
}

void WorkspacePool::clear() {
  meter_.release(static_cast<Count>(free_.size()) * bytes_);
  for (Workspace& workspace : free_) {
    regions_.give_back(std::move(workspace).release());
  }
  free_.clear();
}

}  // namespace frond
