// SPDX-License-Identifier: BSD-3-Clause
// Reads the known facts about the matrices of a labelled collection.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// A matrix is nonsingular, singular, or so nearly singular that either verdict is right.
enum class LabelKind { nonsingular, nearly_singular, singular };

struct LabelledMatrix {
  std::string file;
  std::string label;
  std::optional<Index> rank;                    ///< numerical
  std::optional<std::array<Index, 3>> inertia;  ///< positive, negative, zero
  std::optional<double> condition;              ///< in the 2-norm

  [[nodiscard]] LabelKind kind() const;
};

/// Reads the columns `file` and `class` of DIRECTORY/LABELS.tsv, and `numerical_rank`, `pos`, `neg`, `zero` and `kappa2` if they
/// exist. Throws InputError.
[[nodiscard]] std::vector<LabelledMatrix> read_labels(const std::string& directory);

}  // namespace frond
