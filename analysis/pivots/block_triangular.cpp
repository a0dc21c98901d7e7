// SPDX-License-Identifier: BSD-3-Clause
// From strong components to a few levels.
#include "analysis/pivots/block_triangular.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/graph/permutation.hpp"
#include "analysis/graph/strong_components.hpp"
#include "analysis/pivots/structural_rank.hpp"

namespace frond {
namespace {

// A merged pair of levels may cost fill, a level costs every solve a pass: it is worth this part of all couplings.
constexpr double kLeastPart = 1.0 / 64;

// Automatically: below that order neither is felt.
constexpr Index kSmallestOrder = 1000;
// And when the largest block has at most this part of the order.
constexpr double kLargestPart = 0.9;

/// Columns grouped by component.
struct Members {
  std::vector<Index> offsets;  // length count + 1
  std::vector<Index> columns;

  explicit Members(const StrongComponents& components)
      : offsets(static_cast<std::size_t>(components.count) + 1, 0), columns(components.of_column.size()) {
    for (const Index component : components.of_column) ++offsets[component + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t j = 0; j < columns.size(); ++j) columns[next[components.of_column[j]]++] = static_cast<Index>(j);
  }
  [[nodiscard]] Index size(Index component) const { return offsets[component + 1] - offsets[component]; }
};

/// An entry that couples components of different depths: of a row above and a column below. It counts for as much as the larger of
/// the two, which would grow by the other one.
struct Coupling {
  Index above;
  Index below;
  double weight;
};

/// Components by the longest chains of couplings, and chains cut into levels.
class Levels {
 public:
  Levels(const PatternView& pattern, const StrongComponents& components, std::span<const Index> column_of_row)
      : members_(components), depth_(static_cast<std::size_t>(components.count), 0) {
    for (Index component = 0; component < components.count; ++component) {
      const auto for_each_coupled = [&](auto visit) {
        for (Index k = members_.offsets[component]; k < members_.offsets[component + 1]; ++k) {
          const Index column = members_.columns[k];
          for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
            const Index other = components.of_column[column_of_row[pattern.row_indices[e]]];
            if (other != component) visit(other);
          }
        }
      };
      for_each_coupled([&](Index above) { depth_[component] = std::max(depth_[component], depth_[above] + 1); });
      for_each_coupled([&](Index above) {
        couplings_.push_back(
            {depth_[above], depth_[component], static_cast<double>(std::max(members_.size(above), members_.size(component)))});
      });
      num_depths_ = std::max(num_depths_, depth_[component] + 1);
    }
  }

  /// Adds the boundary between depths that separates most, until there are kMostLevels levels or it separates little.
  void separate() {
    level_of_depth_.assign(static_cast<std::size_t>(num_depths_), 0);
    double total = 0;
    for (const Coupling& coupling : couplings_) total += coupling.weight;
    while (num_levels_ < kMostLevels) {
      const std::vector<double> gains = gains_of_boundaries();
      const auto best = std::max_element(gains.begin(), gains.end());
      if (best == gains.end() || *best <= 0 || (num_levels_ > 1 && *best < kLeastPart * total)) return;
      for (auto depth = static_cast<std::size_t>(best - gains.begin()); depth < level_of_depth_.size(); ++depth) {
        ++level_of_depth_[depth];
      }
      ++num_levels_;
    }
  }

  [[nodiscard]] Index num_levels() const { return num_levels_; }
  [[nodiscard]] Index level(Index component) const { return level_of_depth_[depth_[component]]; }
  [[nodiscard]] Index largest_component() const {
    Index largest = 0;
    for (std::size_t c = 0; c < depth_.size(); ++c) largest = std::max(largest, members_.size(static_cast<Index>(c)));
    return largest;
  }

 private:
  // [depth] = weight of the couplings within a level that a boundary before this depth would separate.
  [[nodiscard]] std::vector<double> gains_of_boundaries() const {
    std::vector<double> gains(static_cast<std::size_t>(num_depths_) + 1, 0);
    for (const Coupling& coupling : couplings_) {
      if (level_of_depth_[coupling.above] == level_of_depth_[coupling.below]) {
        gains[coupling.above + 1] += coupling.weight;
        gains[coupling.below + 1] -= coupling.weight;
      }
    }
    std::partial_sum(gains.begin(), gains.end(), gains.begin());
    return gains;
  }

