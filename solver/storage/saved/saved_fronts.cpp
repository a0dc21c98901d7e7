// SPDX-License-Identifier: BSD-3-Clause
// Copies columns as they are in memory; transposes rows.
#include "solver/storage/saved/saved_fronts.hpp"

#include <fmt/core.h>

#include "frond/error.hpp"
#include "matrices/large_vector.hpp"
#include "solver/storage/saved/check_saved.hpp"

namespace frond {
namespace {

// Where column `column` of a front begins in the file, and its number of entries there.
struct ColumnRun {
  Index row = 0;
  Index length = 0;
};

ColumnRun column_run(Index column, Index order, Index p, Index e, Method method) {
  if (is_symmetric(method)) {
    return {column, p - column};
  }
  return {0, column < e ? order : e};
}

Index num_columns(const SavedFront& front, Method method) {
  return is_symmetric(method) ? front.num_eliminated : front.num_fully_summed;
}

bool has_pivots(Method method) { return method != Method::cholesky; }
bool has_d(Method method) { return method == Method::ldlt || method == Method::ldlh; }

// The address of a column of the contribution rows: its first row.
template <Scalar F>
F* contribution_column(const FrontFactor<F>& front, Method method, Index column) {
  return is_symmetric(method) ? front.lower + front.layout.column_offset(column) + front.num_fully_summed
                              : front.upper + static_cast<Count>(column) * front.cb_order();
}

// Copies rows [begin, end) of a matrix that is stored by columns in memory, and by rows in the file. Processes blocks of rows, so
// that neighbours in memory are used while they are in the cache.
template <Scalar F, class ColumnOf, class Entry>
void transpose_rows(ColumnOf column_of, Index num_cols, Index begin, Index end, Entry* entries) {
  constexpr Index kRowsAtATime = 64 / sizeof(F) * 2;
  for (Index first = begin; first < end; first += kRowsAtATime) {
    const Index last = std::min(end, first + kRowsAtATime);
    for (Index k = 0; k < num_cols; ++k) {
      F* column = column_of(k);
      for (Index i = first; i < last; ++i) {
        copy_entries(column + i, 1, entries + static_cast<Count>(i - begin) * num_cols + k);
      }
    }
  }
}

void check_shares(const std::vector<SavedShare>& shares, const AssemblyTree& tree) {
  std::vector<RowShare> of_node;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const NodeId node = shares[i].node;
    require(node >= 0 && node < tree.num_nodes() && (i == 0 || shares[i - 1].node <= node), "shares of no front");
    of_node.push_back(shares[i].share);
    if (i + 1 == shares.size() || shares[i + 1].node != node) {
      require(are_shares(of_node, tree.cb_order(node)), "shares that are none");
      of_node.clear();
    }
  }
}

// Checks the lists node after node.
template <Scalar F>
void check_lists(const FrontTable<F>& table, const AssemblyTree& tree, Method method) {
  VariablePlaces rows(tree);
  VariablePlaces columns(tree);
  std::size_t begin = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const auto p = static_cast<std::size_t>(table.num_fully_summed[node]);
    const Index e = table.num_eliminated[node];
    require(rows.take(node, std::span(table.row_variables).subspan(begin, p), e), "the variables of a front");
    require(method != Method::lu || columns.take(node, std::span(table.col_variables).subspan(begin, p), e),
            "the variables of a front");
    require(!has_pivots(method) || are_pivots(std::span(table.pivots).subspan(begin, static_cast<std::size_t>(e)), method),
            "the pivots of a front");
    begin += p;
  }
}

template <class T>
void append_some(std::vector<T>& list, const T* from, Index num_given, Index num_taken) {
  list.insert(list.end(), from, from + num_given);
  list.resize(list.size() + static_cast<std::size_t>(num_taken - num_given), T{});
}

}  // namespace

