// SPDX-License-Identifier: BSD-3-Clause
// Parses lists of RANK@SECONDS: what happens to ranks, and when.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// Throws UsageError, which names the option, for text that cannot be parsed.
[[nodiscard]] std::multimap<double, Rank> parse_moments(const std::string& option, const std::vector<std::string>& texts);

/// Also throws UsageError for ranks that do not exist with one of these numbers of ranks.
void check_moments(const std::string& option, const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks);

/// Does check_moments() for --lose; also, no rank may be lost twice, and not all may be lost.
void check_losses(const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks);

}  // namespace frond
