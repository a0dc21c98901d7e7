// SPDX-License-Identifier: BSD-3-Clause
// Bytes of messages: the number of the alternative, then its fields in the order of visit().
#include "factorization/ranks/main_message.hpp"

#include <array>

#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

template <class Fields>
void visit(Fields& fields, FrontPart& part) {
  fields(part.task, part.role);
}
template <class Fields>
void visit(Fields& fields, DelayedVariables& delayed) {
  fields(delayed.rows, delayed.columns);
}
template <class Fields>
void visit(Fields& fields, ChildOutput& child) {
  fields(child.task, child.master, child.announcement.tops, child.announcement.shares);
}
template <class Fields>
void visit(Fields& fields, DealtFront& front) {
  fields(front.node, front.shares);
}
template <class Fields>
void visit(Fields& fields, AnnounceMessage& message) {
  fields(message.output);
  fields.last_if_any(message.right_sides);
}
template <class Fields>
void visit(Fields& fields, SlaveTaskMessage& message) {
  fields(message.plan.task, message.plan.master, message.plan.shares, message.plan.children);
}
template <class Fields>
void visit(Fields& fields, SlaveAnswerMessage& message) {
  fields(message.task, message.is_accepted, message.needed_bytes, message.free_bytes);
}
template <class Fields>
void visit(Fields& fields, FreeMemoryMessage& message) {
  fields(message.task, message.free_bytes);
}
template <class Fields>
void visit(Fields& fields, RefusalEndMessage& message) {
  fields(message.task);
}
template <class Fields>
void visit(Fields& fields, SettleMessage& message) {
  fields(message.task, message.stands);
}
template <class Fields>
void visit(Fields& fields, RowMapMessage& message) {
  RowMap& map = message.map;
  fields(message.part, map.master, map.shares, map.num_delayed_in, map.delayed_begin, map.num_delayed);
}
template <class Fields>
void visit(Fields& fields, RowsMessage& message) {
  fields(message.child, message.source, message.target, message.offset, message.num_bytes, message.bytes);
}
template <class Fields>
void visit(Fields& fields, FrontMessage& message) {
  fields(message.part, message.origin, message.relays, message.num_ghost_bytes, message.body);
}
template <class Fields>
void visit(Fields& fields, PauseMessage& message) {
  fields(message.number, message.is_on, message.leaving);
}
template <class Fields>
void visit(Fields& fields, RestMessage& message) {
  fields(message.number, message.num_received, message.num_sent, message.finished, message.shared, message.taken,
         message.free_bytes);
}
template <class Fields>
void visit(Fields& fields, StuckMessage& message) {
  fields(message.number);
}
template <class Fields>
void visit(Fields& fields, RecordMessage& message) {
  fields(message.plan);
}
template <class Fields>
void visit(Fields& fields, MoveMessage& message) {
  fields(message.node, message.role, message.total_bytes, message.described, message.num_bytes, message.is_in_file, message.bytes);
}
template <class Fields>
void visit(Fields& fields, StealMessage& message) {
  fields(message.thief, message.free_bytes, message.pace.kind, message.pace.thousandths, message.num_seen, message.has_met_dry);
  fields.require(message.pace.kind < kNumPaceKinds, "a pace of an unknown kind");
}
template <class Fields>
void visit(Fields& fields, GrantMessage& message) {
  fields(message.tops);
}
template <class Fields>
void visit(Fields& fields, PoolRequestMessage& message) {
  fields(message.free_bytes, message.done.num_units, message.done.seconds, message.done.seconds_with_overhead);
}
template <class Fields>
void visit(Fields& fields, GivenMessage& message) {
  fields(message.tops);
}

namespace {

// [kind]
constexpr std::array<std::string_view, kNumMainMessageKinds> kNames = {
    "announce", "slave_task", "slave_answer", "free_memory", "refusal_end", "settle", "row_map",      "rows",  "front", "pause",
    "rest",     "stuck",      "record",       "move",        "steal",       "grant",  "pool_request", "given", "done",  "failure"};

template <class Fields, std::size_t... Kinds>
bool read_kind(Fields& fields, std::size_t kind, MainMessage& message, std::index_sequence<Kinds...> /*kinds*/) {
  return ((kind == Kinds && (fields(message.emplace<Kinds>()), true)) || ...);
}

}  // namespace

std::string_view main_message_name(std::size_t kind) { return kNames.at(kind); }

std::vector<std::byte> encode(const MainMessage& message, Index record) {
  FieldWriter fields;
  fields(static_cast<std::uint8_t>(message.index()), record);
  std::visit(fields, message);
  return fields.take();
}

MainMessage decode_main_message(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  FieldReader fields(reader);
  std::uint8_t kind = 0;
  Index record = 0;
  fields(kind, record);
  MainMessage message;
  fields.require(read_kind(fields, kind, message, std::make_index_sequence<std::variant_size_v<MainMessage>>()), "an unknown kind");
  reader.expect_end();
  return message;
}

Index record_of_main_message(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  (void)reader.value<std::uint8_t>();
  return reader.value<Index>();
}

}  // namespace frond
