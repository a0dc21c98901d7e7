// SPDX-License-Identifier: BSD-3-Clause
// Eliminates the fully summed columns of a front: sweeps over them in panels, by one thread or as jobs with look-ahead. Both do the
// same operations on the same blocks in an order that gives the same bits.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "factorization/kernels/front_kernel.hpp"

namespace frond {

/// The columns of a segment in blocks: boundaries[i] .. boundaries[i+1]; the first `num_panels` blocks are to be eliminated one
/// after the other, the blocks behind them were rejected before and only receive updates.
struct Segment {
  std::vector<Index> boundaries;
  Index num_panels = 0;

  [[nodiscard]] Index num_blocks() const { return static_cast<Index>(boundaries.size()) - 1; }
  [[nodiscard]] Index begin(Index block) const { return boundaries[static_cast<std::size_t>(block)]; }
  [[nodiscard]] Index end(Index block) const { return boundaries[static_cast<std::size_t>(block) + 1]; }
};

/// Which columns are tried when. A segment ends behind the last candidate or with the first panel that rejects columns; these step
/// behind the candidates. When all were tried, the rejected ones are tried again as long as that eliminates a fair part of them.
class PivotSweep {
 public:
  /// `is_root`: columns that stay without a pivot are eliminated by complete pivoting; elsewhere they are delayed.
  PivotSweep(Index num_columns, bool is_root) : num_columns_(num_columns), candidates_end_(num_columns), is_root_(is_root) {}

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] Index num_eliminated() const { return num_eliminated_; }
  [[nodiscard]] Segment segment() const;

  /// Takes note that the panel at `panel_begin` .. `panel_end` came out with `count` pivots and ended its segment (all its updates
  /// are done).
  template <Scalar S>
  void finish_segment(FrontKernel<S>& kernel, Index panel_begin, Index panel_end, Index count);

 private:
  Index num_columns_;
  Index candidates_end_;
  Index num_eliminated_ = 0;
  Index sweep_begin_ = 0;  // pivots before the present sweep
  bool is_root_;
  bool done_ = false;
};

/// Eliminates on the calling thread. Returns the number of eliminated columns.
template <Scalar S>
Index eliminate(FrontKernel<S>& kernel, Index num_columns, bool is_root);

/// Queues a job; the flag tells that others wait for it.
using SubmitJob = std::function<void(bool urgent, std::function<void()> job)>;

/// Eliminates by jobs and returns at once; `then` is called with the number of eliminated columns by the job that ends last.
/// `kernel` must live until then.
template <Scalar S>
void eliminate_by_jobs(FrontKernel<S>& kernel, Index num_columns, bool is_root, SubmitJob submit, std::function<void(Index)> then);

}  // namespace frond
