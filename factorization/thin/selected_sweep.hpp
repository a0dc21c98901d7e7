// SPDX-License-Identifier: BSD-3-Clause
// Sweeps that visit few pivots: from the nonzeros of a right-hand side on, and then to the unknowns that are wanted.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// The entries of compressed columns by rows; row k has [offsets[k], offsets[k + 1]).
struct RowLinks {
  std::vector<Index> offsets;
  std::vector<Index> columns;  ///< of each row in increasing order
  std::vector<Index> entries;  ///< their places among those of the columns

  RowLinks(std::span<const Index> column_offsets, std::span<const Index> rows);
};

/// When the number of a pivot is divided by it: before others are subtracted from it or it from others, or after that.
enum class Division { none, before, after };

/// Where numbers of pivots are subtracted, or from where. Pivot k has entries with others: with targets[e], offsets[k] <= e <
/// offsets[k + 1], values[e], or values[entries[e]] if there are `entries`.
template <Scalar S>
struct PivotLinks {
  const Index* offsets = nullptr;
  const Index* targets = nullptr;
  const Index* entries = nullptr;
  const S* values = nullptr;
  Division division = Division::none;
  bool is_conjugated = false;  ///< the conjugates are what counts

  [[nodiscard]] S value(Index entry) const {
    const S stored = values[entries == nullptr ? entry : entries[entry]];
    return is_conjugated ? conjugate(stored) : stored;
  }
};

/// A block triangular system; within a block targets come later than the pivots.
template <Scalar S>
struct SelectiveFactors {
  PivotLinks<S> away = {};       ///< the factor that comes first, by what depends on a pivot
  PivotLinks<S> back = {};       ///< the other one, by that on which a pivot depends
  PivotLinks<S> couplings = {};  ///< of the equation of a pivot with unknowns of other blocks; none if there is one block
  const S* inverse_pivots = nullptr;
  std::span<const Index> blocks = {};    ///< the first pivots of the blocks, and the order
  std::span<const Index> block_of = {};  ///< [pivot]; empty if there is one block
  bool depend_on_later_blocks = false;   ///< whether the equations of a block have couplings with later ones, or with earlier ones
};

/// Numbers of pivots, zeros between sweeps, and what else these need.
template <Scalar S>
class SelectedPivots {
 public:
  [[nodiscard]] std::span<S> x() { return x_; }
  void make_room(Index order);

  /// Solves for the numbers of the pivots `wanted`, if that of `given` is the only one in the right-hand side; other numbers need
  /// not be right. Takes time proportional to the operations (Gilbert & Peierls 1988, "Sparse partial pivoting in time
  /// proportional to arithmetic operations"); blocks on which something depends, but for that of `given`, are solved whole.
  void solve(const SelectiveFactors<S>& factors, Index given, std::span<const Index> wanted);
  void clear();  ///< for the next sweep

 private:
  // A place on the path of a search: a pivot, or a block from its first pivot on.
  struct Step {
    Index pivot;
    const Index* next;  // of the targets
    const Index* end;
  };

  void reach(const SelectiveFactors<S>& factors, const PivotLinks<S>& links, Index home, std::span<const Index> from,
             std::vector<Index>& found);
  void subtract(const SelectiveFactors<S>& factors, const PivotLinks<S>& away, Index pivot);
  void collect(const SelectiveFactors<S>& factors, const PivotLinks<S>& back, Index pivot);

  std::vector<S> x_;
  std::vector<char> is_found_;
  std::array<std::vector<Index>, 2> visited_;  // by each of the sweeps
  std::vector<Index> solved_;                  // in blocks that were solved whole
  std::vector<Step> path_;                     // of a search
};

}  // namespace frond
