// SPDX-License-Identifier: BSD-3-Clause
// What a process of frond solve --survive says of itself, and knows of the others.
#pragma once

#include <string>
#include <vector>

#include "tools/program/records/survival_facts.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// What is kept of a factorization, so that a loss does not cost all of it.
enum class Protection { recompute, copies, files };

/// As --survive says it, or by whether there is a checkpoint. Throws UsageError where both do not go together.
[[nodiscard]] Protection protection_of(const SolveArguments& arguments);
[[nodiscard]] std::string to_string(Protection protection);

/// One attempt of a run, for one of its processes.
class Survival {
 public:
  /// `facts` are those of the run so far.
  Survival(std::string directory, Rank rank, SurvivalFacts facts)
      : directory_(std::move(directory)), rank_(rank), facts_(std::move(facts)) {}

  [[nodiscard]] const SurvivalFacts& facts() const { return facts_; }

  /// Leaves a note in the directory of the run, for those who lose this process. `phase` is words as "in the solve". Not thrown if
  /// it cannot be written.
  void begin_phase(const std::string& phase) const noexcept;

  /// The last note of a process; empty if there is none.
  [[nodiscard]] static std::string last_phase(const std::string& directory, Rank rank);

 private:
  std::string directory_;
  Rank rank_;
  SurvivalFacts facts_;
};

}  // namespace frond
