// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the master of a row-distributed front.
#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "factorization/distributed/master_protocol.hpp"
#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/fronts/elimination.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/lu.hpp"

namespace frond {
namespace {

// Adapts a kernel to the Arithmetic of a PanelMaster: LU and Cholesky.
template <Scalar S, class Kernel>
class PanelElimination {
 public:
  PanelElimination(FrontFactor<S>& front, PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks, bool delays_nothing)
      : front_(front),
        delays_nothing_(delays_nothing),
        kernel_(front, tolerances),
        sequence_(kernel_, PivotSweep(front.num_fully_summed, false), run_chunks) {}

  [[nodiscard]] bool done() const { return sequence_.done(); }

  std::optional<PartPayload> next_panel() {
    panel_ = sequence_.eliminate_next();
    return panel_.num_pivots > 0 ? payload(panel_.begin, panel_.begin + panel_.num_pivots) : std::nullopt;
  }

  void keep_panel() { sequence_.commit(panel_.num_pivots); }

  std::optional<PartPayload> last_panel() {
    const Index begin = front_.num_eliminated = sequence_.num_eliminated();
    if constexpr (std::is_same_v<Kernel, LuKernel<S>>) {
      if (delays_nothing_ && begin < front_.num_fully_summed) {
        kernel_.eliminate_rest(begin);
        front_.num_eliminated = front_.num_fully_summed;
        return payload(begin, front_.num_eliminated);
      }
    }
    return std::nullopt;
  }

  EndOfPanels end(Index num_panels) const { return {front_.num_eliminated, num_panels}; }

  [[nodiscard]] PartOutcome outcome() const { return {.counts = kernel_.counts()}; }

 private:
  [[nodiscard]] std::optional<PartPayload> payload(Index begin, Index end) {
    return PartPayload{encode_part(PartMessageKind::panel, kernel_.panel(begin, end))};
  }

  FrontFactor<S>& front_;
  bool delays_nothing_;
  Kernel kernel_;
  PanelSequence<S> sequence_;
  EliminatedPanel panel_;
};

// Likewise for a VerifiedMaster: LDLT and LDLH.
template <Scalar S>
class VerifiedElimination {
 public:
  VerifiedElimination(FrontFactor<S>& front, bool hermitian, PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks,
                      bool delays_nothing)
      : front_(front),
        delays_nothing_(delays_nothing),
        kernel_(front, hermitian, tolerances),
        sequence_(kernel_, PivotSweep(front.num_fully_summed, false), run_chunks),
        maxima_(static_cast<std::size_t>(front.num_fully_summed), 0) {}

  [[nodiscard]] bool done() const { return sequence_.done(); }

  void take_maxima(ByteReader& reader) {
    const std::vector<RealOf<S>> maxima = reader.list<RealOf<S>>();
    if (maxima.size() != maxima_.size()) {
      throw InternalError("a slave sends the maxima of " + std::to_string(maxima.size()) + " columns where " +
                          std::to_string(maxima_.size()) + " are left");
    }
    std::transform(maxima.begin(), maxima.end(), maxima_.begin(), maxima_.begin(),
                   [](RealOf<S> a, RealOf<S> b) { return std::max(a, b); });
  }

  void take_verdict(ByteReader& reader) { num_verified_ = std::min(num_verified_, reader.value<Index>()); }

  std::optional<PartPayload> next_panel() {
    kernel_.start_panel(sequence_.num_eliminated(), maxima_);
    while (!sequence_.done()) {
      panel_ = sequence_.eliminate_next();
      if (panel_.num_pivots > 0) {
        num_verified_ = panel_.num_pivots;
        return PartPayload{encode_part(PartMessageKind::panel, kernel_.panel(panel_.begin, panel_.begin + panel_.num_pivots))};
      }
      sequence_.commit(0);
    }
    return std::nullopt;
  }

  Index keep_verified() {
    const Index num_kept = kernel_.keep_verified(num_verified_);
    sequence_.commit(num_kept);
    num_panels_undone_ += num_kept < panel_.num_pivots ? 1 : 0;
    if (!sequence_.done()) {
      maxima_.assign(static_cast<std::size_t>(front_.num_fully_summed - panel_.begin - num_kept), 0);
    }
    return num_kept;
  }

  std::optional<PartPayload> last_panel() {
    const Index begin = num_eliminated_ = sequence_.num_eliminated();
    const Index end = front_.num_fully_summed;
    if (!delays_nothing_ || begin == end) {
      return std::nullopt;
    }
    kernel_.eliminate_rest(begin);
    panel_ = {begin, end, end - begin};
    num_eliminated_ = end;
    LdltPanel<S> last = kernel_.panel(begin, end);
    last.is_final = true;
    return PartPayload{encode_part(PartMessageKind::panel, last)};
  }

  [[nodiscard]] Index last_width() const { return panel_.num_pivots; }

  EndOfPanels end(Index num_panels) {
    front_.num_eliminated = num_eliminated_;
    const std::span<const Exchange> exchanges = kernel_.take_exchanges();
    return {front_.num_eliminated, num_panels, {exchanges.begin(), exchanges.end()}};
  }

  [[nodiscard]] PartOutcome outcome() const { return {.counts = kernel_.counts(), .num_panels_undone = num_panels_undone_}; }

 private:
  FrontFactor<S>& front_;
  bool delays_nothing_;
  LdltKernel<S> kernel_;
  PanelSequence<S> sequence_;
  EliminatedPanel panel_;
  Count num_panels_undone_ = 0;
  Index num_eliminated_ = 0;       // set at the end
  Index num_verified_ = 0;         // of the panel, by all slaves that have answered
  std::vector<RealOf<S>> maxima_;  // of the columns that are left, over all slaves that have answered
};

}  // namespace

template <Scalar S>
std::unique_ptr<PartWork> make_master_work(Method method, FrontFactor<S>& front, const std::vector<RowShare>& shares,
                                           PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks,
                                           bool must_eliminate_all) {
  const PartPlace place{shares};
  const bool delays_nothing = tolerances.is_static() || must_eliminate_all;
  switch (method) {
    case Method::cholesky:
      return std::make_unique<ProtocolWork<PanelElimination<S, CholeskyKernel<S>>, PanelMaster>>(place, front, tolerances,
                                                                                                 run_chunks, delays_nothing);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<ProtocolWork<VerifiedElimination<S>, VerifiedMaster>>(place, front, method == Method::ldlh,
                                                                                    tolerances, run_chunks, delays_nothing);
    case Method::lu:
      return std::make_unique<ProtocolWork<PanelElimination<S, LuKernel<S>>, PanelMaster>>(place, front, tolerances, run_chunks,
                                                                                           delays_nothing);
  }
  throw InternalError("a factorization method without row-distributed fronts");
}

#define FROND_INSTANTIATE(S)                                                                                 \
  template std::unique_ptr<PartWork> make_master_work(Method, FrontFactor<S>&, const std::vector<RowShare>&, \
                                                      PivotTolerances<RealOf<S>>, const RunChunks&, bool);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
