// SPDX-License-Identifier: BSD-3-Clause
// Packs and unpacks blocks of columns or rows.
#include "solver/storage/checkpoint/stored_front.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "factorization/distributed/row_image.hpp"
#include "frond/error.hpp"
#include "matrices/large_vector.hpp"
#include "solver/storage/saved/saved_fronts.hpp"

namespace frond {
namespace {

template <class T>
std::vector<T> copied(const T* list, Count length) {
  return list == nullptr ? std::vector<T>() : std::vector<T>(list, list + length);
}

template <class T>
void fill(const std::vector<T>& list, T* to) {
  if (to != nullptr) {
    std::copy(list.begin(), list.end(), to);
  }
}

SavedFront saved_sizes(const DescribedFront& front) {
  return {front.size.order, front.size.num_fully_summed, front.num_eliminated, 0};
}

// Calls visit(batch, number of entries) for the columns of a factor, and for its rows if `with_rows`.
template <class Visit>
void for_each_batch(const SavedFront& sizes, Method method, bool with_rows, Visit visit) {
  PieceSequence sequence(std::span(&sizes, 1), method);
  for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
    std::erase_if(batch, [with_rows](const FrontPiece& piece) { return !with_rows && piece.kind == PieceKind::rows; });
    if (!batch.empty()) {
      visit(batch, static_cast<std::size_t>(num_entries(batch, std::span(&sizes, 1), method)));
    }
  }
}

Count num_column_entries(const SavedFront& sizes, Method method) {
  Count entries = 0;
  for_each_batch(sizes, method, false,
                 [&entries](const auto& /*batch*/, std::size_t length) { entries += static_cast<Count>(length); });
  return entries;
}

template <Scalar F>
std::vector<std::byte> describe(const DescribedFront& described, const FrontFactor<F>& front, Method method,
                                const PivotCounts& counts) {
  const Count p = front.num_fully_summed;
  const DescribedPivots<F> pivots{counts, copied(front.row_variables, p),
                                  copied(method == Method::lu ? front.col_variables : nullptr, p), copied(front.pivots, p),
                                  copied(front.d, 2 * p)};
  return encoded(encoded(described), pivots);
}

void require_stored(bool holds) {
  if (!holds) {
    throw InternalError("a stored front contradicts itself, or its analysis");
  }
}

bool are_variables(const std::vector<Index>& variables, const AssemblyTree& tree) {
  return std::all_of(variables.begin(), variables.end(),
                     [&tree](Index variable) { return variable >= 0 && variable < tree.num_variables(); });
}

bool are_counts(const PivotCounts& counts, std::size_t num_fully_summed) {
  constexpr Count kMost = Count{1} << 40;  // so that sums do not overflow
  return counts.null_variables.size() <= num_fully_summed &&
         std::ranges::all_of(std::array{counts.two_by_two, counts.positive, counts.negative, counts.perturbed, counts.exchanges},
                             [](Count count) { return count >= 0 && count <= kMost; });
}

// Writes the bytes of an image, a part at a time.
template <Scalar F>
void write_image(const RowImage<F>& image, const ByteSink& sink) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(image.num_bytes(), kLogBytesAtATime)));
  for (Count offset = 0; offset < image.num_bytes(); offset += kLogBytesAtATime) {
    const auto length = static_cast<std::size_t>(std::min(kLogBytesAtATime, image.num_bytes() - offset));
    const std::span<std::byte> part = std::span(buffer).first(length);
    image.read(offset, part);
    sink(part);
  }
}

RowStream rows_of(NodeId node, Index begin, Index end, Index num_delayed, bool has_delayed_rows) {
  RowStream stream;
  stream.child = node;
  stream.row_begin = begin;
  stream.row_end = end;
  stream.num_delayed = num_delayed;
  stream.has_delayed_rows = has_delayed_rows && num_delayed > 0;
  return stream;
}

// The number of rows of the factor that fit into a buffer.
template <Scalar F>
Index rows_at_a_time(Index num_eliminated) {
  return static_cast<Index>(
      std::max<Count>(1, kLogBytesAtATime / (std::max<Count>(1, num_eliminated) * static_cast<Count>(sizeof(F)))));
}

}  // namespace

