// SPDX-License-Identifier: BSD-3-Clause
// Solves many systems, several at a time: frequency sweeps, samples, contingencies.
//
//   frond::Batch batch({.has_one_pattern = true});
//   batch.run(200, [&](frond::Count k) {                         // on several threads
//     const frond::SparseMatrix<double> matrix = matrix_of(k);
//     std::vector<double> b = right_side_of(k), x(b.size());
//     const frond::SolveReport report = batch.solve<double>(matrix, frond::column_view(std::span<const double>(b)),
//                                                           frond::column_view(std::span(x)));
//     ...
//   });
//
// The same in several processes, with <frond/mpi.hpp> or <frond/survive.hpp>: the result of each system goes to the first process.
//
//   batch.run(place, systems, [&](frond::Count k) { return result_of(k); },                     // on any process
//             [&](frond::Count k, const std::string& result) { ... });                          // on the first one
//
// Large systems are solved by groups of processes, with BatchOptions::group_size: the work is passed the place of its group.
//
//   batch.run(place, systems, [&](const frond::Place& group, frond::Count k) {                  // on all of a group
//     const frond::SolveReport report = batch.solve<double>(group, matrix, b, x);              // those of its first process
//     ...
//   }, [&](frond::Count k, const std::string& result) { ... });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <frond/analysis.hpp>
#include <frond/dense.hpp>
#include <frond/load_options.hpp>
#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/place.hpp>
#include <frond/report.hpp>
#include <frond/types.hpp>

namespace frond {

struct BatchOptions {  ///< options common to all systems of a batch
  /// Of each system. factorization.num_threads are those of a worker, 0 stands for 1; factorization.memory_limit is that of all
  /// workers of the machine together, which get equal parts, 0: what the machine and its control groups have left when the batch is
  /// made. Its observer serves all systems, concurrently.
  SolverOptions solver{};
  int num_workers = 0;    ///< systems at a time in this process; 0: as many as there are cores for the threads of each
  int num_processes = 1;  ///< of this machine that run the batch together, and divide its memory and its cores
  /// In several processes, how many of them solve a system together: ranks 0 to group_size - 1, the next ones, and so on. The
  /// number of processes is a multiple of it. With more than one, num_workers is 1, and the memory of the machine is still divided
  /// equally among its processes.
  int group_size = 1;
  bool has_one_pattern = false;        ///< the first system is analysed for all of them
  std::optional<Analysis> analysis{};  ///< of the one pattern, if it exists already
  /// How many systems a worker takes at a time. Nothing is known about systems beforehand, so fsc is fixed and wf is fac.
  ChunkKind chunks = ChunkKind::ss;
  /// In several processes, a worker that has no system left gets a copy of one that another process has not finished. The first
  /// result counts. So losing processes other than the first costs only time, and need not even be noticed.
  bool reissues = true;
};

/// Workers that solve systems concurrently. They share the analysis if all systems have one pattern.
class FROND_API Batch {
 public:
  /// Throws UsageError for options that do not apply.
  explicit Batch(BatchOptions options = {});
  ~Batch();
  Batch(Batch&& other) noexcept;
  Batch& operator=(Batch&& other) noexcept;

  [[nodiscard]] int num_workers() const;  ///< systems at a time in this process

  /// Calls work(k) once for each k < num_systems, on several threads; an idle worker takes the next ones. When it throws, or a stop
  /// is requested, no further system begins; the first exception is rethrown here when those in progress have finished:
  /// StoppedError after a stop.
  void run(Count num_systems, const std::function<void(Count)>& work) const;

  /// Collective; all processes made the batch with the same options. Calls work(k) on any of them for each k of `systems`, which
  /// are increasing and read on the first process only; there done(k, result of work) is called, one at a time and once for each
  /// system, when its first result arrives. An exception of work or done on one process is thrown on all alike, and so is
  /// StoppedError if a stop was requested on one.
  ///
  /// work() is called on the workers' threads; the calling thread carries messages, so any thread level of MPI suffices. With
  /// options.reissues work(k) may be called by several processes for one system, and a solve in it may be stopped when its result
  /// is no longer needed: let StoppedError pass. The call returns when all systems are done, even if processes other than the first
  /// were lost, provided that losses do not end the place (SurvivalOptions::limit_seconds of 0), and throws LossError if they are
  /// watched.
  ///
  /// The common analysis of one pattern is made on the first process and sent to those that need it.
  void run(const Place& place, const std::vector<Count>& systems, const std::function<std::string(Count)>& work,
           const std::function<void(Count, const std::string&)>& done) const;

  /// The same by groups of options.group_size processes each, concurrently. work(group, k) is called on all processes of a group,
  /// `group` being these, and is collective: an exception before its last call that is collective over the group must be thrown on
  /// all of them. The result is that of the group's first process. Copies go to other groups, and a solve that is no longer needed
  /// is stopped on all of its group. A stop requested by a process other than the first of its group takes effect when the group
  /// has finished its current system.
  ///
  /// work() is called by another thread than the one that carries messages: throws UsageError below MPI_THREAD_SERIALIZED, and if
  /// the place does not use MPI, since no process finishes the system of a group that has lost one of its processes.
  void run(const Place& place, const std::vector<Count>& systems, const std::function<std::string(const Place& group, Count)>& work,
           const std::function<void(Count, const std::string&)>& done) const;

  /// Solves op(A_k) X_k = B_k for all k < num_systems, which have one pattern, by the workers of this process. matrix_of(k), called
  /// on any of their threads, is A_k. B and X have the columns of one system after those of the other, the same number for each.
  /// Where fronts would be tiny, several systems take the lanes of the processor's vectors at a time, with the pivots of the first
  /// one; those that these do not serve are solved alone. Each gets the verdict that it gets alone. done(number of systems that are
  /// solved) is called after each, one call at a time. Throws the exception of the first system that has one; a UsageError names
  /// the system.
  template <Scalar S>
  std::vector<SolveReport> solve_all(Count num_systems, const std::function<SystemMatrix<S>(Count)>& matrix_of,
                                     DenseView<const S> b, DenseView<S> x, Operation operation = Operation::plain,
                                     const std::function<void(Count)>& done = {}) const;

  /// Solves op(A) X = B, on any thread: with the analysis of the first system that arrived here, if there is one pattern.
  /// Exceptions are those of analyze(), of Factorization and of its solve(); UsageError if the pattern differs.
  template <Scalar S>
  SolveReport solve(const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x,
                    Operation operation = Operation::plain) const;

  /// The same by all processes of a group, within the work of run(): A, B and X are those of its first process, and the others pass
  /// SystemMatrix<S>() and empty views. The report and exceptions are the same on all.
  template <Scalar S>
  SolveReport solve(const Place& group, const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x,
                    Operation operation = Operation::plain) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace frond
