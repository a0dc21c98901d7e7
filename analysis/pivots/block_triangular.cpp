// SPDX-License-Identifier: BSD-3-Clause
// Merges strong components into a few levels.
#include "analysis/pivots/block_triangular.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/graph/groups.hpp"
#include "analysis/graph/permutation.hpp"
#include "analysis/graph/strong_components.hpp"
#include "analysis/pivots/structural_rank.hpp"

namespace frond {
namespace {

// Merging two levels may cause fill, while a level costs every solve a pass: it is worth this fraction of all couplings.
constexpr double kLeastPart = 1.0 / 64;

// `automatic` splits when the largest block has at most this fraction of the order.
constexpr double kLargestPart = 0.9;

// Boundaries between levels are sought among at most this many depths; where chains are longer, several neighbouring depths count
// as one.
constexpr Index kMostSteps = 256;

/// Orders components by the longest chains of couplings, and cuts chains into levels.
class Levels {
 public:
  Levels(const PatternView& pattern, const StrongComponents& components, std::span<const Index> column_of_row)
      : columns_(group_by(components.of_column, components.count)), depth_(static_cast<std::size_t>(components.count), 0) {
    const auto for_each_coupled = [&](Index component, auto visit) {
      for (const Index column : columns_.of(component)) {
        for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
          const Index other = components.of_column[column_of_row[pattern.row_indices[e]]];
          if (other != component) visit(other);
        }
      }
    };
    Index num_depths = 0;
    for (Index component = 0; component < components.count; ++component) {
      Index depth = 0;
      for_each_coupled(component, [&](Index above) { depth = std::max(depth, depth_[above] + 1); });
      depth_[component] = depth;
      num_depths = std::max(num_depths, depth + 1);
    }
    num_steps_ = std::min(num_depths, kMostSteps);
    step_of_depth_.resize(static_cast<std::size_t>(num_depths));
    for (Index depth = 0; depth < num_depths; ++depth) {
      step_of_depth_[depth] = static_cast<Index>(static_cast<Count>(depth) * num_steps_ / num_depths);
    }
    couplings_.assign(static_cast<std::size_t>(num_steps_) * static_cast<std::size_t>(num_steps_), 0);
    for (Index component = 0; component < components.count; ++component) {
      double* of_step = &couplings_[static_cast<std::size_t>(step(component)) * static_cast<std::size_t>(num_steps_)];
      for_each_coupled(component,
                       [&](Index above) { of_step[step(above)] += std::max(columns_.size(above), columns_.size(component)); });
    }
  }

  /// Adds the boundary between steps that separates most, until there are kMostLevels levels or the best one separates little.
  void separate() {
    level_of_step_.assign(static_cast<std::size_t>(num_steps_), 0);
    const double total = std::accumulate(couplings_.begin(), couplings_.end(), 0.0);
    while (num_levels_ < kMostLevels) {
      const std::vector<double> gains = gains_of_boundaries();
      const auto best = std::max_element(gains.begin(), gains.end());
      if (best == gains.end() || *best <= 0 || (num_levels_ > 1 && *best < kLeastPart * total)) return;
      for (auto step = static_cast<std::size_t>(best - gains.begin()); step < level_of_step_.size(); ++step) {
        ++level_of_step_[step];
      }
      ++num_levels_;
    }
  }

  [[nodiscard]] Index num_levels() const { return num_levels_; }
  [[nodiscard]] Index level(Index component) const { return level_of_step_[step(component)]; }
  [[nodiscard]] Index largest_component() const {
    Index largest = 0;
    for (std::size_t c = 0; c < depth_.size(); ++c) largest = std::max(largest, columns_.size(static_cast<Index>(c)));
    return largest;
  }

 private:
  [[nodiscard]] Index step(Index component) const { return step_of_depth_[depth_[component]]; }

  // [step] = weight of the couplings within a level that a boundary before this step would separate.
  [[nodiscard]] std::vector<double> gains_of_boundaries() const {
    std::vector<double> gains(static_cast<std::size_t>(num_steps_) + 1, 0);
    for (Index below = 0; below < num_steps_; ++below) {
      for (Index above = 0; above < below; ++above) {
        if (level_of_step_[above] == level_of_step_[below]) {
          const double weight =
              couplings_[static_cast<std::size_t>(below) * static_cast<std::size_t>(num_steps_) + static_cast<std::size_t>(above)];
          gains[above + 1] += weight;
          gains[below + 1] -= weight;
        }
      }
    }
    std::partial_sum(gains.begin(), gains.end(), gains.begin());
    return gains;
  }

  Groups columns_;                    // [component]
  std::vector<Index> depth_;          // [component] = length of the longest chain of couplings that ends there
  std::vector<Index> step_of_depth_;  // several depths each, if there are many
  Index num_steps_ = 0;
  /// [below * num_steps_ + above] = weight of the entries with a row of one step and a column of the other. Each counts as much as
  /// the larger of the two components, which would grow by the other one.
  std::vector<double> couplings_;
  std::vector<Index> level_of_step_;
  Index num_levels_ = 1;
};

SelectedEntries select(const PatternView& pattern, const BlockTriangularForm& form, bool within_levels) {
  SelectedEntries selected;
  selected.column_offsets.reserve(static_cast<std::size_t>(pattern.num_cols) + 1);
  selected.column_offsets.push_back(0);
  for (Index column = 0; column < pattern.num_cols; ++column) {
    for (Count e = pattern.column_offsets[column]; e < pattern.column_offsets[column + 1]; ++e) {
      if ((form.level_of_row[pattern.row_indices[e]] == form.level_of_column[column]) != within_levels) continue;
      selected.row_indices.push_back(pattern.row_indices[e]);
      selected.sources.push_back(e);
    }
    selected.column_offsets.push_back(selected.num_entries());
  }
  return selected;
}

bool pays(const BlockTriangularForm& form, Index order) {
  return static_cast<double>(form.largest_block) <= kLargestPart * static_cast<double>(order);
}

}  // namespace

bool may_be_block_triangular(const PatternView& pattern, const AnalysisOptions& options) {
  if (pattern.symmetry != Symmetry::general || !options.schur_variables.empty()) return false;
  return options.block_triangular != Use::never;
}

BlockTriangularForm find_blocks(const PatternView& pattern, const AnalysisOptions& options) {
  return may_be_block_triangular(pattern, options) ? find_block_triangular_form(pattern, options.block_triangular)
                                                   : BlockTriangularForm();
}

BlockTriangularForm find_block_triangular_form(const PatternView& pattern, Use use) {
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
  if (use == Use::automatic && !pays(form, pattern.num_cols)) return form;
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

PatternView SelectedEntries::pattern() const {
  const auto order = static_cast<Index>(column_offsets.size() - 1);
  return {order, order, Symmetry::general, column_offsets, row_indices};
}

SelectedEntries levels_of(const PatternView& pattern, const BlockTriangularForm& form) {
  return form.splits() ? select(pattern, form, true) : SelectedEntries();
}

SelectedEntries couplings_of(const PatternView& pattern, const BlockTriangularForm& form) {
  return form.splits() ? select(pattern, form, false) : SelectedEntries();
}

Count memory_bytes(const BlockTriangularForm& form) {
  return static_cast<Count>((form.level_of_row.size() + form.level_of_column.size() + form.row_of_column.size()) * sizeof(Index));
}

Count memory_bytes(const SelectedEntries& entries) {
  return static_cast<Count>((entries.column_offsets.size() + entries.sources.size()) * sizeof(Count) +
                            entries.row_indices.size() * sizeof(Index));
}

}  // namespace frond
