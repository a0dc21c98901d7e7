// SPDX-License-Identifier: BSD-3-Clause
// Finds or makes the archive of a factorization, and records how it ended.
#include "solver/storage/checkpoint/checkpointed.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "matrices/checksum.hpp"
#include "solver/storage/checkpoint/front_archive.hpp"

namespace frond {
namespace {

template <class T>
void add_value(Checksum& sum, const T& value) {
  sum.add(std::as_bytes(std::span(&value, 1)));
}

void note(const std::string& directory, const ArchiveCounts& counts, CheckpointReport& report) {
  report.directory = directory;
  report.num_fronts_found += counts.num_fronts_found;
  report.flops_found += counts.flops_found;
  report.num_fronts_lost += counts.num_fronts_lost;
  report.bytes_written += counts.log.num_bytes;
  report.num_lists += counts.num_lists;
  report.num_blocks_left_out += counts.log.num_blocks_let_go;
  report.seconds_waited += counts.log.seconds_waited;
  if (counts.log.error) {
    report.error = *counts.log.error;
  }
}

template <Scalar F>
FactorizationResult<F> indefinite_result(Index variable) {
  FactorizationResult<F> result;
  result.report.status = FactorizationStatus::not_positive_definite;
  result.report.null_pivots = {variable};
  return result;
}

}  // namespace

void check_checkpoint_options(bool keeps_schur_complement, KeptFactors kept) {
  if (keeps_schur_complement) {
    throw UsageError("a factorization that keeps a Schur complement leaves no checkpoint: leave out one of both");
  }
  if (kept != KeptFactors::all) {
    throw UsageError("a factorization that gives its factors back leaves no checkpoint: leave out the checkpoint");
  }
}

template <Scalar F>
std::uint64_t factorization_key(const Symbolic& symbolic, Method method, const PivotingOptions& pivoting, std::span<const F> values,
                                std::span<const RealOf<F>> row_scaling, std::span<const RealOf<F>> col_scaling) {
  Checksum sum;
  add_value(sum, sizeof(F));
  add_value(sum, kIsComplex<F>);
  add_value(sum, method);
  add_value(sum, pivoting.kind);
  add_value(sum, pivoting.pivot_threshold);
  add_value(sum, pivoting.null_threshold);
  add_value(sum, pivoting.perturbation);
  sum.add_all(std::span<const Index>(symbolic.permutation().perm));
  sum.add_all(std::span<const Index>(symbolic.row_perm()));
  const AssemblyTree& tree = symbolic.tree();
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    add_value(sum, tree.parent(node));
    add_value(sum, tree.num_fully_summed(node));
    add_value(sum, tree.cb_order(node));
  }
  sum.add_all(values);
  sum.add_all(row_scaling);
  sum.add_all(col_scaling);
  return sum.value();
}

template <Scalar F>
FactorizationResult<F> factorize_checkpointed(std::shared_ptr<const Symbolic> symbolic, Method method, std::span<const F> values,
                                              std::vector<RealOf<F>> row_scaling, std::vector<RealOf<F>> col_scaling,
                                              const FactorizationRunOptions& options, const CheckpointUse& use) {
  const std::uint64_t key = factorization_key<F>(*symbolic, method, options.pivoting, values, row_scaling, col_scaling);
  const std::string folder = use.directory.folder(key, about_factorization<F>(method), symbolic->tree().num_nodes());
  if (const std::optional<AttemptOutcome> before = read_outcome(folder, symbolic->order())) {
    if (before->indefinite_at) {
      return indefinite_result<F>(*before->indefinite_at);
    }
    throw BudgetError(*before->gave_up);
  }
  FrontArchive<F> archive(symbolic->tree(), method,
                          {.directory = folder,
                           .key = key,
                           .list_seconds = use.options.every_seconds,
                           .requests = &use.directory,
                           .observer = options.observer});
  try {
    archive.clear();
    archive.open();
    archive.publish();
  } catch (const OutputError& error) {
    archive.stay_closed(error.what());
  }
  const auto note_end = [&] {
    archive.finish(0);
    note(use.directory.path(), archive.counts(), use.report);
    use.report.left_behind = use.directory.left_behind();
  };
  try {
    FactorizationResult<F> result =
        factorize<F>(symbolic, method, values, std::move(row_scaling), std::move(col_scaling), options, {.store = &archive});
    note_end();
    if (result.report.status == FactorizationStatus::not_positive_definite) {
      set_outcome(folder, {.indefinite_at = result.report.null_pivots.front()});
    }
    return result;
  } catch (const BudgetError& error) {
    note_end();
    set_outcome(folder, {.gave_up = error});
    throw;
  } catch (...) {
    note_end();
    throw;
  }
}

#define FROND_INSTANTIATE(S)                                                                                          \
  template std::uint64_t factorization_key(const Symbolic&, Method, const PivotingOptions&, std::span<const S>,       \
                                           std::span<const RealOf<S>>, std::span<const RealOf<S>>);                   \
  template FactorizationResult<S> factorize_checkpointed(std::shared_ptr<const Symbolic>, Method, std::span<const S>, \
                                                         std::vector<RealOf<S>>, std::vector<RealOf<S>>,              \
                                                         const FactorizationRunOptions&, const CheckpointUse&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
