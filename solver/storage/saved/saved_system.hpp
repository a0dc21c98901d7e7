// SPDX-License-Identifier: BSD-3-Clause
// The contents of a file of saved factors other than the factors: the system, its analysis, its scaling.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/fronts/report_fields.hpp"
#include "matrices/large_vector.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/storage/saved/field_stream.hpp"

namespace frond {

enum class SavedScalar : std::uint32_t { real_single = 1, real_double, complex_single, complex_double };

template <Scalar S>
inline constexpr SavedScalar kSavedScalar = kIsComplex<S> ? (sizeof(RealOf<S>) == sizeof(float) ? SavedScalar::complex_single
                                                                                                : SavedScalar::complex_double)
                                                          : (sizeof(S) == sizeof(float) ? SavedScalar::real_single
                                                                                        : SavedScalar::real_double);

/// "real numbers in single precision".
[[nodiscard]] std::string to_string(SavedScalar scalar);

struct SavedSystem {
  SavedScalar scalar = SavedScalar::real_double;  ///< of the matrix; factors of mixed precision have the lower one
  Symmetry symmetry = Symmetry::general;          ///< of the matrix as it was given
  std::uint64_t values_hash = 0;                  ///< of its values, in the order of the analysed entries
  Rank num_ranks = 1;                             ///< that factorized it
  SystemReport report;
};

template <class Fields>
void visit(Fields& fields, RankProof& rank) {
  fields(rank.status, rank.lowest, rank.highest, rank.num_vectors, rank.is_sample, rank.number, rank.rest);
}
template <class Fields>
void visit(Fields& fields, SavedSystem& system) {
  SystemReport& report = system.report;
  fields(system.scalar, system.symmetry, system.values_hash, system.num_ranks, report.method, report.notes, report.scaling,
         report.equilibration_sweeps, report.is_mixed, report.is_singular_by_condition, report.equilibrated_condition, report.rank,
         report.factorization);
}

/// The arrays from which a Symbolic can be reconstructed.
struct SavedSymbolic {
  std::vector<Index> perm;
  std::vector<Index> row_of_column;
  std::vector<NodeId> parent;
  std::vector<Index> variable_offsets;
  std::vector<Count> cb_offsets;
  std::vector<Index> cb_rows;
  std::vector<Count> entry_offsets;
  LargeVector<Index> positions;
  LargeVector<Count> sources;
  OrderingReport ordering;
  Symmetry symmetry = Symmetry::general;
  Index structural_rank = 0;
  std::uint64_t pattern_hash = 0;
  double exact_sum_c = 0;
  double exact_sum_c2 = 0;
  BlockTriangularForm blocks;
  SelectedEntries couplings;
};

template <class Fields>
void visit(Fields& fields, OrderingReport& ordering) {
  fields(ordering.kind, ordering.matching, ordering.num_compressed, ordering.ordering_seconds, ordering.analysis_seconds);
}
template <class Fields>
void visit(Fields& fields, BlockTriangularForm& blocks) {
  fields(blocks.num_blocks, blocks.largest_block, blocks.num_levels, blocks.level_of_row, blocks.level_of_column,
         blocks.row_of_column);
}
template <class Fields>
void visit(Fields& fields, SavedSymbolic& symbolic) {
  fields(symbolic.perm, symbolic.row_of_column, symbolic.parent, symbolic.variable_offsets, symbolic.cb_offsets, symbolic.cb_rows,
         symbolic.entry_offsets, symbolic.positions, symbolic.sources, symbolic.ordering, symbolic.symmetry,
         symbolic.structural_rank, symbolic.pattern_hash, symbolic.exact_sum_c, symbolic.exact_sum_c2, symbolic.blocks,
         symbolic.couplings.column_offsets, symbolic.couplings.row_indices, symbolic.couplings.sources);
}

/// A copy of its arrays.
[[nodiscard]] SavedSymbolic parts_of(const Symbolic& symbolic);
/// Reconstructs the analysis, of a tree whose variables for a Schur complement are in `schur_node`. Throws InternalError unless the
/// parts fit each other.
[[nodiscard]] std::shared_ptr<const Symbolic> joined(SavedSymbolic parts, NodeId schur_node = kNoNode);

template <class Fields, class R>
void visit(Fields& fields, Scaling<R>& scaling) {
  fields(scaling.rows, scaling.cols, scaling.kind, scaling.num_sweeps);
}

/// Distinguishes matrices of the same pattern: different values have the same hash with a probability of 2^-64.
template <Scalar S>
[[nodiscard]] std::uint64_t values_hash(std::span<const S> values);

}  // namespace frond
