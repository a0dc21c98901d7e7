// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the slaves of a row-distributed front.
#include <algorithm>
#include <utility>

#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/distributed/slave_protocol.hpp"
#include "factorization/kernels/cholesky_rows.hpp"
#include "factorization/kernels/ldlt_rows.hpp"
#include "factorization/kernels/lu_rows.hpp"
#include "factorization/kernels/magnitude.hpp"

namespace frond {
namespace {

// Returns how many of the last rows of a slave are those of a Schur complement.
template <Scalar S>
Index num_untested_rows(const SlaveRows<S>& rows) {
  const Index schur_begin = rows.size.cb_order() - rows.size.num_schur_rows;
  return std::clamp(rows.row_begin + rows.num_rows - schur_begin, Index{0}, rows.num_rows);
}

// The rows of a slave as the Arithmetic of a LuSlave.
template <Scalar S>
class LuRowsWork {
 public:
  LuRowsWork(SlaveRows<S>& rows, RunChunks run_chunks) : rows_(rows), run_chunks_(std::move(run_chunks)) {}

  void take_panel(ByteReader& reader) {
    const LuPanel<S> panel = decoded<LuPanel<S>>(reader);
    run_chunks_(rows_.num_rows, [&](Index begin, Index end) { apply_panel(panel, rows_.lu().rows(begin, end)); });
  }

  void end(const EndOfPanels& end) { rows_.num_eliminated = end.num_eliminated; }

  [[nodiscard]] PartOutcome outcome() const {
    const DenseView<S> n = rows_.summed_view().columns(0, rows_.num_eliminated);  // N^T, without gaps
    RealOf<S> largest = 0;
    for (Index k = 0; k < n.cols; ++k) {
      largest = std::max(largest, max_magnitude(n.rows, n.column(k)));
    }
    return {.largest_entry = largest};
  }

 private:
  SlaveRows<S>& rows_;
  RunChunks run_chunks_;
};

// The common part of rows of the symmetric methods. `Rows` has apply_rows_to(begin, end, above): to the rows [begin, end) of this
// slave, `above` being either wholly above them, or these very rows.
template <Scalar S, class Rows>
class SymmetricRowsWork {
 public:
  SymmetricRowsWork(SlaveRows<S>& rows, RunChunks run_chunks) : rows_(rows), run_chunks_(std::move(run_chunks)) {}

  [[nodiscard]] PartPayload own_rows() const { return {encode_part(PartMessageKind::rows, own_)}; }
  void apply_own_rows() {
    run_chunks([&](Index begin, Index end) {
      if (begin > 0) {
        self().apply_rows_to(begin, end, own_.rows(0, begin));
      }
      self().apply_rows_to(begin, end, own_.rows(begin, end));
    });
  }
  void apply_rows(Rank /*from*/, ByteReader& reader) {
    const RowsOfL<S> above = decoded<RowsOfL<S>>(reader);
    run_chunks([&](Index begin, Index end) { self().apply_rows_to(begin, end, above); });
  }

 protected:
  [[nodiscard]] SlaveRows<S>& rows() const { return rows_; }
  void run_chunks(const ChunkBody& body) const { run_chunks_(rows_.num_rows, body); }
  void keep_own(RowsOfL<S> own) { own_ = std::move(own); }  // in the panel that stays

 private:
  [[nodiscard]] Rows& self() { return static_cast<Rows&>(*this); }

  SlaveRows<S>& rows_;
  RunChunks run_chunks_;
  RowsOfL<S> own_;
};

// Serves a CholeskySlave as its Arithmetic.
template <Scalar S>
class CholeskyRowsWork : public SymmetricRowsWork<S, CholeskyRowsWork<S>> {
 public:
  using SymmetricRowsWork<S, CholeskyRowsWork<S>>::SymmetricRowsWork;

  void take_panel(ByteReader& reader) {
    const CholeskyPanel<S> panel = decoded<CholeskyPanel<S>>(reader);
    const SymmetricRowBlock<S> rows = this->rows().symmetric();
    this->run_chunks([&](Index begin, Index end) { apply_panel(panel, rows.rows(begin, end)); });
    this->keep_own({panel.begin, rows.row_begin, rows.lower.columns(panel.begin, panel.begin + panel.l.cols)});
  }
  void apply_rows_to(Index begin, Index end, const RowsOfL<S>& above) {
    frond::apply_rows(above, this->rows().symmetric().rows(begin, end));
  }
  void end(const EndOfPanels& end) { this->rows().num_eliminated = end.num_eliminated; }
  [[nodiscard]] PartOutcome outcome() const { return {}; }
};

// Serves an LdltSlave as its Arithmetic.
template <Scalar S>
class LdltRowsWork : public SymmetricRowsWork<S, LdltRowsWork<S>> {
 public:
  LdltRowsWork(SlaveRows<S>& rows, const RunChunks& run_chunks, bool hermitian, PivotTolerances<RealOf<S>> tolerances)
      : SymmetricRowsWork<S, LdltRowsWork<S>>(rows, run_chunks),
        part_(rows.symmetric(), hermitian, tolerances, run_chunks, num_untested_rows(rows)) {}

  [[nodiscard]] PartPayload maxima() { return {encode_part(PartMessageKind::maxima, part_.column_maxima())}; }
  Index verify(std::span<const std::byte> body) {
    panel_.assign(body.begin(), body.end());
    return part_.verify(panel());
  }
  void commit(Index num_pivots) {
    RowsOfL<S> own = part_.commit(panel(), num_pivots);
    own.l.cols = num_pivots;
    this->keep_own(std::move(own));
  }
  void apply_rows_to(Index begin, Index end, const RowsOfL<S>& above) { part_.apply_rows(above, begin, end); }
  void end(const EndOfPanels& end) {
    part_.exchange(end.exchanges);
    this->rows().num_eliminated = end.num_eliminated;
  }
  [[nodiscard]] PartOutcome outcome() const { return {.largest_entry = part_.largest_entry()}; }

 private:
  [[nodiscard]] LdltPanel<S> panel() const {
    ByteReader reader(panel_);
    static_cast<void>(reader.value<PartMessageKind>());
    return decoded<LdltPanel<S>>(reader);
  }

  LdltRows<S> part_;
  std::vector<std::byte> panel_;  // the panel that is being verified
};

}  // namespace

template <Scalar S>
std::unique_ptr<PartWork> make_slave_work(Method method, SlaveRows<S>& rows, Rank master, const std::vector<RowShare>& shares,
                                          PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks) {
  const PartPlace place{shares, master, {0, rows.row_begin, rows.row_begin + rows.num_rows}};
  switch (method) {
    case Method::cholesky:
      return std::make_unique<ProtocolWork<CholeskyRowsWork<S>, CholeskySlave>>(place, rows, run_chunks);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<ProtocolWork<LdltRowsWork<S>, LdltSlave>>(place, rows, run_chunks, method == Method::ldlh,
                                                                        tolerances);
    case Method::lu:
      return std::make_unique<ProtocolWork<LuRowsWork<S>, LuSlave>>(place, rows, run_chunks);
  }
  throw InternalError("a factorization method without row-distributed fronts");
}

#define FROND_INSTANTIATE(S)                                                                                    \
  template std::unique_ptr<PartWork> make_slave_work(Method, SlaveRows<S>&, Rank, const std::vector<RowShare>&, \
                                                     PivotTolerances<RealOf<S>>, const RunChunks&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
