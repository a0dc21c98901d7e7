// SPDX-License-Identifier: BSD-3-Clause
// Writes fields to a file, reads them from one, or sends them between processes, as visit() describes them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "frond/types.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

/// The visitor of `visit(fields, data)`, which passes its fields: they are counted, or written, or replaced by what was written. So
/// one description of the data serves all of these, and messages by a FieldWriter, too.
class FieldStream {
 public:
  FieldStream() = default;
  virtual ~FieldStream() = default;
  FieldStream(const FieldStream&) = delete;
  FieldStream& operator=(const FieldStream&) = delete;

  /// Fields are plain values; texts and lists: the length, then the elements; and what visit() describes.
  template <class... T>
  void operator()(T&... fields) {
    (pass(fields), ...);
  }

 protected:
  /// Writes the bytes, or replaces them.
  virtual void transfer(std::span<std::byte> bytes) = 0;

  /// Called before a list of that many elements replaces another: calls take_memory() unless the length is impossible.
  virtual void resize(Count length, std::size_t element_bytes, const std::function<void()>& take_memory) = 0;

 private:
  template <class T>
  void pass(T& field) {
    if constexpr (Visitable<T, FieldStream>) {
      visit(*this, field);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      transfer(std::as_writable_bytes(std::span(&field, 1)));
    }
  }

  /// As a byte, since a bool with another value than 0 and 1 is invalid.
  void pass(bool& flag) {
    unsigned char byte = flag ? 1 : 0;
    pass(byte);
    flag = byte != 0;
  }

  void pass(std::string& characters) { pass_list(characters); }
  template <class T, class Allocator>
  void pass(std::vector<T, Allocator>& elements) {
    pass_list(elements);
  }

  template <class List>
  void pass_list(List& elements) {
    using T = typename List::value_type;
    auto length = static_cast<Count>(elements.size());
    pass(length);
    constexpr std::size_t kLeastBytes = std::is_trivially_copyable_v<T> ? sizeof(T) : sizeof(length);
    resize(length, kLeastBytes, [&elements, length] { elements.resize(static_cast<std::size_t>(length)); });
    if constexpr (std::is_trivially_copyable_v<T>) {
      transfer(std::as_writable_bytes(std::span(elements)));
    } else {
      for (T& element : elements) {
        pass(element);
      }
    }
  }
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