VariablePlaces::VariablePlaces(const AssemblyTree& tree)
    : tree_(tree), place_(static_cast<std::size_t>(tree.num_variables())), number_(static_cast<std::size_t>(tree.num_nodes())) {
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    number_[node] = tree.num_fully_summed(node);
    std::fill_n(place_.begin() + tree.variable_begin(node), tree.num_fully_summed(node), node);
  }
}

bool VariablePlaces::take(NodeId node, std::span<const Index> variables, Index num_eliminated) {
  if (variables.size() != static_cast<std::size_t>(number_[node])) {
    return false;
  }
  const NodeId parent = tree_.parent(node);
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const auto variable = static_cast<std::size_t>(variables[k]);  // a negative number becomes too large
    if (variable >= place_.size() || place_[variable] != node) {
      return false;
    }
    const bool is_delayed = k >= static_cast<std::size_t>(num_eliminated) && parent != kNoParent;
    place_[variable] = is_delayed ? parent : kNoNode;
    if (is_delayed) {
      ++number_[parent];
    }
  }
  return true;
}

bool are_pivots(std::span<const PivotKind> kinds, Method method) {
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const bool is_pair =
        has_d(method) && kinds[k] == PivotKind::two_by_two && k + 1 < kinds.size() && kinds[k + 1] == PivotKind::second_of_two;
    if (!is_pair && kinds[k] != PivotKind::one_by_one && kinds[k] != PivotKind::null) {
      return false;
    }
    k += is_pair ? 1 : 0;
  }
  return true;
}

bool are_shares(std::span<const RowShare> shares, Index cb_order) {
  std::vector<Rank> ranks;
  Index end = 0;
  for (const RowShare& share : shares) {
    if (share.row_begin != end || share.row_end <= end || share.rank < 0) {
      return false;
    }
    end = share.row_end;
    ranks.push_back(share.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  return end == cb_order && std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end();
}

// After the eliminated pivots, kinds and D are arbitrary: they are not written.
template <Scalar F>
void FrontTable<F>::append(const FrontFactor<F>& front, Method method) {
  const Index p = front.num_fully_summed;
  const Index e = front.num_eliminated;
  num_fully_summed.push_back(p);
  num_eliminated.push_back(e);
  append_some(row_variables, front.row_variables, p, p);
  if (method == Method::lu) {
    append_some(col_variables, front.col_variables, p, p);
  }
  if (has_pivots(method)) {
    append_some(pivots, front.pivots, e, p);
  }
  if (has_d(method)) {
    append_some(d, front.d, 2 * e, 2 * p);
  }
}

template <Scalar F>
void check_table(const FrontTable<F>& table, const AssemblyTree& tree, Method method) {
  const auto num_nodes = static_cast<std::size_t>(tree.num_nodes());
  require(table.num_fully_summed.size() == num_nodes && table.num_eliminated.size() == num_nodes, "another number of fronts");
  Count total = 0;
  std::vector<Count> num_delayed_in(num_nodes, 0);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    const Index p = table.num_fully_summed[at];
    const Index e = table.num_eliminated[at];
    require(e >= 0 && e <= p && p == tree.num_fully_summed(node) + num_delayed_in[at], "the size of a front");
    require(e == p || !tree.must_eliminate_all(node), "pivots that a root has delayed");
    if (tree.parent(node) != kNoParent) {
      num_delayed_in[tree.parent(node)] += p - e;
    }
    total += p;
  }
  check_shares(table.shares, tree);
  const auto length = static_cast<std::size_t>(total);
  require(table.row_variables.size() == length, "the length of a list");
  require(table.col_variables.size() == (method == Method::lu ? length : 0), "the length of a list");
  require(table.pivots.size() == (has_pivots(method) ? length : 0), "the length of a list");
  require(table.d.size() == (has_d(method) ? 2 * length : 0), "the length of a list");
  check_lists(table, tree, method);
}

template <Scalar F>
std::vector<SavedFront> front_sizes(const FrontTable<F>& table, const AssemblyTree& tree) {
  std::vector<SavedFront> fronts;
  fronts.reserve(table.num_fully_summed.size());
  Count lists_begin = 0;
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    const Index p = table.num_fully_summed[at];
    fronts.push_back({p + tree.cb_order(node), p, table.num_eliminated[at], lists_begin});
    lists_begin += p;
  }
  return fronts;
}

