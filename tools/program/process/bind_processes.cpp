// SPDX-License-Identifier: BSD-3-Clause
// Divides the processors of a machine among its processes.
#include "tools/program/process/bind_processes.hpp"

#include <span>
#include <vector>

#include "loadinfo/messages/processors.hpp"
#include "loadinfo/messages/ranks/node_layout.hpp"

namespace frond {

void bind_to_processors(const Communicator& ranks, int num_threads) {
  const std::vector<int> processors = usable_processors();
  const NodeLayout layout = find_node_layout(ranks, processors);
  const std::span<const int> share = share_of_processors(processors, layout.num_sharing, layout.index_sharing);
  if (layout.num_sharing > 1 && !share.empty() && num_threads <= static_cast<int>(share.size())) {
    keep_to_processors(share);
  }
}

}  // namespace frond
