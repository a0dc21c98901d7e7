// SPDX-License-Identifier: BSD-3-Clause
// Reports the losses of a run that survives them.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "frond/types.hpp"

namespace frond {

/// A lost process.
struct Loss {
  Rank rank = 0;
  Index attempt = 0;  ///< the attempt in which it was lost, counted from 0
  std::string phase;  ///< as "in the factorization"
};

struct SurvivalFacts {
  std::string protection;  ///< recompute, copies or files; empty: losses were not to be survived
  std::string arbiter;     ///< the directory in which the processes agreed
  Rank num_processes = 0;  ///< at the start
  Index attempt = 0;       ///< the last one
  std::vector<Loss> losses;
};

/// Prints a line for people: which processes were lost and what was redone; `num_fronts_found` of `num_fronts` were found and not
/// redone. Prints nothing if losses were not to be survived.
void print_survival(std::FILE* stream, const SurvivalFacts& facts, Count num_fronts_found, Count num_fronts);

/// Returns null if losses were not to be survived.
[[nodiscard]] nlohmann::ordered_json survival_json(const SurvivalFacts& facts);

}  // namespace frond
