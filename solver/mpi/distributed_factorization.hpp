// SPDX-License-Identifier: BSD-3-Clause
// Solving linear systems on several ranks. A program whose communicator is an MPI_Comm includes loadinfo/mpi/communicator_handle.hpp:
//
//   const auto gate = std::make_shared<frond::MpiGate>(frond::mpi_thread_level());    // one for all of Frond in this process
//   const frond::Communicator ranks = frond::duplicate(MPI_COMM_WORLD, gate);
//   const auto system = std::make_shared<frond::DistributedSystem<double>>(ranks, rank == 0 ? &matrix : nullptr);
//   frond::DistributedFactorization<double> factorization(system);
//
// MPI is started by the program, with any thread level: below MPI_THREAD_SERIALIZED there is no load thread.
#pragma once

#include <memory>
#include <vector>

#include "factorization/rank_factors.hpp"
#include "factorization/rank_report.hpp"
#include "loadinfo/mpi/mpi_channel.hpp"
#include "solver/mpi/distributed_system.hpp"
#include "solver/report.hpp"

namespace frond {

/// A factorized linear system, a part on each rank. All calls are collective, and are made by the thread that made the object.
template <Scalar S>
class DistributedFactorization {
 public:
  /// Throws on all ranks alike: MemoryError, InternalError; and CommunicationError. A matrix that is singular or not positive
  /// definite is no exception, see report().
  explicit DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system);

  [[nodiscard]] const SystemReport& report() const { return report_; }                   ///< of the whole; the same on every rank
  [[nodiscard]] const std::vector<RankRunCounts>& rank_counts() const { return counts_; }  ///< [rank]; on every rank
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] const DistributedSystem<S>& system() const { return *system_; }
  [[nodiscard]] const std::optional<RankFactors<S>>& rank_factors() const { return factors_; }  ///< this rank's part

 private:
  void factorize_with(Method method);
  void take_structural_verdict(const MemoryError& error);

  std::shared_ptr<const DistributedSystem<S>> system_;
  MpiChannel main_;
  MpiChannel control_;
  MpiChannel load_;
  Mapping mapping_;
  std::optional<RankFactors<S>> factors_;
  SystemReport report_;
  std::vector<RankRunCounts> counts_;
};

}  // namespace frond
