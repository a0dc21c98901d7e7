// SPDX-License-Identifier: BSD-3-Clause
// What a run that survives losses says of them.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "frond/types.hpp"

namespace frond {

/// A process that is lost.
struct Loss {
  Rank rank = 0;
  Index attempt = 0;  ///< in which it was lost, counted from 0
  std::string phase;  ///< as "in the factorization"
};

struct SurvivalFacts {
  std::string protection;  ///< recompute, copies or files; empty: no loss was to be survived
  std::string arbiter;     ///< the directory in which the processes agreed
  Rank num_processes = 0;  ///< that began
  Index attempt = 0;       ///< the last one
  std::vector<Loss> losses;
};

/// A line for a person: who was lost, and what was done again; `num_fronts_found` of `num_fronts` were not. Nothing if no loss was
/// to be survived.
void print_survival(std::FILE* stream, const SurvivalFacts& facts, Count num_fronts_found, Count num_fronts);

/// Null if no loss was to be survived.
[[nodiscard]] nlohmann::ordered_json survival_json(const SurvivalFacts& facts);

}  // namespace frond
