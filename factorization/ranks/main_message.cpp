// SPDX-License-Identifier: BSD-3-Clause
// Bytes of messages: the number of the alternative, then its fields in order.
#include "factorization/ranks/main_message.hpp"

#include <array>

#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/read_bool.hpp"

namespace frond {
namespace {

// [kind]
constexpr std::array<std::string_view, kNumMainMessageKinds> kNames = {
    "announce", "slave_task", "slave_answer", "free_memory", "refusal_end", "settle", "row_map",      "rows",  "front", "pause",
    "rest",     "stuck",      "record",       "move",        "steal",       "grant",  "pool_request", "given", "done",  "failure"};

// Fields of every kind of message, written and read in the same order.
class Encoder {
 public:
  void operator()(const AnnounceMessage& message) {
    write(message.output);
    if (!message.right_sides.empty()) {
      writer.list(message.right_sides);
    }
  }
  void operator()(const SlaveTaskMessage& message) {
    writer.value(message.plan.task);
    writer.value(message.plan.master);
    write(message.plan.shares);
    writer.value(static_cast<Count>(message.plan.children.size()));
    for (const ChildOutput& child : message.plan.children) {
      write(child);
    }
  }
  void operator()(const SlaveAnswerMessage& message) {
    writer.value(message.task);
    writer.value(message.is_accepted);
    writer.value(message.needed_bytes);
    writer.value(message.free_bytes);
  }
  void operator()(const FreeMemoryMessage& message) {
    writer.value(message.task);
    writer.value(message.free_bytes);
  }
  void operator()(const RefusalEndMessage& message) { writer.value(message.task); }
  void operator()(const SettleMessage& message) {
    writer.value(message.task);
    writer.value(message.stands);
  }
  void operator()(const RowMapMessage& message) {
    write(message.part);
    writer.value(message.map.master);
    write(message.map.shares);
    writer.value(message.map.num_delayed_in);
    writer.list(message.map.delayed_begin);
    writer.list(message.map.num_delayed);
  }
  void operator()(const RowsMessage& message) {
    writer.value(message.child);
    writer.value(message.source);
    writer.value(message.target);
    writer.value(message.offset);
    writer.value(message.num_bytes);
    writer.array(message.bytes);
  }
  void operator()(const FrontMessage& message) {
    write(message.part);
    writer.value(message.origin);
    writer.list(message.relays);
    writer.value(message.num_ghost_bytes);
    writer.array(message.body);
  }
  void operator()(const PauseMessage& message) {
    writer.value(message.number);
    writer.value(message.is_on);
    writer.list(message.leaving);
  }
  void operator()(const RestMessage& message) {
    writer.value(message.number);
    writer.value(message.num_received);
    writer.list(message.num_sent);
    writer.list(message.finished);
    writer.value(static_cast<Count>(message.shared.size()));
    for (const DealtFront& one : message.shared) {
      writer.value(one.node);
      write(one.shares);
    }
    writer.list(message.taken);
    writer.value(message.free_bytes);
  }
  void operator()(const StealMessage& message) {
    writer.value(message.thief);
    writer.value(message.free_bytes);
    writer.value(message.pace.kind);
    writer.value(message.pace.thousandths);
    writer.value(message.num_seen);
    writer.value(message.has_met_dry);
  }
  void operator()(const GrantMessage& message) { writer.list(message.tops); }
  void operator()(const PoolRequestMessage& message) {
    writer.value(message.free_bytes);
    writer.value(message.done.num_units);
    writer.value(message.done.seconds);
    writer.value(message.done.seconds_with_overhead);
  }
  void operator()(const GivenMessage& message) { writer.list(message.tops); }
  void operator()(const StuckMessage& message) { writer.value(message.number); }
  void operator()(const RecordMessage& message) { writer.list(message.plan); }
  void operator()(const MoveMessage& message) {
    writer.value(message.node);
    writer.value(message.role);
    writer.value(message.total_bytes);
    writer.list(message.described);
    writer.value(message.num_bytes);
    writer.value(message.is_in_file);
    writer.array(message.bytes);
  }

