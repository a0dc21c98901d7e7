// SPDX-License-Identifier: BSD-3-Clause
// Passes requests of workers to the first process, and its replies back.
#include "solver/distributed/batch/remote_desk.hpp"

#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {

RemoteDesk::RemoteDesk(Rank rank, Rank num_workers, Observer* observer)
    : TaskDesk(num_workers), rank_(rank), observer_(observer), grants_(static_cast<std::size_t>(num_workers)) {}

// Called with the lock held.
void RemoteDesk::send(std::vector<std::byte> message) {
  waiting_.push_back(std::move(message));
  wake_.notify_all();
}

std::vector<Count> RemoteDesk::take(Rank worker, const ChunkSeconds& last) {
  std::unique_lock lock(mutex_);
  send(encoded(DeskMessage::want, worker, last));
  std::optional<std::vector<Count>> tasks;
  wake_.wait(lock, [&] {
    tasks = granted(worker);
    return tasks.has_value();
  });
  return *tasks;
}

void RemoteDesk::ask(Rank worker, const ChunkSeconds& last) {
  const std::lock_guard lock(mutex_);
  send(encoded(DeskMessage::want, worker, last));
}

std::optional<std::vector<Count>> RemoteDesk::take_granted(Rank worker) {
  const std::lock_guard lock(mutex_);
  return granted(worker);
}

// Called with the lock held.
std::optional<std::vector<Count>> RemoteDesk::granted(Rank worker) {
  if (end_ || has_failed_ || is_abandoned_) {
    return std::vector<Count>();
  }
  return std::exchange(grants_[worker], std::nullopt);
}

void RemoteDesk::finish(Rank worker, Count task, std::string result) {
  const std::lock_guard lock(mutex_);
  send(encoded(DeskMessage::result, worker, task, result));
}

void RemoteDesk::fail(const std::exception_ptr& exception) {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(has_failed_, true) && !end_) {
    send(encoded(DeskMessage::failed, make_failure(rank_, exception)));
  }
}

std::vector<std::byte> RemoteDesk::fetch_shared() {
  std::unique_lock lock(mutex_);
  if (!shared_ && !std::exchange(needs_shared_, true)) {
    send(encoded(DeskMessage::need));
  }
  wake_.wait(lock, [&] { return shared_ || end_ || is_abandoned_; });
  if (!shared_) {
    throw StoppedError("the batch has come to its end");
  }
  needs_shared_ = false;
  return *std::exchange(shared_, std::nullopt);
}

void RemoteDesk::serve(Channel& channel) {
  Outbox outbox(channel);
  WakePeriod period(std::chrono::microseconds(10), std::chrono::milliseconds(5));
  while (!is_at_end()) {
    const bool has_heard = turn(channel, outbox);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, period.after(has_heard), [&] { return !waiting_.empty(); });
  }
  send_waiting(outbox);
  outbox.send(0, encoded(DeskMessage::bye));
  while (!outbox.empty()) {
    (void)hear(channel);  // also requests room
    outbox.pump();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, period.after(false));
  }
  if (end_->failure) {
    throw_failure(*end_->failure);
  }
}

bool RemoteDesk::turn(Channel& channel, Outbox& outbox) {
  const bool has_heard = hear(channel);
  look_for_stop();
  send_waiting(outbox);
  return has_heard;
}

bool RemoteDesk::hear(Channel& channel) {
  bool has_heard = false;
  while (const std::optional<ReceivedMessage> message = channel.poll()) {
    handle(message->bytes());
    has_heard = true;
  }
  return has_heard;
}

void RemoteDesk::handle(std::span<const std::byte> bytes) {
  ByteReader message(bytes);
  const std::lock_guard lock(mutex_);
  switch (message.value<DeskMessage>()) {
    case DeskMessage::grant: {
      const auto worker = message.value<Rank>();
      grants_.at(static_cast<std::size_t>(worker)) = message.list<Count>();
      break;
    }
    case DeskMessage::drop:
      call_off(*dropped_.insert(message.value<Count>()).first);
      break;
    case DeskMessage::shared:
      shared_ = message.list<std::byte>();
      break;
    case DeskMessage::end:
      end_ = decoded<DeskEnd>(message);
      if (end_->calls_off) {
        call_off_all();
      }
      break;
    default:
      throw InternalError("a message of a batch that is for others; do all processes run the same Frond?");
  }
  wake_.notify_all();
}

// A stop requested here ends the run everywhere.
void RemoteDesk::look_for_stop() {
  if (observer_ != nullptr && observer_->batch_end_requested()) {
    fail(std::make_exception_ptr(StoppedError("stopped between two systems of a batch")));
  }
}

void RemoteDesk::send_waiting(Outbox& outbox) {
  std::vector<std::vector<std::byte>> messages;
  {
    const std::lock_guard lock(mutex_);
    messages = std::exchange(waiting_, {});
  }
  for (std::vector<std::byte>& message : messages) {
    outbox.send(0, std::move(message));
  }
  outbox.pump();
}

bool RemoteDesk::is_at_end() {
  const std::lock_guard lock(mutex_);
  return end_ && num_left() == num_workers();
}

}  // namespace frond
