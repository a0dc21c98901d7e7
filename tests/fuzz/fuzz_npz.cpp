// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the reader of SciPy's sparse matrices: the input holds their arrays in sequence, which are packed into an archive with
// valid checksums. The first byte selects the format.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/well_formed.hpp"
#include "tests/support/matrices/packed_files.hpp"

namespace {

struct Format {
  std::string_view name;
  std::array<const char*, 2> arrays;  // in addition to shape and data
};

constexpr std::array<Format, 5> kFormats = {{{"csr", {"indices", "indptr"}},
                                             {"csc", {"indices", "indptr"}},
                                             {"coo", {"row", "col"}},
                                             {"bsr", {"indices", "indptr"}},
                                             {"dia", {"offsets", "unused"}}}};

// Returns an array that holds one string.
std::string text_array(std::string_view text) {
  std::string header = "{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + '\n' + std::string(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  frond::FuzzInput input(data, size);
  const Format& format = kFormats[input.take_below(kFormats.size())];
  frond::testing::Files files = {{"format.npy", text_array(format.name)}};
  for (const std::string name : {"shape", "data", format.arrays[0], format.arrays[1]}) {
    files.emplace_back(name + ".npy", input.take_until("\n==\n"));
  }
  try {
    frond::require_well_formed(frond::read_matrix_from_memory(frond::testing::stored_zip(files), "fuzz"));
  } catch (const frond::InputError&) {
    // Anything else is a finding.
  }
  return 0;
}
