// SPDX-License-Identifier: BSD-3-Clause
// Reads which systems a batch consists of.
#pragma once

#include <string>
#include <vector>

namespace frond {

/// File names, ready to be opened.
struct BatchItem {
  std::string matrix;
  std::string rhs;  ///< empty: right-hand sides are generated

  friend bool operator==(const BatchItem&, const BatchItem&) = default;
};

/// Reads a list or a folder. Each line of a list holds a matrix and perhaps, after blanks or a tab, its right-hand sides, relative
/// to the list's folder; names with blanks are quoted, empty lines and lines that begin with # are ignored. A folder stands for all
/// its matrices, sorted by name. Throws InputError.
[[nodiscard]] std::vector<BatchItem> read_batch_list(const std::string& path);

}  // namespace frond
