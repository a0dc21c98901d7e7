// SPDX-License-Identifier: BSD-3-Clause
// What a batch has, for its calls in one process and in several.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "frond/analysis.hpp"
#include "frond/batch.hpp"
#include "frond/factorization.hpp"
#include "solver/batch/task_desk.hpp"

namespace frond {

struct Batch::Parts {
  explicit Parts(BatchOptions how);

  // Whoever comes first analyses, and the others wait; when it fails, the next one is the first.
  template <Scalar S>
  Analysis analysis_of(const SparseMatrix<S>& matrix, const SolverOptions& solver) {
    if (!options.has_one_pattern) {
      return analyze(matrix, solver);
    }
    const std::lock_guard lock(mutex);
    if (!analysis && fetch) {
      analysis = fetch();
    }
    if (!analysis) {
      analysis = analyze(matrix, solver);
    }
    return analysis->with_options(solver);
  }
  // Without waiting for whoever is about to make it.
  [[nodiscard]] std::optional<Analysis> find_analysis() {
    const std::unique_lock lock(mutex, std::try_to_lock);
    return lock ? analysis : std::nullopt;
  }
  /// No further system is to begin.
  [[nodiscard]] StopRequest between_systems() const;

  BatchOptions options;
  std::mutex mutex;
  std::optional<Analysis> analysis;                // guarded by mutex
  std::function<std::optional<Analysis>()> fetch;  // from another process, if it has one; empty: there is no other
};

}  // namespace frond
