// SPDX-License-Identifier: BSD-3-Clause
// How the processes know each other's load: what the engine of one rank says and asks, whatever the mechanism. After Guermouche and
// L'Excellent 2005, "A study of various load information exchange mechanisms for a distributed application using dynamic
// scheduling", INRIA RR-5478.
#pragma once

#include <span>
#include <vector>

#include "loadinfo/mechanisms/load_message.hpp"
#include "loadinfo/mechanisms/pace_table.hpp"

namespace frond {

/// Takes the messages that a LoadExchange sends to other ranks, never to its own. What is sent from one rank to another must
/// arrive, once, in this order; between different pairs of ranks nothing is assumed.
class LoadSink {
 public:
  virtual ~LoadSink() = default;
  virtual void send(Rank to, const LoadMessage& message) = 0;
};

/// One rank's part in the exchange: a state machine that never waits, and that knows no clock, thread or MPI. Its calls must not
/// overlap; where a thread of its own handles load messages, asking is_blocked() and starting a task are one step under one lock.
///
/// Every load counts once. Whoever is given a task by another rank says so with task_arrived(); what it was promised before, in a
/// reservation, is counted when the reservation arrives, before or after the task. Everything else, the end of any task included,
/// is vary().
///
/// A decision is want_to_decide(), then, as soon as may_decide(), the choice by view() and decide(). Messages handled in between
/// may make may_decide() false again. A process that cannot go on because of a request, its own or another's, is_blocked(): it
/// starts no task and asks for no decision, but running tasks go on and messages are always handled.
class LoadExchange {
 public:
  virtual ~LoadExchange() = default;

  [[nodiscard]] Rank rank() const { return rank_; }
  [[nodiscard]] Rank num_ranks() const { return static_cast<Rank>(view_.size()); }
  [[nodiscard]] const Load& load() const { return view_[rank_]; }                 ///< this rank's own
  [[nodiscard]] std::span<const Load> view() const { return view_; }              ///< view()[j]: rank j's load as it is known here
  [[nodiscard]] bool is_deciding() const { return is_deciding_; }                 ///< between want_to_decide() and decide()
  [[nodiscard]] std::span<const Rank> candidates() const { return candidates_; }  ///< of the last want_to_decide()

  /// This rank's load has varied: a task of its own became ready, any task ended (by minus its cost), memory was taken or freed.
  void vary(const Load& change);

  /// What this rank has measured last. Whoever hears of its load hears of its pace.
  void set_pace(const Pace& pace);
  /// What another rank has said of itself otherwise.
  void hear_pace(Rank rank, const Pace& pace) { paces_.note(rank, pace); }
  [[nodiscard]] const PaceTable& paces() const { return paces_; }  ///< as they are known here

  /// Another rank's task, for which it had chosen this rank and reserved `reserved`, has come and costs `cost`.
  void task_arrived(const Load& cost, const Load& reserved) { vary(variation_on_arrival(cost, reserved)); }

  /// Asks for a view that is good enough to choose among `candidates` (distinct; this rank only if nobody may reserve on it,
  /// either, until it decides). One decision at a time; none after no_more_master().
  void want_to_decide(std::span<const Rank> candidates);
  [[nodiscard]] bool may_decide() const { return is_deciding_ && is_view_complete(); }

  /// The decision: `chosen`, among the candidates and without this rank, is reserved and all who take part are told.
  void decide(std::span<const Assignment> chosen);

  [[nodiscard]] virtual bool is_blocked() const { return false; }

  /// This rank has taken its last decision: nobody needs to keep it informed.
  void no_more_master();

  /// A message that `from` has sent to this rank.
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
  /// Throws InternalError: the other rank, or the network, has broken the protocol.
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
