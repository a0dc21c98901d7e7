// SPDX-License-Identifier: BSD-3-Clause
// Reads the bodies of typical Matrix Market files, one plain entry per line without gaps, with several threads.
#pragma once

#include <optional>
#include <string_view>

#include "frond/dense.hpp"
#include "matrices/files/matrix_market.hpp"
#include "matrices/large_triplets.hpp"

namespace frond {

/// Returns the entries of a coordinate file; `text` is everything after its size line. Returns nothing if a line is not exactly
/// one correct entry or the number of lines is wrong; read_coordinate_body() then handles or reports that.
template <class S>
[[nodiscard]] std::optional<LargeTriplets<S>> read_plain_entries(std::string_view text, const MatrixMarketHeader& header,
                                                                 int num_threads);

/// Does the same for the values of a general array file.
template <class S>
[[nodiscard]] std::optional<DenseMatrix<S>> read_plain_array(std::string_view text, const MatrixMarketHeader& header,
                                                             int num_threads);

}  // namespace frond
