// SPDX-License-Identifier: BSD-3-Clause
// Gives the machines of a rank's engine what they share, and lets them call it.
#pragma once

#include "factorization/ranks/rank_tasks.hpp"

namespace frond {

/// The engine as its machines see it.
class RankHost {
 public:
  virtual ~RankHost() = default;
  virtual void on_settled(const FrontPlan& plan) = 0;  ///< of an own front: its parts have accepted
  virtual void on_arrived(const RowStream& stream) = 0;
  [[nodiscard]] virtual bool is_finished(FrontPart part) const = 0;  ///< and here: its rows may leave
  virtual void send_waiting() = 0;                                   ///< whatever the channel has room for
  [[nodiscard]] virtual bool is_at_rest() const = 0;                 ///< no front is under way here
  virtual void adopt(const RecoveryPlan& plan) = 0;
};

/// What all machines of an engine know: their private base, whose members are named like their own.
struct RankMachine {
  // NOLINTBEGIN(readability-identifier-naming)
  const RankContext& context_;
  const RankEngineOptions& options_;
  RankMail& mail_;
  RankTasks& tasks_;
  RankEngineCounts& counts_;
  RankHost& host_;
  // NOLINTEND(readability-identifier-naming)

  [[nodiscard]] Rank me() const { return context_.me(); }
  [[nodiscard]] const Task& task_of(TaskId id) const { return context_.graph.task(id); }
  /// Reports a change in the load of this rank to the others.
  void vary(const Load& change) const {
    context_.loads.with_exchange([&change](LoadExchange& exchange) { exchange.vary(change); });
  }
};

}  // namespace frond
