// SPDX-License-Identifier: BSD-3-Clause
// Polls, handles events, sleeps; and keeps two clocks: for the watchdog and for the census.
#include "factorization/ranks/rank_driver.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr int kMostMessagesAtOnce = 64;  // before load messages have their turn again

}  // namespace

RankDriver::RankDriver(const RankPorts& ports, RankDriverOptions options)
    : ports_(ports), options_(options), census_(ports.control), period_(options_.shortest_period, options_.longest_period) {}

void RankDriver::run(MessageProgram& program, const std::function<void()>& look_around) {
  try {
    run_to_verdict(program, look_around);
  } catch (...) {
    stop_jobs();  // what they work on may be destroyed now
    throw;
  }
  stop_jobs();
  throw_verdict();
}

void RankDriver::stop_jobs() {
  ports_.pool.stop();
  ports_.calls.discard();
}

void RankDriver::run_to_verdict(MessageProgram& program, const std::function<void()>& look_around) {
  idle_since_ = last_census_ = last_warning_ = steady_seconds();
  program.start();
  while (census_.verdict() == RankCensus::Verdict::none) {
    look_for_request(program);
    look_around();
    const bool has_happened = step(program);
    const bool is_idle = !has_happened && ports_.pool.is_idle();
    const bool was_asked = census_.handle_messages([&] { return status(program, is_idle); });
    look_at_clock(program, is_idle);
    const auto sleep = period_.after(has_happened || was_asked);
    if (!has_happened && census_.verdict() == RankCensus::Verdict::none) {
      ports_.calls.wait_for(sleep);
    }
  }
}

void RankDriver::throw_verdict() const {
  const RankCensus::Outcome& outcome = census_.outcome();
  if (outcome.verdict == RankCensus::Verdict::starved) {
    throw MemoryError(
        "rank " + std::to_string(outcome.starved_rank) + ": no process that may share its front has the memory: at least " +
            std::to_string(outcome.missing_bytes) + " bytes are missing; give the processes more memory, or use more of them",
        outcome.missing_bytes, 0);
  }
  if (outcome.verdict == RankCensus::Verdict::deadlock) {
    throw InternalError("deadlock: every rank waits, and no message is under way: " + census_.reason());
  }
}

// Polls everything once, in order of priority; returns false if there was nothing.
bool RankDriver::step(MessageProgram& program) {
  bool has_happened = serve_load(program);
  has_happened = program.on_load_event() || has_happened;
  has_happened = ports_.calls.make_calls() || has_happened;
  has_happened = handle_main(program) || has_happened;
  return has_happened || ports_.pool.run_one();
}

// A request to stop fails the program on all ranks, unless it has nothing left to do here: then it ends as if there had been no
// request, or the request is read again when other ranks give it something to do.
void RankDriver::look_for_request(MessageProgram& program) {
  if (!program.ended() && options_.observer != nullptr && options_.observer->stop_requested()) {
    program.fail(std::make_exception_ptr(StoppedError("stopped, as was asked for")));
  }
}

// A service that has stopped ends the program on all ranks; nothing is known of its messages any more.
bool RankDriver::serve_load(MessageProgram& program) {
  if (ports_.load == nullptr || has_load_failed_) {
    return false;
  }
  try {
    return ports_.load->serve() > 0;
  } catch (...) {
    has_load_failed_ = true;
    program.fail(std::current_exception());
    return true;
  }
}

// A message that a channel cannot receive for lack of memory fails the program; exceptions of communication are passed on. Messages
// after the program's end are for the next one on these channels: ranks do not end at the same time.
bool RankDriver::handle_main(MessageProgram& program) {
  bool has_happened = false;
  if (ports_.main.take_room_event()) {
    program.on_room();
    has_happened = true;
  }
  try {
    for (int i = 0; i < kMostMessagesAtOnce && !program.ended(); ++i) {
      const std::optional<ReceivedMessage> message = ports_.main.poll();
      if (!message) {
        break;
      }
      has_happened = true;
      program.on_message(*message);
    }
  } catch (const std::bad_alloc&) {
    program.fail(std::current_exception());
    has_happened = true;
  }
  return has_happened;
}

RankStatus RankDriver::status(const MessageProgram& program, bool is_idle) const {
  RankStatus status;
  status.numbers.has_ended = program.ended();
  status.numbers.is_idle = is_idle && !ports_.main.waits_for_room();
  status.numbers.has_lost_count = has_load_failed_;
  status.numbers.missing_bytes = program.missing_bytes();
  status.numbers.num_sent = ports_.main.counts().sent.messages;
  status.numbers.num_received = ports_.main.counts().received.messages;
  if (ports_.load != nullptr) {
    const LoadServiceCounts load = ports_.load->counts();
    status.numbers.num_sent += load.sent.total_messages();
    status.numbers.num_received += load.num_received;
  }
  if (is_idle && !status.numbers.has_ended) {
    status.waits = program.describe_wait();
  }
  return status;
}

void RankDriver::look_at_clock(const MessageProgram& program, bool is_idle) {
  const double now = steady_seconds();
  if (!is_idle) {
    idle_since_ = last_warning_ = now;
  }
  const bool has_ended = program.ended();
  if (ports_.main.rank() == 0 && (has_ended || (is_idle && now - std::max(idle_since_, last_census_) >= options_.census_seconds))) {
    last_census_ = now;
    census_.begin_round(status(program, is_idle));
  }
  if (options_.watchdog_seconds > 0 && !has_ended && now - last_warning_ >= options_.watchdog_seconds) {
    last_warning_ = now;
    options_.observer->rank_idle("rank " + std::to_string(ports_.main.rank()) + " has been idle for " +
                                 std::to_string(std::lround(now - idle_since_)) + " s: it " + program.describe_wait());
  }
}

}  // namespace frond
