// SPDX-License-Identifier: BSD-3-Clause
// The work of the ranks of a grid on their common root, step by step, and the messages between them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/distributed/rank_fronts.hpp"
#include "factorization/root/root_solver.hpp"
#include "frond/factorization_report.hpp"

namespace frond {

/// One rank's part of the root at work. Its steps must not overlap, and each may take long. `end` is called with the outcome of a
/// step: before the call returns, or by another rank of the grid.
///
/// The part is assembled, and reports to the master that it is ready. When all are, the master asks them to enter, and they
/// factorize together. If the root is rejected, they get ready and enter once more, to gather it on the first rank, which
/// eliminates it alone. A Schur complement is done when it is assembled.
template <Scalar S>
class RootWork {
 public:
  using End = std::function<void(PartStep)>;
  using Solver = std::function<RootSolver<S>&()>;
  using Eliminate = std::function<void(NodeId, FactorizationReport&)>;

  /// `solver` returns the solver of the root, and is not called for a Schur complement. `eliminate` eliminates a front of this
  /// rank; referenced objects outlive this one.
  RootWork(const FrontContext<S>& context, RankFronts<S>& fronts, TaskId task, Solver solver, Eliminate eliminate);

  void begin(const End& end);
  void enter(End end);
  void go_on(const End& end);  ///< throws NotPositiveDefinite

  [[nodiscard]] const FactorizationReport& report() const { return report_; }  ///< when the part is finished

 private:
  [[nodiscard]] bool is_first() const { return fronts_.root_part(task_).position == GridPosition{}; }
  [[nodiscard]] PartStep message_to_master(PartMessageKind kind) const;
  [[nodiscard]] PartStep take_outcome(const RootOutcome& outcome);
  void note_success(const RootOutcome& outcome);
  void note_assembled();

  const FrontContext<S>& context_;
  RankFronts<S>& fronts_;
  TaskId task_;
  Solver solver_;
  Eliminate eliminate_;
  RootOutcome outcome_;
  bool is_gathered_ = false;
  FactorizationReport report_;
};

/// The master's part: counts the ranks that are ready, and those that have finished.
[[nodiscard]] std::unique_ptr<PartWork> make_root_master_work(const std::vector<Rank>& grid_ranks);

}  // namespace frond
