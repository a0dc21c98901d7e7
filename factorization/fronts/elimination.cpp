// SPDX-License-Identifier: BSD-3-Clause
// The sweep over panels, and two ways to run it.
#include "factorization/fronts/elimination.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "factorization/kernels/rank_update.hpp"
#include "matrices/stop_request.hpp"

namespace frond {
namespace {

// Rejected columns are swept again if the last sweep eliminated at least this fraction of the rest (at a root: any): less is not
// worth it, since the parent tries them anyway.
constexpr Index kWorthwhilePart = 20;

}  // namespace

Segment PivotSweep::segment() const {
  Segment segment;
  Index column = num_eliminated_;
  for (; column < candidates_end_; column = std::min(column + kPanelWidth, candidates_end_)) {
    segment.boundaries.push_back(column);
    ++segment.num_panels;
  }
  for (; column < num_columns_; column = std::min(column + kPanelWidth, num_columns_)) {
    segment.boundaries.push_back(column);
  }
  segment.boundaries.push_back(num_columns_);
  return segment;
}

template <Scalar S>
void PivotSweep::finish_segment(FrontKernel<S>& kernel, Index panel_begin, Index panel_end, Index count) {
  num_eliminated_ = panel_begin + count;
  for (Index rejected = panel_end - 1; rejected >= num_eliminated_; --rejected) {
    --candidates_end_;
    if (rejected < candidates_end_) {
      kernel.exchange(rejected, candidates_end_);
    }
  }
  if (num_eliminated_ < candidates_end_) {
    return;
  }
  const Index num_rejected = num_columns_ - num_eliminated_;
  const Index progress = num_eliminated_ - sweep_begin_;
  if (num_rejected > 0 && progress > 0 && (delays_nothing_ || progress * kWorthwhilePart >= num_rejected)) {
    sweep_begin_ = num_eliminated_;
    candidates_end_ = num_columns_;
    return;
  }
  if (delays_nothing_ && num_rejected > 0) {
    kernel.eliminate_rest(num_eliminated_);
    num_eliminated_ = num_columns_;
  }
  done_ = true;
}

template <Scalar S>
PanelSequence<S>::PanelSequence(FrontKernel<S>& kernel, PivotSweep sweep, RunChunks run_chunks)
    : kernel_(kernel), sweep_(sweep), run_chunks_(std::move(run_chunks)), segment_(sweep_.segment()) {}

template <Scalar S>
EliminatedPanel PanelSequence<S>::eliminate_next() {
  panel_ = {segment_.begin(next_), segment_.end(next_), 0};
  panel_.num_pivots = kernel_.eliminate_panel(panel_.begin, panel_.end);
  ++next_;
  return panel_;
}

template <Scalar S>
void PanelSequence<S>::commit(Index num_pivots) {
  const Index pivots_end = panel_.begin + num_pivots;
  update_behind(pivots_end);
  if (next_ < segment_.num_panels && pivots_end == panel_.end) {
    return;
  }
  const Index tried_end = num_pivots == panel_.num_pivots ? panel_.end : panel_.begin + std::max<Index>(num_pivots, 1);
  kernel_.close_panels(pivots_end, 0, pivots_end);
  sweep_.finish_segment(kernel_, panel_.begin, tried_end, num_pivots);
  if (!sweep_.done()) {
    segment_ = sweep_.segment();
    next_ = 0;
  }
}

// Chunks are cut where blocks begin.
template <Scalar S>
void PanelSequence<S>::update_behind(Index pivots_end) {
  const Index first = segment_.begin(next_);
  run_chunks_(sweep_.num_columns() - first, [&](Index begin, Index end) {
    for (Index target = next_; target < segment_.num_blocks(); ++target) {
      if (const Index block = segment_.begin(target) - first; block >= begin && block < end) {
        kernel_.update_columns(panel_.begin, pivots_end, segment_.begin(target), segment_.end(target));
      }
    }
  });
}

template <Scalar S>
Index eliminate(FrontKernel<S>& kernel, Index num_columns, bool delays_nothing, Observer* observer) {
  PivotSweep sweep(num_columns, delays_nothing);
  if (num_columns > 0 && num_columns <= kPanelWidth) {  // most fronts are like this, and need nothing else
    const Index num_pivots = kernel.eliminate_panel(0, num_columns);
    kernel.close_panels(num_pivots, 0, num_pivots);
    sweep.finish_segment(kernel, 0, num_columns, num_pivots);
    if (sweep.done()) {
      return sweep.num_eliminated();
    }
  }
  PanelSequence<S> sequence(kernel, sweep);
  while (!sequence.done()) {
    stop_if(observer);
    sequence.commit(sequence.eliminate_next().num_pivots);
  }
  return sequence.num_eliminated();
}

namespace {

// The elimination of one front. Kept alive by its jobs. Panels are eliminated in order; a block column takes the panels' updates in
// order, one job at a time; the block column of the next panel goes first, so that the next panel starts while others are still
// being updated.
template <Scalar S>
class EliminationRun : public std::enable_shared_from_this<EliminationRun<S>> {
 public:
  EliminationRun(FrontKernel<S>& kernel, Index num_columns, bool delays_nothing, SubmitJob submit, std::function<void(Index)> then)
      : kernel_(kernel), sweep_(num_columns, delays_nothing), submit_(std::move(submit)), then_(std::move(then)) {}

