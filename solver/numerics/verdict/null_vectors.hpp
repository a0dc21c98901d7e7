// SPDX-License-Identifier: BSD-3-Clause
// Tests whether vectors from the factors for null pivots are null vectors of the matrix itself.
#pragma once

#include <span>
#include <vector>

#include "frond/dense.hpp"
#include "solver/numerics/sweeps/sweep.hpp"
#include "solver/numerics/verdict/scaled_system.hpp"

namespace frond {

/// The result of testing vectors z by the largest |A z|_i / (|A| |z|)_i of an equation.
struct NullVectorTest {
  Index num_tested = 0;
  Index num_proved = 0;     ///< vectors with a largest ratio of at most tau
  double worst_proved = 0;  ///< the largest among these
  bool is_sample = false;   ///< there are more vectors

  NullVectorTest& operator+=(const NullVectorTest& other);
};

/// How many vectors of a block are refined at a time, within `most_bytes`.
template <Scalar S>
[[nodiscard]] Index num_refined_at_once(Index order, Count most_bytes);

/// At most this many vectors are tested: all if there are no more, and otherwise a random sample, from a fixed seed.
inline constexpr Index kMostTestedVectors = 1000;

/// Each null pivot has a vector, see SweepPart; of the unknowns that have no pivot it is 1 for one and 0 for the others, and these
/// components are fixed. It is refined with the factors and residuals in twice the working precision until it passes, |A z| <= tau
/// |A| |z| in every equation, or no longer improves. A component that changes by its full size in successive corrections is noise
/// in place of a zero, and is set to zero. Vectors are found and tested in blocks of kSolveBlock, or of as many as fit into
/// `most_bytes`, and not kept. Throws what `solve` throws, and MemoryError.
template <Scalar S>
[[nodiscard]] NullVectorTest test_null_pivots(const ScaledSystem<S>& system, std::span<const Index> null_pivots, Count most_bytes,
                                              int num_threads);

/// The same for the columns of Z, in units of the column scaling: column k is 1 at anchors[k], and 0 at the others, though the
/// factors give these unknowns pivots. Components along the vectors themselves are removed from corrections. Returns the errors,
/// [column].
template <Scalar S>
[[nodiscard]] std::vector<double> refine_reduced(const ScaledSystem<S>& system, DenseMatrix<S> z, std::span<const Index> anchors);

}  // namespace frond
