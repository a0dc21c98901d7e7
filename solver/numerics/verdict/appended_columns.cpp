// SPDX-License-Identifier: BSD-3-Clause
// Combines the reports of columns.
#include "solver/numerics/verdict/appended_columns.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace frond {

void append_columns(SolveReport& report, const SolveReport& further) {
  report.columns.insert(report.columns.end(), further.columns.begin(), further.columns.end());
  for (const std::string& note : further.notes) {
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) {
      report.notes.push_back(note);
    }
  }
  if (report.verdict == Verdict::solved) {
    report.verdict = further.verdict;
  }
  if (std::isnan(report.condition)) {
    report.condition = further.condition;
  }
  report.bound_seconds += further.bound_seconds;
}

}  // namespace frond
