// SPDX-License-Identifier: BSD-3-Clause
// Implements what all mechanisms share: the contract with the engine and its checks.
#include "loadinfo/mechanisms/load_exchange.hpp"

#include <fmt/format.h>

#include "frond/error.hpp"

namespace frond {
namespace {

// Throws InternalError unless the listed ranks are distinct and allowed; allowed[j] says whether rank j is.
template <class Items, class RankOf>
void check_ranks(const Items& items, std::vector<bool> allowed, RankOf rank_of, std::string_view what) {
  for (const auto& item : items) {
    const Rank rank = rank_of(item);
    if (rank < 0 || rank >= static_cast<Rank>(allowed.size()) || !allowed[rank]) {
      throw InternalError(fmt::format("rank {} among {} ranks is no {}, or is named twice", rank, allowed.size(), what));
    }
    allowed[rank] = false;
  }
}

}  // namespace

LoadExchange::LoadExchange(Rank rank, Rank num_ranks, LoadSink& sink)
    : rank_(rank), view_(static_cast<std::size_t>(num_ranks)), paces_(num_ranks), sink_(&sink) {
  if (rank < 0 || rank >= num_ranks) {
    throw InternalError(fmt::format("rank {} does not exist among {}", rank, num_ranks));
  }
}

void LoadExchange::vary(const Load& change) {
  view_[rank_] += change;
  on_variation(change);
}

void LoadExchange::set_pace(const Pace& pace) {
  pace_ = pace;
  paces_.note(rank_, pace);
}

void LoadExchange::want_to_decide(std::span<const Rank> candidates) {
  if (is_deciding_ || !is_master_) {
    throw InternalError(fmt::format("rank {} wants to decide {}", rank_,
                                    is_deciding_ ? "before its last request is decided" : "after its last decision"));
  }
  check_ranks(
      candidates, std::vector<bool>(view_.size(), true), [](Rank rank) { return rank; }, "candidate");
  candidates_.assign(candidates.begin(), candidates.end());
  is_deciding_ = true;
  on_want_to_decide();
}

void LoadExchange::decide(std::span<const Assignment> chosen) {
  if (!may_decide()) {
    throw InternalError(fmt::format("rank {} decides without a complete view", rank_));
  }
  std::vector<bool> allowed(view_.size(), false);
  for (const Rank candidate : candidates_) {
    allowed[candidate] = candidate != rank_;
  }
  check_ranks(
      chosen, std::move(allowed), [](const Assignment& assignment) { return assignment.rank; }, "candidate for a slave");
  is_deciding_ = false;
  on_decision(chosen);
}

void LoadExchange::no_more_master() {
  if (is_deciding_ || !is_master_) {
    throw InternalError(fmt::format("rank {} gives up decisions {}", rank_,
                                    is_deciding_ ? "while a request of it is open" : "for the second time"));
  }
  is_master_ = false;
  on_no_more_master();
}

void LoadExchange::on_message(Rank from, const LoadMessage& message) {
  if (from < 0 || from >= num_ranks() || from == rank_) {
    fail_on(from, message, "no such sender");
  }
  if (has_pace(message.kind)) {
    paces_.note(from, message.pace);
  }
  receive(from, message);
}

void LoadExchange::send(Rank to, const LoadMessage& message) {
  if (!has_pace(message.kind)) {
    sink_->send(to, message);
    return;
  }
  LoadMessage with_pace = message;
  with_pace.pace = pace_;
  sink_->send(to, with_pace);
}

void LoadExchange::send_to_others(const LoadMessage& message) {
  for (Rank to = 0; to < num_ranks(); ++to) {
    if (to != rank_) {
      send(to, message);
    }
  }
}

void LoadExchange::fail_on(Rank from, const LoadMessage& message, std::string_view reason) const {
  throw InternalError(fmt::format("rank {} of {} cannot accept the load message '{}' (ticket {}) of rank {}: {}", rank_,
                                  num_ranks(), to_string(message.kind), message.ticket, from, reason));
}

}  // namespace frond
