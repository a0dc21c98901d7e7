// SPDX-License-Identifier: BSD-3-Clause
// Whether a run of frond solve says of a matrix what its label says.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tools/program/labels/label_table.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond {

/// Errors up to which a system counts as solved.
struct LargestErrors {
  double normwise = 1e-13;
  double componentwise = 1e-14;
};

enum class Agreement { yes, no, over_limit };

/// What a run came to, in words; "-" for what it did not tell.
struct LabelCheck {
  std::string order = "-";
  std::string num_entries = "-";
  std::string method = "-";
  std::string error = "-";
  double componentwise_error = std::numeric_limits<double>::quiet_NaN();
  std::string verdict;
  std::vector<std::string> contradictions;  ///< of what else is known of the matrix
  bool is_solved_in_norm = false;
  bool is_solved = false;  ///< to the errors asked for
  Agreement agreement = Agreement::no;
};

/// `child` is what became of `frond solve FILE --json -`. Nonsingular: solved. Singular: said so, with a pivot named, and with its
/// rank. Nearly singular: either. Inertia, componentwise error and the bound of the forward error are compared where they are
/// known.
[[nodiscard]] LabelCheck check_label(const LabelledMatrix& matrix, const ChildResult& child, const LargestErrors& largest);

}  // namespace frond
