// SPDX-License-Identifier: BSD-3-Clause
// Where the scalars of a stream lie in stored images of other rows of the same front.
#pragma once

#include <vector>

#include "factorization/distributed/row_stream.hpp"

namespace frond {

/// Scalars that lie together in an image that is stored and in one that is wanted.
struct StoredRun {
  Count stored = 0;  ///< number of the first in the stored image
  Count wanted = 0;  ///< and in the wanted one
  Count length = 0;
};

/// What the image of stream `stored` has of that of `wanted`, as RowImage defines both: rows of one child, whose contribution block
/// has the order `cb_order`. Runs are in the order of the wanted image, and those that continue one another are one.
[[nodiscard]] std::vector<StoredRun> stored_runs(const RowStream& stored, const RowStream& wanted, Index cb_order, Method method);

}  // namespace frond
