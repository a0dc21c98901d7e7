// SPDX-License-Identifier: BSD-3-Clause
// Sends entries from their holders to all, in the same batches as in files.
#include "solver/distributed/mpi/replicated_factors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "factorization/memory/factor_storage.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "matrices/large_vector.hpp"
#include "matrices/stop_request.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/saved_exchange.hpp"
#include "solver/options/relayed_observer.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

// Ranks synchronize once for this many batches, of about 2 MiB each.
constexpr Count kBatchesTogether = 8;

// Gathers the table of all fronts, as in files, on every rank.
template <Scalar F>
GatheredTable<F> share_table(const Communicator& ranks, const AssemblyTree& tree, Method method, const Mapping& mapping,
                             const RankFactors<F>& mine) {
  GatheredTable<F> all = gather_table(ranks, tree, method, mapping, mine);
  broadcast_fields(ranks, all.table);
  Index root_order = all.distribution.root ? all.distribution.root->order() : -1;
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&root_order, 1)));
  agree(ranks, [&] {
    all.distribution = {method, front_sizes(all.table, tree), shares_by_node(all.table), {}};
    if (root_order >= 0) {
      const RootGrid& grid = mapping.root_grid();
      all.distribution.root.emplace(root_order, grid);
    }
  });
  return all;
}

// Throws MemoryError unless all factors fit in addition to this rank's own part, which has `held` bytes.
void check_room(std::span<const SavedFront> fronts, Method method, Count scalar_bytes, Count held,
                const FactorizationOptions& options) {
  Count needed = 0;
  for (const SavedFront& front : fronts) {
    needed += front_bytes(front.order, front.num_fully_summed, method, scalar_bytes);
  }
  const MemoryLimit limit = memory_limit(options, options.num_threads);
  if (limit.bytes > 0 && needed + held > limit.bytes) {
    throw MemoryError(fmt::format("copies of all factors take {} bytes on each process beside its own part of them, {} bytes, but "
                                  "{} {}: raise the memory limit, run fewer processes on a machine, or solve without copies",
                                  needed, held, limit.whose(), limit.bytes),
                      needed + held, limit.bytes);
  }
}

// Copies what each rank holds to all others. Memory is allocated beforehand, and ranks agree before each batch on what can fail.
template <Scalar F>
void share_entries(const Communicator& ranks, const FrontDistribution& distribution, const Mapping& mapping,
                   const RankFactors<F>& mine, Observer* observer, WholeFronts<F>& whole) {
  const Method method = distribution.method;
  LargeVector<F> sent;
  LargeVector<F> entries;
  agree(ranks, [&] {
    const EntryCounts counts = count_entries(distribution.fronts, method);
    const auto most = static_cast<std::size_t>(std::min(counts.all, kBatchesTogether * counts.most));
    sent.resize(most);
    entries.resize(most);
  });
  PieceSequence sequence(distribution.fronts, method);
  for (;;) {
    std::vector<FrontPiece> batch;
    std::vector<PlacedPiece> placed;
    agree(ranks, [&] {
      stop_if(observer);
      for (Count k = 0; k < kBatchesTogether; ++k) {
        const std::vector<FrontPiece> more = sequence.next();
        batch.insert(batch.end(), more.begin(), more.end());
      }
      placed = distribution.placed_by_rank(mapping, batch);
    });
    if (batch.empty()) {
      return;
    }
    for_each_rank(placed, [&](Rank rank, std::span<const PlacedPiece> own) {
      F* place = sent.data();
      for (const PlacedPiece& one : own) {
        if (rank == ranks.rank()) {
          copy_held(mine, mapping, method, one.held, place);
        }
        place += one.held.num_entries;
      }
      broadcast(ranks, rank, std::as_writable_bytes(std::span(sent.data(), place)));
      place = sent.data();
      for (const PlacedPiece& one : own) {
        copy_in_batch(distribution, mapping, one, place, entries.data());
        place += one.held.num_entries;
      }
    });
    whole.write(batch, entries);
  }
}

