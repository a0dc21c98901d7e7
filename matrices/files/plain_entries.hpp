// SPDX-License-Identifier: BSD-3-Clause
// The bodies of Matrix Market files as nearly all are: a plain entry on each line, no line between them. Read by several threads.
#pragma once

#include <optional>
#include <string_view>

#include "frond/dense.hpp"
#include "matrices/files/matrix_market.hpp"
#include "matrices/large_triplets.hpp"

namespace frond {

/// The entries of a coordinate file, `text` being all behind its size line; nothing where a line is anything else than one correct
/// entry, or there are more or fewer lines than entries: then read_coordinate_body() knows what that means.
template <class S>
[[nodiscard]] std::optional<LargeTriplets<S>> read_plain_entries(std::string_view text, const MatrixMarketHeader& header,
                                                                 int num_threads);

/// The same for the values of a general array file.
template <class S>
[[nodiscard]] std::optional<DenseMatrix<S>> read_plain_array(std::string_view text, const MatrixMarketHeader& header,
                                                             int num_threads);

}  // namespace frond
