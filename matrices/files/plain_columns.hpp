// SPDX-License-Identifier: BSD-3-Clause
// Harwell-Boeing and Rutherford-Boeing files as nearly all are: full lines of plain numbers. Read by several threads.
#pragma once

#include <optional>
#include <string_view>

#include "frond/matrix.hpp"
#include "matrices/files/harwell_boeing.hpp"

namespace frond {

/// The matrix of a file, `text` being all behind its header; nothing where anything is wrong with a number or a line, or rows do
/// not increase within their columns: then read_harwell_boeing() knows what that means.
template <class S>
[[nodiscard]] std::optional<SparseMatrix<S>> read_plain_columns(std::string_view text, const HarwellBoeingHeader& header,
                                                                int num_threads);

}  // namespace frond
