// SPDX-License-Identifier: BSD-3-Clause
// Packs and unpacks the fields of messages.
#include "solver/distributed/batch/desk_messages.hpp"

#include "loadinfo/messages/read_bool.hpp"

namespace frond {
namespace {

ByteWriter begun(DeskMessage kind) {
  ByteWriter message;
  message.value(kind);
  return message;
}

}  // namespace

std::vector<std::byte> want_message(Rank worker, const ChunkSeconds& last) {
  ByteWriter message = begun(DeskMessage::want);
  message.value(worker);
  message.value(last.waiting);
  message.list(last.tasks);
  return message.take();
}

ChunkSeconds read_seconds(ByteReader& message) {
  ChunkSeconds seconds;
  seconds.waiting = message.value<double>();
  seconds.tasks = message.list<double>();
  return seconds;
}

std::vector<std::byte> grant_message(Rank worker, const std::vector<Count>& tasks) {
  ByteWriter message = begun(DeskMessage::grant);
  message.value(worker);
  message.list(tasks);
  return message.take();
}

std::vector<std::byte> result_message(Rank worker, Count task, const std::string& result) {
  ByteWriter message = begun(DeskMessage::result);
  message.value(worker);
  message.value(task);
  message.rest(std::as_bytes(std::span(result)));
  return message.take();
}

std::string read_result(ByteReader& message) {
  const std::span<const std::byte> bytes = message.rest();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> drop_message(Count task) {
  ByteWriter message = begun(DeskMessage::drop);
  message.value(task);
  return message.take();
}

std::vector<std::byte> shared_message(std::span<const std::byte> bytes) {
  ByteWriter message = begun(DeskMessage::shared);
  message.rest(bytes);
  return message.take();
}

std::vector<std::byte> failed_message(const Failure& failure) {
  ByteWriter message = begun(DeskMessage::failed);
  write(message, failure);
  return message.take();
}

std::vector<std::byte> end_message(const DeskEnd& end) {
  ByteWriter message = begun(DeskMessage::end);
  message.value(end.calls_off);
  message.value(end.failure.has_value());
  if (end.failure) {
    write(message, *end.failure);
  }
  return message.take();
}

DeskEnd read_end(ByteReader& message) {
  DeskEnd end;
  end.calls_off = read_bool(message);
  if (read_bool(message)) {
    end.failure = read_failure(message);
  }
  return end;
}

std::vector<std::byte> plain_message(DeskMessage kind) { return begun(kind).take(); }

}  // namespace frond
