// SPDX-License-Identifier: BSD-3-Clause
// What is reported of a null space and of entries of the inverse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What `frond solve` reports of what it was asked for besides solutions.
struct AnswerFacts {
  std::optional<Index> null_space_dimension;
  double null_space_error = 0;
  Count num_inverse_entries = 0;
  double inverse_error = 0;
  bool has_inverse = false;        ///< entries were asked for
  bool is_inverse_good = true;     ///< all entries that were asked for are verified
  std::vector<std::string> lines;  ///< for a person
};

}  // namespace frond
