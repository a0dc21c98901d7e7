// SPDX-License-Identifier: BSD-3-Clause
// What one rank does to solve with distributed factors: the blocks of right-hand sides, the answer, the common end.
#pragma once

#include <optional>
#include <span>

#include "factorization/common_end.hpp"
#include "loadinfo/message_program.hpp"
#include "solver/rank_sweeps.hpp"
#include "solver/report.hpp"

namespace frond {

enum class SolutionPlace { rank_0, all_ranks };

/// Rank 0 has the right-hand sides, solves block by block, and tells all when it is over. Whoever drives this holds a
/// BlasThreadsGuard; large products are shared among the threads of the arena in which the calls are made.
template <Scalar S>
class SolveProgram : public MessageProgram {
 public:
  void start() final;
  void on_message(const ReceivedMessage& message) final;
  void on_room() final;
  void fail(const std::exception_ptr& exception) final;

  [[nodiscard]] bool ended() const final { return end_.ended(); }
  [[nodiscard]] const std::optional<Failure>& failure() const { return end_.failure(); }  ///< the same on all ranks at the end

 protected:
  /// `x` is the whole solution, on other ranks than 0 if they are to have it; `reports` has one for each column, or none at all.
  /// The operation, the place and the number of reports are the same on all ranks.
  SolveProgram(const RankSystem<S>& system, Operation operation, DenseView<S> x, std::span<ColumnReport> reports,
               SolutionPlace place, Channel& channel);

  /// On rank 0: begins to solve for the columns [begin, end) of x, at most kSolveBlock.
  virtual void solve_block(Index begin, Index end) = 0;

  /// On rank 0: goes on if something has come to its end, and says whether it has.
  virtual bool proceed() = 0;
  void end_block();

  /// Takes a message that is neither of the sweeps nor of this class; false if it is unknown.
  virtual bool receive(SolveMessage kind, Rank from, ByteReader& reader) = 0;

  [[nodiscard]] RankSweeps<S>& sweeps() { return sweeps_; }
  [[nodiscard]] Outbox& outbox() { return outbox_; }
  [[nodiscard]] Operation operation() const { return operation_; }
  [[nodiscard]] DenseView<S> x() const { return x_; }
  [[nodiscard]] std::span<ColumnReport> reports() const { return reports_; }

 private:
  template <class Handler>
  void handle(Handler handler);
  void take(SolveMessage kind, Rank from, ByteReader& reader);
  void take_columns(ByteReader& reader);
  void take_result(ByteReader& reader);
  void send_columns(Index begin, Index end);
  void next_block();

  Outbox outbox_;
  CommonEnd end_;
  RankSweeps<S> sweeps_;
  Operation operation_;
  DenseView<S> x_;
  std::span<ColumnReport> reports_;
  SolutionPlace place_;
  Index block_begin_ = 0;  // rank 0: the columns that are worked on
  Index block_end_ = 0;
};

}  // namespace frond
