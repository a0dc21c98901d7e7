// SPDX-License-Identifier: BSD-3-Clause
// Reports on a null space and on entries of the inverse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What `frond solve` reports about requested results other than solutions.
struct AnswerFacts {
  std::optional<Index> null_space_dimension;
  double null_space_error = 0;
  Count num_inverse_entries = 0;
  double inverse_error = 0;
  bool has_inverse = false;        ///< entries were requested
  bool is_inverse_good = true;     ///< all requested entries are verified
  std::vector<std::string> lines;  ///< for people
};

}  // namespace frond
