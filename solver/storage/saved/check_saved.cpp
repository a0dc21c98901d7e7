// SPDX-License-Identifier: BSD-3-Clause
// Checks one promise after another.
#include "solver/storage/saved/check_saved.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "frond/error.hpp"

namespace frond {

void require(bool holds, const char* promise) {
  if (!holds) {
    throw InternalError(fmt::format("its parts contradict each other: {}", promise));
  }
}

namespace {

template <class Enum>
bool is_up_to(Enum value, Enum last) {
  using Number = std::underlying_type_t<Enum>;
  return static_cast<Number>(value) >= 0 && static_cast<Number>(value) <= static_cast<Number>(last);
}

template <class T>
bool is_within(T value, T first, T last) {
  return value >= first && value <= last;
}

/// Records which of 0 .. n-1 have occurred.
class Seen {
 public:
  explicit Seen(std::size_t n) : seen_(n, false) {}

  // Returns whether each of these is new and in range.
  template <class List>
  bool add(const List& list) {
    return std::all_of(list.begin(), list.end(), [this](auto one) {
      const auto k = static_cast<std::size_t>(one);  // a negative number becomes too large
      const bool is_new = k < seen_.size() && !seen_[k];
      if (is_new) {
        seen_[k] = true;
      }
      return is_new;
    });
  }

 private:
  std::vector<bool> seen_;
};

bool is_permutation(std::span<const Index> list, std::size_t n) { return list.size() == n && Seen(n).add(list); }

bool are_offsets(std::span<const Count> offsets, std::size_t num_lines, std::size_t num_entries) {
  return offsets.size() == num_lines + 1 && offsets.front() == 0 && offsets.back() == static_cast<Count>(num_entries) &&
         std::is_sorted(offsets.begin(), offsets.end());
}

// Checks that positions are in the triangles that EntryMap describes.
void check_entries(const SavedSymbolic& parts, const AssemblyTree& tree) {
  const std::size_t num_entries = parts.positions.size();
  require(are_offsets(parts.entry_offsets, static_cast<std::size_t>(tree.num_variables()), num_entries), "offsets of entries");
  require(parts.sources.size() == num_entries, "the number of entries");
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    for (Index k = 0; k < tree.num_fully_summed(node); ++k) {
      const Index variable = tree.variable_begin(node) + k;
      const Count end = parts.entry_offsets[variable + 1];
      for (Count e = parts.entry_offsets[variable]; e < end; ++e) {
        const Index position = parts.positions[e];
        const Index row = position >= 0 ? position : ~position;
        require(row < tree.front_order(node) && (position >= 0 ? row >= k : row > k), "an entry outside of its front");
      }
    }
  }
}

// Checks that each value belongs to one entry.
void check_sources(const SavedSymbolic& parts) {
  Seen sources(parts.sources.size() + parts.couplings.sources.size());
  require(sources.add(parts.sources) && sources.add(parts.couplings.sources), "where values come from");
}

void check_couplings(const SelectedEntries& couplings, const BlockTriangularForm& blocks) {
  const std::size_t n = blocks.level_of_column.size();
  require(are_offsets(couplings.column_offsets, n, couplings.row_indices.size()), "offsets of couplings");
  require(couplings.sources.size() == couplings.row_indices.size(), "the number of couplings");
  for (std::size_t column = 0; column < n; ++column) {
    for (Count e = couplings.column_offsets[column]; e < couplings.column_offsets[column + 1]; ++e) {
      const auto row = static_cast<std::size_t>(couplings.row_indices[e]);
      require(row < n && blocks.level_of_row[row] < blocks.level_of_column[column], "a coupling that is none");
    }
  }
}

// Checks that the variables of each tree are in one level.
void check_levels_of_trees(const SavedSymbolic& parts, const AssemblyTree& tree) {
  const auto level_of = [&parts](Index variable) {
    return parts.blocks.level_of_column[parts.perm[static_cast<std::size_t>(variable)]];
  };
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const Index begin = tree.variable_begin(node);
    const Index level = level_of(tree.parent(node) == kNoParent ? begin : tree.variable_begin(tree.parent(node)));
    for (Index k = 0; k < tree.num_fully_summed(node); ++k) {
      require(level_of(begin + k) == level, "a tree in two levels");
    }
  }
}

