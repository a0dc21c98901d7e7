// SPDX-License-Identifier: BSD-3-Clause
// The common part of the adapters of frond bench: a solver declares its abilities and its calls, run_peer() does the rest of the
// protocol (docs/benchmark.md).
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frond/matrix.hpp"

namespace frond {

/// The input of a solver on each of its processes.
template <Scalar S>
struct PeerProblem {
  SparseMatrix<S> matrix;  ///< both triangles for LU, otherwise the lower one
  Method method = Method::lu;
  int num_threads = 1;
  Rank rank = 0;                          ///< of this process
  std::vector<Index> ordering;            ///< perm[new] = old, must be used; empty: the solver chooses
  bool refines = false;                   ///< solve() refines, if the solver has its own refinement
  std::vector<Index> row_of_column = {};  ///< given with the ordering if rows were matched: see OrderingOptions
};

/// A solver with one problem, which outlives it. Converting the matrix to the solver's format belongs to the constructor, which is
/// not timed. Every error is a std::exception.
template <Scalar S>
class PeerSolver {
 public:
  PeerSolver() = default;
  virtual ~PeerSolver() = default;
  PeerSolver(const PeerSolver&) = delete;
  PeerSolver& operator=(const PeerSolver&) = delete;

  virtual void analyze() = 0;
  /// Frees or restores what the last factorization leaves and the next one does not use. Not timed.
  virtual void discard() {}
  virtual void factorize() = 0;
  /// Returns the seconds of the last factorize() that belong to the analysis, for solvers that do both in one call.
  [[nodiscard]] virtual double analysis_seconds() const { return 0; }
  /// Gets ready for refactorize(). Not timed.
  virtual void prepare_again() {}
  /// Factorizes the matrix with other values, in the order of the first ones, as the solver does in a sequence of such matrices.
  /// They stay until the next ones are given. Called only if Peer::refactorizes.
  virtual void refactorize(std::span<const S> /*values*/) {}
  /// x = A^-1 b, without refinement unless the problem asks for it; x is complete on the first process.
  virtual void solve(std::span<const S> b, std::span<S> x) = 0;

  [[nodiscard]] virtual Count factor_entries() const { return 0; }   ///< 0: unknown
  [[nodiscard]] virtual Count estimated_bytes() const { return 0; }  ///< of the factorization, by the analysis; 0: unknown
};

template <Scalar S>
using MakeSolver = std::function<std::unique_ptr<PeerSolver<S>>(const PeerProblem<S>&)>;

/// The threads that a solver can use.
enum class PeerThreads {
  none,  ///< one thread only
  own,   ///< its own, each calling sequential OpenBLAS
  blas   ///< OpenBLAS's
};

/// A solver as described to the protocol.
struct Peer {
  std::string solver;                        ///< name and version
  std::vector<Method> real_methods;          ///< available for real matrices
  std::vector<Method> complex_methods = {};  ///< available for complex matrices
  PeerThreads threads = PeerThreads::none;
  Rank least_ranks = 1;
  Rank most_ranks = 1;
  bool threads_call_mpi = false;
  bool refactorizes = true;  ///< takes part where refactorizations are measured
  MakeSolver<double> make_real = {};
  MakeSolver<std::complex<double>> make_complex = {};
};

/// Sets make_real and make_complex.
template <class RealSolver, class ComplexSolver>
[[nodiscard]] Peer with_solver(Peer peer) {
  peer.make_real = [](const PeerProblem<double>& problem) { return std::make_unique<RealSolver>(problem); };
  peer.make_complex = [](const PeerProblem<std::complex<double>>& problem) { return std::make_unique<ComplexSolver>(problem); };
  return peer;
}

/// The main function of an adapter: reads the command line, starts the other processes, measures, prints the line.
[[nodiscard]] int run_peer(int argc, char** argv, const Peer& peer);

/// Throws std::runtime_error with the solver's own code unless `succeeded`.
void require_success(bool succeeded, const std::string& phase, long long code);

}  // namespace frond
