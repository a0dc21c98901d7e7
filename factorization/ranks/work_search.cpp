// SPDX-License-Identifier: BSD-3-Clause
// Runs rounds of requests.
#include "factorization/ranks/work_search.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "matrices/words.hpp"

namespace frond {
namespace {

constexpr Words<WorkSharing, 5> kSharingWords{"way to share work", {"static", "ring", "random", "loaded", "pool"}};

}  // namespace

std::string_view to_string(WorkSharing sharing) { return kSharingWords.name(sharing); }

WorkSearch::WorkSearch(WorkSharing sharing, Rank rank, std::span<const Rank> members, std::uint32_t seed)
    : sharing_(sharing), rank_(rank), random_(seed + static_cast<std::uint32_t>(rank)) {
  restart(members);
}

void WorkSearch::restart(std::span<const Rank> members) {
  members_.assign(members.begin(), members.end());
  to_ask_.clear();
  num_seen_ = 0;
  asked_bytes_ = 0;
  enough_bytes_ = least_bytes();
  is_out_ = false;
  is_dry_ = sharing_ == WorkSharing::fixed || members_.size() < 2 || !std::binary_search(members_.begin(), members_.end(), rank_);
}

Rank WorkSearch::begin(Count free_bytes, std::span<const Load> view) {
  is_out_ = true;
  asked_bytes_ = free_bytes;
  num_seen_ = 0;
  if (sharing_ == WorkSharing::ring) {
    return neighbour();
  }
  if (sharing_ == WorkSharing::pool) {
    return members_.front();
  }
  to_ask_.clear();
  std::copy_if(members_.begin(), members_.end(), std::back_inserter(to_ask_), [this](Rank rank) { return rank != rank_; });
  std::shuffle(to_ask_.begin(), to_ask_.end(), random_);
  if (sharing_ == WorkSharing::loaded) {
    std::stable_sort(to_ask_.begin(), to_ask_.end(), [view](Rank a, Rank b) { return view[a].flops < view[b].flops; });
  }
  const Rank first = to_ask_.back();
  to_ask_.pop_back();
  return first;
}

std::optional<Rank> WorkSearch::come_back(Index num_seen, bool has_met_dry) {
  num_seen_ = has_met_dry ? 0 : num_seen_ + num_seen;
  if (!to_ask_.empty() && !has_met_dry) {
    const Rank next = to_ask_.back();
    to_ask_.pop_back();
    return next;
  }
  is_out_ = false;
  is_dry_ = num_seen_ == 0;
  enough_bytes_ = asked_bytes_ + 1;
  return std::nullopt;
}

void WorkSearch::granted() {
  is_out_ = false;
  enough_bytes_ = least_bytes();
}

// A rank's own units in the pool need no memory.
Count WorkSearch::least_bytes() const { return sharing_ == WorkSharing::pool ? 0 : 1; }

Rank WorkSearch::next_after_me(Rank thief) const { return sharing_ == WorkSharing::ring ? neighbour() : thief; }

// Returns the next member around the ring.
Rank WorkSearch::neighbour() const {
  const auto next = std::upper_bound(members_.begin(), members_.end(), rank_);
  return next == members_.end() ? members_.front() : *next;
}

}  // namespace frond
