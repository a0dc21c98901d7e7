// SPDX-License-Identifier: BSD-3-Clause
// A checksum of bytes that come in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace frond {

/// The sum over all words of 8 bytes, each mixed with its place, and the number of bytes. An accident within one word is found with
/// certainty, since a word is mixed by a bijection; any other goes unnoticed by a chance of 2^-64: with 32 bits that would be one
/// of some billions of damaged files, with 64 none that anybody will live to see. It is no protection against forgery. About as
/// fast as memory is read.
class Checksum {
 public:
  /// More bytes. The sum does not depend on how they are cut into pieces.
  void add(std::span<const std::byte> bytes);

  template <class T>
  void add_all(std::span<const T> elements) {
    add(std::as_bytes(elements));
  }

  [[nodiscard]] std::uint64_t value() const;

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);

  void add_word(const std::byte* word);

  std::uint64_t sum_ = 0;
  std::uint64_t num_words_ = 0;
  std::array<std::byte, kWord> rest_{};  // the first bytes of the next word
  std::size_t num_rest_ = 0;
};

}  // namespace frond
