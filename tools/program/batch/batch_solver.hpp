// SPDX-License-Identifier: BSD-3-Clause
// Solves one system of a batch: from its files to its result.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frond/batch.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/batch/batch_arguments.hpp"
#include "tools/program/batch/batch_list.hpp"
#include "tools/program/batch/batch_results.hpp"
#include "tools/program/solve/right_hand_sides.hpp"

namespace frond {

/// The right-hand sides of a system, and room for the solutions.
template <Scalar S>
struct BatchSides {
  RightHandSides<S> given;
  DenseMatrix<S> x;
};

/// Each process of a batch has one, for all its workers.
class BatchSolver {
 public:
  /// All arguments except `options` must outlive this object. Throws UsageError.
  BatchSolver(const BatchArguments& arguments, const std::vector<BatchItem>& items, BatchOptions options)
      : arguments_(arguments), items_(items), batch_(std::move(options)) {}

  [[nodiscard]] const Batch& batch() const { return batch_; }

  /// Any error of a system becomes its result. Throws StoppedError, and OutputError if the solution cannot be written.
  [[nodiscard]] BatchResult solve(std::size_t number) const;

  /// Throws InputError.
  [[nodiscard]] MatrixInput read(std::size_t number) const;

  // The steps before and after the solve, for the process that has the matrix.
  template <Scalar S>
  [[nodiscard]] BatchSides<S> sides_of(std::size_t number, const SparseMatrix<S>& matrix, MatrixInput& input,
                                       BatchResult& result) const;
  template <Scalar S>
  void conclude(std::size_t number, const SolveReport& report, BatchSides<S>&& sides, BatchResult& result) const;

  [[nodiscard]] const std::vector<BatchItem>& items() const { return items_; }
  [[nodiscard]] Operation operation() const { return arguments_.solve.operation(); }

 private:
  template <Scalar S>
  void solve_matrix(std::size_t number, const SparseMatrix<S>& matrix, MatrixInput& input, BatchResult& result) const;
  [[nodiscard]] std::string solution_file(std::size_t number) const;

  const BatchArguments& arguments_;
  const std::vector<BatchItem>& items_;
  Batch batch_;
};

/// Returns the outcome of solve(result): exceptions become results, except those that end all systems: StoppedError,
/// CommunicationError and OutputError are passed on.
[[nodiscard]] BatchResult result_of(const std::function<void(BatchResult&)>& solve);

/// All processes of the group make this call; the first one reads and writes files and has the items of `solver`. The result is
/// that of the first process, as from BatchSolver::solve(). Throws on all processes alike, except for OutputError, which only the
/// first one throws.
[[nodiscard]] BatchResult solve_in_group(const BatchSolver& solver, const Place& group, std::size_t number);

/// Returns the batch options that the arguments request.
[[nodiscard]] BatchOptions batch_options(const BatchArguments& arguments);

/// Makes the folder for solutions if they are to be written. Throws OutputError.
void make_output_folder(const BatchArguments& arguments);

}  // namespace frond
