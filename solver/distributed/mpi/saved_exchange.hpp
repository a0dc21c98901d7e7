// SPDX-License-Identifier: BSD-3-Clause
// Saved factors between rank 0, which alone writes and reads the file, and the ranks that hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/rank_factors.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"
#include "matrices/large_vector.hpp"
#include "solver/storage/saved/saved_fronts.hpp"
#include "solver/storage/saved/saved_parts.hpp"

namespace frond {

/// What the ranks hold together, on rank 0.
template <Scalar F>
struct GatheredTable {
  FrontTable<F> table;
  FrontDistribution distribution;
};

/// Collective: the table of factors of all ranks, on rank 0. The root from a grid has its pivots in the order in which it took
/// them.
template <Scalar F>
[[nodiscard]] GatheredTable<F> gather_table(const Communicator& ranks, const AssemblyTree& tree, Method method,
                                            const Mapping& mapping, const RankFactors<F>& factors);

//   save    masters' tables ──► rank 0 ──► file
//           for each batch of pieces: rank 0 asks those who hold them, and writes
//   load    file ──► rank 0 ──► system, analysis, scaling and table to all ──► all lay out their parts alike
//           for each batch of pieces: rank 0 reads, and hands them to those who are to hold them

/// The way of entries between rank 0 and all others, batch by batch, in memory that is taken beforehand: nothing that can fail on
/// another rank than 0 happens on the way.
template <Scalar F>
class EntryExchange {
 public:
  /// Collective; throws MemoryError on all ranks. `most_entries`: of a batch; rank 0's counts. All else outlives this object.
  EntryExchange(const Communicator& ranks, const Mapping& mapping, Method method, const RankFactors<F>& factors,
                Count most_entries);

  /// Collective: calls lead() on rank 0, which calls collect() or hand_out() again and again; the others do their part until it has
  /// returned. What it throws is thrown on all ranks.
  void run(const std::function<void()>& lead);

  /// Of the entries of a batch: from those who hold them, and to them.
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
  [[nodiscard]] F* entries(std::size_t num_pieces);
  void begin_message(Kind kind, std::span<const PlacedPiece> placed);

  void help();

  const Communicator& ranks_;
  const Mapping& mapping_;
  Method method_;
  const RankFactors<F>& factors_;
  LargeVector<std::byte> message_;
};

}  // namespace frond
