// SPDX-License-Identifier: BSD-3-Clause
// Moves saved factors between rank 0, which alone writes and reads the file, and the ranks that hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "matrices/large_vector.hpp"
#include "solver/storage/saved/saved_fronts.hpp"
#include "solver/storage/saved/saved_parts.hpp"

namespace frond {

/// The combined table of all ranks, on rank 0.
template <Scalar F>
struct GatheredTable {
  FrontTable<F> table;
  FrontDistribution distribution;
};

/// Collective: returns the table of all ranks' factors on rank 0. A root from a grid has its pivots in the order of their
/// elimination.
template <Scalar F>
[[nodiscard]] GatheredTable<F> gather_table(const Communicator& ranks, const AssemblyTree& tree, Method method,
                                            const Mapping& mapping, const RankFactors<F>& factors);

/// Moves entries between rank 0 and all others, batch by batch, in preallocated memory: nothing can fail on a rank other than 0 on
/// the way.
template <Scalar F>
class EntryExchange {
 public:
  /// Collective; throws MemoryError on all ranks. `most_entries`: of a batch; rank 0's counts. All other arguments must outlive
  /// this object.
  EntryExchange(const Communicator& ranks, const Mapping& mapping, Method method, const RankFactors<F>& factors,
                Count most_entries);

  /// Collective: calls lead() on rank 0, which calls collect() or hand_out() repeatedly; the others do their part until it has
  /// returned. Its exceptions are thrown on all ranks.
  void run(const std::function<void()>& lead);

  /// Collect the entries of a batch from their holders, or hand them out.
  void collect(const FrontDistribution& distribution, std::span<const FrontPiece> batch, std::span<F> whole);
  void hand_out(const FrontDistribution& distribution, std::span<const FrontPiece> batch, std::span<const F> whole);

 private:
  enum class Kind : std::int32_t { collect, hand_out, stop };
  struct Head {
    Kind kind = Kind::stop;
    std::int32_t num_pieces = 0;
  };

  /// A message is a head, pieces, and entries, each aligned.
  [[nodiscard]] static std::size_t entries_begin(std::size_t num_pieces);
  [[nodiscard]] HeldPiece* pieces();
  [[nodiscard]] F* entries(std::size_t num_pieces) { return reinterpret_cast<F*>(message_.data() + entries_begin(num_pieces)); }
  void begin_message(Kind kind, std::span<const PlacedPiece> placed);

  void help();

  const Communicator& ranks_;
  const Mapping& mapping_;
  Method method_;
  const RankFactors<F>& factors_;
  LargeVector<std::byte> message_;
};

}  // namespace frond
