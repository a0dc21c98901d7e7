// SPDX-License-Identifier: BSD-3-Clause
// The port through which ranks send each other bytes. Nothing waits: what cannot be sent now is refused, what has not come yet is
// not there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "loadinfo/load.hpp"

namespace frond {

/// What a message to be sent consists of: bytes of the caller, or, when only sizes are studied, a ghost that has nothing but a
/// length.
class MessageBody {
 public:
  MessageBody(std::span<const std::byte> bytes)  // NOLINT(google-explicit-constructor): bytes are a body
      : data_(bytes.data()), num_bytes_(static_cast<Count>(bytes.size())) {}
  static MessageBody ghost(Count num_bytes) { return MessageBody(num_bytes); }

  [[nodiscard]] Count num_bytes() const { return num_bytes_; }
  [[nodiscard]] bool is_ghost() const { return is_ghost_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, is_ghost_ ? 0 : static_cast<std::size_t>(num_bytes_)}; }

 private:
  explicit MessageBody(Count num_bytes) : num_bytes_(num_bytes), is_ghost_(true) {}

  const std::byte* data_ = nullptr;
  Count num_bytes_ = 0;
  bool is_ghost_ = false;
};

/// A message that has come, with its bytes if it is no ghost. It can be moved, not copied.
class ReceivedMessage {
 public:
  /// `bytes` holds `num_bytes`, or is null for a ghost of that length.
  ReceivedMessage(Rank from, Count num_bytes, std::unique_ptr<std::byte[]> bytes)
      : from_(from), num_bytes_(num_bytes), bytes_(std::move(bytes)) {}

  [[nodiscard]] Rank from() const { return from_; }
  [[nodiscard]] Count num_bytes() const { return num_bytes_; }
  [[nodiscard]] bool is_ghost() const { return bytes_ == nullptr; }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {bytes_.get(), is_ghost() ? 0 : static_cast<std::size_t>(num_bytes_)};
  }

 private:
  Rank from_;
  Count num_bytes_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// One rank's end of a network. Messages from one rank to another arrive once each, in the order in which they were sent; nothing
/// is promised across pairs of ranks, nor between two channels of the same pair.
class Channel {
 public:
  virtual ~Channel() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual Rank num_ranks() const = 0;

  /// True: the body is copied and on its way to another rank. False: the buffer is full, nothing has happened, and a room event
  /// will follow. An empty buffer accepts any length.
  [[nodiscard]] virtual bool send(Rank to, const MessageBody& body) = 0;

  /// The room event: after a refusal, true once when space has become free, and a refused message may be tried again.
  [[nodiscard]] virtual bool take_room_event() = 0;

  /// The next message that has come, if there is one.
  [[nodiscard]] virtual std::optional<ReceivedMessage> poll() = 0;
};

}  // namespace frond
