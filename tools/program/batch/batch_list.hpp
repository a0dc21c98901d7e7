// SPDX-License-Identifier: BSD-3-Clause
// Which systems a batch has.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// Files, as they are to be opened.
struct BatchItem {
  std::string matrix;
  std::string rhs;  ///< empty: right-hand sides are made

  friend bool operator==(const BatchItem&, const BatchItem&) = default;
};

/// Of a list, the matrix of each line and perhaps, behind blanks or a tab, its right-hand sides, relative to the list's folder;
/// names with blanks are put in quotes, empty lines and those that begin with # do not count. Of a folder, all matrices, by their
/// names. Throws InputError.
[[nodiscard]] std::vector<BatchItem> read_batch_list(const std::string& path);

}  // namespace frond
