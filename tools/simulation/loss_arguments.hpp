// SPDX-License-Identifier: BSD-3-Clause
// Lists of RANK@SECONDS: what happens to ranks, and when.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// Throws UsageError, which names the option, for what cannot be understood.
[[nodiscard]] std::multimap<double, Rank> parse_moments(const std::string& option, const std::vector<std::string>& texts);

/// Throws UsageError for ranks that are none with one of these numbers of ranks, too.
void check_moments(const std::string& option, const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks);

/// check_moments() of --lose. Nobody is lost twice, and not all are.
void check_losses(const std::vector<std::string>& texts, const std::vector<Rank>& all_num_ranks);

}  // namespace frond
