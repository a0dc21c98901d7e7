// SPDX-License-Identifier: BSD-3-Clause
// Sends fields from rank to rank.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loadinfo/messages/ranks/communicator.hpp"
#include "solver/storage/saved/field_stream.hpp"

namespace frond {

/// Collective: the fields visited on rank 0 replace those visited elsewhere. Sent list by list, so that nothing is held twice.
/// Throws MemoryError on all ranks.
void broadcast_fields(const Communicator& ranks, const std::function<void(FieldStream&)>& visit);

/// Converts the fields to bytes, and back. Bytes of anything else are an InternalError.
[[nodiscard]] std::vector<std::byte> to_bytes(const std::function<void(FieldStream&)>& visit);
void from_bytes(std::span<const std::byte> bytes, const std::function<void(FieldStream&)>& visit);

}  // namespace frond
