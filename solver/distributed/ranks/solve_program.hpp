// SPDX-License-Identifier: BSD-3-Clause
// Runs one rank's part of a solve with distributed factors: the blocks of right-hand sides, the solutions, the common end.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "factorization/ranks/common_end.hpp"
#include "frond/dense.hpp"
#include "loadinfo/messages/message_program.hpp"
#include "solver/distributed/ranks/solvable_system.hpp"
#include "solver/numerics/problem/dense_rows.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// Rank 0 solves block by block: it requests the rows of the block's right-hand sides, adds them up in the order of the ranks, has
/// the block solved, and sends the solution to all if others request rows of it. So no rank holds more than a block of what the
/// others pass and request. Finally rank 0 announces the end to all. The driver holds a BlasThreadsGuard; large products are shared
/// among the threads of the calling arena.
template <Scalar S>
class SolveProgram : public MessageProgram {
 public:
  void start() final;
  void on_message(const ReceivedMessage& message) final;
  void on_room() final;
  void fail(const std::exception_ptr& exception) final;
  [[nodiscard]] std::string describe_wait() const final { return "waits for messages of the solve"; }

  [[nodiscard]] bool ended() const final { return end_.ended(); }
  [[nodiscard]] const std::optional<Failure>& failure() const { return end_.failure(); }  ///< the same on all ranks at the end

 protected:
  /// `sides` has passed check_rows(); `reports` has one for each column, or is empty. The operation and the number of reports are
  /// the same on all ranks.
  SolveProgram(const SolvableSystem<S>& system, Operation operation, const RankSides<S>& sides, std::span<ColumnReport> reports,
               Channel& channel);

  /// On rank 0: begins to solve for B, at most kSolveBlock columns, with reports in `reports` unless it is empty. end_block()
  /// follows. B and X must not move until then.
  virtual void solve_block(DenseView<const S> b, DenseView<S> x, std::span<ColumnReport> reports) = 0;

  /// On rank 0: continues if a step has completed, and returns whether one has.
  virtual bool proceed() = 0;
  void end_block();

  /// Takes a message that belongs neither to the sweeps nor to this class; false if it is unknown.
  virtual bool receive(SolveMessage kind, Rank from, ByteReader& reader) = 0;

  [[nodiscard]] Sweeps<S>& sweeps() { return *sweeps_; }
  [[nodiscard]] Outbox& outbox() { return outbox_; }
  [[nodiscard]] Operation operation() const { return operation_; }

 private:
  struct Block {  // of columns of B
    Index begin = 0;
    Index end = 0;
  };
  struct GivenRows {  // of a block, from one rank
    std::vector<Index> rows;
    std::vector<S> values;  // column-major
  };

  template <class Handler>
  void handle(Handler handler);
  void take(SolveMessage kind, Rank from, ByteReader& reader);
  [[nodiscard]] Block read_block(ByteReader& reader) const;
  void give_rows(const Block& block);
  void take_given_rows(Rank from, ByteReader& reader);
  void take_columns(ByteReader& reader);
  void take_result(ByteReader& reader);
  void next_block();
  void begin_block();
  void send_columns();
  void send_result();

  Outbox outbox_;
  CommonEnd end_;
  std::unique_ptr<Sweeps<S>> sweeps_;
  Operation operation_;
  Index order_;
  RankSides<S> sides_;
  std::span<ColumnReport> reports_;

  // On rank 0:
  Block block_;                   // the current one
  std::vector<GivenRows> given_;  // [rank]
  Rank num_missing_ = 0;          // ranks that have not sent theirs
  bool others_ask_ = false;       // whether they request rows of X
  DenseMatrix<S> b_;              // of the block
  DenseMatrix<S> x_;
};

}  // namespace frond
