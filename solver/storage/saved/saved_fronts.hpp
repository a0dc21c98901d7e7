// SPDX-License-Identifier: BSD-3-Clause
// The fronts in a file of saved factors. Their format is independent of the ranks that held them: so any number of processes can
// read what any other number has written.
//
// First the table: sizes and lists of all fronts. Then the entries, node after node, but only those that a solve reads. With m =
// order, p = num_fully_summed, e = num_eliminated (FrontFactor), a front has
//
//   columns    symmetric methods: for k < e the rows k .. p-1 of column k of L (Cholesky's diagonal counts, LDLT's is arbitrary);
//              LU: of B = M N, for k < e all m rows of column k, and for e <= k < p, the delayed columns, the rows
//              0 .. e-1. These are what the master of a row-distributed front has.
//   rows       for i < m - p the e entries of contribution row i: of L, or of N^T for LU. A slave's share is one piece of them.
//
// The root from a grid is a front like any other, with p = m = e: LU's exchanges of rows of B are in the list of its variables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "analysis/tree/assembly_tree.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "solver/storage/saved/field_stream.hpp"
#include "solver/storage/saved/saved_file.hpp"

namespace frond {

/// A share of a row-distributed front.
struct SavedShare {
  NodeId node = 0;
  RowShare share;
};

/// Sizes and lists of all fronts, node after node.
template <Scalar F>
struct FrontTable {
  std::vector<Index> num_fully_summed;  ///< [node]
  std::vector<Index> num_eliminated;    ///< [node]
  std::vector<Index> row_variables;     ///< num_fully_summed of each node
  std::vector<Index> col_variables;     ///< the same; LU only
  std::vector<PivotKind> pivots;        ///< the same; not for Cholesky
  std::vector<F> d;                     ///< twice as many; LDLT and LDLH only
  std::vector<SavedShare> shares;       ///< of the row-distributed fronts: by node, in the order of their rows

  /// Appends the lists of the next node's front.
  void append(const FrontFactor<F>& front, Method method);
};

template <class Fields, Scalar F>
void visit(Fields& fields, FrontTable<F>& table) {
  fields(table.num_fully_summed, table.num_eliminated, table.row_variables, table.col_variables, table.pivots, table.d,
         table.shares);
}

/// Follows the variables from front to front: each is fully summed in its own node of the tree and, as long as it is delayed, in
/// the ancestors above.
class VariablePlaces {
 public:
  explicit VariablePlaces(const AssemblyTree& tree);

  /// Takes the lists of all nodes in postorder. Returns whether `variables` are the fully summed ones of the node, each once; those
  /// from `num_eliminated` on are delayed.
  [[nodiscard]] bool take(NodeId node, std::span<const Index> variables, Index num_eliminated);

 private:
  const AssemblyTree& tree_;
  std::vector<NodeId> place_;  // [variable] = node where it is fully summed, up to the nodes taken so far; none: it is eliminated
  std::vector<Index> number_;  // [node] = of such variables
};

/// Whether the pivot kinds are possible for the method, with complete pairs.
[[nodiscard]] bool are_pivots(std::span<const PivotKind> kinds, Method method);

/// Whether shares cover the contribution rows in order, each on a different rank.
[[nodiscard]] bool are_shares(std::span<const RowShare> shares, Index cb_order);

/// Throws InternalError unless the table describes factors with that tree.
template <Scalar F>
void check_table(const FrontTable<F>& table, const AssemblyTree& tree, Method method);

/// Sizes of a front of the table.
struct SavedFront {
  Index order = 0;
  Index num_fully_summed = 0;
  Index num_eliminated = 0;
  Count lists_begin = 0;  ///< in row_variables

  [[nodiscard]] Index cb_order() const { return order - num_fully_summed; }
};

/// [node].
template <Scalar F>
[[nodiscard]] std::vector<SavedFront> front_sizes(const FrontTable<F>& table, const AssemblyTree& tree);

enum class PieceKind : std::int32_t { columns, rows };

/// Columns or rows [begin, end) of a front.
struct FrontPiece {
  NodeId node = 0;
  PieceKind kind = PieceKind::columns;
  Index begin = 0;
  Index end = 0;
};

[[nodiscard]] Count num_entries(const FrontPiece& piece, const SavedFront& front, Method method);
[[nodiscard]] Count num_entries(std::span<const FrontPiece> pieces, std::span<const SavedFront> fronts, Method method);

/// All pieces in the order of the file, batch by batch. Empty pieces are omitted.
class PieceSequence {
 public:
  PieceSequence(std::span<const SavedFront> fronts, Method method) : fronts_(fronts), method_(method) {}

  /// The next pieces, with at most kBatchEntries entries together unless one column or row has more; empty at the end.
  [[nodiscard]] std::vector<FrontPiece> next();

  static constexpr Count kBatchEntries = Count{1} << 18;
  static constexpr std::size_t kMostPieces = 2048;

 private:
  [[nodiscard]] Index part_length() const;
  void go_to_next_part();
  [[nodiscard]] FrontPiece longest_piece(Count room, bool is_first) const;

  std::span<const SavedFront> fronts_;
  Method method_;
  NodeId node_ = 0;
  PieceKind kind_ = PieceKind::columns;
  Index begin_ = 0;
};

/// The numbers of entries of all pieces, and of the largest batch.
struct EntryCounts {
  Count all = 0;
  Count most = 0;
};
[[nodiscard]] EntryCounts count_entries(std::span<const SavedFront> fronts, Method method);

/// Copies numbers that a front holds to `entries` or, where those are const, from there. Returns the end of the entries.
template <class Held, class Entry>
Entry* copy_entries(Held* held, Count length, Entry* entries) {
  if constexpr (std::is_const_v<Entry>) {
    std::copy_n(entries, length, held);
  } else {
    std::copy_n(held, length, entries);
  }
  return entries + length;
}

/// Likewise a piece of a whole front, or the columns of the master's part of one.
template <Scalar F, class Entry>
void copy_piece(const FrontFactor<F>& front, Method method, const FrontPiece& piece, Entry* entries);

/// Likewise rows held by a slave; the rows of the piece are numbered within the front.
template <Scalar F, class Entry>
void copy_piece(const RowFactor<F>& slave, const FrontPiece& piece, Entry* entries);

/// Begins to read the section of the entries; it is refused unless it has the right length: before memory is allocated.
void begin_entries(SavedFileReader& file, std::span<const SavedFront> fronts, Method method, Count scalar_bytes);

/// Write the section of the entries batch by batch, or read it once it has begun.
template <Scalar F>
void write_entries(SavedFileWriter& file, std::span<const SavedFront> fronts, Method method,
                   const std::function<void(std::span<const FrontPiece>, std::span<F>)>& read_batch);
template <Scalar F>
void read_entries(SavedFileReader& file, std::span<const SavedFront> fronts, Method method,
                  const std::function<void(std::span<const FrontPiece>, std::span<const F>)>& write_batch);

/// Fills the lists of an allocated front.
template <Scalar F>
void fill_lists(const FrontTable<F>& table, const SavedFront& saved, Method method, FrontFactor<F>& front);

}  // namespace frond
