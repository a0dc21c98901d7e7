// SPDX-License-Identifier: BSD-3-Clause
// Gets ready, enters the common part, and handles its outcome.
#include "factorization/root/root_work.hpp"

#include <utility>

#include "factorization/fronts/level_counts.hpp"
#include "factorization/fronts/pivot_determinant.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

class RootMasterWork final : public PartWork {
 public:
  explicit RootMasterWork(const std::vector<Rank>& grid_ranks) : grid_ranks_(grid_ranks) {}

  PartStep begin() override { return {}; }
  PartStep go_on() override { throw InternalError("the master of the root waits for the ranks of its grid"); }

  PartStep receive(Rank /*from*/, std::span<const std::byte> body) override {
    ByteReader reader(body);
    PartStep step;
    switch (reader.value<PartMessageKind>()) {
      case PartMessageKind::ready:
        if (++num_ready_ == grid_ranks_.size()) {
          num_ready_ = 0;
          step.messages.push_back({grid_ranks_, PartRole::grid, encode_part(PartMessageKind::enter)});
        }
        break;
      case PartMessageKind::done:
        step.finished = ++num_done_ == grid_ranks_.size();
        break;
      default:
        throw InternalError("the master of the root received what the ranks of its grid do not send");
    }
    reader.expect_end();
    return step;
  }

 private:
  const std::vector<Rank>& grid_ranks_;
  std::size_t num_ready_ = 0;
  std::size_t num_done_ = 0;
};

}  // namespace

std::unique_ptr<PartWork> make_root_master_work(const std::vector<Rank>& grid_ranks) {
  return std::make_unique<RootMasterWork>(grid_ranks);
}

template <Scalar S>
RootWork<S>::RootWork(const FrontContext<S>& context, RankFronts<S>& fronts, TaskId task, Solver solver, Eliminate eliminate)
    : context_(context), fronts_(fronts), task_(task), solver_(std::move(solver)), eliminate_(std::move(eliminate)) {}

template <Scalar S>
PartStep RootWork<S>::message_to_master(PartMessageKind kind) const {
  PartStep step;
  step.messages.push_back({{context_.graph.task(task_).rank}, PartRole::master, encode_part(kind)});
  step.finished = kind == PartMessageKind::done;
  return step;
}

template <Scalar S>
void RootWork<S>::begin(const End& end) {
  fronts_.assemble_root(task_);
  if (has_schur_complement_on_grid(context_)) {
    note_assembled();
    end(message_to_master(PartMessageKind::done));
    return;
  }
  end(message_to_master(PartMessageKind::ready));
}

template <Scalar S>
void RootWork<S>::enter(End end) {
  if (outcome_.status == RootStatus::rejected) {
    S* whole = is_first() ? fronts_.whole_root(task_) : nullptr;
    solver_().gather(fronts_.root_copy(task_), whole, [this, end = std::move(end)] {
      is_gathered_ = true;
      end({.messages = {}, .goes_on = true});
    });
    return;
  }
  solver_().factorize(fronts_.root_part(task_),
                      [this, end = std::move(end)](const RootOutcome& outcome) { end(take_outcome(outcome)); });
}

// Anything that may throw is left to a step of this rank's own.
template <Scalar S>
PartStep RootWork<S>::take_outcome(const RootOutcome& outcome) {
  outcome_ = outcome;
  if (outcome.status != RootStatus::success) {
    return {.messages = {}, .goes_on = true};
  }
  fronts_.drop_root_copy(task_);
  note_success(outcome);
  if (context_.kept == KeptFactors::none) {
    fronts_.drop_root(task_);
  }
  return message_to_master(PartMessageKind::done);
}

template <Scalar S>
void RootWork<S>::go_on(const End& end) {
  if (outcome_.status == RootStatus::not_positive_definite) {
    throw NotPositiveDefinite{fronts_.root_variable(task_, outcome_.failed_pivot)};
  }
  if (!is_gathered_) {
    if (is_first()) {
      fronts_.place_whole_root(task_);
    }
    end(message_to_master(PartMessageKind::ready));
    return;
  }
  const bool eliminates = is_first();
  fronts_.drop_root(task_);
  if (eliminates) {
    eliminate_(context_.graph.task(task_).node_begin, report_);
  }
  end(message_to_master(PartMessageKind::done));
}

// Reports an assembled Schur complement.
template <Scalar S>
void RootWork<S>::note_assembled() {
  const RootPart<S> part = fronts_.root_part(task_);
  report_.factor_bytes = part.layout.num_entries(part.position) * static_cast<Count>(sizeof(S));
  report_.max_front_order = part.layout.order();
  at_level(report_.levels, 0) = {.num_fronts = is_first() ? 1 : 0, .max_front_order = part.layout.order()};
}

template <Scalar S>
void RootWork<S>::note_success(const RootOutcome& outcome) {
  const RootPart<S> part = fronts_.root_part(task_);
  const RootLayout& layout = part.layout;
  const bool is_cholesky = context_.method == Method::cholesky;
  report_.flops = elimination_cost(layout.order(), layout.order(), context_.method).flops / layout.shape().size();
  report_.factor_entries = is_cholesky ? layout.num_lower_entries(part.position) : layout.num_entries(part.position);
  const bool is_kept = context_.kept != KeptFactors::none;
  report_.factor_bytes = is_kept ? layout.num_entries(part.position) * static_cast<Count>(sizeof(S)) : 0;
  report_.max_front_order = layout.order();
  const RealOf<S> largest = context_.tolerances.largest;
  report_.pivot_growth = is_cholesky ? 1 : largest > 0 ? static_cast<double>(largest_pivot_entry(part) / largest) : 0;
  LevelCounts& level = at_level(report_.levels, 0);
  level = {.num_fronts = is_first() ? 1 : 0, .max_front_order = layout.order(), .flops = report_.flops};
  if (is_first()) {
    FrontFactor<S>& lists = fronts_.front(context_.graph.task(task_).node_begin).factor;
    lists.num_eliminated = layout.order();
    report_.inertia.positive = is_cholesky ? layout.order() : 0;
    report_.determinant = outcome.determinant;
    divide_by_scales(lists, context_.matrix, report_.determinant);
  }
  if (outcome.smallest_pivot_position >= 0) {
    report_.smallest_pivot = outcome.smallest_pivot;
    report_.smallest_pivot_sign = is_cholesky ? 1 : 0;
    const Index variable = fronts_.root_variable(task_, outcome.smallest_pivot_position);
    report_.smallest_pivot_variable = context_.symbolic.row_perm()[variable];
  }
}

FROND_INSTANTIATE_CLASS(RootWork)

}  // namespace frond
