// SPDX-License-Identifier: BSD-3-Clause
// Packs and unpacks some columns or rows at a time.
#include "solver/checkpoint/stored_front.hpp"

#include <algorithm>
#include <complex>
#include <span>

#include "factorization/distributed/row_image.hpp"
#include "frond/error.hpp"
#include "loadinfo/byte_stream.hpp"
#include "matrices/large_vector.hpp"
#include "solver/saved/saved_fronts.hpp"

namespace frond {
namespace {

constexpr Count kBytesAtATime = Count{1} << 20;

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

SavedFront sizes_of(Index order, Index num_fully_summed, Index num_eliminated) {
  return {order, num_fully_summed, num_eliminated, 0};
}

template <Scalar F>
std::vector<std::byte> describe(const FrontFactor<F>& front, Method method, const PivotCounts& counts,
                                const std::vector<Index>& born_children) {
  const Count p = front.num_fully_summed;
  ByteWriter writer;
  writer.list(born_children);
  writer.value(front.order);
  writer.value(front.num_fully_summed);
  writer.value(front.num_eliminated);
  writer.value(counts.two_by_two);
  writer.value(counts.positive);
  writer.value(counts.negative);
  writer.value(counts.perturbed);
  writer.value(counts.exchanges);
  writer.list(counts.null_variables);
  writer.list(copied(front.row_variables, p));
  writer.list(copied(method == Method::lu ? front.col_variables : nullptr, p));
  writer.list(copied(front.pivots, p));
  writer.list(copied(front.d, 2 * p));
  return writer.take();
}

}  // namespace

std::vector<Index> born_children(const StoredPiece& factor) { return ByteReader(factor.described).list<Index>(); }

template <Scalar F>
PieceToWrite factor_to_write(NodeId node, const NumericFront<F>& front, Method method, const PivotCounts& counts,
                             const std::vector<Index>& born_children) {
  PieceToWrite piece{StoredKind::factor, node, describe(front.factor, method, counts, born_children), {}};
  piece.write = [&factor = front.factor, method](const ByteSink& sink) {
    const SavedFront sizes = sizes_of(factor.order, factor.num_fully_summed, factor.num_eliminated);
    PieceSequence sequence(std::span(&sizes, 1), method);
    LargeVector<F> memory;
    for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
      memory.resize(std::max(memory.size(), static_cast<std::size_t>(num_entries(batch, std::span(&sizes, 1), method))));
      F* end = memory.data();
      for (const FrontPiece& part : batch) {
        read_piece(factor, method, part, end);
        end += num_entries(part, sizes, method);
      }
      sink(std::as_bytes(std::span<const F>(memory.data(), end)));
    }
  };
  return piece;
}

template <Scalar F>
DescribedFactor<F> described_factor(const StoredPiece& piece, Method method) {
  ByteReader reader(piece.described);
  DescribedFactor<F> front;
  front.born_children = reader.list<Index>();
  front.order = reader.value<Index>();
  front.num_fully_summed = reader.value<Index>();
  front.num_eliminated = reader.value<Index>();
  front.counts.two_by_two = reader.value<Count>();
  front.counts.positive = reader.value<Count>();
  front.counts.negative = reader.value<Count>();
  front.counts.perturbed = reader.value<Count>();
  front.counts.exchanges = reader.value<Count>();
  front.counts.null_variables = reader.list<Index>();
  front.row_variables = reader.list<Index>();
  front.col_variables = reader.list<Index>();
  front.pivots = reader.list<PivotKind>();
  front.d = reader.list<F>();
  reader.expect_end();
  const auto p = static_cast<std::size_t>(front.num_fully_summed);
  const SavedFront sizes = sizes_of(front.order, front.num_fully_summed, front.num_eliminated);
  if (front.row_variables.size() != p || front.num_eliminated < 0 || front.num_eliminated > front.num_fully_summed ||
      piece.num_bytes != count_entries(std::span(&sizes, 1), method).all * static_cast<Count>(sizeof(F))) {
    throw InternalError("a stored front contradicts itself");
  }
  return front;
}

