// SPDX-License-Identifier: BSD-3-Clause
// Counts ranks that are done or have failed.
#include "factorization/ranks/common_end.hpp"

#include <utility>

namespace frond {

void CommonEnd::finish() {
  if (failure_ || is_finished_) {
    return;
  }
  is_finished_ = true;
  if (std::exchange(has_said_so_, true)) {
    return;
  }
  if (outbox_.rank() == 0) {
    count_finished();
  } else {
    send_done(0);
  }
}

void CommonEnd::send_done(Rank to) {
  ByteWriter message;
  message.value(kinds_.done);
  message.value(num_renewals_);
  outbox_.send(to, message.take());
}

void CommonEnd::renew() {
  ++num_renewals_;
  is_finished_ = has_said_so_ = false;
  num_finished_ = 0;
}

void CommonEnd::resume() {
  if (!all_finished_) {
    is_finished_ = false;
  }
}

void CommonEnd::fail(const Failure& failure) {
  const bool is_too_late = outbox_.rank() == 0 ? all_finished_ : is_finished_;
  if (!failure_ && !is_too_late) {
    take(failure);
  }
}

bool CommonEnd::receive(std::uint8_t kind, Rank from, ByteReader& reader) {
  if (kind == kinds_.failure) {
    ++num_failed_;
    take(read_failure(reader));
    return true;
  }
  if (kind != kinds_.done) {
    return false;
  }
  const auto num_renewals = reader.value<Index>();
  reader.expect_end();
  if (from == 0) {
    all_finished_ = true;
  } else if (num_renewals == num_renewals_) {
    count_finished();
  }
  return true;
}

// Called on rank 0 only.
void CommonEnd::count_finished() {
  ++num_finished_;
  if (failure_ || num_finished_ < outbox_.num_ranks()) {
    return;
  }
  all_finished_ = true;
  for (Rank rank = 1; rank < outbox_.num_ranks(); ++rank) {
    send_done(rank);
  }
}

bool CommonEnd::ended() const { return outbox_.empty() && (failure_ ? num_failed_ == outbox_.num_ranks() - 1 : all_finished_); }

void CommonEnd::take(const Failure& failure) {
  if (failure_) {
    if (failure.origin < failure_->origin) {
      failure_ = failure;
    }
    return;
  }
  failure_ = failure;
  for (Rank rank = 0; rank < outbox_.num_ranks(); ++rank) {
    if (rank != outbox_.rank()) {
      ByteWriter message;
      message.value(kinds_.failure);
      write(message, failure);
      outbox_.send(rank, message.take());
    }
  }
}

}  // namespace frond
