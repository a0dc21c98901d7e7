// SPDX-License-Identifier: BSD-3-Clause
// Bytes of messages: the number of the alternative, then its fields in the order of visit().
#include "factorization/ranks/main_message.hpp"

#include <array>

#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/message_fields.hpp"

namespace frond {

void visit(auto& fields, FrontPart& part) { fields(part.task, part.role); }
void visit(auto& fields, DelayedVariables& delayed) { fields(delayed.rows, delayed.columns); }
void visit(auto& fields, ChildOutput& child) {
  fields(child.task, child.master, child.announcement.tops, child.announcement.shares);
}
void visit(auto& fields, DealtFront& front) { fields(front.node, front.shares); }
void visit(auto& fields, AnnounceMessage& m) {
  fields(m.output);
  fields.last_if_any(m.right_sides);
}
void visit(auto& fields, SlaveTaskMessage& m) { fields(m.plan.task, m.plan.master, m.plan.shares, m.plan.children); }
void visit(auto& fields, SlaveAnswerMessage& m) { fields(m.task, m.is_accepted, m.needed_bytes, m.free_bytes); }
void visit(auto& fields, FreeMemoryMessage& m) { fields(m.task, m.free_bytes); }
void visit(auto& fields, RefusalEndMessage& m) { fields(m.task); }
void visit(auto& fields, SettleMessage& m) { fields(m.task, m.stands); }
void visit(auto& fields, RowMapMessage& m) {
  RowMap& map = m.map;
  fields(m.part, map.master, map.shares, map.num_delayed_in, map.delayed_begin, map.num_delayed);
}
void visit(auto& fields, RowsMessage& m) { fields(m.child, m.source, m.target, m.offset, m.num_bytes, m.bytes); }
void visit(auto& fields, FrontMessage& m) { fields(m.part, m.origin, m.relays, m.num_ghost_bytes, m.body); }
void visit(auto& fields, PauseMessage& m) { fields(m.number, m.is_on, m.leaving); }
void visit(auto& fields, RestMessage& m) {
  fields(m.number, m.num_received, m.num_sent, m.finished, m.shared, m.taken, m.free_bytes);
}
void visit(auto& fields, StuckMessage& m) { fields(m.number); }
void visit(auto& fields, RecordMessage& m) { fields(m.plan); }
void visit(auto& fields, MoveMessage& m) { fields(m.node, m.role, m.total_bytes, m.described, m.num_bytes, m.is_in_file, m.bytes); }
void visit(auto& fields, StealMessage& m) {
  fields(m.thief, m.free_bytes, m.pace.kind, m.pace.thousandths, m.num_seen, m.has_met_dry);
  fields.require(m.pace.kind < kNumPaceKinds, "a pace of an unknown kind");
}
void visit(auto& fields, GrantMessage& m) { fields(m.tops); }
void visit(auto& fields, PoolRequestMessage& m) {
  fields(m.free_bytes, m.done.num_units, m.done.seconds, m.done.seconds_with_overhead);
}
void visit(auto& fields, GivenMessage& m) { fields(m.tops); }

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
