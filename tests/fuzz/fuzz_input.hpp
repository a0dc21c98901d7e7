// SPDX-License-Identifier: BSD-3-Clause
// Interprets the bytes of a fuzzer as numbers and edits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "tests/support/saved/saved_sections.hpp"

namespace frond {

class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  [[nodiscard]] bool is_empty() const { return rest_.empty(); }

  /// Takes the next number; missing bytes count as zeros.
  template <class T>
  T take() requires std::is_trivially_copyable_v<T> {
    T number{};
    const std::size_t length = std::min(sizeof(T), rest_.size());
    std::memcpy(&number, rest_.data(), length);
    rest_ = rest_.subspan(length);
    return number;
  }

  std::size_t take_below(std::size_t bound) { return take<std::uint8_t>() % bound; }

  testing::Edit take_edit() {
    const auto kind = static_cast<testing::Edit::Kind>(take_below(static_cast<std::size_t>(testing::Edit::Kind::last) + 1));
    const auto place = take<std::uint32_t>();
    return {kind, place, take<std::int64_t>()};
  }

  /// Takes the text up to a separator, and skips the separator.
  std::string_view take_until(std::string_view separator) {
    const std::string_view all(reinterpret_cast<const char*>(rest_.data()), rest_.size());
    const std::string_view taken = all.substr(0, all.find(separator));
    rest_ = rest_.subspan(std::min(rest_.size(), taken.size() + separator.size()));
    return taken;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace frond
