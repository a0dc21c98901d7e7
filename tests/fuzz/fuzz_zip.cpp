// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes archives: the headers of their members and the central directory, with checksums that match the stored data.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tests/fuzz/well_formed.hpp"

namespace {

template <class T>
T number_at(const std::string& content, std::size_t place) {
  T number{};
  std::memcpy(&number, content.data() + place, sizeof(number));
  return number;
}

// Calls visit(place) for each occurrence of the mark that is followed by at least num_bytes bytes, the mark included.
template <class Visit>
void for_each_mark(const std::string& content, const char* mark, std::size_t num_bytes, Visit visit) {
  for (std::size_t place = content.find(mark); place < content.size() && content.size() - place >= num_bytes;
       place = content.find(mark, place + 1)) {
    visit(place);
  }
}

// Sets the checksums of uncompressed members, both in their headers and in the central directory, which holds the headers' offsets.
void seal(std::string& content) {
  constexpr std::size_t kHead = 30;
  constexpr std::size_t kListed = 46;
  for_each_mark(content, "PK\x03\x04", kHead, [&](std::size_t head) {
    const std::size_t begin =
        head + kHead + number_at<std::uint16_t>(content, head + 26) + number_at<std::uint16_t>(content, head + 28);
    const std::size_t length = number_at<std::uint32_t>(content, head + 18);
    if (begin > content.size() || length > content.size() - begin) {
      return;
    }
    const auto* const bytes = reinterpret_cast<const Bytef*>(content.data() + begin);
    const auto checksum = static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(length)));
    std::memcpy(content.data() + head + 14, &checksum, sizeof(checksum));
    for_each_mark(content, "PK\x01\x02", kListed, [&](std::size_t listed) {
      if (number_at<std::uint32_t>(content, listed + 42) == head) {
        std::memcpy(content.data() + listed + 16, &checksum, sizeof(checksum));
      }
    });
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string content(reinterpret_cast<const char*>(data), size);
  seal(content);
  try {
    frond::require_well_formed(frond::read_matrix_from_memory(content, "fuzz"));
  } catch (const frond::InputError&) {
    // Anything else is a finding.
  }
  return 0;
}
