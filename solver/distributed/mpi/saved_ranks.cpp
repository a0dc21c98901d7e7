// SPDX-License-Identifier: BSD-3-Clause
// Saves and loads section after section, with entries sent from and to other ranks.
#include "solver/distributed/mpi/saved_ranks.hpp"

#include <optional>
#include <utility>

#include "frond/error.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/root_on_grid.hpp"
#include "solver/distributed/mpi/saved_exchange.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

template <Scalar S, Scalar F>
void save_factors(const RankBackend<S>& backend, const RankFactors<F>& factors, const SavedTarget& target) {
  const Communicator& ranks = backend.ranks();
  const Method method = backend.report().method;
  GatheredTable<F> gathered = gather_table(ranks, backend.symbolic().tree(), method, backend.mapping(), factors);
  const FrontDistribution& distribution = gathered.distribution;
  Count most_entries = 0;
  agree(ranks, [&] { most_entries = count_entries(distribution.fronts, method).most; });
  EntryExchange<F> exchange(ranks, backend.mapping(), method, factors, most_entries);
  exchange.run([&] {
    const SavedSystem saved = backend.described(backend.analysed().values, backend.report());
    Scaling<RealOf<S>> scaling = *backend.state().scaling;
    write_saved(target, [&](SavedFileWriter& file) {
      write_system(file, saved, parts_of(backend.symbolic()));
      file.section(SavedSection::scaling, scaling);
      file.section(SavedSection::fronts, gathered.table);
      write_entries<F>(file, distribution.fronts, method, [&](std::span<const FrontPiece> batch, std::span<F> entries) {
        exchange.collect(distribution, batch, entries);
      });
    });
  });
}

// Sets `mapping` to that of the factors; it must outlive them.
template <Scalar S, Scalar F>
RankFactors<F> load_factors(const DistributedSystem<S>& system, Method method, std::optional<SavedFileReader>& file,
                            Rank num_ranks_before, Mapping& mapping) {
  const Communicator& ranks = system.ranks();
  const FactorizationOptions& options = system.options().factorization;
  const AssemblyTree& tree = system.symbolic()->tree();
  FrontTable<F> table;
  agree(ranks, [&] {
    if (file) {
      table = read_table<F>(*file, tree, method);
    }
  });
  broadcast_fields(ranks, table);
  FrontDistribution distribution;
  RankFactors<F> factors;
  Count most_entries = 0;
  const MemoryLimit limit = memory_limit(options, options.num_threads);
  MemoryMeter meter(limit.bytes, limit.whose());
  agree(ranks, [&] {
    mapping = system.mapping(method);
    distribution = distribute(table, tree, method, mapping, num_ranks_before, system.mapping_options().min_slave_rows);
    most_entries = count_entries(distribution.fronts, method).most;
    if (file) {
      begin_entries(*file, distribution.fronts, method, sizeof(F));
    }
    factors = place_factors(table, distribution, tree, mapping, ranks.rank(),
                            options.memory ? options.memory : std::make_shared<RegionPool>(0), meter);
  });
  if (factors.root) {
    factors.root->solver = make_root_solver<F>(ranks, tree, mapping, method, RealOf<F>(0));
  }
  agree(ranks, [&] {
    if (factors.root) {
      factors.root->solver->adopt(factors.root->part);
    }
  });
  EntryExchange<F> exchange(ranks, mapping, method, factors, most_entries);
  exchange.run([&] {
    read_entries<F>(*file, distribution.fronts, method, [&](std::span<const FrontPiece> batch, std::span<const F> entries) {
      exchange.hand_out(distribution, batch, entries);
    });
    file->expect_end();
  });
  return factors;
}

}  // namespace

template <Scalar S>
std::shared_ptr<const Symbolic> share_system(const Communicator& ranks, const std::string& path, SavedSystem& saved,
                                             SavedSymbolic parts, SystemMatrix<S>& matrix) {
  broadcast_fields(ranks, saved);
  broadcast_fields(ranks, parts);
  std::shared_ptr<const Symbolic> symbolic;
  agree(ranks, [&] {
    symbolic = saved_analysis(path, saved, std::move(parts));
    if (ranks.rank() == 0) {
      (void)check_saved_matrix(path, saved, *symbolic, matrix);
    }
  });
  return symbolic;
}

template <Scalar S>
void save_ranks(const RankBackend<S>& system, const SavedTarget& target) {
  if (system.has_lower_factors()) {
    save_factors(system, *system.lower_factors(), target);
  } else {
    save_factors(system, *system.factors(), target);
  }
}

template <Scalar S>
std::unique_ptr<RankBackend<S>> load_ranks(const Communicator& ranks, const SavedSource& source, const SystemMatrix<S>* matrix,
                                           const SolverOptions& options) {
  std::optional<SavedFileReader> file;  // on rank 0
  SavedSystem saved;
  SavedSymbolic parts;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      if (matrix == nullptr) {
        throw UsageError("there is no matrix: rank 0 must pass it");
      }
      file.emplace(source);
      saved = read_system(*file);
      check_saved_system<S>(source.path, saved, options.method);
      parts = read_symbolic(*file);
    }
  });
  SystemMatrix<S> given = matrix != nullptr ? *matrix : SystemMatrix<S>();
  const std::shared_ptr<const Symbolic> symbolic = share_system(ranks, source.path, saved, std::move(parts), given);
  const Method method = saved.report.method;
  SolverOptions with_factors = options;
  with_factors.factorization.kept = KeptFactors::all;
  const auto system = std::make_shared<const DistributedSystem<S>>(ranks, &given, with_factors, symbolic, method);
  FactorizationState<S> state{.report = std::move(saved.report)};
  Scaling<RealOf<S>> scaling;
  agree(ranks, [&] {
    state.levels = levels_of<S>(*symbolic, system->analysed().values);
    if (file) {
      scaling = read_scaling<RealOf<S>>(*file, symbolic->order());
    }
  });
  broadcast_fields(ranks, scaling);
  agree(ranks, [&] { state.scaling = std::make_shared<const Scaling<RealOf<S>>>(std::move(scaling)); });
  typename RankBackend<S>::LoadedFactors loaded;
  if (state.report.is_mixed) {
    loaded.lower_factors = load_factors<S, LowerOf<S>>(*system, method, file, saved.num_ranks, loaded.mapping);
  } else {
    loaded.factors = load_factors<S, S>(*system, method, file, saved.num_ranks, loaded.mapping);
  }
  auto backend = std::make_unique<RankBackend<S>>(system);
  backend->take(std::move(loaded), std::move(state));
  return backend;
}

#define FROND_INSTANTIATE(S)                                                                                                  \
  template std::shared_ptr<const Symbolic> share_system(const Communicator&, const std::string&, SavedSystem&, SavedSymbolic, \
                                                        SystemMatrix<S>&);                                                    \
  template void save_ranks(const RankBackend<S>&, const SavedTarget&);                                                        \
  template std::unique_ptr<RankBackend<S>> load_ranks(const Communicator&, const SavedSource&, const SystemMatrix<S>*,        \
                                                      const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
