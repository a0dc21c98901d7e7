// SPDX-License-Identifier: BSD-3-Clause
// Communicators that a mesh carries.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "loadinfo/messages/mesh/mesh.hpp"
#include "loadinfo/messages/mesh/rank_losses.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Makes one of some processes, increasing, this one among them: members[k] becomes rank k. All of them pass the same numbers. It
/// uses the contexts from `first_context` on, of which there are kContextsPerEpoch. Where somebody waits, or looks for messages, it
/// throws what `losses` throw. Both outlive it, and its duplicates.
[[nodiscard]] Communicator mesh_communicator(Mesh& mesh, const RankLosses& losses, std::vector<Rank> members,
                                             std::uint64_t first_context);

inline constexpr std::uint64_t kContextsPerEpoch = std::uint64_t{1} << 32U;

}  // namespace frond
