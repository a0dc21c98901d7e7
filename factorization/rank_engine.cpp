// SPDX-License-Identifier: BSD-3-Clause
// Event handlers of one rank among several.
#include "factorization/rank_engine.hpp"

#include <algorithm>
#include <utility>

#include "matrices/error.hpp"

namespace frond {

RankEngine::RankEngine(const TaskGraph& graph, Numerics& numerics, Contributions& contributions, Channel& channel,
                       RankEngineOptions options)
    : graph_(graph), engine_(graph, numerics, options.tasks), contributions_(contributions), channel_(channel), options_(options) {
  const Rank me = channel.rank();
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    if (task.parent == kNoTask) {
      continue;
    }
    const Rank owner = graph.task(task.parent).rank;
    if (task.rank == me && owner != me) {
      ++num_outputs_left_;
    }
    if (task.rank != me && owner == me) {
      parents_[task.parent].children_left = graph.task(task.parent).num_children;
    }
  }
}

// Handles an event. What is thrown meanwhile is a failure like any other: no rank leaves the others alone.
template <class Handler>
void RankEngine::handle(Handler handler) {
  try {
    handler();
  } catch (...) {
    note_failure(std::current_exception());
  }
  end_if_done();
}

void RankEngine::start() {
  handle([this] { engine_.start(); });
}

void RankEngine::on_assembled(TaskId id) {
  handle([this, id] { engine_.on_assembled(id); });
}

void RankEngine::on_finished(TaskId id) {
  handle([this, id] {
    announce(id);
    engine_.on_finished(id);
  });
}

void RankEngine::announce(TaskId id) {
  const TaskId parent = graph_.task(id).parent;
  if (failure_ || parent == kNoTask) {
    return;
  }
  if (graph_.task(parent).rank == channel_.rank()) {
    child_known(parent);
  } else {
    send(graph_.task(parent).rank, AnnounceMessage{id, contributions_.announce(id)});
  }
}

void RankEngine::stop() { engine_.stop(); }

void RankEngine::fail(const std::exception_ptr& exception) {
  handle([&] { std::rethrow_exception(exception); });
}

void RankEngine::note_failure(const std::exception_ptr& exception) {
  if (!failure_) {
    take_failure(make_failure(channel_.rank(), exception));
  }
}

void RankEngine::on_message(const ReceivedMessage& message) {
  handle([&] {
    const MainMessage decoded = decode_main_message(message.bytes());
    std::visit([&](const auto& content) { receive(message.from(), content); }, decoded);
  });
}

void RankEngine::on_room() {
  handle([this] { pump(); });
}

void RankEngine::receive(Rank /*from*/, const AnnounceMessage& message) {
  if (failure_) {
    return;
  }
  const TaskId parent = graph_.task(message.task).parent;
  parents_.at(parent).announced.emplace(message.task, message.announcement);
  child_known(parent);
}

void RankEngine::receive(Rank from, const FetchMessage& message) {
  if (failure_) {
    return;
  }
  outgoing_.push_back({message.task, from, 0, contributions_.num_bytes(message.task)});
  pump();
}

void RankEngine::receive(Rank /*from*/, const OutputMessage& message) {
  if (failure_) {
    return;
  }
  contributions_.write(message.task, message.offset, message.bytes);
  Count& bytes_left = arriving_.at(message.task);
  bytes_left -= static_cast<Count>(message.bytes.size());
  if (bytes_left == 0) {
    arrived(message.task);
  }
}

void RankEngine::receive(Rank from, const DoneMessage& /*message*/) {
  if (from == 0) {
    all_done_ = true;
  } else {
    ++num_done_;
  }
}

void RankEngine::receive(Rank /*from*/, const FailureMessage& message) {
  ++num_failed_;
  take_failure(message.failure);
}

// A child of an own front is finished here or announced from elsewhere.
void RankEngine::child_known(TaskId parent) {
  const auto found = parents_.find(parent);
  if (found != parents_.end() && --found->second.children_left == 0) {
    fetch_children(found->second);
    parents_.erase(found);
  }
}

void RankEngine::fetch_children(Parent& parent) {
  for (const auto& [task, announcement] : parent.announced) {
    const Count num_bytes = contributions_.expect(task, announcement);
    arriving_.emplace(task, num_bytes);
    send(graph_.task(task).rank, FetchMessage{task});
    if (num_bytes == 0) {
      arrived(task);
    }
  }
}

void RankEngine::arrived(TaskId task) {
  arriving_.erase(task);
  engine_.on_arrived(task);
}

// Messages to one rank stay in order, those that the channel refuses wait.
void RankEngine::send(Rank to, const MainMessage& message) {
  waiting_.push_back({to, encode(message)});
  pump();
}

// Sends what waits, then outputs, until the channel is full.
void RankEngine::pump() {
  while (!waiting_.empty()) {
    if (!channel_.send(waiting_.front().to, std::span<const std::byte>(waiting_.front().bytes))) {
      return;
    }
    waiting_.pop_front();
  }
  while (!outgoing_.empty() && send_next_piece()) {
  }
}

bool RankEngine::send_next_piece() {
  Outgoing& output = outgoing_.front();
  const Count length = std::min(options_.piece_bytes, output.num_bytes - output.offset);
  if (length > 0) {
    std::vector<std::byte> piece(static_cast<std::size_t>(length));
    contributions_.read(output.task, output.offset, piece);
    const std::vector<std::byte> bytes = encode(OutputMessage{output.task, output.offset, piece});
    if (!channel_.send(output.to, std::span<const std::byte>(bytes))) {
      return false;
    }
    output.offset += length;
  }
  if (output.offset == output.num_bytes) {
    const TaskId task = output.task;
    outgoing_.pop_front();
    contributions_.release(task);
    --num_outputs_left_;
    engine_.on_sent(task);
  }
  return true;
}

void RankEngine::end_if_done() {
  if (failure_) {
    ended_ = num_failed_ == channel_.num_ranks() - 1 && waiting_.empty();
    return;
  }
  if (!said_done_ && engine_.finished() && num_outputs_left_ == 0) {
    said_done_ = true;
    if (channel_.rank() == 0) {
      ++num_done_;
    } else {
      send(0, DoneMessage{});
    }
  }
  if (num_done_ == channel_.num_ranks()) {  // rank 0 only
    num_done_ = 0;
    all_done_ = true;
    for (Rank rank = 1; rank < channel_.num_ranks(); ++rank) {
      send(rank, DoneMessage{});
    }
  }
  ended_ = all_done_ && waiting_.empty();
}

// Of several failures the one of the lowest rank counts, on all ranks.
void RankEngine::take_failure(const Failure& failure) {
  if (!failure_) {
    engine_.stop();
    outgoing_.clear();
    failure_ = failure;
    for (Rank rank = 0; rank < channel_.num_ranks(); ++rank) {
      if (rank != channel_.rank()) {
        send(rank, FailureMessage{failure});
      }
    }
  } else if (failure.origin < failure_->origin) {
    failure_ = failure;
  }
}

}  // namespace frond
