// SPDX-License-Identifier: BSD-3-Clause
// Messages as bytes: fields in order, lists with their length before them, numbers in the byte order of the machine.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "matrices/error.hpp"
#include "matrices/types.hpp"

namespace frond {

class ByteWriter {
 public:
  template <class T>
  void value(const T& number) requires std::is_trivially_copyable_v<T> {
    append(&number, sizeof(T));
  }
  template <class T>
  void list(std::span<const T> numbers) requires std::is_trivially_copyable_v<T> {
    value(static_cast<Count>(numbers.size()));
    append(numbers.data(), numbers.size_bytes());
  }
  template <class T>
  void list(const std::vector<T>& numbers) {
    list(std::span<const T>(numbers));
  }
  /// Bytes without a length: the last field.
  void rest(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t length) {
    if (length > 0) {
      const std::size_t end = bytes_.size();
      bytes_.resize(end + length);
      std::memcpy(bytes_.data() + end, data, length);
    }
  }

  std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter has written. Bytes that cannot be that are an InternalError.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] T value() requires std::is_trivially_copyable_v<T> {
    T number;
    std::memcpy(&number, take(sizeof(T)).data(), sizeof(T));
    return number;
  }
  template <class T>
  [[nodiscard]] std::vector<T> list() requires std::is_trivially_copyable_v<T> {
    const auto length = value<Count>();
    if (length < 0 || static_cast<std::size_t>(length) > bytes_.size() / sizeof(T)) {
      throw InternalError("a message between ranks holds a list of impossible length " + std::to_string(length) +
                          "; do all processes run the same Frond?");
    }
    std::vector<T> numbers(static_cast<std::size_t>(length));
    const std::span<const std::byte> source = take(numbers.size() * sizeof(T));
    if (!numbers.empty()) {
      std::memcpy(static_cast<void*>(numbers.data()), source.data(), source.size());
    }
    return numbers;
  }
  [[nodiscard]] std::span<const std::byte> rest() { return take(bytes_.size()); }

  void expect_end() const {
    if (!bytes_.empty()) {
      throw InternalError("a message between ranks goes on for " + std::to_string(bytes_.size()) +
                          " bytes after its end; do all processes run the same Frond?");
    }
  }

 private:
  std::span<const std::byte> take(std::size_t length) {
    if (length > bytes_.size()) {
      throw InternalError("a message between ranks ends " + std::to_string(length - bytes_.size()) +
                          " bytes too early; do all processes run the same Frond?");
    }
    const std::span<const std::byte> taken = bytes_.first(length);
    bytes_ = bytes_.subspan(length);
    return taken;
  }

  std::span<const std::byte> bytes_;
};

}  // namespace frond
