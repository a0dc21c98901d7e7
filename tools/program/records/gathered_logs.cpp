// SPDX-License-Identifier: BSD-3-Clause
// Shifts each log to the clock of the leading process.
#include "tools/program/records/gathered_logs.hpp"

#include <span>
#include <utility>

#include "matrices/steady_clock.hpp"

namespace frond {

std::vector<RankLog> gathered_logs(const Team& team, const WorkLog& log, double origin) {
  RankLog mine;
  team.agree([&] { mine = {log.spans(), log.memory()}; });
  (void)team.of_all(0);
  const double meeting = steady_seconds();
  mine = std::move(mine).shifted(-meeting);
  const std::vector<std::vector<LoggedSpan>> spans = gather_lists<LoggedSpan>(team, mine.spans);
  const std::vector<std::vector<LoggedBytes>> memory = gather_lists<LoggedBytes>(team, mine.memory);
  std::vector<RankLog> all;
  team.agree([&] {
    for (std::size_t rank = 0; rank < spans.size(); ++rank) {
      all.push_back(RankLog{spans[rank], memory[rank]}.shifted(meeting - origin));
    }
  });
  return all;
}

}  // namespace frond