template <Scalar F>
PieceToWrite factor_to_write(NodeId node, const NumericFront<F>& front, Method method, const DescribedFront& described,
                             const PivotCounts& counts) {
  PieceToWrite piece{{StoredKind::factor, node}, describe(described, front.factor, method, counts), {}};
  piece.rows = {0, described.shares.empty() ? described.size.cb_order() : 0};
  piece.write = [&factor = front.factor, sizes = saved_sizes(described), method,
                 with_rows = described.shares.empty()](const ByteSink& sink) {
    LargeVector<F> memory;
    for_each_batch(sizes, method, with_rows, [&](const std::vector<FrontPiece>& batch, std::size_t length) {
      memory.resize(std::max(memory.size(), length));
      F* end = memory.data();
      for (const FrontPiece& part : batch) {
        copy_piece(factor, method, part, end);
        end += num_entries(part, sizes, method);
      }
      sink(std::as_bytes(std::span<const F>(memory.data(), length)));
    });
  };
  return piece;
}

template <Scalar F>
PieceToWrite factor_rows_to_write(NodeId node, const SlaveRows<F>& rows) {
  PieceToWrite piece{{StoredKind::factor_rows, node}, {}, {}};
  piece.rows = {rows.row_begin, rows.row_begin + rows.num_rows};
  piece.write = [factor = RowFactor<F>{rows.row_begin, rows.num_eliminated, rows.summed_view()}, node](const ByteSink& sink) {
    const Index some = rows_at_a_time<F>(factor.num_eliminated);
    const Index end = factor.row_begin + factor.rows.rows;
    LargeVector<F> memory;
    for (Index begin = factor.row_begin; begin < end; begin += some) {
      const FrontPiece part{node, PieceKind::rows, begin, std::min(end, begin + some)};
      memory.resize(static_cast<std::size_t>(part.end - part.begin) * static_cast<std::size_t>(factor.num_eliminated));
      copy_piece(factor, part, memory.data());
      sink(std::as_bytes(std::span<const F>(memory)));
    }
  };
  return piece;
}

template <Scalar F>
PieceToWrite block_to_write(NodeId node, const NumericFront<F>& front, Method method, bool is_row_distributed) {
  const RowStream all = rows_of(node, 0, is_row_distributed ? 0 : front.factor.cb_order(), front.factor.num_delayed(), true);
  PieceToWrite piece{{StoredKind::block, node}, {}, {}};
  piece.rows = {0, all.row_end};
  piece.write = [image = RowImage<F>(method, front, all)](const ByteSink& sink) { write_image(image, sink); };
  return piece;
}

template <Scalar F>
PieceToWrite block_rows_to_write(NodeId node, const SlaveRows<F>& rows, Method method) {
  const Index end = rows.row_begin + rows.num_rows;
  const RowStream all = rows_of(node, rows.row_begin, end, rows.size.num_fully_summed - rows.num_eliminated, false);
  PieceToWrite piece{{StoredKind::block_rows, node}, {}, {}};
  piece.rows = {rows.row_begin, end};
  piece.write = [image = RowImage<F>(method, rows, all)](const ByteSink& sink) { write_image(image, sink); };
  return piece;
}

DescribedFront described_front(const StoredPiece& piece, const AssemblyTree& tree) {
  ByteReader reader(piece.described);
  const std::vector<std::byte> bytes = reader.list<std::byte>();
  auto front = decoded<DescribedFront>(bytes);
  const Index p = front.size.num_fully_summed;
  require_stored(p >= tree.num_fully_summed(piece.node) && p <= tree.num_variables() &&
                 front.size.order == p + tree.cb_order(piece.node) &&
                 front.size.num_delayed_in == p - tree.num_fully_summed(piece.node) &&
                 front.size.num_schur_rows == tree.num_schur_rows(piece.node));
  require_stored(front.num_eliminated >= (tree.must_eliminate_all(piece.node) ? p : 0) && front.num_eliminated <= p &&
                 front.master >= 0);
  require_stored(front.shares.empty() || are_shares(front.shares, tree.cb_order(piece.node)));
  require_stored(holds_rows(piece, front));
  return front;
}

