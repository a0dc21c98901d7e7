// SPDX-License-Identifier: BSD-3-Clause
// The fronts in a file of saved factors. Their form tells nothing of who held them: so any number of processes can read what any
// other has written.
//
// First the table: sizes and lists of all fronts. Then the entries, node after node, of which only those are there that a solve
// reads. With m = order, p = num_fully_summed, e = num_eliminated (FrontFactor), a front has
//
//   columns    symmetric methods: for k < e the rows k .. p-1 of column k of L (Cholesky's diagonal counts, LDLT's is anything);
//              LU: of B = M N, for k < e all m rows of column k, and for e <= k < p, where there are delayed columns, the rows
//              0 .. e-1. These are what the master of a row-distributed front has.
//   rows       for i < m - p the e entries of contribution row i: of L, or of N^T for LU. A slave's share is one piece of them.
//
// The root from a grid is a front like any other, with p = m = e: LU's exchanges of rows of B are in the list of its variables.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
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

  /// Takes the lists of a front whose node comes next.
  void append(const FrontFactor<F>& front, Method method);
};

template <Scalar F>
void visit(FieldStream& fields, FrontTable<F>& table);

/// Follows the variables from front to front: each is fully summed where the tree has it and, as long as it is delayed, in the
/// parents above.
class VariablePlaces {
 public:
  explicit VariablePlaces(const AssemblyTree& tree);

  /// The lists of all nodes are passed in postorder. Whether `variables` are those that are fully summed in the node, each once;
  /// those from `num_eliminated` on are delayed.
  [[nodiscard]] bool take(NodeId node, std::span<const Index> variables, Index num_eliminated);

 private:
  const AssemblyTree& tree_;
  std::vector<NodeId>
      place_;  // [variable] = where it is fully summed, as far as the nodes have been passed; none: it is eliminated
  std::vector<Index> number_;  // [node] = of such variables
};

/// Whether kinds of pivots that were taken are such as the method leaves, pairs as a whole.
[[nodiscard]] bool are_pivots(std::span<const PivotKind> kinds, Method method);

/// Whether shares cover contribution rows in order, each of another rank.
[[nodiscard]] bool are_shares(std::span<const RowShare> shares, Index cb_order);

/// Throws InternalError unless the table is one of factors with that tree.
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

/// All pieces in the order of the file, some at a time. Pieces of nothing are left out.
class PieceSequence {
 public:
  PieceSequence(std::span<const SavedFront> fronts, Method method) : fronts_(fronts), method_(method) {}

  /// The next pieces, of kBatchEntries together unless one column or row has more; none at the end.
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

/// The entries of all pieces, and of the largest batch.
struct EntryCounts {
  Count all = 0;
  Count most = 0;
};
[[nodiscard]] EntryCounts count_entries(std::span<const SavedFront> fronts, Method method);

/// Copies a piece out of a front that is held whole, or its columns out of the master's part of one; and into it.
template <Scalar F>
void read_piece(const FrontFactor<F>& front, Method method, const FrontPiece& piece, F* entries);
template <Scalar F>
void write_piece(const FrontFactor<F>& front, Method method, const FrontPiece& piece, const F* entries);

/// The same with rows that a slave holds; those of the piece are counted in the front.
template <Scalar F>
void read_piece(const RowFactor<F>& slave, const FrontPiece& piece, F* entries);
template <Scalar F>
void write_piece(const RowFactor<F>& slave, const FrontPiece& piece, const F* entries);

/// Begins to read the section of the entries, which is refused unless it is as long as it should be: before memory is taken.
void begin_entries(SavedFileReader& file, std::span<const SavedFront> fronts, Method method, Count scalar_bytes);

/// Writes the section of the entries batch by batch, or reads it once it has begun.
template <Scalar F>
void write_entries(SavedFileWriter& file, std::span<const SavedFront> fronts, Method method,
                   const std::function<void(std::span<const FrontPiece>, std::span<F>)>& read_batch);
template <Scalar F>
void read_entries(SavedFileReader& file, std::span<const SavedFront> fronts, Method method,
                  const std::function<void(std::span<const FrontPiece>, std::span<const F>)>& write_batch);

/// Fills the lists of a front whose memory is there.
template <Scalar F>
void fill_lists(const FrontTable<F>& table, const SavedFront& saved, Method method, FrontFactor<F>& front);

}  // namespace frond
