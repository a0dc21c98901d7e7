// SPDX-License-Identifier: BSD-3-Clause
// Deals out the systems, retries those that were too large, and concludes.
#include "tools/program/batch/batch_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "frond/error.hpp"
#include "matrices/counted.hpp"

namespace frond {

BatchCourse::BatchCourse(const BatchArguments& arguments, const std::vector<BatchItem>& items, const std::string& results,
                         const std::shared_ptr<BatchStop>& stop)
    : arguments_(arguments), items_(items), results_(results, items), stop_(stop) {}

std::vector<Count> BatchCourse::to_do() const {
  std::vector<Count> numbers;
  for (std::size_t number = 0; number < items_.size(); ++number) {
    if (!results_.all().contains(number)) {
      numbers.push_back(static_cast<Count>(number));
    }
  }
  return numbers;
}

ExitCode BatchCourse::run(const BatchTeam& team) {
  const std::size_t num_found = results_.all().size();
  fmt::print("batch          {}, {}{}\n", counted(static_cast<Count>(items_.size()), "system"), team.words,
             num_found > 0 ? fmt::format("; {} with results from before", num_found) : "");
  std::fflush(stdout);
  try {
    solve_all(team);
  } catch (const StoppedError&) {
    bar_.reset();
    stop_->throw_stopped(results_.all().size(), items_.size(), arguments_.results);
  }
  bar_.reset();
  if (team.conclude) {
    team.conclude();
  }
  return conclude();
}

void BatchCourse::solve_all(const BatchTeam& team) {
  bar_ = std::make_unique<ProgressBar>("solving", stderr);
  team.deal(to_do(), [&](Count system, const BatchResult& result) {
    if (team.divides_memory && result.verdict == kTooLarge) {
      too_large_.push_back(system);
    } else {
      note(static_cast<std::size_t>(system), result);
    }
  });
  if (!too_large_.empty()) {
    solve_alone();
  }
}

// Solves them one by one, each with all of the memory.
void BatchCourse::solve_alone() {
  std::sort(too_large_.begin(), too_large_.end());
  BatchOptions options = batch_options(arguments_);
  options.num_workers = 1;
  options.solver.observer = stop_;
  const BatchSolver alone(arguments_, items_, options);
  fmt::print("{:<15}{} too large for a part of the memory, once more with all of it\n", "alone", too_large_.size());
  alone.batch().run(static_cast<Count>(too_large_.size()), [&](Count k) {
    const auto number = static_cast<std::size_t>(too_large_[k]);
    note(number, alone.solve(number));
  });
}

void BatchCourse::note(std::size_t number, const BatchResult& result) {
  results_.add(number, items_[number], result);
  fmt::print("{:>7} of {}  {}  {}{}, {:.3g} s\n", number + 1, items_.size(), items_[number].matrix, result.verdict,
             !result.error.empty()               ? ": " + result.error
             : std::isnan(result.backward_error) ? ""
                                                 : fmt::format(", backward error {:.1e}", result.backward_error),
             result.seconds);
  std::fflush(stdout);
  bar_->update(static_cast<double>(results_.all().size()) / static_cast<double>(items_.size()));
}

// Prints the number of systems for each verdict, and which were not solved.
ExitCode BatchCourse::conclude() const {
  std::map<std::string, std::vector<std::size_t>> by_verdict;
  for (const auto& [number, result] : results_.all()) {
    by_verdict[result.verdict].push_back(number);
  }
  fmt::print("{:<15}{:>7}\n", "verdict", "systems");
  bool are_all_solved = true;
  for (const auto& [verdict, numbers] : by_verdict) {
    fmt::print("{:<15}{:>7}\n", verdict, numbers.size());
    for (const std::size_t number : numbers) {
      if (const BatchResult& result = results_.all().at(number); !result.is_solved()) {
        are_all_solved = false;
        fmt::print("{:>17} {}{}\n", "", items_[number].matrix, result.error.empty() ? "" : ": " + result.error);
      }
    }
  }
  return are_all_solved ? ExitCode::success : ExitCode::not_solved;
}

}  // namespace frond
