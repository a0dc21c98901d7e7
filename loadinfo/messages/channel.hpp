// SPDX-License-Identifier: BSD-3-Clause
// The interface through which ranks send each other bytes. Nothing waits: a message that cannot be sent now is refused, and a poll
// returns only messages that have arrived.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "frond/types.hpp"

namespace frond {

/// The content of a message to be sent: bytes of the caller, followed, when only sizes are studied, by a ghost that has only a
/// length.
class MessageBody {
 public:
  MessageBody(std::span<const std::byte> bytes)  // NOLINT(google-explicit-constructor): bytes are a body
      : bytes_(bytes) {}
  MessageBody(std::span<const std::byte> bytes, Count num_ghost_bytes) : bytes_(bytes), num_ghost_bytes_(num_ghost_bytes) {}
  static MessageBody ghost(Count num_bytes) { return {{}, num_bytes}; }

  [[nodiscard]] Count num_bytes() const { return static_cast<Count>(bytes_.size()) + num_ghost_bytes_; }
  [[nodiscard]] bool has_ghost() const { return num_ghost_bytes_ > 0; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }  ///< without the ghost

 private:
  std::span<const std::byte> bytes_;
  Count num_ghost_bytes_ = 0;
};

/// A received message with its bytes except the ghost. It can be moved, not copied.
class ReceivedMessage {
 public:
  ReceivedMessage(Rank from, Count num_bytes, std::unique_ptr<std::byte[]> bytes)
      : from_(from), num_bytes_(num_bytes), num_held_bytes_(num_bytes), bytes_(std::move(bytes)) {}

  /// Copies what was sent.
  ReceivedMessage(Rank from, const MessageBody& body)
      : from_(from), num_bytes_(body.num_bytes()), num_held_bytes_(static_cast<Count>(body.bytes().size())) {
    bytes_ = std::make_unique<std::byte[]>(body.bytes().size());
    std::copy(body.bytes().begin(), body.bytes().end(), bytes_.get());
  }

  /// Returns the same message with its sender renumbered for the receiving communicator.
  [[nodiscard]] ReceivedMessage renamed(Rank from) && {
    from_ = from;
    return std::move(*this);
  }

  [[nodiscard]] Rank from() const { return from_; }
  [[nodiscard]] Count num_bytes() const { return num_bytes_; }
  [[nodiscard]] bool has_ghost() const { return num_held_bytes_ < num_bytes_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {bytes_.get(), static_cast<std::size_t>(num_held_bytes_)}; }

 private:
  Rank from_;
  Count num_bytes_;
  Count num_held_bytes_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// One rank's end of a network. Messages from one rank to another arrive once each, in the order in which they were sent; nothing
/// is guaranteed across pairs of ranks, or between two channels of the same pair.
class Channel {
 public:
  virtual ~Channel() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual Rank num_ranks() const = 0;

  /// True: the body is copied and on its way to another rank. False: the buffer is full, nothing has happened, and a room event
  /// will follow. An empty buffer accepts any length.
  [[nodiscard]] virtual bool send(Rank to, const MessageBody& body) = 0;

  /// The room event: after a refusal, returns true once when space has become free and the refused message may be sent again.
  [[nodiscard]] virtual bool take_room_event() = 0;

  /// Returns the next message that has arrived, if there is one.
  [[nodiscard]] virtual std::optional<ReceivedMessage> poll() = 0;
};

}  // namespace frond
