// SPDX-License-Identifier: BSD-3-Clause
// What a rank does that lives by messages: the shape in which drivers run it.
#pragma once

#include <exception>

#include "loadinfo/messages/channel.hpp"

namespace frond {

/// A state machine of one rank that never waits: it is told what has happened and answers by sending. Its calls must not overlap,
/// and throw nothing: what goes wrong inside becomes a failure that all ranks end with.
class MessageProgram {
 public:
  virtual ~MessageProgram() = default;

  virtual void start() = 0;
  virtual void on_message(const ReceivedMessage& message) = 0;
  virtual void on_room() = 0;  ///< the channel, after it refused a message, has room

  /// Something was thrown on this rank outside of these calls.
  virtual void fail(const std::exception_ptr& exception) = 0;

  /// Nothing is left to do, here or anywhere: no message is under way to or from this rank.
  [[nodiscard]] virtual bool ended() const = 0;
};

}  // namespace frond
