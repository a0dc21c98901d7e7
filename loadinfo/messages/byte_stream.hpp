// SPDX-License-Identifier: BSD-3-Clause
// Converts values to bytes and back, for messages between processes on machines of one kind.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// Large arrays in messages start at multiples of this many bytes, so that they can be used where they are.
inline constexpr std::size_t kMessageAlignment = 16;

/// Writes values one after the other, in the byte order of the machine.
class ByteWriter {
 public:
  template <class T>
  void value(const T& number) requires std::is_trivially_copyable_v<T> {
    append(&number, sizeof(T));
  }

  /// Writes the length, then the elements.
  template <class T>
  void list(std::span<const T> elements) requires std::is_trivially_copyable_v<T> {
    value(static_cast<Count>(elements.size()));
    array(elements);
  }

  template <class T>
  void list(const std::vector<T>& elements) {
    list(std::span<const T>(elements));
  }

  /// Writes the elements alone, aligned.
  template <class T>
  void array(std::span<const T> elements) requires std::is_trivially_copyable_v<T> {
    align();
    more(elements);
  }

  /// Appends elements to an array.
  template <class T>
  void more(std::span<const T> elements) requires std::is_trivially_copyable_v<T> {
    append(elements.data(), elements.size_bytes());
  }
  void rest(std::span<const std::byte> bytes) { array(bytes); }  ///< the last field
  void align() { bytes_.resize((bytes_.size() + kMessageAlignment - 1) / kMessageAlignment * kMessageAlignment); }

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t length);

  std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter wrote; anything else is an InternalError. The bytes start at a multiple of kMessageAlignment in memory.
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
  [[nodiscard]] std::vector<T> list() {
    const std::span<const T> elements = array<T>(value<Count>());
    return {elements.begin(), elements.end()};
  }

  /// Returns `length` elements in place.
  template <class T>
  [[nodiscard]] std::span<const T> array(Count length) requires std::is_trivially_copyable_v<T> {
    align();
    if (length < 0 || static_cast<std::size_t>(length) > (bytes_.size() - position_) / sizeof(T)) {
      throw InternalError("a message between ranks holds a list of impossible length " + std::to_string(length) +
                          "; do all processes run the same Frond?");
    }
    const auto taken = take(static_cast<std::size_t>(length) * sizeof(T));
    return {reinterpret_cast<const T*>(taken.data()), static_cast<std::size_t>(length)};
  }

  /// Returns the remaining bytes, aligned.
  [[nodiscard]] std::span<const std::byte> rest() {
    align();
    return take(bytes_.size() - position_);
  }

  [[nodiscard]] bool is_at_end() const { return position_ == bytes_.size(); }

  /// Throws InternalError unless everything has been read.
  void expect_end() const {
    if (!is_at_end()) {
      throw InternalError("a message between ranks goes on after its end; do all processes run the same Frond?");
    }
  }

 private:
  void align() {
    const std::size_t aligned = (position_ + kMessageAlignment - 1) / kMessageAlignment * kMessageAlignment;
    take(aligned - position_);
  }
  std::span<const std::byte> take(std::size_t length) {
    if (length > bytes_.size() - position_) {
      throw InternalError("a message between ranks ends " + std::to_string(length - (bytes_.size() - position_)) +
                          " bytes too early; do all processes run the same Frond?");
    }
    const auto taken = bytes_.subspan(position_, length);
    position_ += length;
    return taken;
  }

  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

}  // namespace frond