  ByteWriter writer;

 private:
  void write(const FrontPart& part) {
    writer.value(part.task);
    writer.value(part.role);
  }
  void write(const std::vector<RowShare>& shares) { writer.list(shares); }
  void write(const ChildOutput& child) {
    writer.value(child.task);
    writer.value(child.master);
    writer.value(static_cast<Count>(child.announcement.tops.size()));
    for (const DelayedVariables& delayed : child.announcement.tops) {
      writer.list(delayed.rows);
      writer.list(delayed.columns);
    }
    write(child.announcement.shares);
  }
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : reader_(bytes) {}

  MainMessage read() {
    const auto kind = reader_.value<std::uint8_t>();
    (void)reader_.value<Index>();
    MainMessage message = read_fields(kind, std::make_index_sequence<std::variant_size_v<MainMessage>>());
    reader_.expect_end();
    return message;
  }

 private:
  template <std::size_t... Kinds>
  MainMessage read_fields(std::uint8_t kind, std::index_sequence<Kinds...> /*kinds*/) {
    MainMessage message;
    const bool is_known = ((kind == Kinds && (message = read(std::variant_alternative_t<Kinds, MainMessage>()), true)) || ...);
    if (!is_known) {
      throw InternalError("a message between ranks is of the unknown kind " + std::to_string(kind) +
                          "; do all processes run the same Frond?");
    }
    return message;
  }

