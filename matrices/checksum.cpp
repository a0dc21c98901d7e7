// SPDX-License-Identifier: BSD-3-Clause
// Sums words of eight bytes, wherever the pieces begin and end.
#include "matrices/checksum.hpp"

#include <algorithm>
#include <cstring>

#include "matrices/mixed_bits.hpp"

namespace frond {

void Checksum::add_word(const std::byte* word) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, word, kWord);
  sum_ += mixed_bits(bits, num_words_++);
}

void Checksum::add(std::span<const std::byte> bytes) {
  if (num_rest_ > 0) {
    const std::size_t taken = std::min(kWord - num_rest_, bytes.size());
    std::copy_n(bytes.begin(), taken, rest_.begin() + num_rest_);
    num_rest_ += taken;
    bytes = bytes.subspan(taken);
    if (num_rest_ < kWord) {
      return;
    }
    add_word(rest_.data());
    num_rest_ = 0;
  }
  const std::size_t whole = bytes.size() / kWord * kWord;
  for (std::size_t at = 0; at < whole; at += kWord) {
    add_word(bytes.data() + at);
  }
  num_rest_ = bytes.size() - whole;
  std::copy_n(bytes.begin() + whole, num_rest_, rest_.begin());
}

std::uint64_t Checksum::value() const {
  Checksum ended = *this;
  if (num_rest_ > 0) {
    std::fill(ended.rest_.begin() + num_rest_, ended.rest_.end(), std::byte{0});
    ended.add_word(ended.rest_.data());
  }
  return ended.sum_ + mixed_bits(num_words_ * kWord + num_rest_);
}

}  // namespace frond
