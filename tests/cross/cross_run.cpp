// SPDX-License-Identifier: BSD-3-Clause
// Solves one configuration after another, compares it with one process, and records the outcome.
#include "tests/cross/cross_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <memory>
#include <optional>
#include <random>

#include "frond/error.hpp"
#include "frond/named_options.hpp"
#include "matrices/products.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/cross/long_double_error.hpp"
#include "tests/support/oracles/dense_determinant.hpp"

namespace frond::test {
namespace {

using Clock = std::chrono::steady_clock;

// Returns b = A x for x with entries drawn from [1, 2), the same for every number of ranks.
template <Scalar S>
std::vector<S> make_right_hand_side(const SparseMatrix<S>& matrix) {
  std::mt19937_64 engine(1);  // NOLINT(cert-msc51-cpp): results of different launches are compared
  std::vector<S> x(static_cast<std::size_t>(matrix.num_rows));
  for (S& entry : x) {
    entry = 1 + static_cast<RealOf<S>>(engine() >> 11) / static_cast<RealOf<S>>(std::uint64_t{1} << 53);
  }
  std::vector<S> b(x.size());
  multiply<S>(matrix.view(), Operation::plain, x, b);
  return b;
}

SolverOptions distributed_options(const Configuration& configuration, const std::vector<Index>& order) {
  SolverOptions options;
  set_option(options, "load-exchange", configuration.load_exchange);
  set_option(options, "schedule", configuration.schedule);
  set_option(options, "work", configuration.work);
  set_option(options, "load-thread", configuration.load_thread);
  if (!order.empty()) {
    options.analysis.ordering = {.kind = OrderingKind::given, .perm = order};
  }
  return options;
}

// Returns "positive,negative,zero", or "-" where the pivots do not show the signs of the eigenvalues.
template <Scalar S>
std::string inertia_text(const SystemReport& report) {
  const bool has_inertia = report.method != Method::lu && !(report.method == Method::ldlt && kIsComplex<S>);
  const Inertia& inertia = report.factorization.inertia;
  return has_inertia ? fmt::format("{},{},{}", inertia.positive, inertia.negative, inertia.zero) : "-";
}

struct Errors {
  double backward = 0;
  double x_difference = 0;
};

template <Scalar S>
std::string outcome_text(const Factorization<S>& factorization, const OneProcess<S>& one, const Errors& errors, double seconds,
                         Verdict verdict) {
  RankRunCounts total;
  for (const RankRunCounts& counts : rank_backend_of(factorization).rank_counts()) {
    total += counts;
  }
  const SystemReport& report = factorization.report();
  const Mapping& mapping = rank_backend_of(factorization).mapping();
  const double determinant_difference = relative_difference(report.factorization.determinant, one.report.factorization.determinant);
  return fmt::format("{}\t{:.1e}\t{:.1e}\t{:.1e}\t{:.1e}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.2f}\t{}", to_string(report.method),
                     errors.backward, one.condition, errors.x_difference, determinant_difference, inertia_text<S>(report),
                     inertia_text<S>(one.report), report.factorization.num_delayed_pivots,
                     mapping.num_nodes_of(NodeType::row_distributed), mapping.num_nodes_of(NodeType::grid_distributed),
                     total.engine.decisions, total.engine.slaves_chosen, total.load_sent.total_messages(), total.engine.tasks_taken,
                     seconds, to_string(verdict));
}

std::string error_text(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return "-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\terror: " + text;
}

}  // namespace

template <Scalar S>
CrossRun<S>::CrossRun(const Communicator& ranks, const SparseMatrix<S>* matrix) : ranks_(ranks), matrix_(matrix) {
  agree(ranks_, [this] {
    if (matrix_ != nullptr) {
      b_ = make_right_hand_side(*matrix_);
      one_ = solve_in_one_process<S>(*matrix_, b_);
    }
  });
}

template <Scalar S>
std::string CrossRun<S>::run(const Configuration& configuration) {
  try {
    const auto start = Clock::now();
    std::optional<SystemMatrix<S>> given;
    if (matrix_ != nullptr) {
      given.emplace(*matrix_);
    }
    const auto system =
        std::make_shared<const DistributedSystem<S>>(ranks_, given ? &*given : nullptr, distributed_options(configuration, order_));
    order_ = system->symbolic()->permutation().perm;
    auto factorization = factorize_on_ranks<S>(system);
    std::vector<S> x(b_.size());
    const auto n = static_cast<Index>(b_.size());
    const Index ld = std::max(n, Index{1});
    const SolveReport report = factorization.solve(DenseView<const S>{b_.data(), n, 1, ld}, DenseView<S>{x.data(), n, 1, ld});
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    Errors errors;
    if (matrix_ != nullptr) {
      errors = {long_double_backward_error<S>(*matrix_, x, b_), relative_difference<S>(x, one_.x)};
    }
    return outcome_text(factorization, one_, errors, seconds, report.verdict);
  } catch (const CommunicationError&) {
    throw;
  } catch (const Error& error) {
    return error_text(error.what());
  }
}

template class CrossRun<double>;
template class CrossRun<std::complex<double>>;

}  // namespace frond::test
