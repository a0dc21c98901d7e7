// SPDX-License-Identifier: BSD-3-Clause
// Finds the index base in a sentence, and the numbers before it.
#include "solver/numerics/problem/counted_from.hpp"

#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace frond {
namespace {

// Adds `shift` to the numbers after these words in [begin, end) of the text; updates the end.
void shift_numbers(std::string& text, std::size_t begin, std::size_t& end, Index shift) {
  for (const std::string_view word : {"row ", "column ", "variable "}) {
    for (std::size_t at = text.find(word, begin); at < end; at = text.find(word, at + word.size())) {
      const char* const digits = text.data() + at + word.size();
      Count number = 0;
      const auto [behind, error] = std::from_chars(digits, text.data() + end, number);
      if (error == std::errc()) {
        const auto length = static_cast<std::size_t>(behind - digits);
        const std::string shifted = std::to_string(number + shift);
        text.replace(at + word.size(), length, shifted);
        end += shifted.size() - length;
      }
    }
  }
}

}  // namespace

std::string counted_from(std::string sentence, Index base) {
  constexpr std::string_view kWords = "counted from ";
  std::size_t begin = 0;
  for (std::size_t end = sentence.find(kWords); end != std::string::npos; end = sentence.find(kWords, begin)) {
    const std::size_t digit = end + kWords.size();
    const char other = base == 0 ? '1' : '0';
    const std::size_t clause = sentence.find_last_of(";:)", end);
    if (digit < sentence.size() && sentence[digit] == other) {
      sentence[digit] = base == 0 ? '0' : '1';
      shift_numbers(sentence, clause == std::string::npos || clause < begin ? begin : clause, end, base == 0 ? -1 : 1);
    }
    begin = end + kWords.size();
  }
  return sentence;
}

}  // namespace frond
