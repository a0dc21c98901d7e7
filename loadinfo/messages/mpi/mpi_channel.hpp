// SPDX-License-Identifier: BSD-3-Clause
// A channel between the processes of an MPI program.
#pragma once

#include <memory>

#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Uses one communicator, on which nothing else is sent, and one tag: so messages of a pair keep their order. Nothing blocks, and
/// nothing happens between calls. The calls must not overlap. Ghosts cannot be sent.
///
/// Messages count against the buffer, with some bytes each for MPI, from send() until MPI has passed them on. send(), poll() and
/// take_room_event() check for that, so that a caller that waits for room sees it. Messages are received from MPI while those not
/// yet complete are together smaller than the buffer; they are returned in the order of their arrival.
///
/// To be destroyed, by all processes, after everything sent has been received. After an error it may be destroyed earlier: messages
/// under way, with their memory, are then left to MPI.
class MpiChannel final : public Channel {
 public:
  MpiChannel(Communicator communicator, Count buffer_bytes);
  ~MpiChannel() override;
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;

  [[nodiscard]] Rank rank() const override;
  [[nodiscard]] Rank num_ranks() const override;
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override;
  [[nodiscard]] bool take_room_event() override;
  [[nodiscard]] std::optional<ReceivedMessage> poll() override;

  [[nodiscard]] bool has_unfinished_sends() const;
  [[nodiscard]] double seconds_kept_out() const;  ///< time that calls have waited at the gate so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace frond
