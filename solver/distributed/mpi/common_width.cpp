// SPDX-License-Identifier: BSD-3-Clause
// Compares the widths that all ranks pass.
#include "solver/distributed/mpi/common_width.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"

namespace frond {

Index common_width(const Communicator& ranks, Widths mine) {
  const std::vector<Widths> widths = all_gather_values(ranks, mine);
  Index common = kNoBlock;
  for (std::size_t rank = 0; rank < widths.size(); ++rank) {
    for (const Index width : {widths[rank].b, widths[rank].x}) {
      if (common == kNoBlock) {
        common = width;
      } else if (width != kNoBlock && width != common) {
        throw UsageError(
            fmt::format("rank {} passes {} columns of B or X where {} were passed before it: all ranks must pass as many, "
                        "or none at all",
                        rank, width, common));
      }
    }
  }
  return std::max(common, Index{0});
}

}  // namespace frond
