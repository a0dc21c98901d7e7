// SPDX-License-Identifier: BSD-3-Clause
// Selects how load messages are served: by a thread or by the main loop.
#include "loadinfo/load_service.hpp"

#include <fmt/format.h>

#include "frond/error.hpp"
#include "loadinfo/load_server.hpp"
#include "loadinfo/load_thread.hpp"

namespace frond {

std::unique_ptr<LoadService> make_load_service(const LoadServiceOptions& options, Channel& channel,
                                               const LoadExchangeOptions& exchange, bool threads_may_call,
                                               std::function<void()> on_served) {
  if (options.shortest_period.count() <= 0) {
    throw UsageError(fmt::format("the load thread cannot look for messages every {} us", options.shortest_period.count()));
  }
  if (options.use_thread && threads_may_call) {
    return std::make_unique<LoadThread>(options, channel, exchange, std::move(on_served));
  }
  return std::make_unique<LoadServer>(channel, exchange);
}

}  // namespace frond
