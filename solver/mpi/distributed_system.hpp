// SPDX-License-Identifier: BSD-3-Clause
// A linear system that several ranks have analysed together.
#pragma once

#include <memory>

#include "analysis/mapping.hpp"
#include "analysis/pivot_order.hpp"
#include "loadinfo/mpi/communicator.hpp"
#include "loadinfo/mpi/node_layout.hpp"
#include "matrices/build.hpp"
#include "solver/mpi/options.hpp"
#include "solver/system_matrix.hpp"

namespace frond {

/// The matrix, its analysis and the options, the same on every rank: rank 0 orders the variables, then every rank does the rest of
/// the analysis by itself. Immutable. What is wrong on one rank is thrown on all, with its number.
template <Scalar S>
class DistributedSystem {
 public:
  /// Collective. `matrix`: A on rank 0, whose arrays are copied to every rank; ignored elsewhere, where it may be null. Throws
  /// UsageError and MemoryError like analyze(), CommunicationError, and InternalError when ranks came to different results.
  DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const DistributedOptions& options = {});

  /// Collective. A from triplets of all ranks, any on any rank, as gather_triplets() takes them. Rank 0 holds them all for a while.
  DistributedSystem(const Communicator& ranks, const Triplets<S>& mine, const DistributedOptions& options = {});

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }
  [[nodiscard]] const DistributedOptions& options() const { return options_; }  ///< as they count
  [[nodiscard]] SystemMatrix<S> matrix() const { return {copy_.view(), is_transposed_}; }
  [[nodiscard]] MatrixView<S> analysed() const;            ///< the matrix whose pattern was analysed: both triangles for LU
  [[nodiscard]] Method method() const { return method_; }  ///< to be tried first
  [[nodiscard]] const std::shared_ptr<const Symbolic>& symbolic() const { return symbolic_; }
  [[nodiscard]] const VariableOrder& order() const { return order_; }  ///< as rank 0 found it
  /// With which the tree is mapped: the schedule has a say in it.
  [[nodiscard]] MappingOptions mapping_options() const {
    return frond::mapping_options(options_.solver.analysis.mapping, options_.schedule);
  }
  [[nodiscard]] Mapping mapping(Method method) const { return map_tree(symbolic_->tree(), method, mapping_options()); }

 private:
  void check_watchdog() const;
  void copy_matrix(const SystemMatrix<S>* matrix);
  void choose_defaults();
  void order_on_rank_0();
  void analyze_on_all();

  Communicator ranks_;
  DistributedOptions options_;
  SparseMatrix<S> copy_;
  SparseMatrix<S> expanded_;  // of a matrix that is not general, for LU
  bool is_transposed_ = false;
  Method method_ = Method::lu;
  VariableOrder order_;
  std::shared_ptr<const Symbolic> symbolic_;
};

}  // namespace frond
