// SPDX-License-Identifier: BSD-3-Clause
// Saving and loading what several ranks have factorized: rank 0 has the file, the others the factors.
#include <optional>
#include <utility>

#include "loadinfo/mpi/collective.hpp"
#include "matrices/atomic_file.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/mpi/field_exchange.hpp"
#include "solver/mpi/root_on_grid.hpp"
#include "solver/mpi/saved_exchange.hpp"
#include "solver/saved/saved_factors.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {
namespace {

// As rank 0 found the order, which the others were given.
template <Scalar S>
OrderingReport ordering_of(const DistributedSystem<S>& system) {
  OrderingReport ordering = system.symbolic()->ordering();
  ordering.kind = system.order().kind;
  ordering.matching = system.order().matching;
  ordering.num_compressed = system.order().num_compressed;
  ordering.ordering_seconds = system.order().ordering_seconds;
  return ordering;
}

}  // namespace

template <Scalar S>
void DistributedFactorization<S>::save(const std::string& path) const {
  check_factors_kept(state_.kept);
  if (keeps_schur_complement()) {
    throw UsageError("factors that leave a Schur complement cannot be saved: factorize all variables, or factorize again");
  }
  if (lower_factors_) {
    save_factors(*lower_factors_, path);
  } else if (factors_) {
    save_factors(*factors_, path);
  } else {
    refuse_to_save_nothing(state_.report.factorization);
  }
}

template <Scalar S>
template <Scalar F>
void DistributedFactorization<S>::save_factors(const RankFactors<F>& factors, const std::string& path) const {
  const Communicator& ranks = system_->ranks();
  const Method method = state_.report.method;
  GatheredTable<F> gathered = gather_table(ranks, system_->symbolic()->tree(), method, mapping_, factors);
  const FrontDistribution& distribution = gathered.distribution;
  Count most_entries = 0;
  agree(ranks, [&] { most_entries = count_entries(distribution.fronts, method).most; });
  EntryExchange<F> exchange(ranks, mapping_, method, factors, most_entries);
  exchange.run([&] {
    const SavedSystem system{kSavedScalar<S>, system_->matrix().stored.pattern.symmetry, values_hash<S>(system_->analysed().values),
                             ranks.num_ranks(), state_.report};
    Scaling<RealOf<S>> scaling = state_.scaling;
    write_atomically(path, [&](const std::string& name) {
      SavedFileWriter file(name, path);
      write_system(file, system, parts_of(*system_->symbolic(), ordering_of(*system_)));
      file.section(SavedSection::scaling, [&scaling](FieldStream& fields) { visit(fields, scaling); });
      file.section(SavedSection::fronts, [&gathered](FieldStream& fields) { visit(fields, gathered.table); });
      write_entries<F>(file, distribution.fronts, method, [&](std::span<const FrontPiece> batch, std::span<F> entries) {
        exchange.collect(distribution, batch, entries);
      });
      file.finish();
    });
  });
}

template <Scalar S>
std::unique_ptr<DistributedFactorization<S>> DistributedFactorization<S>::load(const Communicator& ranks, const std::string& path,
                                                                               const SystemMatrix<S>* matrix,
                                                                               const DistributedOptions& options) {
  std::optional<SavedFileReader> file;  // on rank 0
  SavedSystem saved;
  SavedSymbolic parts;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      if (matrix == nullptr) {
        throw UsageError("there is no matrix: rank 0 must pass it");
      }
      file.emplace(path);
      saved = read_system(*file);
      check_saved_system<S>(path, saved, options.solver.method);
      parts = read_symbolic(*file);
    }
  });
  broadcast_fields(ranks, [&saved](FieldStream& fields) { visit(fields, saved); });
  broadcast_fields(ranks, [&parts](FieldStream& fields) { visit(fields, parts); });
  std::shared_ptr<const Symbolic> symbolic;
  agree(ranks, [&] {
    symbolic = joined(std::move(parts));
    if (ranks.rank() == 0) {
      (void)check_saved_matrix(path, saved, *symbolic, *matrix);
    }
  });
  const Rank num_ranks_before = saved.num_ranks;
  DistributedOptions with_factors = options;
  with_factors.solver.factorization.kept = KeptFactors::all;
  const auto system = std::make_shared<const DistributedSystem<S>>(ranks, matrix, with_factors, symbolic, saved.report.method);
  std::unique_ptr<DistributedFactorization> loaded(new DistributedFactorization(system, saved.report));
  Scaling<RealOf<S>>& scaling = loaded->state_.scaling;
  agree(ranks, [&] {
    loaded->state_.levels = levels_of<S>(*symbolic, system->analysed().values);
    if (file) {
      file->section(SavedSection::scaling, [&scaling](FieldStream& fields) { visit(fields, scaling); });
    }
  });
  broadcast_fields(ranks, [&scaling](FieldStream& fields) { visit(fields, scaling); });
  if (loaded->state_.report.is_mixed) {
    loaded->lower_factors_ = loaded->template load_factors<LowerOf<S>>(file, num_ranks_before);
  } else {
    loaded->factors_ = loaded->template load_factors<S>(file, num_ranks_before);
  }
  return loaded;
}

