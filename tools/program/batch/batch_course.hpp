// SPDX-License-Identifier: BSD-3-Clause
// Runs a batch on the process that prints and keeps the results: the same code for one process and for several.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/program/batch/batch_solver.hpp"
#include "tools/program/batch/batch_stop.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/progress_bar.hpp"

namespace frond {

/// The workers that solve the systems.
struct BatchTeam {
  std::string words;                 ///< "8 workers"
  bool divides_memory = false;       ///< if set, systems that are too large are retried alone
  std::function<void()> conclude{};  ///< called before the table; may be empty
  /// Solves these systems on any workers, and calls done(number, result) for each, one at a time. Throws StoppedError.
  std::function<void(const std::vector<Count>& systems, const std::function<void(Count, const BatchResult&)>& done)> deal{};
};

class BatchCourse {
 public:
  /// Reads the results of an earlier run from the file `results`. All other arguments must outlive this object. Throws InputError,
  /// OutputError.
  BatchCourse(const BatchArguments& arguments, const std::vector<BatchItem>& items, const std::string& results,
              const std::shared_ptr<BatchStop>& stop);

  /// Returns the systems without results so far, increasing.
  [[nodiscard]] std::vector<Count> to_do() const;

  /// Has the systems solved, prints each result, the counts of all results, and which systems were not solved. Throws
  /// SuspendedError or StoppedError if a stop was requested, OutputError.
  [[nodiscard]] ExitCode run(const BatchTeam& team);

 private:
  void solve_all(const BatchTeam& team);
  void solve_alone();
  void note(std::size_t number, const BatchResult& result);
  [[nodiscard]] ExitCode conclude() const;

  const BatchArguments& arguments_;
  const std::vector<BatchItem>& items_;
  BatchResults results_;
  std::shared_ptr<BatchStop> stop_;
  std::vector<Count> too_large_;  // for one worker's part of the memory
  std::unique_ptr<ProgressBar> bar_;
};

}  // namespace frond
