// SPDX-License-Identifier: BSD-3-Clause
// Growing messages; apart from the header, since GCC 12 warns of overflows that cannot be where it sees through this.
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

void ByteWriter::append(const void* data, std::size_t length) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + length);
}

}  // namespace frond
