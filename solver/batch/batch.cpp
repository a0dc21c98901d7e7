// SPDX-License-Identifier: BSD-3-Clause
// Threads that take systems from a counter, and share an analysis.
#include "frond/batch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "factorization/memory/memory_limit.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "loadinfo/processors.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

BatchOptions resolved(BatchOptions options) {
  FactorizationOptions& factorization = options.solver.factorization;
  factorization.num_threads = std::max(1, factorization.num_threads);
  if (options.num_workers < 0) {
    throw UsageError(fmt::format("a batch with {} workers: 0 stands for one on each core", options.num_workers));
  }
  if (!options.solver.checkpoint.directory.empty() || !options.solver.analysis.schur_variables.empty()) {
    throw UsageError("a batch has neither checkpoints nor Schur complements");
  }
  if (options.num_workers == 0) {
    options.num_workers = std::max(1, static_cast<int>(usable_processors().size()) / factorization.num_threads);
  }
  if (options.num_workers > 1) {
    const MemoryLimit limit = factorization.memory_limit > 0
                                  ? MemoryLimit{factorization.memory_limit, factorization.memory_limit_reason}
                                  : find_memory_limit(options.num_workers * factorization.num_threads);
    if (limit.bytes > 0) {
      factorization.memory_limit = std::max(kNoMemoryIsLeft, limit.bytes / options.num_workers);
      factorization.memory_limit_reason = fmt::format("an equal part of the memory for each of {} workers", options.num_workers);
    }
  }
  return options;
}

// Deals systems out to workers.
class Counter {
 public:
  /// Systems [begin, end).
  struct Chunk {
    Count begin = 0;
    Count end = 0;
  };

  Counter(const BatchOptions& options, Count num_systems, Rank num_workers)
      : is_stop_wanted_(options.solver.stop_requested),
        num_systems_(num_systems),
        rule_(options.chunks, {.num_tasks = num_systems, .num_ranks = num_workers}) {}

  // Empty: there is nothing left to do.
  [[nodiscard]] Chunk take(Rank worker) {
    const std::lock_guard lock(mutex_);
    if (!failure_ && is_stop_wanted_ && is_stop_wanted_()) {
      failure_ = std::make_exception_ptr(StoppedError("stopped between two systems of a batch"));
    }
    if (failure_) {
      return {};
    }
    const Count begin = num_systems_ - rule_.num_left();
    return {begin, begin + rule_.next(worker)};
  }
  // What the systems of a chunk have taken, each.
  void note(Rank worker, const std::vector<double>& seconds) {
    const std::lock_guard lock(mutex_);
    TaskTimes& times = rule_.times(worker);
    std::for_each(seconds.begin(), seconds.end(), [&times](double of_one) { times.note_task(of_one); });
    const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    times.note(static_cast<Count>(seconds.size()), sum, sum);
  }
  // The first one counts.
  void fail(const std::exception_ptr& exception) {
    const std::lock_guard lock(mutex_);
    failure_ = failure_ ? failure_ : exception;
  }
  [[nodiscard]] bool has_failed() {
    const std::lock_guard lock(mutex_);
    return failure_ != nullptr;
  }
  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  StopRequest is_stop_wanted_;
  Count num_systems_;
  std::mutex mutex_;  // guards what follows
  ChunkRule rule_;
  std::exception_ptr failure_;
};

}  // namespace

struct Batch::Parts {
  explicit Parts(BatchOptions how) : options(resolved(std::move(how))) {}

  // Whoever comes first analyses, and the others wait; when it fails, the next one is the first.
  template <Scalar S>
  Analysis analysis_of(const SparseMatrix<S>& matrix) {
    if (!options.has_one_pattern) {
      return analyze(matrix, options.solver);
    }
    const std::lock_guard lock(mutex);
    if (!analysis) {
      analysis = analyze(matrix, options.solver);
    }
    return *analysis;
  }

  BatchOptions options;
  std::mutex mutex;
  std::optional<Analysis> analysis;  // guarded by mutex
};

Batch::Batch(BatchOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Batch::~Batch() = default;
Batch::Batch(Batch&& other) noexcept = default;
Batch& Batch::operator=(Batch&& other) noexcept = default;

int Batch::num_workers() const { return parts_->options.num_workers; }

void Batch::run(Count num_systems, const std::function<void(Count)>& work) const {
  const BatchOptions& options = parts_->options;
  const auto num_threads = static_cast<Rank>(std::min<Count>(options.num_workers, num_systems));
  Counter counter(options, num_systems, std::max(1, num_threads));
  const auto run_worker = [&](Rank worker) {
    for (Counter::Chunk chunk = counter.take(worker); chunk.begin < chunk.end; chunk = counter.take(worker)) {
      std::vector<double> seconds;
      try {
        for (Count system = chunk.begin; system < chunk.end && !counter.has_failed(); ++system) {
          const double begin = steady_seconds();
          work(system);
          seconds.push_back(steady_seconds() - begin);
        }
      } catch (...) {
        counter.fail(std::current_exception());
      }
      counter.note(worker, seconds);
    }
  };
  {
    std::vector<std::jthread> workers;
    try {
      for (Rank worker = 1; worker < num_threads; ++worker) {
        workers.emplace_back(run_worker, worker);
      }
    } catch (const std::system_error&) {
      // Those do that the system has started.
    }
    run_worker(0);
  }
  counter.rethrow();
}

template <Scalar S>
SolveReport Batch::solve(const SparseMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x, Operation operation) const {
  const Factorization<S> factorization(parts_->analysis_of(matrix), matrix);
  return factorization.solve(b, x, operation);
}

template SolveReport Batch::solve(const SparseMatrix<float>&, DenseView<const float>, DenseView<float>, Operation) const;
template SolveReport Batch::solve(const SparseMatrix<double>&, DenseView<const double>, DenseView<double>, Operation) const;
template SolveReport Batch::solve(const SparseMatrix<std::complex<float>>&, DenseView<const std::complex<float>>,
                                  DenseView<std::complex<float>>, Operation) const;
template SolveReport Batch::solve(const SparseMatrix<std::complex<double>>&, DenseView<const std::complex<double>>,
                                  DenseView<std::complex<double>>, Operation) const;

}  // namespace frond