  Members members_;
  std::vector<Index> depth_;  // [component] = length of the longest chain of couplings that ends there
  Index num_depths_ = 0;
  LargeVector<Coupling> couplings_;
  std::vector<Index> level_of_depth_;
  Index num_levels_ = 1;
};

bool pays(const BlockTriangularForm& form, Index order) {
  return order >= kSmallestOrder && static_cast<double>(form.largest_block) <= kLargestPart * static_cast<double>(order);
}

}  // namespace

bool may_be_block_triangular(const PatternView& pattern, const AnalysisOptions& options) {
  if (pattern.symmetry != Symmetry::general || !options.schur_variables.empty()) return false;
  return options.block_triangular == BlockTriangularUse::always ||
         (options.block_triangular == BlockTriangularUse::automatic && pattern.num_cols >= kSmallestOrder);
}

BlockTriangularForm find_block_triangular_form(const PatternView& pattern, BlockTriangularUse use) {
  BlockTriangularForm form;
  StructuralRank structure = structural_rank(pattern);
  if (structure.rank < pattern.num_cols || pattern.num_cols == 0) return form;
  std::vector<Index> column_of_row = invert(structure.row_of_column);
  if (column_of_row.empty()) {
    column_of_row.resize(pattern.num_cols);
    std::iota(column_of_row.begin(), column_of_row.end(), 0);
  }
  const StrongComponents components = strong_components(pattern, column_of_row);
  Levels levels(pattern, components, column_of_row);
  form.num_blocks = components.count;
  form.largest_block = levels.largest_component();
  if (use == BlockTriangularUse::automatic && !pays(form, pattern.num_cols)) return form;
  levels.separate();
  if (levels.num_levels() == 1) return form;
  form.num_levels = levels.num_levels();
  form.row_of_column = std::move(structure.row_of_column);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    form.level_of_column.push_back(levels.level(components.of_column[column]));
    form.level_of_row.push_back(levels.level(components.of_column[column_of_row[column]]));
  }
  return form;
}

bool keeps_levels(const BlockTriangularForm& form, std::span<const Index> row_of_column) {
  for (std::size_t column = 0; column < form.level_of_column.size(); ++column) {
    const std::size_t row = row_of_column.empty() ? column : static_cast<std::size_t>(row_of_column[column]);
    if (form.level_of_row[row] != form.level_of_column[column]) return false;
  }
  return true;
}

DiagonalLevels::DiagonalLevels(const PatternView& pattern, const BlockTriangularForm& form) {
  column_offsets.reserve(static_cast<std::size_t>(pattern.num_cols) + 1);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
      if (form.level_of_row[pattern.row_indices[e]] != form.level_of_column[column]) continue;
      row_indices.push_back(pattern.row_indices[e]);
      sources.push_back(e);
    }
    column_offsets.push_back(static_cast<Count>(row_indices.size()));
  }
}

PatternView DiagonalLevels::pattern() const {
  const auto order = static_cast<Index>(column_offsets.size() - 1);
  return {order, order, Symmetry::general, column_offsets, row_indices};
}

Couplings couplings_of(const PatternView& pattern, const BlockTriangularForm& form) {
  Couplings couplings;
  if (!form.splits()) return couplings;
  couplings.column_offsets = {0};
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
      if (form.level_of_row[pattern.row_indices[e]] == form.level_of_column[column]) continue;
      couplings.row_indices.push_back(pattern.row_indices[e]);
      couplings.sources.push_back(e);
    }
    couplings.column_offsets.push_back(static_cast<Count>(couplings.row_indices.size()));
  }
  return couplings;
}

Count memory_bytes(const BlockTriangularForm& form) {
  return static_cast<Count>((form.level_of_row.size() + form.level_of_column.size() + form.row_of_column.size()) * sizeof(Index));
}

Count memory_bytes(const Couplings& couplings) {
  return static_cast<Count>((couplings.column_offsets.size() + couplings.sources.size()) * sizeof(Count) +
                            couplings.row_indices.size() * sizeof(Index));
}

}  // namespace frond
