// SPDX-License-Identifier: BSD-3-Clause
// Represents why a factorization over several ranks has no result: an exception as a value that can be sent.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "factorization/memory/work_budget.hpp"
#include "frond/types.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

struct Failure {
  enum class Kind : std::uint8_t { memory, not_positive_definite, internal, usage, input, output, budget, stopped };

  Rank origin = -1;  ///< rank on which it happened
  Kind kind = Kind::internal;
  Count needed_bytes = 0;  ///< of a MemoryError
  Count limit_bytes = 0;
  BudgetError::Figures figures;  ///< of a BudgetError
  Index variable = -1;           ///< new number of the variable whose pivot is not positive
  std::string file;              ///< of an InputError
  Count line = 0;                ///< in that file; 0: unknown
  std::string text;

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Returns the failure that describes `exception`, caught on rank `origin`.
[[nodiscard]] Failure make_failure(Rank origin, const std::exception_ptr& exception);

/// Throws the exception that the failure was made from: the same on every rank. Its text names the rank, unless it is about a file.
[[noreturn]] void throw_failure(const Failure& failure);

template <class Fields>
void visit(Fields& fields, Failure& failure) {
  fields(failure.origin, failure.kind, failure.needed_bytes, failure.limit_bytes, failure.figures, failure.variable, failure.line,
         failure.file, failure.text);
}

}  // namespace frond
