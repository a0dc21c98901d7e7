// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads messages by one description of their fields.
//
//   struct StealMessage { Rank thief; Count free_bytes; std::vector<Index> tops; };
//   template <class Fields> void visit(Fields& fields, StealMessage& m) { fields(m.thief, m.free_bytes, m.tops); }
//
//   bytes = encoded(message);                        fields one behind the other, in the order of visit()
//   message = decoded<StealMessage>(bytes);          the same; anything else is an InternalError
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/byte_stream.hpp"

namespace frond {

/// Whether visit() describes the fields of a T.
template <class T, class Fields>
concept Visitable = requires(Fields& fields, T& object) {
  visit(fields, object);
};

/// Fields are plain values; texts, and lists of any fields, or of keys with fields: the length, then the elements; optional fields:
/// whether there is one, then the field; views of dense matrices: the order, then the columns; bytes that end the message, aligned;
/// and what visit() describes.
class FieldWriter {
 public:
  template <class... T>
  void operator()(const T&... fields) {
    (write(fields), ...);
  }
  /// The last field: bytes to the end of the message.
  void rest(const std::vector<std::byte>& bytes) { stream_.rest(bytes); }
  /// A last field that is left out where it is empty.
  void last_if_any(const std::vector<std::byte>& bytes) {
    if (!bytes.empty()) {
      stream_.list(bytes);
    }
  }
  void require(bool /*is_right*/, const char* /*what*/) {}  ///< of what is read

  [[nodiscard]] std::vector<std::byte> take() { return stream_.take(); }

 private:
  template <class T>
  void write(const T& field) {
    if constexpr (Visitable<T, FieldWriter>) {
      visit(*this, const_cast<T&>(field));  // NOLINT(cppcoreguidelines-pro-type-const-cast): a writer changes no field
    } else {
      static_assert(!std::ranges::range<T>);
      stream_.value(field);
    }
  }
  void write(std::span<const std::byte> bytes) { stream_.rest(bytes); }
  template <class T>
  void write(std::span<const T> list) {
    stream_.list(list);
  }
  template <class T>
  void write(const DenseView<const T>& view) {
    stream_.value(view.rows);
    stream_.value(view.cols);
    stream_.align();
    for (Index j = 0; j < view.cols; ++j) {
      stream_.more(std::span<const T>(view.column(j), static_cast<std::size_t>(view.rows)));
    }
  }
  void write(const std::string& text) { stream_.list(std::span(text)); }
  template <class T, class Allocator>
  void write(const std::vector<T, Allocator>& list) {
    if constexpr (kIsPlain<T>) {
      stream_.list(std::span(list));
    } else {
      write_elements(list);
    }
  }
  template <class Key, class T>
  void write(const std::map<Key, T>& map) {
    write_elements(map);
  }
  template <class Key, class T>
  void write(const std::pair<Key, T>& pair) {
    write(pair.first);
    write(pair.second);
  }
  template <class T>
  void write(const std::optional<T>& field) {
    write(field.has_value());
    if (field) {
      write(*field);
    }
  }
  template <class List>
  void write_elements(const List& list) {
    stream_.value(static_cast<Count>(list.size()));
    for (const auto& element : list) {
      write(element);
    }
  }
  template <class T>
  static constexpr bool kIsPlain = std::is_trivially_copyable_v<T> && !Visitable<T, FieldWriter>;

  ByteWriter stream_;
};

/// What it reads replaces the fields. Spans, views and bytes that end the message refer to the bytes that are read.
class FieldReader {
 public:
  explicit FieldReader(ByteReader& stream) : stream_(stream) {}  ///< which outlives this

  template <class... T>
  void operator()(T&... fields) {
    (read(fields), ...);
  }
  void rest(std::vector<std::byte>& bytes) {
    const std::span<const std::byte> left = stream_.rest();
    bytes.assign(left.begin(), left.end());
  }
  void last_if_any(std::vector<std::byte>& bytes) {
    if (!stream_.is_at_end()) {
      bytes = stream_.list<std::byte>();
    }
  }
  void require(bool is_right, const char* what) {
    if (!is_right) {
      throw InternalError(std::string("a message between ranks holds ") + what + "; do all processes run the same Frond?");
    }
  }

 private:
  template <class T>
  void read(T& field) {
    if constexpr (Visitable<T, FieldReader>) {
      visit(*this, field);
    } else {
      field = stream_.value<T>();
    }
  }
  /// As a bool, another number would have undefined behaviour.
  void read(bool& field) {
    const auto number = stream_.value<std::uint8_t>();
    if (number > 1) {
      throw InternalError("a message between ranks has " + std::to_string(number) +
                          " where it is to say yes or no; do all processes run the same Frond?");
    }
    field = number == 1;
  }
  void read(std::span<const std::byte>& bytes) { bytes = stream_.rest(); }
  template <class T>
  void read(std::span<const T>& list) {
    const auto length = stream_.value<Count>();
    list = stream_.array<T>(length);
  }
  template <class T>
  void read(DenseView<const T>& view) {
    const auto rows = stream_.value<Index>();
    const auto cols = stream_.value<Index>();
    require(rows >= 0 && cols >= 0, "a block of impossible order");
    view = {stream_.array<T>(static_cast<Count>(rows) * cols).data(), rows, cols, std::max<Index>(rows, 1)};
  }
  template <class List>
  void read_elements(List& list) {
    const auto elements = stream_.array<typename List::value_type>(stream_.value<Count>());
    list.assign(elements.begin(), elements.end());
  }
  /// Of a list whose elements are read one by one. No more of them than bytes are left can be read: each takes one, at least.
  [[nodiscard]] Count length() {
    const auto number = stream_.value<Count>();
    require(number >= 0, "a list of negative length");
    return number;
  }
  void read(std::string& text) { read_elements(text); }
  template <class T, class Allocator>
  void read(std::vector<T, Allocator>& list) {
    if constexpr (std::is_trivially_copyable_v<T> && !Visitable<T, FieldReader>) {
      read_elements(list);
    } else {
      list.clear();
      for (auto left = length(); left > 0; --left) {
        read(list.emplace_back());
      }
    }
  }
  template <class Key, class T>
  void read(std::map<Key, T>& map) {
    map.clear();
    for (auto left = length(); left > 0; --left) {
      Key key;
      read(key);
      read(map[key]);
    }
  }
  template <class T>
  void read(std::optional<T>& field) {
    bool is_there = false;
    read(is_there);
    field.reset();
    if (is_there) {
      read(field.emplace());
    }
  }

  ByteReader& stream_;
};

template <class... T>
[[nodiscard]] std::vector<std::byte> encoded(const T&... fields) {
  FieldWriter writer;
  writer(fields...);
  return writer.take();
}

/// Spans, views and bytes that end the message refer to the bytes that are read.
template <class T>
[[nodiscard]] T decoded(ByteReader& reader) {
  T object;
  FieldReader fields(reader);
  fields(object);
  return object;
}

/// The same for a whole message: bytes that are left over are an InternalError, too. They are aligned as ByteReader needs them.
template <class T>
[[nodiscard]] T decoded(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  T object = decoded<T>(reader);
  reader.expect_end();
  return object;
}

}  // namespace frond
