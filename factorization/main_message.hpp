// SPDX-License-Identifier: BSD-3-Clause
// The messages by which the ranks factorize one tree together, as values and as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "factorization/contributions.hpp"
#include "factorization/failure.hpp"

namespace frond {

/// The sender has finished `task`, whose parent is the receiver's.
struct AnnounceMessage {
  TaskId task = kNoTask;
  Announcement announcement;
  friend bool operator==(const AnnounceMessage&, const AnnounceMessage&) = default;
};

/// The receiver is to send the output of its `task` to the sender.
struct FetchMessage {
  TaskId task = kNoTask;
  friend bool operator==(const FetchMessage&, const FetchMessage&) = default;
};

/// A piece of the output of `task`, from byte `offset` on. The bytes belong to the message that was received.
struct OutputMessage {
  TaskId task = kNoTask;
  Count offset = 0;
  std::span<const std::byte> bytes;
};

/// To rank 0: the sender has nothing left to do. From rank 0: nobody has.
struct DoneMessage {
  friend bool operator==(const DoneMessage&, const DoneMessage&) = default;
};

/// The sender has stopped, and this is its last message.
struct FailureMessage {
  Failure failure;
  friend bool operator==(const FailureMessage&, const FailureMessage&) = default;
};

using MainMessage = std::variant<AnnounceMessage, FetchMessage, OutputMessage, DoneMessage, FailureMessage>;

/// Integers in the byte order of the machine: all ranks run on the same kind.
[[nodiscard]] std::vector<std::byte> encode(const MainMessage& message);

/// What encode() wrote; an OutputMessage refers to `bytes`. Anything else is an InternalError.
[[nodiscard]] MainMessage decode_main_message(std::span<const std::byte> bytes);

}  // namespace frond
