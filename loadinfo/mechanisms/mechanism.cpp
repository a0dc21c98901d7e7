// SPDX-License-Identifier: BSD-3-Clause
// Defines names, default threshold and construction of the mechanisms.
#include "loadinfo/mechanisms/mechanism.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "frond/error.hpp"
#include "loadinfo/mechanisms/increments.hpp"
#include "loadinfo/mechanisms/naive.hpp"
#include "loadinfo/mechanisms/partial_snapshot.hpp"
#include "loadinfo/mechanisms/snapshot.hpp"
#include "matrices/words.hpp"

namespace frond {
namespace {

constexpr Words<LoadMechanism, 5> kMechanismWords{"load exchange",
                                                  {"naive", "increments", "local-increments", "snapshot", "partial-snapshot"}};

// Returns the largest of the smallest values that together make up at most this share of the total; 0 if there are none.
double share_quantile(double small_share, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double share = small_share * std::accumulate(values.begin(), values.end(), 0.0);
  double sum = 0;
  double quantile = 0;
  for (const double value : values) {
    sum += value;
    if (sum > share) {
      break;
    }
    quantile = value;
  }
  return quantile;
}

}  // namespace

std::string_view to_string(LoadMechanism mechanism) { return kMechanismWords.name(mechanism); }

std::vector<std::string> load_mechanism_names() { return kMechanismWords.all(); }

LoadMechanism parse_load_mechanism(std::string_view text) { return kMechanismWords.parse(text); }

Load default_threshold(std::span<const Load> tasks, double small_share) {
  std::vector<double> flops;
  std::vector<double> bytes;
  for (const Load& task : tasks) {
    flops.push_back(task.flops);
    bytes.push_back(static_cast<double>(task.bytes));
  }
  return {share_quantile(small_share, std::move(flops)), static_cast<Count>(share_quantile(small_share, std::move(bytes)))};
}

std::unique_ptr<LoadExchange> make_load_exchange(const LoadExchangeOptions& options, Rank rank, Rank num_ranks, LoadSink& sink) {
  switch (options.mechanism) {
    case LoadMechanism::naive:
      return std::make_unique<NaiveExchange>(rank, num_ranks, sink, options.threshold);
    case LoadMechanism::increments:
      return std::make_unique<IncrementsExchange>(rank, num_ranks, sink, options.threshold);
    case LoadMechanism::local_increments:
      return std::make_unique<IncrementsExchange>(rank, num_ranks, sink, options.threshold, options.watchers);
    case LoadMechanism::snapshot:
      return std::make_unique<SnapshotExchange>(rank, num_ranks, sink);
    case LoadMechanism::partial_snapshot:
      return std::make_unique<PartialSnapshotExchange>(rank, num_ranks, sink);
  }
  throw InternalError(fmt::format("load exchange {} does not exist", static_cast<int>(options.mechanism)));
}

}  // namespace frond
