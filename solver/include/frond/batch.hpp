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
#pragma once

#include <functional>
#include <memory>

#include <frond/dense.hpp>
#include <frond/load_options.hpp>
#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/report.hpp>
#include <frond/types.hpp>

namespace frond {

struct BatchOptions {
  /// Of each system. factorization.num_threads are those of a worker, 0 stands for 1; factorization.memory_limit is that of all
  /// workers together, which get equal parts, 0: what the machine and its control groups have left when the batch is made.
  SolverOptions solver{};
  int num_workers = 0;           ///< systems at a time; 0: as many as there are cores for the threads of each
  bool has_one_pattern = false;  ///< the first system is analysed for all of them
  /// How many systems a worker takes at a time. Of systems nothing is known beforehand, and taking them costs next to nothing: so
  /// fsc is fixed, wf is fac, and awf_d and awf_e are awf_b and awf_c.
  ChunkKind chunks = ChunkKind::ss;
};

/// Workers that solve systems side by side. They share what can be shared: the analysis, if all have one pattern.
class FROND_API Batch {
 public:
  /// Throws UsageError for options that do not apply.
  explicit Batch(BatchOptions options = {});
  ~Batch();
  Batch(Batch&& other) noexcept;
  Batch& operator=(Batch&& other) noexcept;

  [[nodiscard]] int num_workers() const;

  /// Calls work(k) for each k < num_systems once, on several threads at a time; a worker without work takes the next ones. When it
  /// throws, or options.solver.stop_requested asks for it, no further system begins; the first exception is thrown here when those
  /// under way have come to their end.
  void run(Count num_systems, const std::function<void(Count)>& work) const;

  /// Solves op(A) X = B, by any thread: with the analysis of the first system that came here, if there is one pattern. Exceptions
  /// are those of analyze(), of Factorization and of its solve(); UsageError where the pattern is another one.
  template <Scalar S>
  SolveReport solve(const SparseMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x,
                    Operation operation = Operation::plain) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace frond
