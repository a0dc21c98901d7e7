// SPDX-License-Identifier: BSD-3-Clause
// Lists the load exchange mechanisms and their options, and makes them.
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

/// Returns the command-line spelling: naive, increments, local-increments, snapshot, partial-snapshot.
[[nodiscard]] std::string_view to_string(LoadMechanism mechanism);

/// Returns all spellings, in the order of the mechanisms.
[[nodiscard]] std::vector<std::string> load_mechanism_names();

/// Returns the mechanism with this spelling; throws UsageError, which lists all spellings, if there is none.
[[nodiscard]] LoadMechanism parse_load_mechanism(std::string_view text);

struct LoadExchangeOptions {
  LoadMechanism mechanism = LoadMechanism::increments;
  Load threshold;  ///< naive, increments: a rank informs the others when either part of its load has moved by more
  std::shared_ptr<const LoadWatchers> watchers = {};  ///< local increments; null: every rank watches all others
};

/// Share of the total load that may be in tasks too small to be announced one by one: of 0, 0.01, 0.03, 0.1, 0.2 and 0.3 the
/// largest with which time and peak memory stay within 2 % of those with 0; docs/design.md has the figures.
inline constexpr double kSmallTaskShare = 0.1;

/// The same when only ranks that may choose the sender are informed: of 0, 0.01, 0.03 and 0.1 the largest with which decisions are
/// as good as with 0.
inline constexpr double kLocalSmallTaskShare = 0.03;

/// Returns the threshold for an application whose parallel tasks bring these loads (flops and bytes not negative): of the order of
/// a task, as Guermouche and L'Excellent 2005, section 2.3, advise. For flops and bytes separately, it is the largest task among
/// the smallest ones that make up a tenth of the total. So the tasks that carry nine tenths of the load are announced as they
/// arrive, and the small ones, however many, are announced together. With fewer than ten equal tasks it is zero.
[[nodiscard]] Load default_threshold(std::span<const Load> tasks, double small_share = kSmallTaskShare);

/// Makes the part of rank `rank` in the exchange among `num_ranks` ranks, which must all have the same options. The sink must
/// outlive it.
[[nodiscard]] std::unique_ptr<LoadExchange> make_load_exchange(const LoadExchangeOptions& options, Rank rank, Rank num_ranks,
                                                               LoadSink& sink);

}  // namespace frond