  AnnounceMessage read(AnnounceMessage&& message) {
    message.output = read_child();
    if (!reader_.is_at_end()) {
      message.right_sides = reader_.list<std::byte>();
    }
    return std::move(message);
  }
  SlaveTaskMessage read(SlaveTaskMessage&& message) {
    message.plan.task = reader_.value<TaskId>();
    message.plan.master = reader_.value<Rank>();
    message.plan.shares = reader_.list<RowShare>();
    for (auto left = reader_.value<Count>(); left > 0; --left) {
      message.plan.children.push_back(read_child());
    }
    return std::move(message);
  }
  SlaveAnswerMessage read(SlaveAnswerMessage&& message) {
    message.task = reader_.value<TaskId>();
    message.is_accepted = read_bool(reader_);
    message.needed_bytes = reader_.value<Count>();
    message.free_bytes = reader_.value<Count>();
    return message;
  }
  FreeMemoryMessage read(FreeMemoryMessage&& message) {
    message.task = reader_.value<TaskId>();
    message.free_bytes = reader_.value<Count>();
    return message;
  }
  RefusalEndMessage read(RefusalEndMessage&& /*kind*/) { return {reader_.value<TaskId>()}; }
  SettleMessage read(SettleMessage&& message) {
    message.task = reader_.value<TaskId>();
    message.stands = read_bool(reader_);
    return message;
  }
  RowMapMessage read(RowMapMessage&& message) {
    message.part = read_part();
    message.map.master = reader_.value<Rank>();
    message.map.shares = reader_.list<RowShare>();
    message.map.num_delayed_in = reader_.value<Index>();
    message.map.delayed_begin = reader_.list<Index>();
    message.map.num_delayed = reader_.list<Index>();
    return std::move(message);
  }
  RowsMessage read(RowsMessage&& message) {
    message.child = reader_.value<NodeId>();
    message.source = reader_.value<PartRole>();
    message.target = reader_.value<PartRole>();
    message.offset = reader_.value<Count>();
    message.num_bytes = reader_.value<Count>();
    message.bytes = reader_.rest();
    return message;
  }
  FrontMessage read(FrontMessage&& message) {
    message.part = read_part();
    message.origin = reader_.value<Rank>();
    message.relays = reader_.list<Rank>();
    message.num_ghost_bytes = reader_.value<Count>();
    message.body = reader_.rest();
    return message;
  }
  PauseMessage read(PauseMessage&& message) {
    message.number = reader_.value<Index>();
    message.is_on = read_bool(reader_);
    message.leaving = reader_.list<Rank>();
    return std::move(message);
  }
  RestMessage read(RestMessage&& message) {
    message.number = reader_.value<Index>();
    message.num_received = reader_.value<Count>();
    message.num_sent = reader_.list<Count>();
    message.finished = reader_.list<NodeId>();
    for (auto left = reader_.value<Count>(); left > 0; --left) {
      const auto node = reader_.value<NodeId>();
      message.shared.push_back({node, reader_.list<RowShare>()});
    }
    message.taken = reader_.list<NodeId>();
    message.free_bytes = reader_.value<Count>();
    return std::move(message);
  }
  StealMessage read(StealMessage&& message) {
    message.thief = reader_.value<Rank>();
    message.free_bytes = reader_.value<Count>();
    message.pace.kind = reader_.value<std::uint8_t>();
    if (message.pace.kind >= kNumPaceKinds) {
      throw InternalError("a rank that asks for work has a pace of the unknown kind " + std::to_string(message.pace.kind) +
                          "; do all processes run the same Frond?");
    }
    message.pace.thousandths = reader_.value<Count>();
    message.num_seen = reader_.value<Index>();
    message.has_met_dry = read_bool(reader_);
    return message;
  }
  GrantMessage read(GrantMessage&& /*kind*/) { return {reader_.list<TaskId>()}; }
  PoolRequestMessage read(PoolRequestMessage&& message) {
    message.free_bytes = reader_.value<Count>();
    message.done.num_units = reader_.value<Index>();
    message.done.seconds = reader_.value<double>();
    message.done.seconds_with_overhead = reader_.value<double>();
    return message;
  }
  GivenMessage read(GivenMessage&& /*kind*/) { return {reader_.list<TaskId>()}; }
  StuckMessage read(StuckMessage&& /*kind*/) { return {reader_.value<Index>()}; }
  RecordMessage read(RecordMessage&& message) {
    message.plan = reader_.list<std::byte>();
    return std::move(message);
  }
  MoveMessage read(MoveMessage&& message) {
    message.node = reader_.value<NodeId>();
    message.role = reader_.value<PartRole>();
    message.total_bytes = reader_.value<Count>();
    message.described = reader_.list<std::byte>();
    message.num_bytes = reader_.value<Count>();
    message.is_in_file = read_bool(reader_);
    message.bytes = reader_.rest();
    return std::move(message);
  }

  FrontPart read_part() {
    const auto task = reader_.value<TaskId>();
    return {task, reader_.value<PartRole>()};
  }
  ChildOutput read_child() {
    ChildOutput child;
    child.task = reader_.value<TaskId>();
    child.master = reader_.value<Rank>();
    for (auto left = reader_.value<Count>(); left > 0; --left) {
      DelayedVariables& delayed = child.announcement.tops.emplace_back();
      delayed.rows = reader_.list<Index>();
      delayed.columns = reader_.list<Index>();
    }
    child.announcement.shares = reader_.list<RowShare>();
    return child;
  }

  ByteReader reader_;
};

}  // namespace

std::string_view main_message_name(std::size_t kind) { return kNames.at(kind); }

std::vector<std::byte> encode(const MainMessage& message, Index record) {
  Encoder encoder;
  encoder.writer.value(static_cast<std::uint8_t>(message.index()));
  encoder.writer.value(record);
  std::visit(encoder, message);
  return encoder.writer.take();
}

MainMessage decode_main_message(std::span<const std::byte> bytes) { return Decoder(bytes).read(); }

Index record_of_main_message(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  (void)reader.value<std::uint8_t>();
  return reader.value<Index>();
}

}  // namespace frond
