// SPDX-License-Identifier: BSD-3-Clause
// How a call fails: by the numbers that the users' guide of MUMPS documents, with a sentence for its unit of messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "frond/types.hpp"

namespace frond::mumps {

/// INFO(1), and the number that belongs into INFO(2).
enum class Code {
  ignored_entries = 1,  ///< a warning: how many have an index that does not exist
  elsewhere = -1,       ///< the process that failed
  number_of_entries = -2,
  wrong_job = -3,
  permutation = -4,  ///< the first place of PERM_IN that is wrong
  structurally_singular = -6,
  singular = -10,  ///< the number of pivots
  memory = -13,    ///< bytes
  order = -16,
  memory_limit = -19,  ///< bytes
  process_without_work = -21,
  pointer = -22,  ///< which
  elements = -24,
  leading_dimension = -26,
  sparse_end = -27,
  sparse_begin = -28,
  solution_length = -29,
  schur_leading_dimension = -30,
  null_space_width = -32,
  no_schur = -33,
  reduced_leading_dimension = -34,
  not_condensed = -35,
  null_vector = -36,
  null_space_control = -37,
  forward_width = -42,
  forward_control = -43,
  factors_discarded = -44,
  number_of_columns = -45,
  number_of_sparse = -46,
  inverse_columns = -47,
  inverse_control = -48,
  schur_variables = -49,
  distributed_leading_dimension = -55,
  internal = -800
};

/// Numbers of the array that a pointer is missing for.
enum class Pointer {
  rows = 1,
  columns,
  order,
  values,
  row_scales,
  column_scales,
  rhs,
  schur_list,
  schur,
  sparse_values,
  sparse_rows,
  sparse_offsets,
  solution_rows,
  solution,
  reduced,
  local_entries,
  local_rows,
  local_rhs
};

/// Numbers beyond 32 bits are given in millions, as negative numbers.
[[nodiscard]] inline int in_millions(Count value) {
  constexpr Count kMillion = 1000000;
  if (value <= std::numeric_limits<int>::max()) {
    return static_cast<int>(value);
  }
  return -static_cast<int>(std::min<Count>(value / kMillion, std::numeric_limits<int>::max()));
}

class Failure : public std::runtime_error {
 public:
  Failure(Code code, Count detail, const std::string& text) : std::runtime_error(text), code_(code), detail_(detail) {}
  explicit Failure(Pointer pointer)
      : Failure(Code::pointer, static_cast<Count>(pointer), "an array that is needed was never given") {}

  [[nodiscard]] int code() const { return static_cast<int>(code_); }
  [[nodiscard]] int detail() const { return in_millions(detail_); }

 private:
  Code code_;
  Count detail_;
};

}  // namespace frond::mumps
