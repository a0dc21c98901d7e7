// SPDX-License-Identifier: BSD-3-Clause
// Describes values and lists once, to write them to a file, read them from one, or send them between processes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// The visitor of `visit(fields, data)`, which passes its fields one after the other: they are counted, or written, or replaced by
/// what was written. So one description of the data serves all of these.
class FieldStream {
 public:
  FieldStream() = default;
  virtual ~FieldStream() = default;
  FieldStream(const FieldStream&) = delete;
  FieldStream& operator=(const FieldStream&) = delete;

  /// As a byte, since a bool with another value than 0 and 1 is invalid.
  void value(bool& flag) {
    unsigned char byte = flag ? 1 : 0;
    value(byte);
    flag = byte != 0;
  }

  template <class T>
  void value(T& number) requires std::is_trivially_copyable_v<T> {
    transfer(std::as_writable_bytes(std::span(&number, 1)));
  }

  /// The length, then the elements.
  template <class T, class Allocator>
  void list(std::vector<T, Allocator>& elements) requires std::is_trivially_copyable_v<T> {
    auto length = static_cast<Count>(elements.size());
    value(length);
    resize(length, sizeof(T), [&elements, length] { elements.resize(static_cast<std::size_t>(length)); });
    transfer(std::as_writable_bytes(std::span(elements)));
  }

  void text(std::string& characters);
  void texts(std::vector<std::string>& list);

 protected:
  /// Writes the bytes, or replaces them.
  virtual void transfer(std::span<std::byte> bytes) = 0;

  /// Called before a list of that many elements replaces another: calls take_memory() unless the length is impossible.
  virtual void resize(Count length, std::size_t element_bytes, const std::function<void()>& take_memory) = 0;
};

/// Counts the bytes.
class CountedFields final : public FieldStream {
 public:
  [[nodiscard]] Count num_bytes() const { return num_bytes_; }

 protected:
  void transfer(std::span<std::byte> bytes) override { num_bytes_ += static_cast<Count>(bytes.size()); }
  void resize(Count /*length*/, std::size_t /*element_bytes*/, const std::function<void()>& /*take_memory*/) override {}

 private:
  Count num_bytes_ = 0;
};

}  // namespace frond
