// SPDX-License-Identifier: BSD-3-Clause
// Bytes of messages: the number of the alternative, then its fields in order; lists with their length before them.
#include "factorization/main_message.hpp"

#include <cstring>
#include <type_traits>

#include "matrices/error.hpp"

namespace frond {
namespace {

class Writer {
 public:
  std::vector<std::byte> bytes;

  template <class T>
  void value(T number) requires std::is_trivially_copyable_v<T> {
    append(&number, sizeof(T));
  }
  void list(const std::vector<Index>& numbers) {
    value(static_cast<Count>(numbers.size()));
    append(numbers.data(), numbers.size() * sizeof(Index));
  }
  void append(const void* data, std::size_t length) {
    if (length > 0) {
      const std::size_t end = bytes.size();
      bytes.resize(end + length);
      std::memcpy(bytes.data() + end, data, length);
    }
  }

  void operator()(const AnnounceMessage& message) {
    value(message.task);
    value(static_cast<Count>(message.announcement.size()));
    for (const DelayedVariables& delayed : message.announcement) {
      list(delayed.rows);
      list(delayed.columns);
    }
  }
  void operator()(const FetchMessage& message) { value(message.task); }
  void operator()(const OutputMessage& message) {
    value(message.task);
    value(message.offset);
    append(message.bytes.data(), message.bytes.size());
  }
  void operator()(const DoneMessage& /*message*/) {}
  void operator()(const FailureMessage& message) {
    const Failure& failure = message.failure;
    value(failure.origin);
    value(failure.kind);
    value(failure.needed_bytes);
    value(failure.limit_bytes);
    value(failure.variable);
    append(failure.text.data(), failure.text.size());
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T value() {
    T number;
    std::memcpy(&number, take(sizeof(T)).data(), sizeof(T));
    return number;
  }
  std::vector<Index> list() {
    const auto length = value<Count>();
    std::vector<Index> numbers(check_length(length, sizeof(Index)));
    const auto source = take(numbers.size() * sizeof(Index));
    if (!numbers.empty()) {
      std::memcpy(numbers.data(), source.data(), source.size());
    }
    return numbers;
  }
  std::span<const std::byte> rest() { return take(bytes_.size()); }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

  AnnounceMessage announce() {
    AnnounceMessage message{.task = value<TaskId>(), .announcement = {}};
    message.announcement.resize(check_length(value<Count>(), 2 * sizeof(Count)));
    for (DelayedVariables& delayed : message.announcement) {
      delayed.rows = list();
      delayed.columns = list();
    }
    return message;
  }
  OutputMessage output() {
    OutputMessage message{.task = value<TaskId>(), .offset = value<Count>(), .bytes = {}};
    message.bytes = rest();
    return message;
  }
  FailureMessage failure() {
    Failure failure;
    failure.origin = value<Rank>();
    failure.kind = value<Failure::Kind>();
    failure.needed_bytes = value<Count>();
    failure.limit_bytes = value<Count>();
    failure.variable = value<Index>();
    const auto text = rest();
    failure.text.assign(reinterpret_cast<const char*>(text.data()), text.size());
    return {failure};
  }

 private:
  std::span<const std::byte> take(std::size_t length) {
    if (length > bytes_.size()) {
      throw InternalError("a message between ranks ends " + std::to_string(length - bytes_.size()) +
                          " bytes too early; do all processes run the same Frond?");
    }
    const auto taken = bytes_.first(length);
    bytes_ = bytes_.subspan(length);
    return taken;
  }
  [[nodiscard]] std::size_t check_length(Count length, std::size_t least_bytes_each) const {
    if (length < 0 || static_cast<std::size_t>(length) > bytes_.size() / least_bytes_each) {
      throw InternalError("a message between ranks holds a list of impossible length " + std::to_string(length) +
                          "; do all processes run the same Frond?");
    }
    return static_cast<std::size_t>(length);
  }

  std::span<const std::byte> bytes_;
};

MainMessage read_fields(Reader& reader, std::uint8_t kind) {
  switch (kind) {
    case 0:
      return reader.announce();
    case 1:
      return FetchMessage{reader.value<TaskId>()};
    case 2:
      return reader.output();
    case 3:
      return DoneMessage{};
    case 4:
      return reader.failure();
    default:
      throw InternalError("a message between ranks is of the unknown kind " + std::to_string(kind) +
                          "; do all processes run the same Frond?");
  }
}

}  // namespace

std::vector<std::byte> encode(const MainMessage& message) {
  Writer writer;
  writer.value(static_cast<std::uint8_t>(message.index()));
  std::visit(writer, message);
  return std::move(writer.bytes);
}

MainMessage decode_main_message(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  const auto kind = reader.value<std::uint8_t>();
  MainMessage message = read_fields(reader, kind);
  if (!reader.at_end()) {
    throw InternalError("a message between ranks goes on after its end; do all processes run the same Frond?");
  }
  return message;
}

}  // namespace frond
