// SPDX-License-Identifier: BSD-3-Clause
// Values and lists that go to a file, or come from one, or travel between processes, in one order that is written down once.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What `visit(fields, data)` hands its fields to, one after the other: they are counted, or written, or replaced by what was
/// written. So there is one description of the data for all of these.
class FieldStream {
 public:
  FieldStream() = default;
  virtual ~FieldStream() = default;
  FieldStream(const FieldStream&) = delete;
  FieldStream& operator=(const FieldStream&) = delete;

  /// As a byte, since one that holds another number than 0 and 1 is none.
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

  /// Before a list of that many elements replaces another: calls take_memory() unless there can be none so long.
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
