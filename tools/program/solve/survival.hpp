// SPDX-License-Identifier: BSD-3-Clause
// Records what a process of frond solve --survive reports about itself and knows about the others.
#pragma once

#include <string>

#include "tools/program/records/survival_facts.hpp"
#include "tools/program/solve/solve_arguments.hpp"

namespace frond {

/// How a factorization is protected, so that a loss does not cost all of it.
enum class Protection { recompute, copies, files };

/// Returns the protection that --survive names, or that follows from the checkpoint option. Throws UsageError if both contradict.
[[nodiscard]] Protection protection_of(const SolveArguments& arguments);
[[nodiscard]] std::string to_string(Protection protection);

/// One attempt of a run, for one of its processes.
class Survival {
 public:
  /// `facts` are those of the run so far.
  Survival(std::string directory, Rank rank, SurvivalFacts facts)
      : directory_(std::move(directory)), rank_(rank), facts_(std::move(facts)) {}

  [[nodiscard]] const SurvivalFacts& facts() const { return facts_; }

  /// Leaves a note in the directory of the run, for processes that lose this one. `phase` is a phrase such as "in the solve". Write
  /// errors are ignored.
  void begin_phase(const std::string& phase) const noexcept;

  /// Returns the last note of a process; empty if there is none.
  [[nodiscard]] static std::string last_phase(const std::string& directory, Rank rank);

 private:
  std::string directory_;
  Rank rank_;
  SurvivalFacts facts_;
};

}  // namespace frond
