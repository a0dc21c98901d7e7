// SPDX-License-Identifier: BSD-3-Clause
// Puts the parts of a factorization together: memory, tasks, engine, numerics.
#include "factorization/factorize.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <thread>

#include "analysis/graph/permutation.hpp"
#include "factorization/front_numerics.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "frond/error.hpp"

namespace frond {
namespace {

template <Scalar S>
void check_arguments(const Symbolic& symbolic, Method method, std::span<const S> values, std::size_t row_scalings,
                     std::size_t col_scalings) {
  const auto n = static_cast<std::size_t>(symbolic.order());
  if (static_cast<Count>(values.size()) != symbolic.num_entries()) {
    throw UsageError("the analysed pattern has " + std::to_string(symbolic.num_entries()) + " entries, but " +
                     std::to_string(values.size()) +
                     " values are given: factorize with the values of the analysed pattern, or analyse again");
  }
  if ((row_scalings != 0 && row_scalings != n) || (row_scalings == 0) != (col_scalings == 0) ||
      (col_scalings != 0 && col_scalings != n)) {
    throw UsageError("scalings of " + std::to_string(row_scalings) + " rows and " + std::to_string(col_scalings) +
                     " columns for a matrix of order " + std::to_string(n) + ": give both or none");
  }
  const Symmetry symmetry = symbolic.symmetry();
  const bool fits =
      method == Method::lu         ? symmetry == Symmetry::general
      : method == Method::cholesky ? symmetry == Symmetry::hermitian || (symmetry == Symmetry::symmetric && !kIsComplex<S>)
      : method == Method::ldlt     ? symmetry == Symmetry::symmetric || (symmetry == Symmetry::hermitian && !kIsComplex<S>)
                                   : symmetry == Symmetry::hermitian || (symmetry == Symmetry::symmetric && !kIsComplex<S>);
  if (!fits) {
    throw UsageError(
        "the factorization method does not fit the symmetry of the analysed matrix: LU is for general matrices, Cholesky for "
        "symmetric or Hermitian "
        "positive definite ones, LDLT for symmetric, LDLH for Hermitian ones");
  }
}

// Returns how much active memory tasks may hold ahead of their turn under the limit. Throws MemoryError when the tasks do not fit
// even one after the other.
Count ahead_limit(const MemoryEstimate& estimate, const MemoryLimit& limit) {
  if (estimate.least_bytes() > limit.bytes) {
    throw MemoryError("the factorization needs at least " + std::to_string(estimate.least_bytes()) + " bytes (" +
                          std::to_string(estimate.factor_bytes) + " for the factors, " + std::to_string(estimate.sequential_bytes) +
                          " for fronts under way), but " + limit.whose() + ' ' + std::to_string(limit.bytes) +
                          ": give it more memory, or try another ordering",
                      estimate.least_bytes(), limit.bytes);
  }
  return limit.bytes - estimate.least_bytes();
}

// Looking up the machine's memory takes longer than factorizing a small matrix: it is done when more than this is taken.
constexpr Count kUnfeltBytes = Count{16} << 20;

std::unique_ptr<TaskPool> make_pool(ExecutorKind kind, int num_threads) {
  if (num_threads == 1) {
    return make_inline_pool();
  }
  return kind == ExecutorKind::tbb ? make_tbb_pool(num_threads) : make_thread_pool(num_threads);
}

// However a factorization ends: when this object is destroyed, everything handed over still exists.
template <Scalar S>
struct StoreEnd {
  explicit StoreEnd(FrontStore<S>* which) : store(which) {}
  ~StoreEnd() {
    if (store != nullptr) {
      store->finish(0);
    }
  }
  StoreEnd(const StoreEnd&) = delete;
  StoreEnd& operator=(const StoreEnd&) = delete;