// Sets `num_bytes` to the bytes of the factors.
template <Scalar S, Scalar F>
Factors<F> replicated(const RankBackend<S>& system, const RankFactors<F>& mine, Scaling<RealOf<F>> scaling, Count& num_bytes) {
  const Communicator& ranks = system.ranks();
  const AssemblyTree& tree = system.symbolic().tree();
  const Method method = system.report().method;
  const FactorizationOptions& options = system.options().factorization;
  const GatheredTable<F> all = share_table(ranks, tree, method, system.mapping(), mine);
  MemoryMeter meter(0);  // the limit is checked here, before anything is allocated
  std::optional<WholeFronts<F>> whole;
  agree(ranks, [&] {
    constexpr auto kScalarBytes = static_cast<Count>(sizeof(F));
    check_room(all.distribution.fronts, method, kScalarBytes,
               held_bytes(all.distribution, system.mapping(), ranks.rank(), kScalarBytes), options);
    whole.emplace(all.table, all.distribution.fronts, tree, method,
                  options.memory ? options.memory : std::make_shared<RegionPool>(0), meter);
  });
  share_entries(ranks, all.distribution, system.mapping(), mine, system.options().observer.get(), *whole);
  num_bytes = meter.current();
  return whole->take(system.shared_system()->symbolic(), std::move(scaling.rows), std::move(scaling.cols));
}

// For solves that are part of those of all ranks.
struct StopObserver final : ObserverWithoutProgress {
  using ObserverWithoutProgress::ObserverWithoutProgress;
  bool batch_end_requested() override { return stop_requested(); }
  void refinement_step(int /*step*/) override {}
};

// Clears options for the factorization by all ranks, and reports for the thread that leads them.
template <Scalar S>
SolverOptions options_of_replica(const RankBackend<S>& system) {
  SolverOptions options = system.options();
  options.factorization.kept = KeptFactors::all;
  options.observer = std::make_shared<StopObserver>(options.observer);
  options.checkpoint = {};
  Count& limit = options.factorization.memory_limit;
  if (limit > 0) {  // a factorization that replaces them must fit next to what this rank holds
    limit = std::max(limit - system.report().factorization.factor_bytes / system.ranks().num_ranks(), kNoMemoryIsLeft);
  }
  return options;
}

}  // namespace

template <Scalar S>
std::unique_ptr<LocalBackend<S>> replicate_factors(const RankBackend<S>& system) {
  const Communicator& ranks = system.ranks();
  FactorizationState<S> state;
  SystemMatrix<S> matrix = system.matrix();
  SolverOptions options;
  Scaling<RealOf<S>> scaling;
  agree(ranks, [&] {
    state.report = system.report();
    state.levels = levels_of<S>(system.symbolic(), system.analysed().values);
    matrix.converted_arrays = system.shared_system();  // keeps the arrays of the matrix alive
    options = options_of_replica(system);
    scaling = *system.state().scaling;
  });
  Count& num_bytes = state.report.factorization.factor_bytes;
  std::optional<Factors<S>> factors;
  std::optional<LowerFactors<S>> lower_factors;
  if (system.has_lower_factors()) {
    lower_factors.emplace(replicated<S, LowerOf<S>>(system, *system.lower_factors(), {}, num_bytes), std::move(scaling));
  } else if (system.has_factors()) {
    factors.emplace(replicated<S, S>(system, *system.factors(), std::move(scaling), num_bytes));
  }
  std::unique_ptr<LocalBackend<S>> replica;
  agree(ranks, [&] {
    replica = std::make_unique<LocalBackend<S>>(system.shared_system()->symbolic(), matrix, std::move(options),
                                                system.system().num_missing(), std::move(state), std::move(factors),
                                                std::move(lower_factors));
  });
  return replica;
}

#define FROND_INSTANTIATE(S) template std::unique_ptr<LocalBackend<S>> replicate_factors(const RankBackend<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
