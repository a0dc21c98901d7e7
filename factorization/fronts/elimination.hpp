// SPDX-License-Identifier: BSD-3-Clause
// Eliminates the fully summed columns of a front: sweeps over them in panels, by one thread or as jobs with look-ahead. Both do the
// same operations on the same blocks in an order that gives the same bits.
#pragma once

#include <functional>
#include <vector>

#include "factorization/kernels/chunks.hpp"
#include "factorization/kernels/front_kernel.hpp"
#include "frond/observer.hpp"
#include "frond/types.hpp"

namespace frond {

/// The columns of a segment in blocks: boundaries[i] .. boundaries[i+1]; the first `num_panels` blocks are to be eliminated one
/// after the other, the blocks behind them were rejected before and only receive updates.
struct Segment {
  std::vector<Index> boundaries;
  Index num_panels = 0;

  [[nodiscard]] Index num_blocks() const { return static_cast<Index>(boundaries.size()) - 1; }
  [[nodiscard]] Index begin(Index block) const { return boundaries[block]; }
  [[nodiscard]] Index end(Index block) const { return boundaries[static_cast<std::size_t>(block) + 1]; }
};

/// Decides which columns are tried when. A segment ends behind the last candidate or with the first panel that rejects columns;
/// these move behind the candidates. Once all have been tried, the rejected ones are tried again as long as that eliminates a fair
/// share of them.
class PivotSweep {
 public:
  /// `delays_nothing`, as at a root: columns left without a pivot are eliminated by complete pivoting.
  PivotSweep(Index num_columns, bool delays_nothing)
      : num_columns_(num_columns), candidates_end_(num_columns), delays_nothing_(delays_nothing), done_(num_columns == 0) {}

  [[nodiscard]] Index num_columns() const { return num_columns_; }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] Index num_eliminated() const { return num_eliminated_; }
  [[nodiscard]] Segment segment() const;

  /// Records that the panel at `panel_begin` .. `panel_end` yielded `count` pivots and ended its segment (all its updates are
  /// done).
  template <Scalar S>
  void finish_segment(FrontKernel<S>& kernel, Index panel_begin, Index panel_end, Index count);

 private:
  Index num_columns_;
  Index candidates_end_;
  Index num_eliminated_ = 0;
  Index sweep_begin_ = 0;  // pivots before the present sweep
  bool delays_nothing_;
  bool done_;
};

/// Columns [begin, end), of which the first num_pivots were eliminated.
struct EliminatedPanel {
  Index begin = 0;
  Index end = 0;
  Index num_pivots = 0;
};

/// Eliminates one panel at a time, for callers that have work to do in between: call eliminate_next() and commit() in turn until
/// done(). Updates behind a panel run in chunks of columns.
template <Scalar S>
class PanelSequence {
 public:
  PanelSequence(FrontKernel<S>& kernel, PivotSweep sweep, RunChunks run_chunks = run_as_one_chunk);

  [[nodiscard]] bool done() const { return sweep_.done(); }
  [[nodiscard]] Index num_eliminated() const { return sweep_.num_eliminated(); }

  EliminatedPanel eliminate_next();

  /// Applies the first `num_pivots` pivots of the panel to all columns behind it. If the kernel has taken back the others, the
  /// columns of the panel are candidates again; only if none stayed, the first counts as rejected, so that there is always
  /// progress.
  void commit(Index num_pivots);

 private:
  void update_behind(Index pivots_end);

  FrontKernel<S>& kernel_;
  PivotSweep sweep_;
  RunChunks run_chunks_;
  Segment segment_;
  Index next_ = 0;  // position of the next panel in the segment
  EliminatedPanel panel_;
};

/// Eliminates on the calling thread. Returns the number of eliminated columns. Throws StoppedError between panels.
template <Scalar S>
Index eliminate(FrontKernel<S>& kernel, Index num_columns, bool delays_nothing, Observer* observer = nullptr);

/// Queues a job; `urgent` means that others wait for it.
using SubmitJob = std::function<void(bool urgent, std::function<void()> job)>;

/// Eliminates by jobs and returns at once; `then` is called with the number of eliminated columns by the job that ends last.
/// `kernel` must live until then.
template <Scalar S>
void eliminate_by_jobs(FrontKernel<S>& kernel, Index num_columns, bool delays_nothing, SubmitJob submit,
                       std::function<void(Index)> then);

}  // namespace frond
