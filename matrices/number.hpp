// SPDX-License-Identifier: BSD-3-Clause
// Reading one decimal number of a text, without locale.
#pragma once

#include <cstdint>
#include <string_view>

#include "frond/types.hpp"

namespace frond {

enum class NumberStatus { ok, malformed, overflow, not_finite };

/// `end` is the first character that does not belong to the number, whatever the status.
struct ParsedReal {
  double value = 0.0;
  const char* end = nullptr;
  NumberStatus status = NumberStatus::malformed;
};

/// Reads a real number at `begin`: an optional sign, digits with an optional point, an optional exponent after e, E, d or D.
/// The nearest double is returned; what is too small for one becomes zero, what is too large is an `overflow`, and a spelled-out
/// infinity or NaN `not_finite`.
[[nodiscard]] ParsedReal parse_real(const char* begin, const char* end);

/// Reads a whole token as a decimal integer with an optional sign; false when it is none or does not fit in 64 bits.
[[nodiscard]] bool parse_integer(std::string_view token, Count& value);

}  // namespace frond
