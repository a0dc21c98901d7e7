// SPDX-License-Identifier: BSD-3-Clause
// Reads matrices from text in any of the supported formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frond/files.hpp"
#include "matrices/large_triplets.hpp"

namespace frond {

/// The text to read, and the notes about what was tolerated.
struct TextSource {
  std::string_view text;
  const std::string& name;  ///< for error texts
  int num_threads = 1;
  std::vector<std::string>& notes;
  std::optional<AnyDense>* right_sides = nullptr;  ///< receives the right-hand sides that a file has after its matrix
};

[[nodiscard]] AnyMatrix sparse_from_text(const TextSource& source);
[[nodiscard]] AnyDense dense_from_text(const TextSource& source);

/// Builds the matrix from these entries, which come from `source`. Throws an InputError.
template <class S>
[[nodiscard]] SparseMatrix<S> to_sparse(LargeTriplets<S> triplets, const TextSource& source);

}  // namespace frond
