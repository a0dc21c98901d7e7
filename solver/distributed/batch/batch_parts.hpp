// SPDX-License-Identifier: BSD-3-Clause
// The state of a batch, used by its calls in one process and in several.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "frond/analysis.hpp"
#include "frond/batch.hpp"
#include "frond/factorization.hpp"
#include "solver/distributed/batch/task_desk.hpp"

namespace frond {

class Communicator;

struct Batch::Parts {
  explicit Parts(BatchOptions how);

  // The first caller analyses, and the others wait; if that fails, the next one tries.
  template <Scalar S>
  Analysis analysis_of(const SystemMatrix<S>& matrix, const SolverOptions& solver) {
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
  // Does not wait for a thread that is making it. One without fronts is sooner made than sent.
  [[nodiscard]] std::optional<Analysis> find_analysis() {
    const std::unique_lock lock(mutex, std::try_to_lock);
    return lock && analysis && !analysis->thin() ? analysis : std::nullopt;
  }
  /// Throws UsageError if groups of processes solve together.
  void check_that_each_works_alone() const;
  /// Runs on several processes, with the workers of all `places`: see Batch::run(). `observer` is that of this place.
  void run_at(const Communicator& places, const std::vector<Count>& systems, const std::function<std::string(Count)>& work,
              const std::function<void(Count, const std::string&)>& done, Observer* observer);
  /// Returns the analysis of the one pattern, the same on all processes of a group, who all make this call; nothing: the group must
  /// make it. Throws StoppedError on all of them if the run has ended.
  [[nodiscard]] std::optional<Analysis> analysis_in(const Communicator& group);

  BatchOptions options;
  std::mutex mutex;
  std::optional<Analysis> analysis;                // guarded by mutex
  std::function<std::optional<Analysis>()> fetch;  // from another process, if it has one; empty function: there is no other process
};

}  // namespace frond
