// SPDX-License-Identifier: BSD-3-Clause
// The jobs of one front in FrontNumerics; included by front_numerics.cpp only.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "factorization/front_numerics.hpp"
#include "factorization/fronts/elimination.hpp"
#include "factorization/fronts/front_elimination.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "factorization/scheduling/run_in_chunks.hpp"

namespace frond {

/// Columns or rows of one job of assembly.
inline constexpr Index kJobWidth = kPanelWidth;

// One front that is worked on by many jobs; its steps follow one another, kept alive by their jobs.
template <Scalar S>
class FrontNumerics<S>::FrontRun : public std::enable_shared_from_this<FrontRun> {
 public:
  FrontRun(FrontNumerics& numerics, TaskId task)
      : numerics_(numerics), task_(task), node_(numerics.front_context().graph.task(task).node_begin) {}

  void assemble() {
    numerics_.expect_stored_children(task_);
    numerics_.fronts_.prepare(node_, numerics_.fronts_.take_output(node_), FrontShape::whole);
    for_chunks(
        front().factor.order, kJobWidth,
        [self = this->shared_from_this()](Index begin, Index end) {
          self->numerics_.fronts_.assemble_children(self->node_, begin, end);
        },
        [self = this->shared_from_this()] { self->eliminate(); });
  }

 private:
  NumericFront<S>& front() { return numerics_.front(node_); }

  void eliminate() {
    numerics_.fronts_.give_back_children(node_);
    numerics_.assembled(task_);
    const FrontContext<S>& context = numerics_.front_context();
    const AssemblyTree& tree = context.symbolic.tree();
    if (node_ == tree.schur_node()) {
      finish({});
      return;
    }
    kernel_ = make_kernel(context.method, front().factor, context.tolerances);
    const auto submit = [self = this->shared_from_this()](bool urgent, std::function<void()> job) {
      self->numerics_.submit({self->task_, PartRole::master}, urgent, std::move(job));
    };
    eliminate_by_jobs<S>(*kernel_, front().factor.num_fully_summed, numerics_.delays_nothing(node_), submit,
                         [self = this->shared_from_this()](Index num_eliminated) {
                           self->front().factor.num_eliminated = num_eliminated;
                           self->finish_upper();
                         });
  }

  void finish_upper() {
    const Index rows = front().factor.upper == nullptr ? 0 : front().factor.cb_order();
    for_chunks(
        rows, kJobWidth,
        [self = this->shared_from_this()](Index begin, Index end) {
          self->kernel_->finish_upper(self->front().factor.num_eliminated, begin, end);
        },
        [self = this->shared_from_this()] { self->contribute(); });
  }

  void contribute() {
    for_chunks(
        front().cb_layout.cols, update_width(front().cb_layout),
        [self = this->shared_from_this()](Index begin, Index end) {
          self->kernel_->update_contribution(self->front().cb_layout, self->front().cb, begin, end);
        },
        [self = this->shared_from_this()] { self->finish(self->kernel_->counts()); });
  }

  void finish(const PivotCounts& counts) {
    FactorizationReport report;
    numerics_.note_eliminated(node_, counts, report);
    numerics_.finished(task_, report);
  }

  // Cuts [0, size) into chunks, one job each; the last one to end goes on with `then`.
  void for_chunks(Index size, Index width, std::function<void(Index, Index)> body, std::function<void()> then) {
    const Index count = size == 0 ? 0 : (size - 1) / width + 1;
    if (count == 0) {
      then();
      return;
    }
    struct Shared {
      Shared(Index count, std::function<void(Index, Index)> chunk_body, std::function<void()> next)
          : num_left(count), body(std::move(chunk_body)), then(std::move(next)) {}
      std::atomic<Index> num_left;
      std::function<void(Index, Index)> body;
      std::function<void()> then;
    };
    const auto shared = std::make_shared<Shared>(count, std::move(body), std::move(then));
    for (Index chunk = 0; chunk < count; ++chunk) {
      numerics_.submit({task_, PartRole::master}, false, [shared, chunk, width, size] {
        shared->body(chunk * width, std::min(size, (chunk + 1) * width));
        if (shared->num_left.fetch_sub(1) == 1) {
          shared->then();
        }
      });
    }
  }

  FrontNumerics& numerics_;
  TaskId task_;
  NodeId node_;
  std::unique_ptr<FrontKernel<S>> kernel_;
};

}  // namespace frond
