// SPDX-License-Identifier: BSD-3-Clause
// Implements the channel: outstanding sends within a buffer, and receives in the order of arrival.
#include "loadinfo/messages/mpi/mpi_channel.hpp"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>

#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/transfer.hpp"

namespace frond {
namespace {

constexpr Count kEnvelopeBytes = 64;  // about the size of a request and its book-keeping, so that empty messages are bounded, too

Count buffer_bytes_of(const Transfer& transfer) { return transfer.num_bytes() + kEnvelopeBytes; }

}  // namespace

struct MpiChannel::State {
  State(Communicator of, Count most_bytes) : communicator(std::move(of)), buffer_bytes(most_bytes) {}
  ~State() {
    if (is_mpi_running()) {
      const auto inside = enter();
      sends.clear();
      receives.clear();
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[nodiscard]] std::unique_lock<std::mutex> enter() { return communicator.gate().enter(seconds_kept_out); }
  [[nodiscard]] MPI_Comm comm() const { return mpi_comm(communicator); }

  // Forgets the messages that MPI has passed on. Messages to one rank leave in order.
  void release_finished_sends() {
    for (auto queue = sends.begin(); queue != sends.end();) {
      std::deque<Transfer>& transfers = queue->second;
      while (!transfers.empty() && transfers.front().is_finished()) {
        send_bytes -= buffer_bytes_of(transfers.front());
        transfers.pop_front();
        has_room = has_room || std::exchange(was_refused, false);
      }
      queue = transfers.empty() ? sends.erase(queue) : std::next(queue);
    }
  }

  [[nodiscard]] bool has_room_for(Count num_bytes) const {
    return sends.empty() || send_bytes + num_bytes + kEnvelopeBytes <= buffer_bytes;
  }

  void start_receive() {
    if (!receives.empty() && receive_bytes >= buffer_bytes) {
      return;
    }
    if (std::optional<Transfer> next = Transfer::receive_next(comm())) {
      receive_bytes += buffer_bytes_of(*next);
      receives.push_back(std::move(*next));
    }
  }

  Communicator communicator;
  Count buffer_bytes;
  double seconds_kept_out = 0;
  std::map<Rank, std::deque<Transfer>> sends;  // unfinished, to each rank, oldest first
  Count send_bytes = 0;                        // of all of them
  bool was_refused = false;                    // a message was, and none has left since
  bool has_room = false;                       // the room event
  std::deque<Transfer> receives;               // in the order of arrival
  Count receive_bytes = 0;                     // of all of them
};

MpiChannel::MpiChannel(Communicator communicator, Count buffer_bytes)
    : state_(std::make_unique<State>(std::move(communicator), buffer_bytes)) {}

MpiChannel::~MpiChannel() = default;

Rank MpiChannel::rank() const { return state_->communicator.rank(); }
Rank MpiChannel::num_ranks() const { return state_->communicator.num_ranks(); }

bool MpiChannel::send(Rank to, const MessageBody& body) {
  if (to < 0 || to >= num_ranks() || to == rank() || body.has_ghost()) {
    throw InternalError(fmt::format("rank {} of {} sends {} of {} bytes to rank {} over MPI", rank(), num_ranks(),
                                    body.has_ghost() ? "a ghost" : "a message", body.num_bytes(), to));
  }
  const auto inside = state_->enter();
  state_->release_finished_sends();
  if (!state_->has_room_for(body.num_bytes())) {
    state_->was_refused = true;
    return false;
  }
  state_->sends[to].push_back(Transfer::send(state_->comm(), to, body.bytes()));
  state_->send_bytes += buffer_bytes_of(state_->sends[to].back());
  return true;
}

bool MpiChannel::take_room_event() {
  if (state_->was_refused) {
    const auto inside = state_->enter();
    state_->release_finished_sends();
  }
  return std::exchange(state_->has_room, false);
}

std::optional<ReceivedMessage> MpiChannel::poll() {
  const auto inside = state_->enter();
  state_->release_finished_sends();
  state_->start_receive();
  if (state_->receives.empty() || !state_->receives.front().is_finished()) {
    return std::nullopt;
  }
  Transfer& first = state_->receives.front();
  std::optional<ReceivedMessage> message(std::in_place, first.other_rank(), first.num_bytes(), first.take_bytes());
  state_->receive_bytes -= buffer_bytes_of(first);
  state_->receives.pop_front();
  return message;
}

bool MpiChannel::has_unfinished_sends() const { return !state_->sends.empty(); }
double MpiChannel::seconds_kept_out() const { return state_->seconds_kept_out; }

}  // namespace frond
