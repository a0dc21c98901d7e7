// SPDX-License-Identifier: BSD-3-Clause
// Determines what is kept free, and divides the rest.
#include "factorization/memory/memory_limit.hpp"

#include <algorithm>
#include <limits>

#include "factorization/kernels/blas_threads.hpp"

namespace frond {
namespace {

// Kept free of any bound, for copies of values with their scales, lists of tasks, vectors of solves and refinement, page tables,
// and what other programs take meanwhile. Most of that grows with the problem, and is a few percent of its factors; the memory of a
// solve's sweeps, some of which stays for the next solve, is up to 64 MiB for small ones, too.
constexpr Count kKeptBytes = Count{128} << 20;
constexpr Count kKeptPart = 32;

// OpenBLAS uses 384 rows of doubles, as long as the front, of its buffer of 128 MiB, and a few MiB for the other factor: this
// suffices for fronts of order 10000, and for larger ones the kept part of their own memory does.
constexpr Count kTouchedBlasBytes = Count{32} << 20;

// Up to 32 MiB of messages of a process are in transit, others arrive, and MPI's memory that the processes of a machine share was
// seen to take 4 MiB of each.
constexpr Count kMessageBytes = Count{64} << 20;

const MemoryBound* find_bound(const MemoryClaim& claim, const std::string& source) {
  const auto found =
      std::find_if(claim.bounds.begin(), claim.bounds.end(), [&](const MemoryBound& bound) { return bound.source == source; });
  return found == claim.bounds.end() ? nullptr : &*found;
}

/// The processes that share one bound.
struct Sharing {
  Count bytes = 0;  // as the first of them has read it
  Count num_claims = 0;
  Count mapped = 0;    // what they will map in addition to their factorizations, whether they use it or not
  Count resident = 0;  // what they may use in addition to their factorizations
  double predicted = 0;

  void add(const MemoryClaim& claim, Count bytes_read, MemoryKind kind) {
    bytes = num_claims++ == 0 ? bytes_read : bytes;
    (kind == MemoryKind::resident ? resident : mapped) += kind == MemoryKind::resident ? claim.other_resident : claim.other_mapped;
    predicted += static_cast<double>(claim.predicted_bytes);
  }
  [[nodiscard]] Count kept() const {
    const Count rest = std::max<Count>(0, bytes - mapped);
    return bytes - rest + std::min(kKeptBytes + rest / kKeptPart + resident, rest / 2);
  }
};

Sharing sharing_of(const MemoryBound& bound, std::span<const MemoryClaim> claims, const MemoryClaim& mine) {
  Sharing sharing;
  if (bound.source.empty()) {
    sharing.add(mine, bound.bytes, bound.kind);
    return sharing;
  }
  for (const MemoryClaim& claim : claims) {
    if (const MemoryBound* theirs = find_bound(claim, bound.source)) {
      sharing.add(claim, theirs->bytes, bound.kind);
    }
  }
  return sharing;
}

Count share(const Sharing& sharing, const MemoryClaim& mine) {
  const Count free = sharing.bytes - sharing.kept();
  const Count least = std::min(kLeastShareBytes, free / sharing.num_claims);
  const double part = sharing.predicted > 0 ? static_cast<double>(mine.predicted_bytes) / sharing.predicted
                                            : 1 / static_cast<double>(sharing.num_claims);
  return least + static_cast<Count>(static_cast<double>(free - least * sharing.num_claims) * part);
}

std::string reason_of(const MemoryBound& bound, const Sharing& sharing) {
  return (sharing.num_claims > 1 ? "this process's share of " : "") + bound.holder + " (" + bound.setting + ", " +
         std::to_string(sharing.kept() >> 20) + " MiB kept free)";
}

}  // namespace

MemoryClaim claim_memory(Count predicted_bytes, int num_threads, bool has_partners) {
  const Count messages = has_partners ? kMessageBytes : 0;
  return {predicted_bytes, num_threads * kTouchedBlasBytes + messages, unmapped_thread_bytes(num_threads) + messages,
          memory_bounds()};
}

MemoryLimit share_memory(std::span<const MemoryClaim> claims, std::size_t mine) {
  MemoryLimit limit{std::numeric_limits<Count>::max(), "the address space of the processor"};
  for (const MemoryBound& bound : claims[mine].bounds) {
    const Sharing sharing = sharing_of(bound, claims, claims[mine]);
    if (const Count bytes = std::max(kNoMemoryIsLeft, share(sharing, claims[mine])); bytes < limit.bytes) {
      limit = {bytes, reason_of(bound, sharing)};
    }
  }
  return limit;
}

MemoryLimit find_memory_limit(int num_threads) {
  MemoryLimit limit;
  do {
    const MemoryClaim alone = claim_memory(0, num_threads, false);
    limit = share_memory(std::span(&alone, 1), 0);
  } while (limit.bytes == kNoMemoryIsLeft && --num_threads > 0);
  return limit;
}

}  // namespace frond