  void start_segment() {
    segment_ = sweep_.segment();
    updates_done_.assign(static_cast<std::size_t>(segment_.num_blocks()), 0);
    busy_.assign(static_cast<std::size_t>(segment_.num_blocks()), 0);
    counts_.clear();
    panels_end_ = segment_.num_panels;
    num_jobs_ = 1;
    busy_[0] = 1;
    submit_panel(0);
  }

 private:
  void submit_panel(Index panel) {
    submit_(true, [self = this->shared_from_this(), panel] { self->run_panel(panel); });
  }

  void run_panel(Index panel) {
    const Index count = kernel_.eliminate_panel(segment_.begin(panel), segment_.end(panel));
    std::unique_lock lock(mutex_);
    counts_.push_back(count);
    if (count < segment_.end(panel) - segment_.begin(panel)) {
      panels_end_ = panel + 1;
    }
    busy_[panel] = 0;
    finish_job(std::move(lock));
  }

  void run_update(Index panel, Index target) {
    const Index begin = segment_.begin(panel);
    kernel_.update_columns(begin, begin + pivots_of(panel), segment_.begin(target), segment_.end(target));
    std::unique_lock lock(mutex_);
    busy_[target] = 0;
    ++updates_done_[target];
    finish_job(std::move(lock));
  }

  Index pivots_of(Index panel) {
    const std::lock_guard lock(mutex_);
    return counts_[panel];
  }

  // Submits jobs that have become possible; the last job of a segment closes it.
  void finish_job(std::unique_lock<std::mutex> lock) {
    const auto num_done = static_cast<Index>(counts_.size());
    for (Index target = 0; target < segment_.num_blocks(); ++target) {
      const auto index = static_cast<std::size_t>(target);
      if (busy_[index] != 0 || target < num_done) {
        continue;
      }
      if (updates_done_[index] < num_done) {
        busy_[index] = 1;
        ++num_jobs_;
        submit_(target == num_done,
                [self = this->shared_from_this(), panel = updates_done_[index], target] { self->run_update(panel, target); });
      } else if (target == num_done && num_done < panels_end_) {
        busy_[index] = 1;
        ++num_jobs_;
        submit_panel(target);
      }
    }
    if (--num_jobs_ == 0) {
      lock.unlock();
      close_segment();
    }
  }

  void close_segment() {
    const Index last = static_cast<Index>(counts_.size()) - 1;
    const Index num_eliminated = segment_.begin(last) + counts_.back();
    kernel_.close_panels(num_eliminated, 0, num_eliminated);
    sweep_.finish_segment(kernel_, segment_.begin(last), segment_.end(last), counts_.back());
    if (sweep_.done()) {
      then_(sweep_.num_eliminated());
    } else {
      start_segment();
    }
  }

  FrontKernel<S>& kernel_;
  PivotSweep sweep_;
  SubmitJob submit_;
  std::function<void(Index)> then_;
  Segment segment_;
  std::mutex mutex_;
  std::vector<Index> updates_done_;  // [block] = number of panels applied to it
  std::vector<char> busy_;           // [block] != 0: a job works on it
  std::vector<Index> counts_;        // [panel] = its number of pivots
  Index panels_end_ = 0;             // panels of this segment, fewer once one has rejected columns
  Index num_jobs_ = 0;               // submitted and not finished
};

}  // namespace

template <Scalar S>
void eliminate_by_jobs(FrontKernel<S>& kernel, Index num_columns, bool delays_nothing, SubmitJob submit,
                       std::function<void(Index)> then) {
  if (num_columns == 0) {
    then(0);
    return;
  }
  std::make_shared<EliminationRun<S>>(kernel, num_columns, delays_nothing, std::move(submit), std::move(then))->start_segment();
}

#define FROND_INSTANTIATE(S)                                            \
  template class PanelSequence<S>;                                      \
  template Index eliminate<S>(FrontKernel<S>&, Index, bool, Observer*); \
  template void eliminate_by_jobs<S>(FrontKernel<S>&, Index, bool, SubmitJob, std::function<void(Index)>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
