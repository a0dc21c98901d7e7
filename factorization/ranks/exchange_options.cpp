// SPDX-License-Identifier: BSD-3-Clause
// Sets the threshold and the watchers.
#include "factorization/ranks/exchange_options.hpp"

#include <memory>

#include "factorization/ranks/load_threshold.hpp"
#include "factorization/ranks/load_watchers.hpp"

namespace frond {

LoadExchangeOptions exchange_options(LoadMechanism mechanism, const TaskGraph& graph, const Mapping& mapping) {
  LoadExchangeOptions options{.mechanism = mechanism, .threshold = load_threshold(graph)};
  if (mechanism == LoadMechanism::local_increments) {
    options.threshold = load_threshold(graph, kLocalSmallTaskShare);
    options.watchers = std::make_shared<const LoadWatchers>(load_watchers(mapping));
  }
  return options;
}

}  // namespace frond
