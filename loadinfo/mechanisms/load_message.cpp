// SPDX-License-Identifier: BSD-3-Clause
// Encodes load messages as bytes and decodes them.
#include "loadinfo/mechanisms/load_message.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

struct Format {
  std::string_view name;
  bool ticket;
  bool load;
  bool assignments;
};

// kFormats[kind] = the name of the kind and the fields that are written, in this order.
constexpr std::array<Format, kNumLoadMessageKinds> kFormats = {{{"update", false, true, false},
                                                                {"reservation", false, true, false},
                                                                {"master_to_all", false, false, true},
                                                                {"no_more_master", false, false, false},
                                                                {"start", true, false, false},
                                                                {"answer", true, true, false},
                                                                {"end", true, false, false},
                                                                {"revoke", true, false, false},
                                                                {"yield", true, false, false}}};

constexpr int kBitsPerByte = 7;  // of a variable-length integer; the eighth marks that more bytes follow
constexpr std::uint64_t kMore = 1U << kBitsPerByte;
constexpr Count kMinAssignmentBytes = 10;  // rank, flops, bytes

const Format& format_of(LoadMessageKind kind) { return kFormats[static_cast<std::size_t>(kind)]; }

// Small magnitudes of either sign become small unsigned numbers: 0, -1, 1, -2, ... -> 0, 1, 2, 3, ...
std::uint64_t zigzag(Count value) { return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63); }
Count unzigzag(std::uint64_t value) { return static_cast<Count>((value >> 1U) ^ (~(value & 1U) + 1U)); }

class Writer {
 public:
  std::vector<std::byte> bytes;

  void integer(std::uint64_t value) {
    for (; value >= kMore; value >>= kBitsPerByte) {
      bytes.push_back(static_cast<std::byte>(value % kMore | kMore));
    }
    bytes.push_back(static_cast<std::byte>(value));
  }
  void load(const Load& load) {
    const auto bits = std::bit_cast<std::uint64_t>(load.flops);
    for (unsigned shift = 0; shift < 64; shift += 8) {
      bytes.push_back(static_cast<std::byte>(bits >> shift));
    }
    integer(zigzag(load.bytes));
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[noreturn]] void fail(const std::string& cause) const {
    throw InternalError(fmt::format("malformed load message of {} bytes: {} before byte {}; do all processes run the same Frond?",
                                    bytes_.size(), cause, position_));
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }
  std::uint8_t byte() {
    if (left() == 0) {
      fail("it ends too early");
    }
    return std::to_integer<std::uint8_t>(bytes_[position_++]);
  }
  std::uint64_t integer() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += kBitsPerByte) {
      const std::uint64_t digits = byte();
      if (shift == 63 && digits > 1) {
        fail("an integer has more than 64 bits");
      }
      value |= digits % kMore << shift;
      if (digits < kMore) {
        return value;
      }
    }
  }
  Count natural(Count largest, std::string_view what) {
    const std::uint64_t value = integer();
    if (value > static_cast<std::uint64_t>(largest)) {
      fail(fmt::format("{} {} is above {}", what, value, largest));
    }
    return static_cast<Count>(value);
  }
  Load load() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) {
      bits |= static_cast<std::uint64_t>(byte()) << shift;
    }
    const auto flops = std::bit_cast<double>(bits);
    if (!std::isfinite(flops)) {
      fail("flops are not finite");
    }
    return {flops, unzigzag(integer())};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

std::vector<Assignment> read_assignments(Reader& reader) {
  const Count count = reader.natural(static_cast<Count>(reader.left()) / kMinAssignmentBytes, "the number of slaves");
  std::vector<Assignment> assignments(static_cast<std::size_t>(count));
  for (Assignment& assignment : assignments) {
    assignment.rank = static_cast<Rank>(reader.natural(std::numeric_limits<Rank>::max(), "the rank of a slave"));
    assignment.load = reader.load();
  }
  return assignments;
}

}  // namespace

std::string_view to_string(LoadMessageKind kind) { return format_of(kind).name; }

std::vector<std::byte> encode(const LoadMessage& message) {
  const Format& format = format_of(message.kind);
  Writer writer;
  writer.bytes.push_back(static_cast<std::byte>(message.kind));
  if (format.ticket) {
    writer.integer(static_cast<std::uint64_t>(message.ticket));
  }
  if (format.load) {
    writer.load(message.load);
  }
  if (has_pace(message.kind)) {
    writer.bytes.push_back(static_cast<std::byte>(message.pace.kind));
    writer.integer(static_cast<std::uint64_t>(message.pace.thousandths));
  }
  if (format.assignments) {
    writer.integer(message.assignments.size());
    for (const Assignment& assignment : message.assignments) {
      writer.integer(static_cast<std::uint64_t>(assignment.rank));
      writer.load(assignment.load);
    }
  }
  return std::move(writer.bytes);
}

LoadMessage decode(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  const std::uint8_t kind = reader.byte();
  if (kind >= kNumLoadMessageKinds) {
    reader.fail(fmt::format("unknown kind {}", kind));
  }
  LoadMessage message{.kind = static_cast<LoadMessageKind>(kind)};
  const Format& format = format_of(message.kind);
  if (format.ticket) {
    message.ticket = reader.natural(std::numeric_limits<Count>::max(), "the ticket");
  }
  if (format.load) {
    message.load = reader.load();
  }
  if (has_pace(message.kind)) {
    message.pace.kind = reader.byte();
    if (message.pace.kind >= kNumPaceKinds) {
      reader.fail(fmt::format("unknown kind {} of work", message.pace.kind));
    }
    message.pace.thousandths = reader.natural(std::numeric_limits<Count>::max(), "the pace");
  }
  if (format.assignments) {
    message.assignments = read_assignments(reader);
  }
  if (reader.left() > 0) {
    reader.fail(fmt::format("{} bytes follow a complete message of kind {}", reader.left(), format.name));
  }
  return message;
}

void LoadMessageCounts::add(LoadMessageKind kind, Count num_bytes) {
  messages[static_cast<std::size_t>(kind)] += 1;
  bytes[static_cast<std::size_t>(kind)] += num_bytes;
}

Count LoadMessageCounts::total_messages() const { return std::accumulate(messages.begin(), messages.end(), Count{0}); }

Count LoadMessageCounts::total_bytes() const { return std::accumulate(bytes.begin(), bytes.end(), Count{0}); }

LoadMessageCounts& LoadMessageCounts::operator+=(const LoadMessageCounts& other) {
  for (std::size_t kind = 0; kind < messages.size(); ++kind) {
    messages[kind] += other.messages[kind];
    bytes[kind] += other.bytes[kind];
  }
  return *this;
}

}  // namespace frond
