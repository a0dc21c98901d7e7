// SPDX-License-Identifier: BSD-3-Clause
// The exchange of load information between processes: the interface of one rank's engine to it, for every mechanism. After
// Guermouche and L'Excellent 2005, "A study of various load information exchange mechanisms for a distributed application using
// dynamic scheduling", INRIA RR-5478.
#pragma once

#include <span>
#include <vector>

#include "loadinfo/mechanisms/load_message.hpp"
#include "loadinfo/mechanisms/pace_table.hpp"

namespace frond {

/// Takes the messages that a LoadExchange sends to other ranks, never to its own. Messages from one rank to another must arrive
/// exactly once and in order; between different pairs of ranks no order is assumed.
class LoadSink {
 public:
  virtual ~LoadSink() = default;
  virtual void send(Rank to, const LoadMessage& message) = 0;
};

/// One rank's part in the exchange: a state machine that never waits and uses no clock, thread or MPI. Its calls must not overlap;
/// if a separate thread handles load messages, checking is_blocked() and starting a task must be one step under one lock.
///
/// Every load counts once. A rank that receives a task from another rank reports it with task_arrived(); a reservation made for it
/// is counted when the reservation arrives, before or after the task. Everything else, including the end of any task, is reported
/// with vary().
///
/// A decision is want_to_decide(), then, as soon as may_decide(), the choice by view() and decide(). Messages handled in between
/// may make may_decide() false again. A process that a request, its own or another's, keeps from going on is_blocked(): it must not
/// start tasks or ask for decisions, but running tasks continue and messages are always handled.
class LoadExchange {
 public:
  virtual ~LoadExchange() = default;

  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] Rank num_ranks() const { return static_cast<Rank>(view_.size()); }
  [[nodiscard]] const Load& load() const { return view_[rank_]; }                 ///< this rank's own
  [[nodiscard]] std::span<const Load> view() const { return view_; }              ///< view()[j]: rank j's load as known here
  [[nodiscard]] bool is_deciding() const { return is_deciding_; }                 ///< between want_to_decide() and decide()
  [[nodiscard]] std::span<const Rank> candidates() const { return candidates_; }  ///< of the last want_to_decide()

  /// Reports a change of this rank's load: one of its tasks became ready, any task ended (minus its cost), memory was taken or
  /// freed.
  void vary(const Load& change);

  /// Sets the pace that this rank measured last. It is sent along with the rank's load.
  void set_pace(const Pace& pace);
  /// Notes the pace of another rank that was received by other means.
  void hear_pace(Rank rank, const Pace& pace) { paces_.note(rank, pace); }
  [[nodiscard]] const PaceTable& paces() const { return paces_; }  ///< as known here

  /// Reports that another rank's task, for which this rank was chosen with the reservation `reserved`, has arrived and costs
  /// `cost`.
  void task_arrived(const Load& cost, const Load& reserved) { vary(variation_on_arrival(cost, reserved)); }

  /// Requests a view that is good enough to choose among `candidates` (distinct; this rank only if nobody may reserve on it,
  /// either, until it decides). One decision at a time; none after no_more_master().
  void want_to_decide(std::span<const Rank> candidates);
  [[nodiscard]] bool may_decide() const { return is_deciding_ && is_view_complete(); }

  /// Decides: reserves the loads `chosen`, among the candidates and without this rank, and informs all ranks involved.
  void decide(std::span<const Assignment> chosen);

  [[nodiscard]] virtual bool is_blocked() const { return false; }

  /// Reports that this rank has made its last decision: nobody needs to keep it informed.
  void no_more_master();

  /// Handles a message that `from` has sent to this rank.
  void on_message(Rank from, const LoadMessage& message);

 protected:
  LoadExchange(Rank rank, Rank num_ranks, LoadSink& sink);
  LoadExchange(const LoadExchange&) = default;
  LoadExchange& operator=(const LoadExchange&) = default;

  [[nodiscard]] virtual Load variation_on_arrival(const Load& cost, const Load& reserved) const { return cost - reserved; }
  virtual void on_variation(const Load& /*change*/) {}  ///< load() has varied
  virtual void on_want_to_decide() = 0;                 ///< for candidates()
  [[nodiscard]] virtual bool is_view_complete() const = 0;
  virtual void on_decision(std::span<const Assignment> chosen) = 0;
  virtual void on_no_more_master() {}
  virtual void receive(Rank from, const LoadMessage& message) = 0;

  void send(Rank to, const LoadMessage& message);
  void send_to_others(const LoadMessage& message);
  /// Throws InternalError: the other rank or the network has broken the protocol.
  [[noreturn]] void fail_on(Rank from, const LoadMessage& message, std::string_view reason) const;

  Load& view_of(Rank rank) { return view_[rank]; }

 private:
  Rank rank_;
  std::vector<Load> view_;
  Pace pace_;
  PaceTable paces_;
  LoadSink* sink_;
  std::vector<Rank> candidates_;
  bool is_deciding_ = false;
  bool is_master_ = true;  // until no_more_master()
};

}  // namespace frond
