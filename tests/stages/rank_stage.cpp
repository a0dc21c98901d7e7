// SPDX-License-Identifier: BSD-3-Clause
// The ranks of MPI.
#include <algorithm>
#include <complex>
#include <utility>

#include "frond/dense.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/mpi/distributed_once.hpp"
#include "tests/solver/mpi/spread_options.hpp"
#include "tests/stages/stage.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond::stages {
namespace {

const Communicator& ranks() {
  static const Communicator* const kRanks = new Communicator(Communicator::world(test::mpi_gate()));  // MPI ends before statics
  return *kRanks;
}

DistributedOptions distributed(const StageOptions& options) {
  DistributedOptions spread = options.layout == Layout::grid ? testing::spread_with_grid(ranks()) : testing::spread();
  const MappingOptions mapping = spread.solver.analysis.mapping;
  spread.solver = options.solver;
  spread.solver.analysis.mapping = mapping;
  spread.solver.factorization.num_threads = std::max(1, options.solver.factorization.num_threads);
  return spread;
}

template <Scalar S>
const SystemMatrix<S>* given(const SystemMatrix<S>& matrix) {
  return is_led_here() ? &matrix : nullptr;
}

template <Scalar S>
class RankStaged final : public StagedFactorization<S> {
 public:
  explicit RankStaged(std::unique_ptr<DistributedFactorization<S>> factorization) : factorization_(std::move(factorization)) {}

  [[nodiscard]] const SystemReport& report() const override { return factorization_->report(); }
  [[nodiscard]] const Symbolic& symbolic() const override { return factorization_->symbolic(); }
  SolveReport solve(const DenseMatrix<S>& b, DenseMatrix<S>& x, Operation operation) override {
    return factorization_->solve(view_of(b), view_of(x), operation, SolutionPlace::all_ranks);
  }
  SolveReport solve_sparse(const SparseMatrix<S>& b, DenseMatrix<S>& x) override {
    return factorization_->solve_sparse(is_led_here() ? b.view() : MatrixView<S>{}, view_of(x), Operation::plain,
                                        SolutionPlace::all_ranks);
  }
  [[nodiscard]] NullSpace<S> null_space(Operation operation) override {
    return factorization_->null_space(operation, SolutionPlace::all_ranks);
  }
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern) override {
    return factorization_->inverse_entries(is_led_here() ? pattern : PatternView{});
  }
  void solve_part(FactorPart part, Operation operation, DenseMatrix<S>& x) override {
    factorization_->solve_part(part, operation, is_led_here() ? view_of(x) : DenseView<S>{});
  }
  void save(const std::string& path) override { factorization_->save(path); }

 private:
  std::unique_ptr<DistributedFactorization<S>> factorization_;
};

template <Scalar S>
class RankSystemOnStage final : public StagedSystem<S> {
 public:
  explicit RankSystemOnStage(std::shared_ptr<const DistributedSystem<S>> system) : system_(std::move(system)) {}

  [[nodiscard]] const Symbolic& symbolic() const override { return *system_->symbolic(); }
  [[nodiscard]] std::unique_ptr<StagedFactorization<S>> factorize() const override {
    return std::make_unique<RankStaged<S>>(std::make_unique<DistributedFactorization<S>>(system_));
  }
  [[nodiscard]] std::unique_ptr<StagedSystem<S>> with_values(const SystemMatrix<S>& matrix) const override {
    return std::make_unique<RankSystemOnStage>(std::make_shared<const DistributedSystem<S>>(*system_, given(matrix)));
  }
  OnceReport solve_once(const DenseMatrix<S>& b, DenseMatrix<S>& x) const override {
    return frond::solve_once<S>(system_, view_of(b), view_of(x), SolutionPlace::all_ranks).whole;
  }

 private:
  std::shared_ptr<const DistributedSystem<S>> system_;
};

}  // namespace

template <Scalar S>
std::unique_ptr<StagedSystem<S>> analyse(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return std::make_unique<RankSystemOnStage<S>>(
      std::make_shared<const DistributedSystem<S>>(ranks(), given(matrix), distributed(options)));
}

template <Scalar S>
std::unique_ptr<StagedFactorization<S>> load(const std::string& path, const SystemMatrix<S>& matrix, const StageOptions& options) {
  return std::make_unique<RankStaged<S>>(DistributedFactorization<S>::load(ranks(), path, given(matrix), distributed(options)));
}

bool is_led_here() { return ranks().rank() == 0; }
std::vector<Layout> layouts() { return {Layout::rows, Layout::grid}; }
std::uint64_t num_seeds(std::uint64_t in_one_process) { return (in_one_process + 4) / 5; }

template std::unique_ptr<StagedSystem<float>> analyse(const SystemMatrix<float>&, const StageOptions&);
template std::unique_ptr<StagedSystem<double>> analyse(const SystemMatrix<double>&, const StageOptions&);
template std::unique_ptr<StagedSystem<std::complex<float>>> analyse(const SystemMatrix<std::complex<float>>&, const StageOptions&);
template std::unique_ptr<StagedSystem<std::complex<double>>> analyse(const SystemMatrix<std::complex<double>>&,
                                                                     const StageOptions&);
template std::unique_ptr<StagedFactorization<float>> load(const std::string&, const SystemMatrix<float>&, const StageOptions&);
template std::unique_ptr<StagedFactorization<double>> load(const std::string&, const SystemMatrix<double>&, const StageOptions&);
template std::unique_ptr<StagedFactorization<std::complex<float>>> load(const std::string&,
                                                                        const SystemMatrix<std::complex<float>>&,
                                                                        const StageOptions&);
template std::unique_ptr<StagedFactorization<std::complex<double>>> load(const std::string&,
                                                                         const SystemMatrix<std::complex<double>>&,
                                                                         const StageOptions&);

}  // namespace frond::stages
