// SPDX-License-Identifier: BSD-3-Clause
// Spreads the bits of a number, for hashes and checksums.
#pragma once

#include <cstdint>

namespace frond {

/// Lets every bit of a number affect all others: a bijection (the finalizer of MurmurHash3, Appleby 2008).
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccd;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53;
  return bits ^ (bits >> 33);
}

/// Does the same for a number at a position: equal numbers at different positions give different bits.
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t bits, std::uint64_t place) {
  return mixed_bits(bits + 0x9e3779b97f4a7c15 * place);
}

}  // namespace frond
