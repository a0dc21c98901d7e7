// SPDX-License-Identifier: BSD-3-Clause
// The messages by which processes learn of each other's load, as values, as bytes, and as counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loadinfo/mechanisms/load.hpp"

namespace frond {

/// What a message says, and which fields of LoadMessage it uses.
enum class LoadMessageKind : std::uint8_t {
  update,          ///< load: of the sender (naive), or by how much it varied (increments)
  reservation,     ///< load: of a task that the receiver will get from the sender
  master_to_all,   ///< assignments: the loads that the sender gives to its slaves
  no_more_master,  ///< the sender takes no more decisions
  start,           ///< ticket: the sender wants to decide; first round it may do so in (snapshot), its priority (partial snapshot)
  answer,          ///< load: of the sender; ticket: round it gives up (snapshot), its clock (partial snapshot)
  end,             ///< ticket: round (snapshot) or request (partial snapshot) that the sender has decided
  revoke,          ///< ticket: request of the receiver that the sender wants its grant back from
  yield            ///< ticket: request of the sender that gives the receiver's grant back
};

inline constexpr int kNumLoadMessageKinds = 9;

inline constexpr std::size_t kNumPaceKinds = 48;

/// How fast a rank works, as it has measured with work of one kind: see PaceTable.
struct Pace {
  std::uint8_t kind = 0;  ///< below kNumPaceKinds
  Count thousandths = 0;  ///< the seconds that it takes for what is expected to take one; 0: nothing was measured

  friend bool operator==(const Pace&, const Pace&) = default;
};

[[nodiscard]] std::string_view to_string(LoadMessageKind kind);
/// The sender's load comes with its pace.
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

/// Only the fields that the kind uses are written: one byte for the kind, variable-length integers, eight bytes for flops. The
/// bytes are the same on every machine.
[[nodiscard]] std::vector<std::byte> encode(const LoadMessage& message);

/// The message that encode() made these bytes of; whatever else is in them is an InternalError that says where and what.
[[nodiscard]] LoadMessage decode(std::span<const std::byte> bytes);

/// How many messages, and how many bytes, by kind.
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
