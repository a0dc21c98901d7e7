// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads messages by one description of their fields.
//
//   struct StealMessage { Rank thief; Count free_bytes; std::vector<Index> tops; };
//   template <class Fields> void visit(Fields& fields, StealMessage& m) { fields(m.thief, m.free_bytes, m.tops); }
//
//   FieldWriter writer;   writer(message);   bytes = writer.take();       fields one behind the other, in the order of visit()
//   ByteReader reader(bytes);   FieldReader(reader)(message);             the same; anything else is an InternalError
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "frond/dense.hpp"
#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/read_bool.hpp"

namespace frond {

/// Whether visit() describes the fields of a T.
template <class T, class Fields>
concept Visitable = requires(Fields& fields, T& object) {
  visit(fields, object);
};

/// Fields are numbers and enumerations; lists of them, or of what visit() describes: the length, then the elements; views of dense
/// matrices: the order, then the columns; bytes that end the message, aligned; and what visit() describes.
class FieldWriter {
 public:
  template <class... T>
  void operator()(const T&... fields) {
    (write(fields), ...);
  }
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
  template <class T>
  void write(const std::vector<T>& list) {
    if constexpr (Visitable<T, FieldWriter>) {
      stream_.value(static_cast<Count>(list.size()));
      for (const T& element : list) {
        write(element);
      }
    } else {
      stream_.list(list);
    }
  }

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
  void read(bool& field) { field = read_bool(stream_); }
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
  template <class T>
  void read(std::vector<T>& list) {
    if constexpr (Visitable<T, FieldReader>) {
      list.clear();
      for (auto left = stream_.value<Count>(); left > 0; --left) {
        read(list.emplace_back());
      }
    } else {
      list = stream_.list<T>();
    }
  }

  ByteReader& stream_;
};

}  // namespace frond
