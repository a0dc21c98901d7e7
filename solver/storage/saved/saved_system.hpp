// SPDX-License-Identifier: BSD-3-Clause
// The contents of a file of saved factors other than the factors: the system, its analysis, its scaling.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/symbolic.hpp"
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
void visit(FieldStream& fields, SavedSystem& system);
void visit(FieldStream& fields, RankProof& rank);

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
  Couplings couplings;
};
void visit(FieldStream& fields, SavedSymbolic& symbolic);

/// A copy of its arrays. `ordering` replaces its own report.
[[nodiscard]] SavedSymbolic parts_of(const Symbolic& symbolic, const OrderingReport& ordering);
/// Reconstructs the analysis. Throws InternalError unless the parts fit each other.
[[nodiscard]] std::shared_ptr<const Symbolic> joined(SavedSymbolic parts);

template <class R>
void visit(FieldStream& fields, Scaling<R>& scaling) {
  fields.list(scaling.rows);
  fields.list(scaling.cols);
  fields.value(scaling.kind);
  fields.value(scaling.num_sweeps);
}

/// Distinguishes matrices of the same pattern: different values have the same hash with a probability of 2^-64.
template <Scalar S>
[[nodiscard]] std::uint64_t values_hash(std::span<const S> values);

}  // namespace frond
