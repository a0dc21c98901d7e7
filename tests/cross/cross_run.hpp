// SPDX-License-Identifier: BSD-3-Clause
// Runs one matrix in several configurations, on all ranks.
#pragma once

#include <string>
#include <vector>

#include "frond/matrix.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "tests/cross/one_process.hpp"
#include "tests/cross/results_table.hpp"

namespace frond::test {

/// Each run factorizes and solves anew, with the ordering found by the first run.
template <Scalar S>
class CrossRun {
 public:
  /// Collective. `matrix` is non-null on rank 0 only, which also solves with it alone. Both arguments must outlive this object.
  CrossRun(const Communicator& ranks, const SparseMatrix<S>* matrix);

  /// Collective. Returns the outcome as the table lists it after the key; complete on rank 0. Frond's errors become the verdict,
  /// except for CommunicationError, which is passed on.
  [[nodiscard]] std::string run(const Configuration& configuration);

 private:
  const Communicator& ranks_;
  const SparseMatrix<S>* matrix_;
  std::vector<S> b_;
  OneProcess<S> one_;
  std::vector<Index> order_;
};

}  // namespace frond::test