template <Scalar S>
template <Scalar F>
RankFactors<F> DistributedFactorization<S>::load_factors(std::optional<SavedFileReader>& file, Rank num_ranks_before) {
  const Communicator& ranks = system_->ranks();
  const FactorizationOptions& options = system_->options().solver.factorization;
  const AssemblyTree& tree = system_->symbolic()->tree();
  const Method method = state_.report.method;
  FrontTable<F> table;
  agree(ranks, [&] {
    if (file) {
      table = read_table<F>(*file, tree, method);
    }
  });
  broadcast_fields(ranks, [&table](FieldStream& fields) { visit(fields, table); });
  FrontDistribution distribution;
  RankFactors<F> factors;
  Count most_entries = 0;
  const MemoryLimit limit = memory_limit(options, options.num_threads);
  MemoryMeter meter(limit.bytes, limit.whose());
  agree(ranks, [&] {
    mapping_ = system_->mapping(method);
    distribution = distribute(table, tree, method, mapping_, num_ranks_before, system_->mapping_options().rows.min_slave_rows);
    most_entries = count_entries(distribution.fronts, method).most;
    if (file) {
      begin_entries(*file, distribution.fronts, method, sizeof(F));
    }
    factors = place_factors(table, distribution, tree, mapping_, ranks.rank(),
                            options.memory ? options.memory : std::make_shared<RegionPool>(0), meter);
  });
  if (factors.root) {
    factors.root->solver = make_root_solver<F>(ranks, system_->symbolic()->tree(), mapping_, method, RealOf<F>(0));
  }
  agree(ranks, [&] {
    if (factors.root) {
      factors.root->solver->adopt(factors.root->part);
    }
  });
  EntryExchange<F> exchange(ranks, mapping_, method, factors, most_entries);
  exchange.run([&] {
    read_entries<F>(*file, distribution.fronts, method, [&](std::span<const FrontPiece> batch, std::span<const F> entries) {
      exchange.hand_out(distribution, batch, entries);
    });
    file->expect_end();
  });
  return factors;
}

template void DistributedFactorization<float>::save(const std::string&) const;
template std::unique_ptr<DistributedFactorization<float>> DistributedFactorization<float>::load(const Communicator&,
                                                                                                const std::string&,
                                                                                                const SystemMatrix<float>*,
                                                                                                const DistributedOptions&);
template void DistributedFactorization<double>::save(const std::string&) const;
template std::unique_ptr<DistributedFactorization<double>> DistributedFactorization<double>::load(const Communicator&,
                                                                                                  const std::string&,
                                                                                                  const SystemMatrix<double>*,
                                                                                                  const DistributedOptions&);
template void DistributedFactorization<std::complex<float>>::save(const std::string&) const;
template std::unique_ptr<DistributedFactorization<std::complex<float>>> DistributedFactorization<std::complex<float>>::load(
    const Communicator&, const std::string&, const SystemMatrix<std::complex<float>>*, const DistributedOptions&);
template void DistributedFactorization<std::complex<double>>::save(const std::string&) const;
template std::unique_ptr<DistributedFactorization<std::complex<double>>> DistributedFactorization<std::complex<double>>::load(
    const Communicator&, const std::string&, const SystemMatrix<std::complex<double>>*, const DistributedOptions&);

}  // namespace frond
