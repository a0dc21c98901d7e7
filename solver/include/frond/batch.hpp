// SPDX-License-Identifier: BSD-3-Clause
// Many systems, several at a time: frequency sweeps, samples, contingencies.
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
// The same in several processes, with <frond/mpi.hpp> or <frond/survive.hpp>: what each system comes to goes to the first process.
//
//   batch.run(ranks, systems, [&](frond::Count k) { return result_of(k); },                     // on any process
//             [&](frond::Count k, const std::string& result) { ... });                          // on the first one
//
// Large systems are solved by groups of processes, with BatchOptions::group_size: work gets the Ranks of its group.
//
//   batch.run(ranks, systems, [&](const frond::Ranks& group, frond::Count k) {                  // on all of a group
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
#include <frond/report.hpp>
#include <frond/types.hpp>

namespace frond {

class Ranks;

struct BatchOptions {  ///< what counts for all systems of a batch
  /// Of each system. factorization.num_threads are those of a worker, 0 stands for 1; factorization.memory_limit is that of all
  /// workers of the machine together, which get equal parts, 0: what the machine and its control groups have left when the batch is
  /// made. stop_requested ends what is under way, too.
  SolverOptions solver{};
  int num_workers = 0;    ///< systems at a time in this process; 0: as many as there are cores for the threads of each
  int num_processes = 1;  ///< of this machine that run the batch together, and divide its memory and its cores
  /// In several processes, how many of them solve a system together: ranks 0 to group_size - 1, the next ones, and so on. Their
  /// number is a multiple of it. With more than one num_workers is 1, and the memory of the machine goes to its processes in equal
  /// parts even so.
  int group_size = 1;
  bool has_one_pattern = false;        ///< the first system is analysed for all of them
  std::optional<Analysis> analysis{};  ///< of the one pattern, if there is one already
  /// How many systems a worker takes at a time. Of systems nothing is known beforehand: so fsc is fixed and wf is fac.
  ChunkKind chunks = ChunkKind::ss;
  /// In several processes, a worker for which no system is left gets a copy of one that another process has not finished. The first
  /// result counts. So the loss of processes other than the first, which nobody need notice, costs no more than time.
  bool reissues = true;
  StopRequest stop_requested{};  ///< no further system is to begin; asked by any thread, often
};

/// Workers that solve systems side by side. They share what can be shared: the analysis, if all have one pattern.
class FROND_API Batch {
 public:
  /// Throws UsageError for options that do not apply.
  explicit Batch(BatchOptions options = {});
  ~Batch();
  Batch(Batch&& other) noexcept;
  Batch& operator=(Batch&& other) noexcept;

  [[nodiscard]] int num_workers() const;  ///< systems at a time in this process

  /// Calls work(k) for each k < num_systems once, on several threads at a time; a worker without work takes the next ones. When it
  /// throws, or a stop is asked for, no further system begins; the first exception is thrown here when those under way have come to
  /// their end: StoppedError after a stop.
  void run(Count num_systems, const std::function<void(Count)>& work) const;

  /// All processes make this call, and have made the batch with the same options. Calls work(k) on any of them for each k of
  /// `systems`, which increase and count on the first process, and there done(k, what work has returned), one at a time and once
  /// for each system, when the first result of it is there. Throws on all alike what work, or done, has thrown on one, or
  /// StoppedError if a stop was asked for on one.
  ///
  /// work() is called on the workers' threads; the calling thread carries messages, so that any thread level of MPI will do. With
  /// options.reissues work(k) may be called by several processes for one system, and what it solves may be stopped when it is of no
  /// use any more: StoppedError is to be passed on. The call returns when all systems are done, whoever else has been lost, if
  /// `ranks` are such that losses do not end them (SurvivalOptions::limit_seconds of 0), and throws LossError if they are watched.
  ///
  /// The common analysis of one pattern is made on the first process and sent to those that need it.
  void run(const Ranks& ranks, const std::vector<Count>& systems, const std::function<std::string(Count)>& work,
           const std::function<void(Count, const std::string&)>& done) const;

  /// The same by groups of options.group_size processes each, side by side. work(group, k) is called on all of a group, `group`
  /// being its processes, and is collective: what it throws before its last call that is collective over the group, it throws on
  /// all of them. The result is that of the group's first process. Copies go to other groups, and what solves a system that is of
  /// no use any more is stopped on all of its group. A stop that a process asks for which is not the first one of its group counts
  /// from the end of what the group is solving.
  ///
  /// work() is called by another thread than the one that carries messages: throws UsageError below MPI_THREAD_SERIALIZED, and
  /// where MPI does not carry `ranks`, since nobody finishes what a group has begun that has lost one of its processes.
  void run(const Ranks& ranks, const std::vector<Count>& systems, const std::function<std::string(const Ranks& group, Count)>& work,
           const std::function<void(Count, const std::string&)>& done) const;

  /// Solves op(A) X = B, by any thread: with the analysis of the first system that came here, if there is one pattern. Exceptions
  /// are those of analyze(), of Factorization and of its solve(); UsageError where the pattern is another one.
  template <Scalar S>
  SolveReport solve(const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x,
                    Operation operation = Operation::plain) const;

  /// The same by all processes of a group, within the work of run(): A, B and X are those of its first process, and the others pass
  /// SystemMatrix<S>() and empty views. The report is the same on all, and so are exceptions.
  template <Scalar S>
  SolveReport solve(const Ranks& group, const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x,
                    Operation operation = Operation::plain) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace frond
