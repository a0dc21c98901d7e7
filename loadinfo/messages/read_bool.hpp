// SPDX-License-Identifier: BSD-3-Clause
// Reads a bool from a message.
#pragma once

#include <cstdint>
#include <string>

#include "frond/error.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

/// Reads what value(bool) wrote. Throws InternalError for any other byte: as a bool, its behaviour would be undefined.
[[nodiscard]] inline bool read_bool(ByteReader& reader) {
  const auto number = reader.value<std::uint8_t>();
  if (number > 1) {
    throw InternalError("a message between ranks has " + std::to_string(number) +
                        " where it is to say yes or no; do all processes run the same Frond?");
  }
  return number == 1;
}

}  // namespace frond
