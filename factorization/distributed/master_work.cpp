// SPDX-License-Identifier: BSD-3-Clause
// The master of a row-distributed front.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/fronts/elimination.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/lu.hpp"

namespace frond {
namespace {

void send_to_all(const std::vector<RowShare>& shares, const PartBody& body, PartStep& step) {
  step.messages.push_back({ranks_of(shares), PartRole::slave, body});
}

std::size_t index_of(Rank slave, const std::vector<RowShare>& shares) {
  const auto found = std::find_if(shares.begin(), shares.end(), [slave](const RowShare& share) { return share.rank == slave; });
  if (found == shares.end()) {
    throw InternalError("rank " + std::to_string(slave) + " answers for a front of which it holds no rows");
  }
  return static_cast<std::size_t>(found - shares.begin());
}

// LU and Cholesky: what the master accepts, the slaves accept.
template <Scalar S, class Kernel>
class PanelMaster final : public MasterWork<S> {
 public:
  PanelMaster(FrontFactor<S>& front, const std::vector<RowShare>& shares, PivotTolerances<RealOf<S>> tolerances,
              const RunChunks& run_chunks, bool delays_nothing)
      : front_(front),
        shares_(shares),
        delays_nothing_(delays_nothing),
        kernel_(front, tolerances),
        sequence_(kernel_, PivotSweep(front.num_fully_summed, false), run_chunks),
        num_applied_(shares.size(), 0) {}

  PartStep begin() override { return go_on(); }

  PartStep go_on() override {
    PartStep step;
    if (!sequence_.done()) {
      const EliminatedPanel panel = sequence_.eliminate_next();
      if (panel.num_pivots > 0) {
        send_to_all(shares_, encode_panel(kernel_.panel(panel.begin, panel.begin + panel.num_pivots)), step);
        ++num_panels_;
      }
      sequence_.commit(panel.num_pivots);
      if (sequence_.done()) {
        front_.num_eliminated = sequence_.num_eliminated();
        eliminate_rest(step);
        send_to_all(shares_, encode_end({front_.num_eliminated, num_panels_}), step);
      }
    }
    return judge(std::move(step));
  }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    ByteReader reader(body);
    if (reader.value<PartMessageKind>() != PartMessageKind::done) {
      throw InternalError("the master of a front was told something that slaves do not say");
    }
    num_applied_[index_of(from, shares_)] = reader.value<Index>();
    reader.expect_end();
    return judge({});
  }

  [[nodiscard]] const PivotCounts& counts() const override { return kernel_.counts(); }

 private:
  // Where nothing may be delayed the columns that were rejected are a last panel.
  void eliminate_rest(PartStep& step) {
    const Index begin = front_.num_eliminated;
    if constexpr (std::is_same_v<Kernel, LuKernel<S>>) {
      if (delays_nothing_ && begin < front_.num_fully_summed) {
        kernel_.eliminate_rest(begin);
        front_.num_eliminated = front_.num_fully_summed;
        send_to_all(shares_, encode_panel(kernel_.panel(begin, front_.num_eliminated)), step);
        ++num_panels_;
      }
    }
  }

  [[nodiscard]] PartStep judge(PartStep step) const {
    const Index behind = num_panels_ - *std::min_element(num_applied_.begin(), num_applied_.end());
    step.goes_on = !sequence_.done() && behind < PartWork::kPanelsAhead;
    step.finished = sequence_.done() && behind == 0;
    return step;
  }

  FrontFactor<S>& front_;
  const std::vector<RowShare>& shares_;
  bool delays_nothing_;
  Kernel kernel_;
  PanelSequence<S> sequence_;
  Index num_panels_ = 0;
  std::vector<Index> num_applied_;  // [slave] = panels
};

// LDLT and LDLH: one panel at a time, since the next one depends on what the slaves verify.
template <Scalar S>
class VerifiedMaster final : public MasterWork<S> {
 public:
  VerifiedMaster(FrontFactor<S>& front, const std::vector<RowShare>& shares, bool hermitian, PivotTolerances<RealOf<S>> tolerances,
                 const RunChunks& run_chunks, bool delays_nothing)
      : front_(front),
        shares_(shares),
        delays_nothing_(delays_nothing),
        kernel_(front, hermitian, tolerances),
        sequence_(kernel_, PivotSweep(front.num_fully_summed, false), run_chunks),
        answers_left_(shares.size()),
        maxima_(static_cast<std::size_t>(front.num_fully_summed), 0) {}

  PartStep begin() override { return {}; }
  PartStep go_on() override { throw InternalError("the master of an indefinite front waits for its slaves"); }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    static_cast<void>(index_of(from, shares_));
    ByteReader reader(body);
    const auto kind = reader.value<PartMessageKind>();
    PartStep step;
    if (kind == PartMessageKind::maxima) {
      take_maxima(reader.list<RealOf<S>>());
    } else if (kind == PartMessageKind::verdict) {
      num_verified_ = std::min(num_verified_, reader.value<Index>());
    } else {
      throw InternalError("the master of a front was told something that slaves do not say");
    }
    reader.expect_end();
    if (--answers_left_ == 0) {
      answers_left_ = shares_.size();
      kind == PartMessageKind::maxima ? next_panel(step) : commit(step);
    }
    return step;
  }

