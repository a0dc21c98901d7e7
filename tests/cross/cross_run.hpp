// SPDX-License-Identifier: BSD-3-Clause
// Runs of one matrix in several configurations, on all ranks.
#pragma once

#include <string>
#include <vector>

#include "frond/matrix.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "tests/cross/one_process.hpp"
#include "tests/cross/results_table.hpp"

namespace frond::test {

/// Each run factorizes and solves anew, in the order of variables that the first run has found.
template <Scalar S>
class CrossRun {
 public:
  /// Collective. `matrix`: on rank 0, which solves with it alone; null elsewhere. Both must outlive this object.
  CrossRun(const Communicator& ranks, const SparseMatrix<S>* matrix);

  /// Collective. The outcome as the table has it behind the key; complete on rank 0. What Frond throws is the verdict, but for a
  /// CommunicationError, which is passed on.
  [[nodiscard]] std::string run(const Configuration& configuration);

 private:
  const Communicator& ranks_;
  const SparseMatrix<S>* matrix_;
  std::vector<S> b_;
  OneProcess<S> one_;
  std::vector<Index> order_;
};

}  // namespace frond::test
