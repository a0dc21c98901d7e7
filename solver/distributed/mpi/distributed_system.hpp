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
/// the analysis on its own. Immutable. An error on one rank is thrown on all, with its number.
template <Scalar S>
class DistributedSystem {
 public:
  /// Collective. `matrix`: A on rank 0, whose arrays are copied to every rank; ignored elsewhere, where it may be null. Throws
  /// UsageError and MemoryError like analyze(), CommunicationError, and InternalError when ranks came to different results.
  DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const SolverOptions& options = {});

  /// Collective. Uses the analysis of a system on the same ranks and its options, for values with entries in any order; missing
  /// ones are zeros. If the values of a general matrix have another symmetry, it is analysed again. Throws UsageError on all ranks
  /// for an entry that was not analysed, naming it, and for another order or symmetry. If values differ so much that pivots are
  /// delayed for long, a new analysis serves the matrix better.
  DistributedSystem(const Communicator& ranks, const AnalysisParts& analysis, const SystemMatrix<S>* matrix);

  /// Collective. Uses an existing analysis, the same on all ranks, of this pattern or a larger one. Empty `method`: chosen.
  DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const SolverOptions& options,
                    std::shared_ptr<const Symbolic> symbolic, std::optional<Method> method);

  DistributedSystem(const DistributedSystem&) = delete;
  DistributedSystem& operator=(const DistributedSystem&) = delete;

  [[nodiscard]] const Communicator& ranks() const { return ranks_; }
  [[nodiscard]] const SolverOptions& options() const { return options_; }             ///< in effect
  [[nodiscard]] Count largest_memory_limit() const { return largest_memory_limit_; }  ///< over all ranks, in bytes
  /// The predicted size of a checkpoint in memory for this rank: its factors, and twice the active memory, once for blocks that
  /// wait for parents and once for blocks not freed since the last list.
  [[nodiscard]] const LogRoom& checkpoint_room() const { return checkpoint_room_; }
  [[nodiscard]] SystemMatrix<S> matrix() const { return {copy_.view(), is_transposed_}; }
  [[nodiscard]] MatrixView<S> analysed() const;  ///< the matrix whose pattern was analysed: both triangles for LU
  /// Entries of the analysed pattern that the matrix lacks, which count as zeros.
  [[nodiscard]] Count num_missing() const { return fitted_ ? fitted_->num_missing() : 0; }
  /// Whether the given analysis could not be used.
  [[nodiscard]] bool is_analysed_again() const { return is_analysed_again_; }
  [[nodiscard]] Method method() const { return method_; }  ///< to be tried first
  /// Scales of the matrix that the analysis found as a by-product.
  [[nodiscard]] const FoundScales& known_scales() const { return known_scales_; }
  [[nodiscard]] const std::shared_ptr<const Symbolic>& symbolic() const { return symbolic_; }
  /// For other matrices on these ranks.
  [[nodiscard]] AnalysisParts analysis() const;
  /// The options for mapping the tree, which depend on the schedule.
  [[nodiscard]] MappingOptions mapping_options() const {
    return frond::mapping_options(options_.analysis.mapping, options_.ranks.schedule);
  }
  /// On rank 0 the directory of the checkpoint from which factorizations continue; null elsewhere, and if none was opened.
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
  [[nodiscard]] VariableOrder order_on_rank_0();
  void share_scales(MatchingKind matching, bool has_dear_delays);
  void analyze_on_all(const VariableOrder& order);

  std::shared_ptr<const Communicator> own_ranks_;  // shared with its analysis
  const Communicator& ranks_;
  SolverOptions options_;
  Count largest_memory_limit_ = 0;
  LogRoom checkpoint_room_;
  SparseMatrix<S> copy_;
  SparseMatrix<S> expanded_;                 // of a matrix that is not general, for LU
  std::optional<AnalysedMatrix<S>> fitted_;  // if an existing analysis was used
  bool is_transposed_ = false;
  bool is_given_general_ = false;
  bool is_analysed_again_ = false;
  Method method_ = Method::lu;
  FoundScales known_scales_;
  std::shared_ptr<const Symbolic> symbolic_;
  std::shared_ptr<CheckpointDirectory> opened_checkpoint_;
};

}  // namespace frond
