// SPDX-License-Identifier: BSD-3-Clause
// Reports how the tree is mapped to ranks, as text and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "analysis/mapping/mapping_estimate.hpp"
#include "analysis/symbolic.hpp"

namespace frond {

struct MappingFacts {
  Rank num_ranks = 1;
  Index num_subtrees = 0;
  Index num_type1 = 0;
  Index num_type2 = 0;
  Index num_type3 = 0;
  GridShape grid;
  MappingEstimate estimate;
};

/// Maps the tree with the options it was analysed with.
[[nodiscard]] MappingFacts mapping_facts(const Symbolic& symbolic, Method method, Count scalar_bytes, const MappingOptions& options,
                                         KeptFactors kept = KeptFactors::all);

/// Prints lines for people: numbers of nodes, and the least, mean and largest work and memory of ranks.
void print_mapping(std::FILE* stream, const MappingFacts& mapping);

[[nodiscard]] nlohmann::ordered_json mapping_json(const MappingFacts& mapping);

}  // namespace frond