template <Scalar F>
DescribedPivots<F> described_pivots(const StoredPiece& piece, const DescribedFront& described, const AssemblyTree& tree,
                                    Method method) {
  ByteReader reader(piece.described);
  (void)reader.list<std::byte>();
  auto front = decoded<DescribedPivots<F>>(reader);
  reader.expect_end();
  const SavedFront sizes = saved_sizes(described);
  const Count num_rows = static_cast<Count>(piece.rows.end - piece.rows.begin) * described.num_eliminated;
  require_stored(piece.num_bytes % static_cast<Count>(sizeof(F)) == 0 &&
                 piece.num_bytes / static_cast<Count>(sizeof(F)) == num_column_entries(sizes, method) + num_rows);
  const auto p = static_cast<std::size_t>(described.size.num_fully_summed);
  const bool has_d = method == Method::ldlt || method == Method::ldlh;
  require_stored(front.row_variables.size() == p && front.col_variables.size() == (method == Method::lu ? p : 0) &&
                 front.pivots.size() == (method == Method::cholesky ? 0 : p) && front.d.size() == (has_d ? 2 * p : 0));
  require_stored(are_counts(front.counts, p));
  const std::span<const PivotKind> pivots(front.pivots);
  require_stored(pivots.empty() || are_pivots(pivots.first(static_cast<std::size_t>(described.num_eliminated)), method));
  require_stored(are_variables(front.row_variables, tree) && are_variables(front.col_variables, tree) &&
                 are_variables(front.counts.null_variables, tree));
  return front;
}

template <Scalar F>
void read_columns(const FrontLogReader& log, const StoredPiece& piece, const DescribedFront& described,
                  const DescribedPivots<F>& pivots, Method method, FrontFactor<F>& front) {
  front.num_eliminated = described.num_eliminated;
  fill(pivots.row_variables, front.row_variables);
  if (method == Method::lu) {
    fill(pivots.col_variables, front.col_variables);
  }
  fill(pivots.pivots, front.pivots);
  fill(pivots.d, front.d);
  const SavedFront sizes = saved_sizes(described);
  LargeVector<F> memory;
  Count offset = 0;
  for_each_batch(sizes, method, false, [&](const std::vector<FrontPiece>& batch, std::size_t length) {
    memory.resize(std::max(memory.size(), length));
    const auto bytes = std::as_writable_bytes(std::span(memory.data(), length));
    log.read(piece, offset, bytes);
    offset += static_cast<Count>(bytes.size());
    const F* from = memory.data();
    for (const FrontPiece& part : batch) {
      copy_piece(front, method, part, from);
      from += num_entries(part, sizes, method);
    }
  });
}

template <Scalar F>
void read_some_rows(const FrontLogReader& log, const StoredPiece& piece, const DescribedFront& described, Method method,
                    Index begin, Index end, const std::function<void(Index begin, Index end, const F* entries)>& write) {
  constexpr auto kScalarBytes = static_cast<Count>(sizeof(F));
  const Index e = described.num_eliminated;
  const Count first = piece.kind == StoredKind::factor ? num_column_entries(saved_sizes(described), method) : 0;
  const Index some = rows_at_a_time<F>(e);
  LargeVector<F> memory;
  for (Index row = begin; row < end; row += some) {
    const Index last = std::min(end, row + some);
    memory.resize(static_cast<std::size_t>(last - row) * static_cast<std::size_t>(e));
    log.read(piece, (first + static_cast<Count>(row - piece.rows.begin) * e) * kScalarBytes,
             std::as_writable_bytes(std::span(memory.data(), memory.size())));
    write(row, last, memory.data());
  }
}

bool holds_rows(const StoredPiece& piece, const DescribedFront& described) {
  return piece.rows.begin == 0 && piece.rows.end == (described.shares.empty() ? described.size.cb_order() : 0);
}

RowStream stored_stream(const StoredPiece& piece, const DescribedFront& described) {
  return rows_of(piece.node, piece.rows.begin, piece.rows.end, described.num_delayed(), piece.kind == StoredKind::block);
}

#define FROND_INSTANTIATE(S)                                                                                                      \
  template PieceToWrite factor_to_write(NodeId, const NumericFront<S>&, Method, const DescribedFront&, const PivotCounts&);       \
  template PieceToWrite factor_rows_to_write(NodeId, const SlaveRows<S>&);                                                        \
  template PieceToWrite block_to_write(NodeId, const NumericFront<S>&, Method, bool);                                             \
  template PieceToWrite block_rows_to_write(NodeId, const SlaveRows<S>&, Method);                                                 \
  template DescribedPivots<S> described_pivots(const StoredPiece&, const DescribedFront&, const AssemblyTree&, Method);           \
  template void read_columns(const FrontLogReader&, const StoredPiece&, const DescribedFront&, const DescribedPivots<S>&, Method, \
                             FrontFactor<S>&);                                                                                    \
  template void read_some_rows(const FrontLogReader&, const StoredPiece&, const DescribedFront&, Method, Index, Index,            \
                               const std::function<void(Index, Index, const S*)>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