Count num_entries(const FrontPiece& piece, const SavedFront& front, Method method) {
  if (piece.kind == PieceKind::rows) {
    return static_cast<Count>(piece.end - piece.begin) * front.num_eliminated;
  }
  Count entries = 0;
  for (Index k = piece.begin; k < piece.end; ++k) {
    entries += column_run(k, front.order, front.num_fully_summed, front.num_eliminated, method).length;
  }
  return entries;
}

Count num_entries(std::span<const FrontPiece> pieces, std::span<const SavedFront> fronts, Method method) {
  Count entries = 0;
  for (const FrontPiece& piece : pieces) {
    entries += num_entries(piece, fronts[piece.node], method);
  }
  return entries;
}

std::vector<FrontPiece> PieceSequence::next() {
  std::vector<FrontPiece> batch;
  Count room = kBatchEntries;
  while (static_cast<std::size_t>(node_) < fronts_.size() && batch.size() < kMostPieces) {
    if (begin_ == part_length()) {
      go_to_next_part();
      continue;
    }
    const FrontPiece piece = longest_piece(room, batch.empty());
    if (piece.begin == piece.end) {
      break;
    }
    batch.push_back(piece);
    room -= num_entries(piece, fronts_[node_], method_);
    begin_ = piece.end;
  }
  return batch;
}

Index PieceSequence::part_length() const {
  const SavedFront& front = fronts_[node_];
  if (front.num_eliminated == 0) {
    return 0;
  }
  return kind_ == PieceKind::columns ? num_columns(front, method_) : front.cb_order();
}

void PieceSequence::go_to_next_part() {
  begin_ = 0;
  if (kind_ == PieceKind::rows) {
    ++node_;
  }
  kind_ = kind_ == PieceKind::rows ? PieceKind::columns : PieceKind::rows;
}

// The longest piece from here that fits; the first of a batch always has one column or row.
FrontPiece PieceSequence::longest_piece(Count room, bool is_first) const {
  FrontPiece piece{node_, kind_, begin_, begin_};
  while (piece.end < part_length()) {
    const FrontPiece one{node_, kind_, piece.end, piece.end + 1};
    const Count entries = num_entries(one, fronts_[node_], method_);
    if (entries > room && !(is_first && piece.end == piece.begin)) {
      break;
    }
    room -= entries;
    ++piece.end;
  }
  return piece;
}

EntryCounts count_entries(std::span<const SavedFront> fronts, Method method) {
  EntryCounts counts;
  PieceSequence sequence(fronts, method);
  for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
    const Count entries = num_entries(batch, fronts, method);
    counts.all += entries;
    counts.most = std::max(counts.most, entries);
  }
  return counts;
}

template <Scalar F, class Entry>
void copy_piece(const FrontFactor<F>& front, Method method, const FrontPiece& piece, Entry* entries) {
  if (piece.kind == PieceKind::rows) {
    transpose_rows<F>([&](Index k) { return contribution_column(front, method, k); }, front.num_eliminated, piece.begin, piece.end,
                      entries);
    return;
  }
  for (Index k = piece.begin; k < piece.end; ++k) {
    const ColumnRun run = column_run(k, front.order, front.num_fully_summed, front.num_eliminated, method);
    entries = copy_entries(front.lower + front.layout.column_offset(k) + run.row, run.length, entries);
  }
}

template <Scalar F, class Entry>
void copy_piece(const RowFactor<F>& slave, const FrontPiece& piece, Entry* entries) {
  transpose_rows<F>([&](Index k) { return slave.rows.column(k); }, slave.num_eliminated, piece.begin - slave.row_begin,
                    piece.end - slave.row_begin, entries);
}

