// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes everything behind read_matrix() and read_dense(): decompression, recognition of the format, the Matrix Market reader.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tests/fuzz/well_formed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  try {
    frond::require_well_formed(frond::read_matrix_from_memory(content, "fuzz"));
    static_cast<void>(frond::read_dense_from_memory(content, "fuzz"));
  } catch (const frond::InputError&) {
    // Anything else is a finding.
  }
  return 0;
}
