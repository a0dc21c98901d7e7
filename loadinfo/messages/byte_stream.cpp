// SPDX-License-Identifier: BSD-3-Clause
// Grows messages; not in the header, since GCC 12 warns of impossible overflows if it can inline this.
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

void ByteWriter::append(const void* data, std::size_t length) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + length);
}

}  // namespace frond