template <Scalar F>
void read_factor(const FrontLogReader& log, const StoredPiece& piece, const DescribedFactor<F>& described, Method method,
                 FrontFactor<F>& front) {
  log.verify(piece);
  front.num_eliminated = described.num_eliminated;
  fill(described.row_variables, front.row_variables);
  if (method == Method::lu) {
    fill(described.col_variables, front.col_variables);
  }
  fill(described.pivots, front.pivots);
  fill(described.d, front.d);
  const SavedFront sizes = sizes_of(described.order, described.num_fully_summed, described.num_eliminated);
  PieceSequence sequence(std::span(&sizes, 1), method);
  LargeVector<F> memory;
  Count offset = 0;
  for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
    const auto length = static_cast<std::size_t>(num_entries(batch, std::span(&sizes, 1), method));
    memory.resize(std::max(memory.size(), length));
    const auto bytes = std::as_writable_bytes(std::span(memory.data(), length));
    log.read(piece, offset, bytes);
    offset += static_cast<Count>(bytes.size());
    const F* from = memory.data();
    for (const FrontPiece& part : batch) {
      write_piece(front, method, part, from);
      from += num_entries(part, sizes, method);
    }
  }
}

template <Scalar F>
PieceToWrite block_to_write(NodeId node, const NumericFront<F>& front, Method method) {
  RowStream all;
  all.child = node;
  all.row_end = front.factor.cb_order();
  all.num_delayed = front.factor.num_delayed();
  all.has_delayed_rows = all.num_delayed > 0;
  PieceToWrite piece{StoredKind::block, node, {}, {}};
  piece.write = [image = RowImage<F>(method, front, all)](const ByteSink& sink) {
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(image.num_bytes(), kBytesAtATime)));
    for (Count offset = 0; offset < image.num_bytes(); offset += kBytesAtATime) {
      const auto length = static_cast<std::size_t>(std::min(kBytesAtATime, image.num_bytes() - offset));
      const std::span<std::byte> part = std::span(buffer).first(length);
      image.read(offset, part);
      sink(part);
    }
  };
  return piece;
}

template PieceToWrite factor_to_write(NodeId, const NumericFront<float>&, Method, const PivotCounts&, const std::vector<Index>&);
template DescribedFactor<float> described_factor(const StoredPiece&, Method);
template void read_factor(const FrontLogReader&, const StoredPiece&, const DescribedFactor<float>&, Method, FrontFactor<float>&);
template PieceToWrite block_to_write(NodeId, const NumericFront<float>&, Method);
template PieceToWrite factor_to_write(NodeId, const NumericFront<double>&, Method, const PivotCounts&, const std::vector<Index>&);
template DescribedFactor<double> described_factor(const StoredPiece&, Method);
template void read_factor(const FrontLogReader&, const StoredPiece&, const DescribedFactor<double>&, Method, FrontFactor<double>&);
template PieceToWrite block_to_write(NodeId, const NumericFront<double>&, Method);
template PieceToWrite factor_to_write(NodeId, const NumericFront<std::complex<float>>&, Method, const PivotCounts&,
                                      const std::vector<Index>&);
template DescribedFactor<std::complex<float>> described_factor(const StoredPiece&, Method);
template void read_factor(const FrontLogReader&, const StoredPiece&, const DescribedFactor<std::complex<float>>&, Method,
                          FrontFactor<std::complex<float>>&);
template PieceToWrite block_to_write(NodeId, const NumericFront<std::complex<float>>&, Method);
template PieceToWrite factor_to_write(NodeId, const NumericFront<std::complex<double>>&, Method, const PivotCounts&,
                                      const std::vector<Index>&);
template DescribedFactor<std::complex<double>> described_factor(const StoredPiece&, Method);
template void read_factor(const FrontLogReader&, const StoredPiece&, const DescribedFactor<std::complex<double>>&, Method,
                          FrontFactor<std::complex<double>>&);
template PieceToWrite block_to_write(NodeId, const NumericFront<std::complex<double>>&, Method);

}  // namespace frond