  [[nodiscard]] const PivotCounts& counts() const override { return kernel_.counts(); }
  [[nodiscard]] Count num_panels_undone() const override { return num_panels_undone_; }

 private:
  void take_maxima(const std::vector<RealOf<S>>& maxima) {
    if (maxima.size() != maxima_.size()) {
      throw InternalError("a slave tells the maxima of " + std::to_string(maxima.size()) + " columns where " +
                          std::to_string(maxima_.size()) + " are left");
    }
    std::transform(maxima.begin(), maxima.end(), maxima_.begin(), maxima_.begin(),
                   [](RealOf<S> a, RealOf<S> b) { return std::max(a, b); });
  }

  void next_panel(PartStep& step) {
    kernel_.start_panel(sequence_.num_eliminated(), maxima_);
    while (!sequence_.done()) {
      panel_ = sequence_.eliminate_next();
      if (panel_.num_pivots > 0) {
        num_verified_ = panel_.num_pivots;
        send_to_all(shares_, encode_panel(kernel_.panel(panel_.begin, panel_.begin + panel_.num_pivots)), step);
        return;
      }
      sequence_.commit(0);
    }
    finish(step);
  }

  // Where nothing may be delayed the columns that were rejected are a last panel, all of which stays.
  void finish(PartStep& step) {
    const Index begin = sequence_.num_eliminated();
    const Index end = front_.num_fully_summed;
    if (!delays_nothing_ || begin == end) {
      this->end(step);
      return;
    }
    kernel_.eliminate_rest(begin);
    panel_ = {begin, end, end - begin};
    is_final_ = true;
    LdltPanel<S> last = kernel_.panel(begin, end);
    last.is_final = true;
    send_to_all(shares_, encode_panel(last), step);
  }

  void commit(PartStep& step) {
    if (is_final_) {
      ++num_panels_;
      send_to_all(shares_, encode_number(PartMessageKind::commit, CommitOfPanel{panel_.num_pivots, false}), step);
      end(step);
      return;
    }
    const Index num_kept = kernel_.keep_verified(num_verified_);
    sequence_.commit(num_kept);
    num_panels_ += num_kept > 0 ? 1 : 0;
    num_panels_undone_ += num_kept < panel_.num_pivots ? 1 : 0;
    send_to_all(shares_, encode_number(PartMessageKind::commit, CommitOfPanel{num_kept, !sequence_.done()}), step);
    if (sequence_.done()) {
      finish(step);
    } else {
      maxima_.assign(static_cast<std::size_t>(front_.num_fully_summed - panel_.begin - num_kept), 0);
    }
  }

  void end(PartStep& step) {
    front_.num_eliminated = is_final_ ? front_.num_fully_summed : sequence_.num_eliminated();
    const std::span<const Exchange> exchanges = kernel_.take_exchanges();
    send_to_all(shares_, encode_end({front_.num_eliminated, num_panels_, {exchanges.begin(), exchanges.end()}}), step);
    step.finished = true;
  }

  FrontFactor<S>& front_;
  const std::vector<RowShare>& shares_;
  bool delays_nothing_;
  LdltKernel<S> kernel_;
  PanelSequence<S> sequence_;
  EliminatedPanel panel_;
  Index num_panels_ = 0;  // that kept pivots
  Count num_panels_undone_ = 0;
  bool is_final_ = false;  // the panel is the last one, of what was rejected
  std::size_t answers_left_;
  Index num_verified_ = 0;         // of the panel, by all slaves that have answered
  std::vector<RealOf<S>> maxima_;  // of the columns that are left, over all slaves that have told
};

}  // namespace

template <Scalar S>
std::unique_ptr<MasterWork<S>> make_master_work(Method method, FrontFactor<S>& front, const std::vector<RowShare>& shares,
                                                PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks,
                                                bool must_eliminate_all) {
  const bool delays_nothing = tolerances.is_static() || must_eliminate_all;
  switch (method) {
    case Method::cholesky:
      return std::make_unique<PanelMaster<S, CholeskyKernel<S>>>(front, shares, tolerances, run_chunks, delays_nothing);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<VerifiedMaster<S>>(front, shares, method == Method::ldlh, tolerances, run_chunks, delays_nothing);
    case Method::lu:
      return std::make_unique<PanelMaster<S, LuKernel<S>>>(front, shares, tolerances, run_chunks, delays_nothing);
  }
  throw InternalError("a factorization method without row-distributed fronts");
}

template std::unique_ptr<MasterWork<float>> make_master_work(Method, FrontFactor<float>&, const std::vector<RowShare>&,
                                                             PivotTolerances<float>, const RunChunks&, bool);
template std::unique_ptr<MasterWork<double>> make_master_work(Method, FrontFactor<double>&, const std::vector<RowShare>&,
                                                              PivotTolerances<double>, const RunChunks&, bool);
template std::unique_ptr<MasterWork<std::complex<float>>> make_master_work(Method, FrontFactor<std::complex<float>>&,
                                                                           const std::vector<RowShare>&, PivotTolerances<float>,
                                                                           const RunChunks&, bool);
template std::unique_ptr<MasterWork<std::complex<double>>> make_master_work(Method, FrontFactor<std::complex<double>>&,
                                                                            const std::vector<RowShare>&, PivotTolerances<double>,
                                                                            const RunChunks&, bool);

}  // namespace frond
