// SPDX-License-Identifier: BSD-3-Clause
// Makes communicators over a mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "loadinfo/messages/mesh/mesh.hpp"
#include "loadinfo/messages/mesh/rank_losses.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Makes a communicator of some processes, increasing, including this one: members[k] becomes rank k. All of them pass the same
/// arguments. It uses kContextsPerEpoch contexts from `first_context` on. Calls that wait or poll for messages throw what `losses`
/// throws. `mesh` and `losses` must outlive it and its duplicates.
[[nodiscard]] Communicator mesh_communicator(Mesh& mesh, const RankLosses& losses, std::vector<Rank> members,
                                             std::uint64_t first_context);

inline constexpr std::uint64_t kContextsPerEpoch = std::uint64_t{1} << 32U;

}  // namespace frond
