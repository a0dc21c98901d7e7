// SPDX-License-Identifier: BSD-3-Clause
// A linear system that several ranks have analysed together.
#pragma once

#include <memory>
#include <optional>

#include "analysis/mapping/mapping.hpp"
#include "analysis/pivots/pivot_order.hpp"
#include "frond/matrix.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "loadinfo/messages/ranks/node_layout.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/distributed/mpi/options.hpp"
#include "solver/numerics/problem/analysed_matrix.hpp"
#include "solver/numerics/problem/system_matrix.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/storage/checkpoint/front_log.hpp"

#include "factorization/distributed/slave_selection.hpp"
#include "frond/types.hpp"

namespace frond {

class CheckpointDirectory;

//   rank 0      matrix ──► check ──► order ──► broadcast
//   all ranks                                     └──► the rest of the analysis ──► compare hashes ──► shares of memory

/// The matrix, its analysis and the options, the same on every rank: rank 0 orders the variables, then every rank does the rest of
/// the analysis by itself. Immutable. What is wrong on one rank is thrown on all, with its number.
template <Scalar S>
class DistributedSystem {
 public:
  /// Collective. `matrix`: A on rank 0, whose arrays are copied to every rank; ignored elsewhere, where it may be null. Throws
  /// UsageError and MemoryError like analyze(), CommunicationError, and InternalError when ranks came to different results.
  DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const SolverOptions& options = {});

  /// Collective. A from triplets of all ranks, any on any rank, as gather_triplets() takes them. Rank 0 holds them all for a while.
  DistributedSystem(const Communicator& ranks, const Triplets<S>& mine, const SolverOptions& options = {});

  /// Collective, over the ranks of `analysed`. Other values with the analysis and the options that are there: no ordering, no
  /// matching. `matrix` as above, with entries in any order; those that are missing are zeros. Throws UsageError on all ranks for
  /// an entry that was not analysed, naming it, and for another order or symmetry. Where values differ so much that pivots have to
  /// wait long, an analysis of its own serves a matrix better.
  DistributedSystem(const DistributedSystem& analysed, const SystemMatrix<S>* matrix);
  DistributedSystem(const DistributedSystem& analysed, const Triplets<S>& mine);

  /// Collective. By the analysis of a system of the same ranks, unless the values of a general matrix have another symmetry.
  DistributedSystem(const Communicator& ranks, const AnalysisParts& analysis, const VariableOrder& order,
                    const SystemMatrix<S>* matrix);

  /// Collective. With an analysis that is there, the same on all ranks, of this pattern or a larger one. Empty `method`: chosen.
  DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const SolverOptions& options,
                    std::shared_ptr<const Symbolic> symbolic, std::optional<Method> method);

  DistributedSystem(const DistributedSystem&) = delete;
  DistributedSystem& operator=(const DistributedSystem&) = delete;

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }
  [[nodiscard]] const SolverOptions& options() const { return options_; }             ///< as they count
  [[nodiscard]] Count largest_memory_limit() const { return largest_memory_limit_; }  ///< of all ranks, in bytes
  /// What a checkpoint in memory may take for this rank: its factors, and as much as is active, once as what waits for parents and
  /// once as what has not been given back since the last list.
  [[nodiscard]] const LogRoom& checkpoint_room() const { return checkpoint_room_; }
  [[nodiscard]] SystemMatrix<S> matrix() const { return {copy_.view(), is_transposed_}; }
  [[nodiscard]] MatrixView<S> analysed() const;  ///< the matrix whose pattern was analysed: both triangles for LU
  /// Entries of the analysed pattern that the matrix does not have, and that count as zeros.
  [[nodiscard]] Count num_missing() const { return fitted_ ? fitted_->num_missing() : 0; }
  /// Whether the analysis that was given did not serve.
  [[nodiscard]] bool is_analysed_again() const { return is_analysed_again_; }
  [[nodiscard]] Method method() const { return method_; }  ///< to be tried first
  /// Scales of the matrix that the analysis has found on its way.
  [[nodiscard]] const FoundScales& known_scales() const { return known_scales_; }
  [[nodiscard]] const std::shared_ptr<const Symbolic>& symbolic() const { return symbolic_; }
  /// For other matrices on these ranks.
  [[nodiscard]] AnalysisParts analysis() const;
  [[nodiscard]] const VariableOrder& order() const { return order_; }  ///< as rank 0 found it
  /// With which the tree is mapped: the schedule has a say in it.
  [[nodiscard]] MappingOptions mapping_options() const {
    return frond::mapping_options(options_.analysis.mapping, options_.ranks.schedule);
  }
  /// On rank 0 the directory of the checkpoint from which factorizations go on; null elsewhere, and where none was opened.
  [[nodiscard]] const std::shared_ptr<CheckpointDirectory>& opened_checkpoint() const { return opened_checkpoint_; }
  void set_opened_checkpoint(std::shared_ptr<CheckpointDirectory> directory) { opened_checkpoint_ = std::move(directory); }
  [[nodiscard]] Mapping mapping(Method method) const { return map_tree(symbolic_->tree(), method, mapping_options()); }

 private:
  void check_watchdog() const;
  void copy_matrix(const SystemMatrix<S>* matrix, bool finds_symmetry = true);
  void analyze_copy();
  void choose_defaults();
  void choose_and_expand();
  void limit_memory();
  void order_on_rank_0();
  void share_scales();
  void analyze_on_all();

  std::shared_ptr<const Communicator> own_ranks_;  // shared with its analysis
  const Communicator& ranks_;
  SolverOptions options_;
  Count largest_memory_limit_ = 0;
  LogRoom checkpoint_room_;
  SparseMatrix<S> copy_;
  SparseMatrix<S> expanded_;                 // of a matrix that is not general, for LU
  std::optional<AnalysedMatrix<S>> fitted_;  // with an analysis that was there
  bool is_transposed_ = false;
  bool is_given_general_ = false;
  bool is_analysed_again_ = false;
  Method method_ = Method::lu;
  VariableOrder order_;
  FoundScales known_scales_;
  std::shared_ptr<const Symbolic> symbolic_;
  std::shared_ptr<CheckpointDirectory> opened_checkpoint_;
};

}  // namespace frond
