// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the Harwell-Boeing and Rutherford-Boeing reader. The title and the first card counts are fixed so that most inputs are
// recognized as this format; the fuzzer chooses the rest, starting with the optional count of right-hand sides.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tests/fuzz/well_formed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  try {
    frond::require_well_formed(frond::read_matrix_from_memory("title\n 3 1 1 1" + std::string(content), "fuzz"));
  } catch (const frond::InputError&) {
    // Anything else is a finding.
  }
  return 0;
}