template <Scalar F>
void write_entries(SavedFileWriter& file, std::span<const SavedFront> fronts, Method method,
                   const std::function<void(std::span<const FrontPiece>, std::span<F>)>& read_batch) {
  const EntryCounts counts = count_entries(fronts, method);
  LargeVector<F> memory(static_cast<std::size_t>(counts.most));
  file.begin_section(SavedSection::entries, counts.all * static_cast<Count>(sizeof(F)));
  PieceSequence sequence(fronts, method);
  for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
    const std::span<F> entries(memory.data(), static_cast<std::size_t>(num_entries(batch, fronts, method)));
    read_batch(batch, entries);
    file.write(std::as_bytes(entries));
  }
  file.end_section();
}

void begin_entries(SavedFileReader& file, std::span<const SavedFront> fronts, Method method, Count scalar_bytes) {
  file.begin_section(SavedSection::entries);
  const Count expected = count_entries(fronts, method).all;
  if (file.num_left() % scalar_bytes != 0 || file.num_left() / scalar_bytes != expected) {
    file.refuse_damage(fmt::format("is damaged: it has {} bytes of entries, where its list of fronts calls for {} of {} each",
                                   file.num_left(), expected, scalar_bytes));
  }
}

template <Scalar F>
void read_entries(SavedFileReader& file, std::span<const SavedFront> fronts, Method method,
                  const std::function<void(std::span<const FrontPiece>, std::span<const F>)>& write_batch) {
  LargeVector<F> memory(static_cast<std::size_t>(count_entries(fronts, method).most));
  PieceSequence sequence(fronts, method);
  for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
    const std::span<F> entries(memory.data(), static_cast<std::size_t>(num_entries(batch, fronts, method)));
    file.read(std::as_writable_bytes(entries));
    write_batch(batch, entries);
  }
  file.end_section();
}

template <Scalar F>
void fill_lists(const FrontTable<F>& table, const SavedFront& saved, Method method, FrontFactor<F>& front) {
  front.num_eliminated = saved.num_eliminated;
  const auto copy_some = [&saved](const auto& list, Index per_variable, auto* to) {
    std::copy_n(list.begin() + saved.lists_begin * per_variable, static_cast<Count>(saved.num_fully_summed) * per_variable, to);
  };
  copy_some(table.row_variables, 1, front.row_variables);
  if (method == Method::lu) {
    copy_some(table.col_variables, 1, front.col_variables);
  }
  if (has_pivots(method)) {
    copy_some(table.pivots, 1, front.pivots);
  }
  if (has_d(method) && front.d != nullptr) {
    copy_some(table.d, 2, front.d);
  }
}

#define FROND_INSTANTIATE(S)                                                                               \
  template struct FrontTable<S>;                                                                           \
  template void check_table(const FrontTable<S>&, const AssemblyTree&, Method);                            \
  template std::vector<SavedFront> front_sizes(const FrontTable<S>&, const AssemblyTree&);                 \
  template void copy_piece(const FrontFactor<S>&, Method, const FrontPiece&, S*);                          \
  template void copy_piece(const FrontFactor<S>&, Method, const FrontPiece&, const S*);                    \
  template void copy_piece(const RowFactor<S>&, const FrontPiece&, S*);                                    \
  template void copy_piece(const RowFactor<S>&, const FrontPiece&, const S*);                              \
  template void write_entries(SavedFileWriter&, std::span<const SavedFront>, Method,                       \
                              const std::function<void(std::span<const FrontPiece>, std::span<S>)>&);      \
  template void read_entries(SavedFileReader&, std::span<const SavedFront>, Method,                        \
                             const std::function<void(std::span<const FrontPiece>, std::span<const S>)>&); \
  template void fill_lists(const FrontTable<S>&, const SavedFront&, Method, FrontFactor<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
