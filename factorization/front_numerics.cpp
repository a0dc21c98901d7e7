// SPDX-License-Identifier: BSD-3-Clause
// The life of a front, by one worker or as jobs.
#include "factorization/front_numerics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "factorization/elimination.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/lu.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "matrices/error.hpp"

namespace frond {
namespace {

// Columns or rows of one job of assembly or update.
constexpr Index kJobWidth = kPanelWidth;

template <Scalar S>
std::unique_ptr<FrontKernel<S>> make_kernel(Method method, const FrontFactor<S>& front, PivotTolerances<RealOf<S>> tolerances) {
  switch (method) {
    case Method::cholesky:
      return std::make_unique<CholeskyKernel<S>>(front, tolerances);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<LdltKernel<S>>(front, method == Method::ldlh, tolerances);
    case Method::lu:
      return std::make_unique<LuKernel<S>>(front, tolerances);
  }
  throw InternalError("a factorization method without a kernel");
}

Index num_subtrees(const TaskGraph& graph) {
  Index count = 0;
  for (TaskId task = 0; task < graph.num_tasks(); ++task) {
    count += graph.task(task).is_subtree ? 1 : 0;
  }
  return count;
}

// The smallest pivot of a front and its position, null pivots left out.
template <Scalar S>
std::pair<double, Index> smallest_pivot(const FrontFactor<S>& factor, Method method) {
  std::pair<double, Index> smallest{std::numeric_limits<double>::infinity(), -1};
  for (Index k = 0; k < factor.num_eliminated; ++k) {
    if (method != Method::cholesky && factor.pivots[k] == PivotKind::null) {
      continue;
    }
    double size = 0;
    if (method == Method::cholesky || method == Method::lu) {
      const double diagonal = std::abs(factor.lower[factor.layout.column_offset(k) + k]);
      size = method == Method::lu ? diagonal : diagonal * diagonal;
    } else if (factor.pivots[k] == PivotKind::one_by_one) {
      size = std::abs(factor.d[2 * k]);
    } else {
      const Index first = factor.pivots[k] == PivotKind::two_by_two ? k : k - 1;
      const S* d = factor.d + 2 * first;
      const double largest = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
      const S coupling = d[1] / static_cast<RealOf<S>>(largest) * (method == Method::ldlh ? conjugate(d[1]) : d[1]);
      size = std::abs(d[0] / static_cast<RealOf<S>>(largest) * d[2] - coupling);
    }
    smallest = std::min(smallest, {size, k});
  }
  return smallest;
}

Index num_chunks(Index size) { return (size + kJobWidth - 1) / kJobWidth; }

}  // namespace

// One front that is worked on by many jobs; its steps follow one another, kept alive by their jobs.
template <Scalar S>
class FrontNumerics<S>::FrontRun : public std::enable_shared_from_this<FrontRun> {
 public:
  FrontRun(FrontNumerics& numerics, TaskId task)
      : numerics_(numerics), task_(task), node_(numerics.context_.graph.task(task).node_begin) {}

  void assemble() {
    numerics_.prepare(node_, numerics_.take_output(node_));
    for_chunks(
        front().factor.order,
        [self = this->shared_from_this()](Index begin, Index end) { self->numerics_.assemble_children(self->node_, begin, end); },
        [self = this->shared_from_this()] { self->eliminate(); });
  }

 private:
  NumericFront<S>& front() { return numerics_.front(node_); }

  void eliminate() {
    numerics_.give_back_children(node_);
    numerics_.assembled(task_);
    const FrontContext<S>& context = numerics_.context_;
    kernel_ = make_kernel(context.method, front().factor, context.tolerances);
    const auto submit = [self = this->shared_from_this()](bool urgent, std::function<void()> job) {
      self->numerics_.submit(self->task_, urgent, std::move(job));
    };
    const bool is_root = context.symbolic.tree().parent(node_) == kNoParent;
    eliminate_by_jobs<S>(*kernel_, front().factor.num_fully_summed, is_root, submit,
                         [self = this->shared_from_this()](Index num_eliminated) {
                           self->front().factor.num_eliminated = num_eliminated;
                           self->finish_upper();
                         });
  }

  void finish_upper() {
    const Index rows = front().factor.upper == nullptr ? 0 : front().factor.cb_order();
    for_chunks(
        rows,
        [self = this->shared_from_this()](Index begin, Index end) {
          self->kernel_->finish_upper(self->front().factor.num_eliminated, begin, end);
        },
        [self = this->shared_from_this()] { self->contribute(); });
  }

