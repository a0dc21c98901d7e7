// SPDX-License-Identifier: BSD-3-Clause
// The messages with which processes report their loads to each other, as values, as bytes, and as counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loadinfo/mechanisms/load.hpp"

namespace frond {

/// The kinds of messages, and the fields of LoadMessage that each uses.
enum class LoadMessageKind : std::uint8_t {
  update,          ///< load: of the sender (naive), or its variation (increments)
  reservation,     ///< load: of a task that the receiver will get from the sender
  master_to_all,   ///< assignments: the loads that the sender gives to its slaves
  no_more_master,  ///< the sender makes no more decisions
  start,           ///< ticket: the sender wants to decide; first round in which it may (snapshot), its priority (partial snapshot)
  answer,          ///< load: of the sender; ticket: round it gives up (snapshot), its clock (partial snapshot)
  end,             ///< ticket: round (snapshot) or request (partial snapshot) that the sender has decided
  revoke,          ///< ticket: request of the receiver whose grant the sender wants back
  yield            ///< ticket: request of the sender that returns the receiver's grant
};

inline constexpr int kNumLoadMessageKinds = 9;

inline constexpr std::size_t kNumPaceKinds = 48;

/// How fast a rank works, as measured with work of one kind: see PaceTable.
struct Pace {
  std::uint8_t kind = 0;  ///< below kNumPaceKinds
  Count thousandths = 0;  ///< seconds for work expected to take one second, times 1000; 0: not measured

  friend bool operator==(const Pace&, const Pace&) = default;
};

[[nodiscard]] std::string_view to_string(LoadMessageKind kind);
/// True if messages of this kind carry the sender's pace with its load.
[[nodiscard]] inline bool has_pace(LoadMessageKind kind) {
  return kind == LoadMessageKind::update || kind == LoadMessageKind::answer;
}

struct LoadMessage {
  LoadMessageKind kind = LoadMessageKind::update;
  Count ticket = 0;  ///< not negative
  Load load{};
  Pace pace{};  ///< of the sender, with update and answer
  std::vector<Assignment> assignments{};

  friend bool operator==(const LoadMessage&, const LoadMessage&) = default;
};

/// Encodes only the fields that the kind uses: one byte for the kind, variable-length integers, eight bytes for flops. The bytes
/// are the same on every machine.
[[nodiscard]] std::vector<std::byte> encode(const LoadMessage& message);

/// Returns the message that encode() turned into these bytes; anything else is an InternalError that says where and what.
[[nodiscard]] LoadMessage decode(std::span<const std::byte> bytes);

/// The numbers of messages and bytes by kind.
struct LoadMessageCounts {
  std::array<Count, kNumLoadMessageKinds> messages{};
  std::array<Count, kNumLoadMessageKinds> bytes{};

  void add(LoadMessageKind kind, Count num_bytes);
  [[nodiscard]] Count num_messages(LoadMessageKind kind) const { return messages[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] Count total_messages() const;
  [[nodiscard]] Count total_bytes() const;
  LoadMessageCounts& operator+=(const LoadMessageCounts& other);
};

}  // namespace frond
