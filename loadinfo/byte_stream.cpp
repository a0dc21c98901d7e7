// SPDX-License-Identifier: BSD-3-Clause
// Growing messages; apart from the header, since GCC 12 warns of overflows that cannot be where it sees through this.
#include "loadinfo/byte_stream.hpp"

#include <cstdint>
#include <string>

namespace frond {

void ByteWriter::append(const void* data, std::size_t length) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + length);
}

bool ByteReader::truth() {
  const auto number = value<std::uint8_t>();
  if (number > 1) {
    throw InternalError("a message between ranks has " + std::to_string(number) +
                        " where it is to say yes or no; do all processes run the same Frond?");
  }
  return number == 1;
}

}  // namespace frond
