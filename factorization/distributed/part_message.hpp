// SPDX-License-Identifier: BSD-3-Clause
// Bodies of the messages between the parts of a row-distributed front.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "factorization/kernels/row_panel.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

enum class PartMessageKind : std::uint8_t {
  panel,        ///< master to slave: LuPanel, CholeskyPanel or LdltPanel
  done,         ///< slave to master: number of panels it has applied (LU, Cholesky)
  maxima,       ///< slave to master: magnitudes in the columns that are left (LDLT)
  verdict,      ///< slave to master: number of pivots of the last panel that it verifies (LDLT)
  commit,       ///< master to slave: number of pivots of the last panel that stay; whether maxima are wanted (LDLT)
  rows,         ///< slave to slave: RowsOfL
  end,          ///< master to slave: EndOfPanels
  ready,        ///< rank of a grid to the root's master: it may enter the common part; `done`: its part is finished
  enter,        ///< root's master to the ranks of the grid: all are ready
  right_sides,  ///< master to slave, after `end`: right-hand sides of the eliminated positions
  product       ///< slave to master: the product of its rows of the factor with these
};

/// The last message of the master.
struct EndOfPanels {
  Index num_eliminated = 0;
  Index num_panels = 0;               ///< with pivots: each slave sends rows this many times
  std::vector<Exchange> exchanges{};  ///< of fully summed variables, since the last panel (LDLT)
};

struct CommitOfPanel {
  Index num_pivots = 0;
  bool wants_maxima = false;
};

using PartBody = std::shared_ptr<const std::vector<std::byte>>;

/// Content of a message of a part: bytes, and how many more there would be if it had numbers.
struct PartPayload {
  PartBody body;
  Count num_ghost_bytes = 0;
};

[[nodiscard]] PartBody encode_kind(PartMessageKind kind);

template <class Content>
[[nodiscard]] PartBody encode_number(PartMessageKind kind, const Content& content) {
  ByteWriter writer;
  writer.value(kind);
  writer.value(content);
  return std::make_shared<const std::vector<std::byte>>(writer.take());
}

template <Scalar S>
[[nodiscard]] PartBody encode_panel(const LuPanel<S>& panel);
template <Scalar S>
[[nodiscard]] PartBody encode_panel(const CholeskyPanel<S>& panel);
template <Scalar S>
[[nodiscard]] PartBody encode_panel(const LdltPanel<S>& panel);
template <Scalar S>
[[nodiscard]] PartBody encode_rows(const RowsOfL<S>& rows);
template <class R>
[[nodiscard]] PartBody encode_maxima(const std::vector<R>& maxima);
/// `kind` is right_sides or product.
template <Scalar S>
[[nodiscard]] PartBody encode_sides(PartMessageKind kind, std::span<const S> sides);
[[nodiscard]] PartBody encode_commit(const CommitOfPanel& commit);
[[nodiscard]] PartBody encode_end(const EndOfPanels& end);

/// Decodes panels that refer to the body that they were decoded from.
template <Scalar S>
[[nodiscard]] LuPanel<S> decode_lu_panel(ByteReader& reader);
template <Scalar S>
[[nodiscard]] CholeskyPanel<S> decode_cholesky_panel(ByteReader& reader);
template <Scalar S>
[[nodiscard]] RowsOfL<S> decode_rows(ByteReader& reader);
template <Scalar S>
[[nodiscard]] LdltPanel<S> decode_ldlt_panel(ByteReader& reader);
[[nodiscard]] CommitOfPanel decode_commit(ByteReader& reader);
[[nodiscard]] EndOfPanels decode_end(ByteReader& reader);
template <Scalar S>
[[nodiscard]] std::span<const S> decode_sides(ByteReader& reader);

}  // namespace frond
