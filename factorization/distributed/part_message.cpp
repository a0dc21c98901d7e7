// SPDX-License-Identifier: BSD-3-Clause
// Encodes and decodes the bodies of messages.
#include "factorization/distributed/part_message.hpp"

#include <algorithm>
#include <string>

#include "loadinfo/messages/read_bool.hpp"

namespace frond {
namespace {

PartBody shared(ByteWriter& writer) { return std::make_shared<const std::vector<std::byte>>(writer.take()); }

template <Scalar S>
void write(ByteWriter& writer, DenseView<const S> view) {
  writer.value(view.rows);
  writer.value(view.cols);
  writer.align();
  for (Index j = 0; j < view.cols; ++j) {
    writer.more(std::span<const S>(view.column(j), static_cast<std::size_t>(view.rows)));
  }
}

template <Scalar S>
DenseView<const S> read_view(ByteReader& reader) {
  const auto rows = reader.value<Index>();
  const auto cols = reader.value<Index>();
  if (rows < 0 || cols < 0) {
    throw InternalError("a message between ranks holds a block of impossible order " + std::to_string(rows) + " by " +
                        std::to_string(cols) + "; do all processes run the same Frond?");
  }
  const std::span<const S> entries = reader.array<S>(static_cast<Count>(rows) * cols);
  return {entries.data(), rows, cols, std::max<Index>(rows, 1)};
}

template <class T>
std::span<const T> read_span(ByteReader& reader) {
  const auto length = reader.value<Count>();
  return reader.array<T>(length);
}

}  // namespace

PartBody encode_kind(PartMessageKind kind) {
  ByteWriter writer;
  writer.value(kind);
  return std::make_shared<const std::vector<std::byte>>(writer.take());
}

template <Scalar S>
PartBody encode_panel(const LuPanel<S>& panel) {
  ByteWriter writer;
  writer.value(PartMessageKind::panel);
  writer.value(panel.begin);
  writer.list(panel.exchanged);
  write<S>(writer, panel.m);
  return shared(writer);
}

template <Scalar S>
PartBody encode_panel(const CholeskyPanel<S>& panel) {
  ByteWriter writer;
  writer.value(PartMessageKind::panel);
  writer.value(panel.begin);
  write<S>(writer, panel.l);
  return shared(writer);
}

template <Scalar S>
PartBody encode_panel(const LdltPanel<S>& panel) {
  ByteWriter writer;
  writer.value(PartMessageKind::panel);
  writer.value(panel.begin);
  writer.list(panel.exchanges);
  write<S>(writer, panel.l);
  writer.list(panel.d);
  writer.list(panel.pivots);
  writer.value(panel.is_final);
  return shared(writer);
}

template <Scalar S>
PartBody encode_rows(const RowsOfL<S>& rows) {
  ByteWriter writer;
  writer.value(PartMessageKind::rows);
  writer.value(rows.pivot_begin);
  writer.value(rows.row_begin);
  write<S>(writer, rows.l);
  return shared(writer);
}

template <class R>
PartBody encode_maxima(const std::vector<R>& maxima) {
  ByteWriter writer;
  writer.value(PartMessageKind::maxima);
  writer.list(maxima);
  return shared(writer);
}

template <Scalar S>
PartBody encode_sides(PartMessageKind kind, std::span<const S> sides) {
  ByteWriter writer;
  writer.value(kind);
  writer.list(sides);
  return shared(writer);
}

PartBody encode_commit(const CommitOfPanel& commit) {
  ByteWriter writer;
  writer.value(PartMessageKind::commit);
  writer.value(commit.num_pivots);
  writer.value(commit.wants_maxima);
  return shared(writer);
}

PartBody encode_end(const EndOfPanels& end) {
  ByteWriter writer;
  writer.value(PartMessageKind::end);
  writer.value(end.num_eliminated);
  writer.value(end.num_panels);
  writer.list(end.exchanges);
  return shared(writer);
}

template <Scalar S>
LuPanel<S> decode_lu_panel(ByteReader& reader) {
  LuPanel<S> panel;
  panel.begin = reader.value<Index>();
  panel.exchanged = read_span<Index>(reader);
  panel.m = read_view<S>(reader);
  return panel;
}

template <Scalar S>
CholeskyPanel<S> decode_cholesky_panel(ByteReader& reader) {
  CholeskyPanel<S> panel;
  panel.begin = reader.value<Index>();
  panel.l = read_view<S>(reader);
  return panel;
}

template <Scalar S>
LdltPanel<S> decode_ldlt_panel(ByteReader& reader) {
  LdltPanel<S> panel;
  panel.begin = reader.value<Index>();
  panel.exchanges = read_span<Exchange>(reader);
  panel.l = read_view<S>(reader);
  panel.d = read_span<S>(reader);
  panel.pivots = read_span<PivotKind>(reader);
  panel.is_final = read_bool(reader);
  return panel;
}

template <Scalar S>
RowsOfL<S> decode_rows(ByteReader& reader) {
  RowsOfL<S> rows;
  rows.pivot_begin = reader.value<Index>();
  rows.row_begin = reader.value<Index>();
  rows.l = read_view<S>(reader);
  return rows;
}

CommitOfPanel decode_commit(ByteReader& reader) {
  const auto num_pivots = reader.value<Index>();
  return {num_pivots, read_bool(reader)};
}

EndOfPanels decode_end(ByteReader& reader) {
  EndOfPanels end;
  end.num_eliminated = reader.value<Index>();
  end.num_panels = reader.value<Index>();
  end.exchanges = reader.list<Exchange>();
  return end;
}

template <Scalar S>
std::span<const S> decode_sides(ByteReader& reader) {
  return read_span<S>(reader);
}

#define FROND_INSTANTIATE(S)                                           \
  template PartBody encode_panel(const LuPanel<S>&);                   \
  template PartBody encode_panel(const CholeskyPanel<S>&);             \
  template PartBody encode_panel(const LdltPanel<S>&);                 \
  template PartBody encode_rows(const RowsOfL<S>&);                    \
  template LuPanel<S> decode_lu_panel(ByteReader&);                    \
  template CholeskyPanel<S> decode_cholesky_panel(ByteReader&);        \
  template LdltPanel<S> decode_ldlt_panel(ByteReader&);                \
  template PartBody encode_sides(PartMessageKind, std::span<const S>); \
  template std::span<const S> decode_sides(ByteReader&);               \
  template RowsOfL<S> decode_rows(ByteReader&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
template PartBody encode_maxima(const std::vector<float>&);
template PartBody encode_maxima(const std::vector<double>&);

}  // namespace frond
