// SPDX-License-Identifier: BSD-3-Clause
// Runs Frond in several processes as a peer of itself.
#include <optional>

#include "factorization/memory/region_pool.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/bench/adapters/peer.hpp"
#include "tools/program/process/launched_processes.hpp"

namespace frond {
namespace {

template <Scalar S>
class FrondSolver final : public PeerSolver<S> {
 public:
  explicit FrondSolver(const PeerProblem<S>& problem)
      : problem_(problem), ranks_(mpi_world(std::make_shared<MpiGate>(mpi_thread_level()))) {
    options_.method = problem.method;
    options_.factorization.num_threads = problem.num_threads;
    options_.factorization.memory = std::make_shared<RegionPool>();
    options_.refinement = {.max_steps = 0, .max_krylov_steps = 0};
    if (!problem.ordering.empty()) {
      options_.analysis.ordering = {.kind = OrderingKind::given, .perm = problem.ordering, .row_of_column = problem.row_of_column};
    }
    bind_to_processors(ranks_, problem.num_threads);
  }

  void analyze() override {
    const SystemMatrix<S> matrix(problem_.matrix);
    system_ = std::make_shared<const DistributedSystem<S>>(ranks_, problem_.rank == 0 ? &matrix : nullptr, options_);
  }

  void discard() override { factorization_.reset(); }

  void factorize() override {
    factorization_.emplace(factorize_on_ranks<S>(system_));
    const SystemReport& report = factorization_->report();
    require_success(report.factorization.status == FactorizationStatus::success, "factorization",
                    static_cast<int>(report.factorization.status));
  }

  void solve(std::span<const S> b, std::span<S> x) override {
    const auto n = static_cast<Index>(x.size());
    (void)factorization_->solve(DenseView<const S>{b.data(), n, 1, n}, DenseView<S>{x.data(), n, 1, n});
  }

  [[nodiscard]] Count factor_entries() const override { return factorization_->report().factorization.factor_entries; }

 private:
  const PeerProblem<S>& problem_;
  Communicator ranks_;
  SolverOptions options_;
  std::shared_ptr<const DistributedSystem<S>> system_;
  std::optional<Factorization<S>> factorization_;
};

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  using frond::Method;
  using frond::PeerThreads;
  return frond::run_peer(argc, argv,
                         frond::with_solver<frond::FrondSolver<double>, frond::FrondSolver<std::complex<double>>>(
                             {.solver = "Frond " FROND_VERSION,
                              .real_methods = {Method::cholesky, Method::ldlt, Method::lu},
                              .complex_methods = {Method::cholesky, Method::ldlt, Method::ldlh, Method::lu},
                              .threads = PeerThreads::own,
                              .least_ranks = 2,
                              .most_ranks = 1 << 20,
                              .threads_call_mpi = true}));
}
