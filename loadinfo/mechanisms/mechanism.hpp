// SPDX-License-Identifier: BSD-3-Clause
// The mechanisms there are, what may be chosen about them, and how one is made.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frond/load_options.hpp"
#include "loadinfo/mechanisms/load_exchange.hpp"
#include "loadinfo/mechanisms/load_watchers.hpp"

namespace frond {

// What the mechanisms see and cost, with P ranks and a set C of candidates:
//
//   mechanism         a decision sees                         messages                                  blocks
//   naive             what others said last, within a         P - 1 per variation past the threshold    nobody
//                     threshold; no reservation
//   increments        the same, and reservations that came    the same, and P - 1 per decision          nobody
//   local increments  the same, of its candidates             1 per watcher, variation or reservation   nobody
//   snapshot          all reservations before it              3 (P - 1) per decision, reservations      all: one decision at a time
//   partial snapshot  those before it on its candidates       3 |C| per decision, reservations          the candidates

/// The spelling of the command line: naive, increments, local-increments, snapshot, partial-snapshot.
[[nodiscard]] std::string_view to_string(LoadMechanism mechanism);

/// All spellings, in the order of the mechanisms.
[[nodiscard]] std::vector<std::string> load_mechanism_names();

/// The mechanism of that spelling; throws UsageError, with all spellings, if there is none.
[[nodiscard]] LoadMechanism parse_load_mechanism(std::string_view text);

struct LoadExchangeOptions {
  LoadMechanism mechanism = LoadMechanism::increments;
  Load threshold;  ///< naive, increments: a rank tells the others when either part of its load has moved by more than this
  std::shared_ptr<const LoadWatchers> watchers = {};  ///< local increments; null: everybody watches everybody
};

/// Of the load of all tasks, what may be in tasks too small to be told of one by one: of 0, 0.01, 0.03, 0.1, 0.2 and 0.3 the
/// largest with which time and peak memory stay within 2 % of those with 0; docs/performance.md has the figures.
inline constexpr double kSmallTaskShare = 0.1;

/// The same where only those are told who may choose the rank: of 0, 0.01, 0.03 and 0.1 the largest with which decisions are as
/// good as with 0.
inline constexpr double kLocalSmallTaskShare = 0.03;

/// The threshold for an application whose parallel tasks bring these loads (flops and bytes not negative): of the order of a task,
/// as Guermouche and L'Excellent 2005, section 2.3, advise. Flops and bytes apart, it is the largest task among the smallest ones
/// that make up a tenth of the total. So the tasks that carry nine tenths of the load are told of as they come, however many small
/// ones there are beside them; these are told of together. With fewer than ten equal tasks it is zero.
[[nodiscard]] Load default_threshold(std::span<const Load> tasks, double small_share = kSmallTaskShare);

/// Rank `rank`'s part in the exchange among `num_ranks` ranks, which all have the same options. The sink must outlive it.
[[nodiscard]] std::unique_ptr<LoadExchange> make_load_exchange(const LoadExchangeOptions& options, Rank rank, Rank num_ranks,
                                                               LoadSink& sink);

}  // namespace frond
