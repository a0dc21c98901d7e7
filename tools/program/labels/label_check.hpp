// SPDX-License-Identifier: BSD-3-Clause
// Checks whether a run of frond solve agrees with the label of a matrix.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tools/program/labels/label_table.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond {

/// The errors up to which a system counts as solved.
struct LargestErrors {
  double normwise = 1e-13;
  double componentwise = 1e-14;
};

enum class Agreement { yes, no, over_limit };

/// The outcome of a run, in words; "-" for what it did not report.
struct LabelCheck {
  std::string order = "-";
  std::string num_entries = "-";
  std::string method = "-";
  std::string error = "-";
  double componentwise_error = std::numeric_limits<double>::quiet_NaN();
  std::string verdict;
  std::vector<std::string> contradictions;  ///< with other known facts about the matrix
  bool is_solved_in_norm = false;
  bool is_solved = false;  ///< to the requested errors
  Agreement agreement = Agreement::no;
};

/// `child` is the result of `frond solve FILE --json -`. Nonsingular: solved. Singular: reported as such, with a pivot named and
/// with its rank. Nearly singular: either. Inertia, componentwise error and the bound of the forward error are compared if they are
/// known.
[[nodiscard]] LabelCheck check_label(const LabelledMatrix& matrix, const ChildResult& child, const LargestErrors& largest);

}  // namespace frond
