// SPDX-License-Identifier: BSD-3-Clause
// Reads typical Harwell-Boeing and Rutherford-Boeing files, full lines of plain numbers, with several threads.
#pragma once

#include <optional>
#include <string_view>

#include "frond/matrix.hpp"
#include "matrices/files/harwell_boeing.hpp"

namespace frond {

/// Returns the matrix of a file; `text` is everything after its header. Returns nothing if a number or a line is wrong or rows do
/// not increase within their columns; read_harwell_boeing() then handles or reports that.
template <class S>
[[nodiscard]] std::optional<SparseMatrix<S>> read_plain_columns(std::string_view text, const HarwellBoeingHeader& header,
                                                                int num_threads);

}  // namespace frond