  void contribute() {
    for_chunks(
        front().cb_layout.cols,
        [self = this->shared_from_this()](Index begin, Index end) {
          self->kernel_->update_contribution(self->front().cb_layout, self->front().cb, begin, end);
        },
        [self = this->shared_from_this()] {
          FactorizationReport report;
          self->numerics_.note_eliminated(self->node_, self->kernel_->counts(), report);
          self->numerics_.finished(self->task_, report);
        });
  }

  // Cuts [0, size) into chunks, one job each; the last one to end goes on with `then`.
  void for_chunks(Index size, std::function<void(Index, Index)> body, std::function<void()> then) {
    const Index count = num_chunks(size);
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
      numerics_.submit(task_, false, [shared, chunk, size] {
        shared->body(chunk * kJobWidth, std::min(size, (chunk + 1) * kJobWidth));
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

template <Scalar S>
FrontNumerics<S>::FrontNumerics(const FrontContext<S>& context)
    : context_(context),
      fronts_(static_cast<std::size_t>(context.symbolic.tree().num_nodes())),
      delayed_begin_(fronts_.size(), 0),
      outputs_(fronts_.size()),
      workspaces_(context.graph.max_workspace_bytes(), num_subtrees(context.graph), context.is_memory_scarce, context.meter,
                  context.regions) {}

template <Scalar S>
void FrontNumerics<S>::run(Engine& engine) {
  set_events(engine);
  context_.pool.run([this, &engine] {
    const std::lock_guard lock(mutex_);
    engine.start();
  });
  if (!engine.finished()) {
    throw InternalError("the schedule stopped before its end");
  }
  report_.num_workers_seen = context_.pool.num_workers_seen();
}

template <Scalar S>
void FrontNumerics<S>::start(TaskId task) {
  const Task& what = context_.graph.task(task);
  if (what.is_subtree) {
    submit(task, false, [this, task] { run_subtree(task); });
  } else if (is_split_into_jobs(what) && context_.pool.num_workers() > 1) {
    submit(task, false, [this, task] { std::make_shared<FrontRun>(*this, task)->assemble(); });
  } else {
    submit(task, false, [this, task] { run_front(task); });
  }
}

// Queues a job that does nothing once something has failed.
template <Scalar S>
void FrontNumerics<S>::submit(TaskId task, bool urgent, std::function<void()> body) {
  context_.pool.submit(2 * task + (urgent ? 0 : 1), [this, body = std::move(body)] {
    if (stopped_) {
      return;
    }
    try {
      body();
    } catch (...) {
      stopped_ = true;
      const std::lock_guard lock(mutex_);
      events_->stop();
      throw;
    }
  });
}

template <Scalar S>
void FrontNumerics<S>::run_subtree(TaskId task) {
  const Task& what = context_.graph.task(task);
  const AssemblyTree& tree = context_.symbolic.tree();
  const auto cb_bytes = [&](NodeId node) {
    return ContributionArena::rounded(contribution_entries(tree, node, context_.method) * static_cast<Count>(sizeof(S)));
  };
  Workspace workspace = workspaces_.take(what.workspace_bytes);
  FactorizationReport report;
  for (NodeId node = what.node_begin; node < what.node_end; ++node) {
    const NodeId parent = tree.parent(node);
    const bool stays = parent != kNoParent && parent < what.node_end;
    prepare(node, stays ? workspace.push(cb_bytes(node), ContributionArena::end_for_depth(tree.depth(node))) : take_output(node));
    assemble_children(node, 0, front(node).factor.order);
    for (const NodeId child : tree.children(node)) {
      workspace.pop(cb_bytes(child), ContributionArena::end_for_depth(tree.depth(child)));
    }
    eliminate_front(node, report);
  }
  workspaces_.give_back(std::move(workspace));
  finished(task, report);
}

template <Scalar S>
void FrontNumerics<S>::run_front(TaskId task) {
  const NodeId node = context_.graph.task(task).node_begin;
  FactorizationReport report;
  prepare(node, take_output(node));
  assemble_children(node, 0, front(node).factor.order);
  give_back_children(node);
  assembled(task);
  eliminate_front(node, report);
  finished(task, report);
}

// Forms the front: its memory, the list of its pivots, the entries of A.
template <Scalar S>
void FrontNumerics<S>::prepare(NodeId node, std::byte* cb) {
  const AssemblyTree& tree = context_.symbolic.tree();
  NumericFront<S>& parent = front(node);
  for (const NodeId child : tree.children(node)) {
    delayed_begin_[static_cast<std::size_t>(child)] = parent.num_delayed_in;
    parent.num_delayed_in += front(child).factor.num_delayed();
  }
  parent.factor = context_.storage.template place<S>(tree, node, parent.num_delayed_in, context_.method, context_.meter);
  parent.cb_layout = contribution_layout(tree.cb_order(node), context_.method);
  parent.cb = reinterpret_cast<S*>(cb);
  for (const NodeId child : tree.children(node)) {
    const FrontFactor<S>& from = front(child).factor;
    const Index begin = delayed_begin_[static_cast<std::size_t>(child)];
    std::copy(from.row_variables + from.num_eliminated, from.row_variables + from.num_fully_summed,
              parent.factor.row_variables + begin);
    std::copy(from.col_variables + from.num_eliminated, from.col_variables + from.num_fully_summed,
              parent.factor.col_variables + begin);
  }
  assemble_entries(context_.symbolic, context_.method, context_.matrix, node, parent);
}

template <Scalar S>
void FrontNumerics<S>::assemble_children(NodeId node, Index begin, Index end) {
  const AssemblyTree& tree = context_.symbolic.tree();
  clear_contribution(begin, end, front(node));
  for (const NodeId child : tree.children(node)) {
    extend_add(context_.method,
               ChildFront<S>{&front(child), tree.relative_indices(child), delayed_begin_[static_cast<std::size_t>(child)]}, begin,
               end, front(node));
  }
}

template <Scalar S>
void FrontNumerics<S>::eliminate_front(NodeId node, FactorizationReport& report) {
  FrontFactor<S>& factor = front(node).factor;
  const auto kernel = make_kernel(context_.method, factor, context_.tolerances);
  factor.num_eliminated = eliminate(*kernel, factor.num_fully_summed, context_.symbolic.tree().parent(node) == kNoParent);
  const PanelLayout& cb_layout = front(node).cb_layout;
  for (Index begin = 0; factor.upper != nullptr && begin < cb_layout.cols; begin += kJobWidth) {
    kernel->finish_upper(factor.num_eliminated, begin, std::min(cb_layout.cols, begin + kJobWidth));
  }
  for (Index begin = 0; begin < cb_layout.cols; begin += kJobWidth) {
    kernel->update_contribution(cb_layout, front(node).cb, begin, std::min(cb_layout.cols, begin + kJobWidth));
  }
  note_eliminated(node, kernel->counts(), report);
}

template <Scalar S>
void FrontNumerics<S>::note_eliminated(NodeId node, const PivotCounts& counts, FactorizationReport& report) const {
  const FrontFactor<S>& factor = fronts_[static_cast<std::size_t>(node)].factor;
  FactorizationReport part;
  part.inertia = {counts.positive, counts.negative, static_cast<Count>(counts.null_variables.size())};
  part.num_delayed_pivots = factor.num_delayed();
  part.num_two_by_two = counts.two_by_two;
  for (const Index variable : counts.null_variables) {
    part.null_pivots.push_back(context_.symbolic.permutation().perm[static_cast<std::size_t>(variable)]);
  }
  if (const auto [size, position] = smallest_pivot(factor, context_.method); position >= 0) {
    part.smallest_pivot = size;
    part.smallest_pivot_variable = context_.symbolic.permutation().perm[static_cast<std::size_t>(factor.row_variables[position])];
  }
  part.status = part.null_pivots.empty() ? FactorizationStatus::success : FactorizationStatus::singular;
  const FrontCost cost = elimination_cost(factor.order, factor.num_eliminated, context_.method);
  part.flops = cost.flops;
  part.factor_entries = static_cast<Count>(cost.entries);
  part.factor_bytes = front_bytes(factor.order, factor.num_fully_summed, context_.method, sizeof(S));
  part.max_front_order = factor.order;
  report += part;
}

template <Scalar S>
std::byte* FrontNumerics<S>::take_output(NodeId node) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const Count bytes = contribution_entries(tree, node, context_.method) * static_cast<Count>(sizeof(S));
  ContributionArena::Piece& piece = outputs_[static_cast<std::size_t>(node)];
  piece = context_.arena.take(bytes, ContributionArena::end_for_depth(tree.depth(node)));
  return piece.data;
}

template <Scalar S>
void FrontNumerics<S>::give_back_children(NodeId node) {
  for (const NodeId child : context_.symbolic.tree().children(node)) {
    give_back(child);
  }
}

template <Scalar S>
void FrontNumerics<S>::give_back(NodeId node) {
  context_.arena.give_back(std::exchange(outputs_[static_cast<std::size_t>(node)], {}));
  front(node).cb = nullptr;
  const std::lock_guard lock(guests_mutex_);
  if (guests_.erase(node) > 0) {
    front(node) = {};
  }
}

template <Scalar S>
Announcement FrontNumerics<S>::announce(TaskId task) const {
  Announcement announcement;
  for (const NodeId node : task_tops(context_.symbolic.tree(), context_.graph.task(task))) {
    const FrontFactor<S>& from = fronts_[static_cast<std::size_t>(node)].factor;
    DelayedVariables& delayed = announcement.emplace_back();
    delayed.rows.assign(from.row_variables + from.num_eliminated, from.row_variables + from.num_fully_summed);
    if (context_.method == Method::lu) {
      delayed.columns.assign(from.col_variables + from.num_eliminated, from.col_variables + from.num_fully_summed);
    }
  }
  return announcement;
}

// Calls copy(image, offset in the image, begin, length) for every top whose image has a part in the bytes [offset, offset +
// num_bytes) of the output.
template <Scalar S>
template <class Copy>
void FrontNumerics<S>::for_each_top(TaskId task, Count offset, Count num_bytes, Copy copy) const {
  Count image_begin = 0;
  for (const NodeId node : task_tops(context_.symbolic.tree(), context_.graph.task(task))) {
    const ContributionImage<S> image(fronts_[static_cast<std::size_t>(node)]);
    const Count image_end = image_begin + image.num_bytes();
    const Count begin = std::max(offset, image_begin);
    const Count end = std::min(offset + num_bytes, image_end);
    if (begin < end) {
      copy(image, begin - image_begin, static_cast<std::size_t>(begin - offset), static_cast<std::size_t>(end - begin));
    }
    image_begin = image_end;
  }
}

template <Scalar S>
Count FrontNumerics<S>::num_bytes(TaskId task) const {
  Count bytes = 0;
  for_each_top(task, 0, std::numeric_limits<Count>::max(),
               [&](const ContributionImage<S>&, Count, std::size_t, std::size_t length) { bytes += static_cast<Count>(length); });
  return bytes;
}

template <Scalar S>
void FrontNumerics<S>::read(TaskId task, Count offset, std::span<std::byte> bytes) const {
  for_each_top(task, offset, static_cast<Count>(bytes.size()),
               [&](const ContributionImage<S>& image, Count from, std::size_t begin, std::size_t length) {
                 image.read(from, bytes.subspan(begin, length));
               });
}

template <Scalar S>
void FrontNumerics<S>::release(TaskId task) {
  for (const NodeId node : task_tops(context_.symbolic.tree(), context_.graph.task(task))) {
    give_back(node);
  }
}

template <Scalar S>
Count FrontNumerics<S>::expect(TaskId task, const Announcement& announcement) {
  const AssemblyTree& tree = context_.symbolic.tree();
  const std::vector<NodeId> tops = task_tops(tree, context_.graph.task(task));
  for (std::size_t i = 0; i < tops.size(); ++i) {
    const NodeId node = tops[i];
    const auto num_delayed = static_cast<Index>(announcement[i].rows.size());
    const Count entries = guest_entries(tree.cb_order(node), num_delayed, context_.method);
    outputs_[static_cast<std::size_t>(node)] =
        context_.arena.take(entries * static_cast<Count>(sizeof(S)), ContributionArena::end_for_depth(tree.depth(node)));
    const std::lock_guard lock(guests_mutex_);
    DelayedVariables& variables = guests_[node] = announcement[i];
    front(node) = make_guest(tree.cb_order(node), num_delayed, context_.method,
                             reinterpret_cast<S*>(outputs_[static_cast<std::size_t>(node)].data), variables.rows.data(),
                             variables.columns.data());
  }
  return num_bytes(task);
}

template <Scalar S>
void FrontNumerics<S>::write(TaskId task, Count offset, std::span<const std::byte> bytes) {
  for_each_top(task, offset, static_cast<Count>(bytes.size()),
               [&](const ContributionImage<S>& image, Count to, std::size_t begin, std::size_t length) {
                 image.write(to, bytes.subspan(begin, length));
               });
}

template <Scalar S>
void FrontNumerics<S>::assembled(TaskId task) {
  const std::lock_guard lock(mutex_);
  events_->on_assembled(task);
}

template <Scalar S>
void FrontNumerics<S>::finished(TaskId task, const FactorizationReport& part) {
  const std::lock_guard lock(mutex_);
  report_ += part;
  if (context_.progress) {
    context_.progress(context_.graph.total_flops() > 0 ? std::min(1.0, report_.flops / context_.graph.total_flops()) : 1.0);
  }
  events_->on_finished(task);
}

template <Scalar S>
std::vector<FrontFactor<S>> FrontNumerics<S>::take_factors() {
  std::vector<FrontFactor<S>> factors;
  factors.reserve(fronts_.size());
  for (const NumericFront<S>& numeric : fronts_) {
    factors.push_back(numeric.factor);
  }
  return factors;
}

template class FrontNumerics<float>;
template class FrontNumerics<double>;
template class FrontNumerics<std::complex<float>>;
template class FrontNumerics<std::complex<double>>;

}  // namespace frond