  FrontStore<S>* store;
};

template <Scalar S>
FactorizationResult<S> run_factorization(std::shared_ptr<const Symbolic> symbolic, Method method, std::span<const S> values,
                                         std::vector<RealOf<S>> row_scaling, std::vector<RealOf<S>> col_scaling,
                                         const FactorizationRunOptions& options, const FrontPorts<S>& ports) {
  check_arguments(*symbolic, method, values, row_scaling.size(), col_scaling.size());
  const TaskGraph graph(symbolic->tree(), method, sizeof(S), options.kept, stored_nodes(symbolic->tree(), ports.store));
  const int wanted = number_of_threads(options.num_threads);
  const MemoryEstimate estimate = estimate_memory(symbolic->tree(), graph, method, sizeof(S), wanted, options.kept);
  const BlasThreadsGuard blas_guard(wanted, 2 * estimate.peak_bytes());  // twice: room for delayed pivots
  const int num_threads = blas_guard.num_threads();
  const bool is_small = options.memory_limit == 0 && 2 * estimate.peak_bytes() <= kUnfeltBytes;
  const MemoryLimit limit = is_small ? MemoryLimit{kUnfeltBytes} : memory_limit(options, num_threads);
  const Count ahead_limit_bytes = ahead_limit(estimate, limit);

  const std::vector<RealOf<S>> rows = permuted<RealOf<S>>(row_scaling, symbolic->row_perm());
  const std::vector<RealOf<S>> cols = permuted<RealOf<S>>(col_scaling, symbolic->permutation().perm);
  const ScaledValues<S> matrix{values, rows, cols};
  WorkMeter work(options.budget, symbolic->tree(), method);
  MemoryMeter meter(limit.bytes, limit.whose(), &work, options.log.get());
  if (is_small) {
    meter.set_later_limit([&] { return memory_limit(options, num_threads); });
  }
  const std::shared_ptr<RegionPool> regions = options.memory ? options.memory : std::make_shared<RegionPool>(0);
  const auto storage = std::make_shared<FactorStorage>(symbolic->tree(), method, sizeof(S), regions, [&](NodeId node) {
    return kept_shape(symbolic->tree(), node, FrontShape::whole, method, options.kept);
  });
  ContributionArena arena(std::min(estimate.arena_bytes, estimate.sequential_bytes + ahead_limit_bytes), meter, *regions);
  const std::unique_ptr<TaskPool> pool = make_pool(options.executor, num_threads);
  const bool is_memory_scarce = ahead_limit_bytes < estimate.active_bytes;
  FrontNumerics<S> numerics({{*symbolic, graph, method, matrix, pivot_tolerances(*symbolic, matrix, options.pivoting), *storage,
                              arena, meter, work, options.kept, ports.store},
                             *regions,
                             is_memory_scarce,
                             *pool,
                             graph.total_flops(),
                             ports.watcher,
                             nullptr,
                             options.flushes_subnormals && ports.watcher == nullptr,
                             options.observer,
                             options.log.get()});
  const StoreEnd<S> store_end(ports.store);
  Engine engine(graph, numerics, {.max_active = num_threads, .ahead_limit_bytes = ahead_limit_bytes});

  FactorizationResult<S> result;
  try {
    numerics.run(engine);
  } catch (const NotPositiveDefinite& failure) {
    result.report.status = FactorizationStatus::not_positive_definite;
    result.report.null_pivots = {symbolic->permutation().perm[failure.variable]};
    return result;
  }
  result.report = numerics.report();
  result.report.peak_bytes = meter.peak();
  if (is_odd(symbolic->row_of_column())) {
    result.report.determinant.negate();
  }
  result.factors.emplace(std::move(symbolic), method, numerics.fronts().take_fronts(), storage, std::move(row_scaling),
                         std::move(col_scaling));
  return result;
}

}  // namespace

int number_of_threads(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

MemoryLimit memory_limit(const FactorizationOptions& options, int num_threads) {
  return options.memory_limit > 0 ? MemoryLimit{options.memory_limit, options.memory_limit_reason} : find_memory_limit(num_threads);
}

template <Scalar S>
FactorizationResult<S> factorize(std::shared_ptr<const Symbolic> symbolic, Method method, std::span<const S> values,
                                 std::vector<RealOf<S>> row_scaling, std::vector<RealOf<S>> col_scaling,
                                 const FactorizationRunOptions& options, const FrontPorts<S>& ports) {
  try {
    return run_factorization<S>(std::move(symbolic), method, values, std::move(row_scaling), std::move(col_scaling), options,
                                ports);
  } catch (const std::bad_alloc&) {
    throw MemoryError(
        "the system refuses memory for the bookkeeping of the factorization: free some, or raise the limit of the process", 0, 0);
  }
}

#define FROND_INSTANTIATE(S)                                                                                                     \
  template FactorizationResult<S> factorize(std::shared_ptr<const Symbolic>, Method, std::span<const S>, std::vector<RealOf<S>>, \
                                            std::vector<RealOf<S>>, const FactorizationRunOptions&, const FrontPorts<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
