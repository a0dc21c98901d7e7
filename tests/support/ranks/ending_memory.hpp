// SPDX-License-Identifier: BSD-3-Clause
// Provides memory that runs out between one factorization and the next, and systems that need both.
#pragma once

#include <atomic>
#include <utility>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"

namespace frond::testing {

/// Passes memory on until end() is called; afterwards there is enough for a solve only.
class EndingMemory final : public RegionPool {
 public:
  EndingMemory() : RegionPool(0) {}

  void end() { has_ended_ = true; }

  Region take(Count bytes) override {
    if (has_ended_ && bytes > kForSolves) {
      throw MemoryError("the memory of this test has ended", bytes, 0);
    }
    return RegionPool::take(bytes);
  }

 private:
  static constexpr Count kForSolves = 1024;  // bytes, for about forty unknowns

  std::atomic<bool> has_ended_ = false;
};

/// [d 1; 1 d] (+) a dense block of 40. If variable 1 is kept, the block of the others is singular for d = 0, and the complement is
/// 0 for d = 1.
template <Scalar S>
SparseMatrix<S> doubtful_around_one(bool has_complement) {
  constexpr Index kOrder = 42;
  Triplets<S> triplets{kOrder, kOrder, Symmetry::symmetric, {}, {}, {}};
  triplets.add(1, 0, S(1));
  if (has_complement) {
    triplets.add(0, 0, S(1));
    triplets.add(1, 1, S(1));
  }
  for (Index j = 2; j < kOrder; ++j) {
    triplets.add(j, j, S(2));
    for (Index i = j + 1; i < kOrder; ++i) {
      triplets.add(i, j, S(0.01F));
    }
  }
  return compress(std::move(triplets));
}

}  // namespace frond::testing
