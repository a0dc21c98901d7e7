// SPDX-License-Identifier: BSD-3-Clause
// Keeps memory between factorizations.
#pragma once

#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "factorization/memory/region.hpp"
#include "frond/factorization_options.hpp"

namespace frond {

/// Keeps the regions of finished factorizations and hands them to the next ones: fresh pages cost a page fault and a clearing each,
/// about as much time as computing on them. Share one pool among factorizations that follow one another; it returns everything to
/// the system when it is destroyed. Thread-safe.
class RegionPool {
 public:
  /// Keeps up to `most_kept_bytes`; with 0 it only passes memory on. Memory that is not kept comes from `source` and goes back to
  /// it, as does the kept memory at the end; without a source it is the system's.
  explicit RegionPool(Count most_kept_bytes = std::numeric_limits<Count>::max(), std::shared_ptr<RegionPool> source = nullptr)
      : most_kept_bytes_(most_kept_bytes), source_(std::move(source)) {}
  virtual ~RegionPool();
  RegionPool(const RegionPool&) = delete;
  RegionPool& operator=(const RegionPool&) = delete;

  /// Returns the smallest kept region of at least `bytes` that is not much larger, its contents undefined; otherwise a fresh one.
  /// Throws MemoryError. A program that manages memory limits itself overrides this.
  [[nodiscard]] virtual Region take(Count bytes);
  void give_back(Region region);

  [[nodiscard]] Count kept_bytes() const;

 private:
  Count most_kept_bytes_;
  std::shared_ptr<RegionPool> source_;
  mutable std::mutex mutex_;
  Count kept_bytes_ = 0;
  std::vector<Region> regions_;  // kept, by increasing size
};

}  // namespace frond
