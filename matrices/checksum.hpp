// SPDX-License-Identifier: BSD-3-Clause
// Computes a checksum of bytes that arrive in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace frond {

/// The sum over all 8-byte words, each mixed with its position, and the number of bytes. Damage within one word is always found,
/// since mixing is a bijection; any other damage goes unnoticed with probability 2^-64: 32 bits would miss one in some billions
/// of damaged files, 64 bits miss none in practice. It does not protect against forgery. Runs about as fast as memory is read.
class Checksum {
 public:
  /// Adds bytes. The sum does not depend on how they are cut into pieces.
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

[[nodiscard]] inline std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

/// Of the fields before `checksum` in a head of which it is a field.
template <class Head>
[[nodiscard]] std::uint64_t checksum_before(const Head& head, const std::uint64_t& checksum) {
  const auto bytes = std::as_bytes(std::span(&head, 1));
  return checksum_of(bytes.first(static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&checksum) - bytes.data())));
}

}  // namespace frond
