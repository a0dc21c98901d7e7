// SPDX-License-Identifier: BSD-3-Clause
// The way of a linear system through the phases, on all ranks at once.
#include "solver/mpi/distributed_factorization.hpp"

#include <fmt/core.h>

#include <utility>

#include "analysis/structural_rank.hpp"
#include "factorization/rank_factorize.hpp"
#include "loadinfo/mpi/collective.hpp"
#include "matrices/build.hpp"
#include "solver/equilibrate.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/report_exchange.hpp"

namespace frond {
namespace {

constexpr Count kMainBuffer = Count{32} << 20;     // bytes under way from a rank: many pieces of contribution blocks
constexpr Count kLoadBuffer = Count{1} << 20;      // load messages have some tens of bytes
constexpr Count kCensusBytesPerRank = Count{4096};  // a question and a verdict

template <Scalar S>
RankFactorizationOptions rank_options(const DistributedOptions& options) {
  const FactorizationOptions& factorization = options.solver.factorization;
  RankFactorizationOptions result;
  result.pivoting = factorization.pivoting;
  result.num_threads = factorization.num_threads;
  result.memory_limit = factorization.memory_limit;
  result.memory = factorization.memory;
  result.progress = factorization.progress;
  result.load_exchange = options.load_exchange;
  result.schedule = options.schedule;
  result.load_service = options.load_service;
  result.driver.watchdog_seconds = options.watchdog_seconds;
  result.driver.tell_wait = options.tell_wait;
  return result;
}

}  // namespace

template <Scalar S>
DistributedFactorization<S>::DistributedFactorization(std::shared_ptr<const DistributedSystem<S>> system)
    : system_(std::move(system)),
      main_(system_->ranks().duplicate(), kMainBuffer),
      control_(system_->ranks().duplicate(), kCensusBytesPerRank * system_->ranks().num_ranks()),
      load_(system_->ranks().duplicate(), kLoadBuffer) {
  factorize_with(system_->method());
  if (report_.factorization.status == FactorizationStatus::not_positive_definite && !system_->options().solver.method) {
    const Method fallback = indefinite_method<S>(system_->matrix().stored.pattern.symmetry);
    report_.notes.push_back(fallback_note(report_.factorization, fallback));
    factorize_with(fallback);
  }
}

template <Scalar S>
void DistributedFactorization<S>::factorize_with(Method method) {
  const Communicator& ranks = system_->ranks();
  const MatrixView<S> whole = system_->analysed();
  std::unique_ptr<RankFactorization<S>> factorization;
  agree(ranks, [&] {
    mapping_ = system_->mapping(method);
    Scaling<RealOf<S>> scaling = equilibrate(whole, system_->options().solver.equilibration);
    report_.equilibration_sweeps = scaling.num_sweeps;
    factorization = std::make_unique<RankFactorization<S>>(
        RankProblem<S>{system_->symbolic(), mapping_, method, whole.values, std::move(scaling.rows), std::move(scaling.cols)},
        rank_options<S>(system_->options()), RankChannels{main_, control_, load_, ranks.gate().threads_may_call()});
  });
  report_.method = method;
  try {
    RankFactorizationResult<S> result = factorization->run();
    factors_ = std::move(result.factors);
    report_.factorization = combined_report(ranks, result.report);
    counts_ = all_gather_values(ranks, result.counts);
  } catch (const MemoryError& error) {
    take_structural_verdict(error);
  }
}

// As in Factorization: a matrix that its pattern makes singular is singular, whatever memory ended over it.
template <Scalar S>
void DistributedFactorization<S>::take_structural_verdict(const MemoryError& error) {
  factors_.reset();
  report_.factorization = structural_verdict(system_->analysed(), error, report_.notes);
}

template class DistributedFactorization<float>;
template class DistributedFactorization<double>;
template class DistributedFactorization<std::complex<float>>;
template class DistributedFactorization<std::complex<double>>;

}  // namespace frond
