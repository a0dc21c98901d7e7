// SPDX-License-Identifier: BSD-3-Clause
// The interface through which drivers run a rank that is controlled by messages.
#pragma once

#include <exception>
#include <string>

#include "loadinfo/messages/channel.hpp"

namespace frond {

/// A state machine of one rank that never waits: it is informed of events and answers by sending. Its calls must not overlap or
/// throw: an error inside becomes a failure with which all ranks end.
class MessageProgram {
 public:
  virtual ~MessageProgram() = default;

  virtual void start() = 0;
  virtual void on_message(const ReceivedMessage& message) = 0;
  virtual void on_room() = 0;  ///< the channel has room again after it refused a message

  /// Reports that an exception was thrown on this rank outside these calls.
  virtual void fail(const std::exception_ptr& exception) = 0;

  /// Called after load messages. Returns true if they have made something possible that was done.
  virtual bool on_load_event() { return false; }
  /// Returns the bytes that it waits for other ranks to free.
  [[nodiscard]] virtual Count missing_bytes() const { return 0; }
  /// Says what it waits for, as the end of "rank 3 ...".
  [[nodiscard]] virtual std::string describe_wait() const { return "waits"; }

  /// True if nothing is left to do, here or anywhere: no message is under way to or from this rank.
  [[nodiscard]] virtual bool ended() const = 0;
};

}  // namespace frond
