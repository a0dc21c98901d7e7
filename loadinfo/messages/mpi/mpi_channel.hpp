// SPDX-License-Identifier: BSD-3-Clause
// A channel between the processes of an MPI program.
#pragma once

#include <memory>

#include "loadinfo/messages/channel.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// One communicator, on which nothing else is sent, and one tag: so messages of a pair keep their order. Nothing blocks, and
/// nothing happens between the calls. The calls must not overlap. Ghosts cannot be sent.
///
/// Messages count against the buffer, with some bytes each for MPI, from send() until MPI has handed them on. MPI is asked for that
/// in send(), poll() and take_room_event(), so that whoever waits for room sees it come. Received messages are taken from MPI while
/// those that have not come in full yet are below the size of the buffer; they are returned in the order of their arrival.
///
/// To be destroyed, by all processes, when everything that was sent has been received. Earlier, after an error, it may be destroyed
/// as well: what is under way then is left to MPI, with its memory.
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
  [[nodiscard]] double seconds_kept_out() const;  ///< that calls have waited at the gate, so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace frond
