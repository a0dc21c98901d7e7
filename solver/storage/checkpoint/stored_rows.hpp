// SPDX-License-Identifier: BSD-3-Clause
// Locates the scalars of a stream in stored images of other rows of the same front.
#pragma once

#include <vector>

#include "factorization/distributed/row_stream.hpp"

namespace frond {

/// Scalars that are contiguous in both a stored image and a wanted one.
struct StoredRun {
  Count stored = 0;  ///< number of the first in the stored image
  Count wanted = 0;  ///< the same in the wanted one
  Count length = 0;
};

/// The parts of the image of `wanted` that the image of stream `stored` contains, both defined by RowImage: rows of one child,
/// whose contribution block has the order `cb_order`. Runs are in the order of the wanted image, and adjacent ones are merged.
[[nodiscard]] std::vector<StoredRun> stored_runs(const RowStream& stored, const RowStream& wanted, Index cb_order, Method method);

}  // namespace frond
