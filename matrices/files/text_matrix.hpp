// SPDX-License-Identifier: BSD-3-Clause
// Matrices from the text of a file in one of the formats that can be read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frond/files.hpp"
#include "matrices/large_triplets.hpp"

namespace frond {

/// What is read from a text, and what was tolerated.
struct TextSource {
  std::string_view text;
  const std::string& name;  ///< for error texts
  int num_threads = 1;
  std::vector<std::string>& notes;
  std::optional<AnyDense>* right_sides = nullptr;  ///< where to put those that a file has behind its matrix
};

[[nodiscard]] AnyMatrix sparse_from_text(const TextSource& source);
[[nodiscard]] AnyDense dense_from_text(const TextSource& source);

/// The matrix that these entries are, within `source`. Throws an InputError.
template <class S>
[[nodiscard]] SparseMatrix<S> to_sparse(LargeTriplets<S> triplets, const TextSource& source);

}  // namespace frond
