// SPDX-License-Identifier: BSD-3-Clause
// Solves one system: the first process reads and writes, all solve.
#include <complex>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "frond/place.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/batch/batch_solver.hpp"

namespace frond {
namespace {

// `matrix` and `input` are null except on the first process.
template <Scalar S>
void solve_matrix(const BatchSolver& solver, const Place& group, std::size_t number, const SparseMatrix<S>* matrix,
                  MatrixInput* input, BatchResult& result) {
  BatchSides<S> sides;
  agree(communicator_of(group), [&] {
    if (matrix != nullptr) {
      sides = solver.sides_of(number, *matrix, *input, result);
    }
  });
  const SolveReport report = solver.batch().solve<S>(group, matrix != nullptr ? SystemMatrix<S>(*matrix) : SystemMatrix<S>(),
                                                     view_of(std::as_const(sides.given.b)), view_of(sides.x), solver.operation());
  if (matrix != nullptr) {
    solver.conclude(number, report, std::move(sides), result);
  }
}

}  // namespace

BatchResult solve_in_group(const BatchSolver& solver, const Place& group, std::size_t number) {
  return result_of([&](BatchResult& result) {
    const Communicator& ranks = communicator_of(group);
    std::optional<MatrixInput> input;
    agree(ranks, [&] {
      if (ranks.rank() == 0) {
        input = solver.read(number);
      }
    });
    bool is_complex = input && std::holds_alternative<SparseMatrix<std::complex<double>>>(input->matrix);
    MatrixInput* read = input ? &*input : nullptr;
    broadcast(ranks, 0, std::as_writable_bytes(std::span(&is_complex, 1)));
    if (is_complex) {
      solve_matrix(solver, group, number, matrix_of<std::complex<double>>(input), read, result);
    } else {
      solve_matrix(solver, group, number, matrix_of<double>(input), read, result);
    }
  });
}

}  // namespace frond
