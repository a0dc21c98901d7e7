// SPDX-License-Identifier: BSD-3-Clause
// Ends a common task of several ranks together, with or without a result.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>

#include "factorization/ranks/failure.hpp"
#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/outbox.hpp"

namespace frond {

/// Each rank reports to rank 0 when it has nothing left to do, and rank 0 informs all ranks when that holds for all of them. A
/// failure, once known, is passed on by every rank to every other as its last message; a rank ends when it has those of all others.
/// So no message is under way between ranks that have ended, and all of them end with the same failure: of several, that of the
/// lowest rank.
///
/// A rank that has reported that it has nothing left to do cannot fail any more, since others may have ended already; rank 0 can
/// fail until all ranks have reported. But a rank that has not finished may give it something to do; then it can fail again until
/// it has done that.
class CommonEnd {
 public:
  /// The first bytes of the two messages.
  struct Kinds {
    std::uint8_t done = 0;
    std::uint8_t failure = 0;
  };

  CommonEnd(Outbox& outbox, Kinds kinds) : outbox_(outbox), kinds_(kinds) {}

  void finish();  ///< this rank has nothing left to do
  void resume();  ///< until it finishes again: a rank that has not finished has given it something to do
  /// Called on all ranks, on a message of rank 0, before the end: no rank has finished, whatever it has reported. Such reports are
  /// ignored when they arrive late.
  void renew();
  void fail(const Failure& failure);
  void fail(const std::exception_ptr& exception) { fail(make_failure(outbox_.rank(), exception)); }

  /// Takes the message, if it is one of the two: `reader` is past its first byte.
  [[nodiscard]] bool receive(std::uint8_t kind, Rank from, ByteReader& reader);

  [[nodiscard]] bool ended() const;
  [[nodiscard]] bool is_decided() const { return all_finished_; }                   ///< no rank has anything left to do
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }  ///< the same on all ranks once they have ended

 private:
  void send_done(Rank to);
  void count_finished();
  void take(const Failure& failure);

  Outbox& outbox_;
  Kinds kinds_;
  std::optional<Failure> failure_;
  Rank num_failed_ = 0;  // other ranks whose last message has arrived
  Index num_renewals_ = 0;
  bool is_finished_ = false;  // this rank
  bool has_said_so_ = false;
  Rank num_finished_ = 0;      // rank 0: ranks that have nothing left to do
  bool all_finished_ = false;  // no rank has anything left to do
};

}  // namespace frond