void check_blocks(const SavedSymbolic& parts, const AssemblyTree& tree) {
  const BlockTriangularForm& blocks = parts.blocks;
  const auto n = static_cast<std::size_t>(tree.num_variables());
  require(is_within(blocks.num_blocks, 0, tree.num_variables()) && is_within(blocks.largest_block, 0, tree.num_variables()) &&
              is_within(blocks.num_levels, 1, kMostLevels),
          "the number of blocks");
  require(blocks.row_of_column.empty() || is_permutation(blocks.row_of_column, n), "rows of columns");
  if (!blocks.splits()) {
    require(blocks.level_of_row.empty() && blocks.level_of_column.empty() && parts.couplings.column_offsets.empty() &&
                parts.couplings.row_indices.empty() && parts.couplings.sources.empty(),
            "levels where there is one");
    return;
  }
  const auto is_level = [&blocks](Index level) { return is_within(level, 0, blocks.num_levels - 1); };
  require(blocks.level_of_row.size() == n && blocks.level_of_column.size() == n &&
              std::all_of(blocks.level_of_row.begin(), blocks.level_of_row.end(), is_level) &&
              std::all_of(blocks.level_of_column.begin(), blocks.level_of_column.end(), is_level),
          "a level that does not exist");
  require(keeps_levels(blocks, parts.row_of_column) && keeps_levels(blocks, blocks.row_of_column), "a row in another level");
  check_couplings(parts.couplings, blocks);
  check_levels_of_trees(parts, tree);
}

void check_report(const SystemReport& report, Index order) {
  const FactorizationReport& factorization = report.factorization;
  const std::vector<Index>& null_pivots = factorization.null_pivots;
  require(is_up_to(factorization.status, FactorizationStatus::singular), "there are no factors");
  require(std::adjacent_find(null_pivots.begin(), null_pivots.end(), std::greater_equal<>()) == null_pivots.end() &&
              (null_pivots.empty() || (null_pivots.front() >= 0 && null_pivots.back() < order)),
          "null pivots");
  require(factorization.status == FactorizationStatus::success || !null_pivots.empty(), "a singular matrix without null pivots");
  require(is_within(factorization.smallest_pivot_variable, -1, order - 1), "the variable of the smallest pivot");
  constexpr Count kLargestExponent = Count{1} << 46;  // 2^31 pivots with their scales, each within 2^-4096 and 2^4096
  require(is_within(factorization.determinant.exponent, -kLargestExponent, kLargestExponent), "the determinant");
  require(is_up_to(report.rank.status, RankVerdict::in_doubt) && is_within(report.rank.lowest, 0, order) &&
              is_within(report.rank.highest, 0, order) && report.rank.num_vectors >= 0,
          "the rank");
}

}  // namespace

void check_order(const SavedSymbolic& parts) {
  require(!parts.variable_offsets.empty() && parts.variable_offsets.back() >= 0 &&
              static_cast<std::size_t>(parts.variable_offsets.back()) == parts.perm.size(),
          "the order");
}

void check_symbolic(const SavedSymbolic& parts, const AssemblyTree& tree) {
  const Index order = tree.num_variables();
  const auto n = static_cast<std::size_t>(order);
  require(is_permutation(parts.perm, n) && (parts.row_of_column.empty() || is_permutation(parts.row_of_column, n)),
          "a permutation that is none");
  require(is_up_to(parts.symmetry, Symmetry::hermitian) && is_up_to(parts.ordering.kind, OrderingKind::given) &&
              is_up_to(parts.ordering.matching, MatchingKind::rows),
          "a kind that does not exist");
  require(is_within(parts.structural_rank, 0, order) && is_within(parts.ordering.num_compressed, 0, order), "the rank");
  require(is_within(parts.exact_sum_c, 0.0, 0x1p61) && is_within(parts.exact_sum_c2, 0.0, 0x1p93), "the counts of columns");
  check_entries(parts, tree);
  check_sources(parts);
  check_blocks(parts, tree);
}

void check_system(const SavedSystem& system, Index order, Symmetry analysed) {
  const SystemReport& report = system.report;
  require(is_up_to(system.symmetry, Symmetry::hermitian) && is_up_to(report.method, Method::lu) &&
              is_up_to(report.scaling, ScalingKind::given),
          "a kind that does not exist");
  require(is_symmetric(report.method) == (analysed != Symmetry::general), "a method for other matrices");
  require(system.num_ranks > 0, "nobody has factorized it");
  const bool is_double = system.scalar == SavedScalar::real_double || system.scalar == SavedScalar::complex_double;
  require(!report.is_mixed || is_double, "a precision that does not exist");
  check_report(report, order);
}

template <class R>
void check_scaling(const Scaling<R>& scaling, Index order) {
  const auto n = static_cast<std::size_t>(order);
  const auto is_scale = [](R scale) { return std::isfinite(scale) && scale > 0; };
  require(scaling.rows.size() == scaling.cols.size() && (scaling.rows.empty() || scaling.rows.size() == n), "the number of scales");
  require(std::all_of(scaling.rows.begin(), scaling.rows.end(), is_scale) &&
              std::all_of(scaling.cols.begin(), scaling.cols.end(), is_scale) && is_up_to(scaling.kind, ScalingKind::given),
          "a scale that is none");
}

template void check_scaling(const Scaling<float>&, Index);
template void check_scaling(const Scaling<double>&, Index);

}  // namespace frond
