// SPDX-License-Identifier: BSD-3-Clause
// Sends what one rank has read to all as a line of words.
#include "solver/distributed/mpi/memory_shares.hpp"

#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {
namespace {

// Excludes the bounds of this rank alone, and names.
std::string to_text(const MemoryClaim& claim) {
  std::ostringstream text;
  text << claim.predicted_bytes << ' ' << claim.other_resident << ' ' << claim.other_mapped;
  for (const MemoryBound& bound : claim.bounds) {
    if (!bound.source.empty()) {
      text << ' ' << bound.source << ' ' << bound.bytes;
    }
  }
  return text.str();
}

MemoryClaim to_claim(std::span<const std::byte> bytes) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  MemoryClaim claim;
  text >> claim.predicted_bytes >> claim.other_resident >> claim.other_mapped;
  for (MemoryBound bound; text >> bound.source >> bound.bytes;) {
    claim.bounds.push_back(bound);
  }
  return claim;
}

}  // namespace

MemoryLimit share_memory(const Communicator& ranks, Count predicted_bytes, int num_threads) {
  const auto mine = static_cast<std::size_t>(ranks.rank());
  MemoryClaim claim;
  std::string text;
  agree(ranks, [&] {
    claim = claim_memory(predicted_bytes, num_threads, ranks.num_ranks() > 1);
    text = to_text(claim);
  });
  const std::vector<std::vector<std::byte>> texts = all_gather(ranks, std::as_bytes(std::span(text)));
  MemoryLimit limit;
  agree(ranks, [&] {
    std::vector<MemoryClaim> claims;
    claims.reserve(texts.size());
    for (const std::vector<std::byte>& other : texts) {
      claims.push_back(to_claim(other));
    }
    claims[mine] = claim;
    limit = share_memory(claims, mine);
  });
  return limit;
}

}  // namespace frond
