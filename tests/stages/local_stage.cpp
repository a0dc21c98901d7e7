// SPDX-License-Identifier: BSD-3-Clause
// One process.
#include <complex>
#include <utility>

#include "frond/dense.hpp"
#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/stages/stage.hpp"

namespace frond::stages {
namespace {

template <Scalar S>
class LocalFactorization final : public StagedFactorization<S> {
 public:
  explicit LocalFactorization(Factorization<S> factorization) : factorization_(std::move(factorization)) {}

  [[nodiscard]] const SystemReport& report() const override { return factorization_.report(); }
  [[nodiscard]] const Symbolic& symbolic() const override { return *factorization_.analysis().parts().symbolic; }
  SolveReport solve(const DenseMatrix<S>& b, DenseMatrix<S>& x, Operation operation) override {
    return factorization_.solve(view_of(b), view_of(x), operation);
  }
  SolveReport solve_sparse(const SparseMatrix<S>& b, DenseMatrix<S>& x) override {
    return factorization_.solve_sparse(b.view(), view_of(x));
  }
  [[nodiscard]] NullSpace<S> null_space(Operation operation) override { return factorization_.null_space(operation); }
  [[nodiscard]] InverseEntries<S> inverse_entries(const PatternView& pattern) override {
    return factorization_.inverse_entries(pattern);
  }
  void solve_part(FactorPart part, Operation operation, DenseMatrix<S>& x) override {
    factorization_.solve_part(part, operation, view_of(x));
  }
  void save(const std::string& path) override { factorization_.save(path); }

 private:
  Factorization<S> factorization_;
};

template <Scalar S>
class LocalSystem final : public StagedSystem<S> {
 public:
  LocalSystem(Analysis analysis, const SystemMatrix<S>& matrix) : analysis_(std::move(analysis)), matrix_(matrix) {}

  [[nodiscard]] const Symbolic& symbolic() const override { return *analysis_.parts().symbolic; }
  [[nodiscard]] std::unique_ptr<StagedFactorization<S>> factorize() const override {
    return std::make_unique<LocalFactorization<S>>(Factorization<S>(analysis_, matrix_));
  }
  [[nodiscard]] std::unique_ptr<StagedSystem<S>> with_values(const SystemMatrix<S>& matrix) const override {
    return std::make_unique<LocalSystem>(analysis_, matrix);
  }
  OnceReport solve_once(const DenseMatrix<S>& b, DenseMatrix<S>& x) const override {
    return frond::solve_once<S>(analysis_, matrix_, view_of(b), view_of(x));
  }

 private:
  Analysis analysis_;
  SystemMatrix<S> matrix_;
};

SolverOptions on_one_thread(const StageOptions& options) {
  SolverOptions solver = options.solver;
  solver.factorization.num_threads = std::max(1, solver.factorization.num_threads);
  return solver;
}

}  // namespace

template <Scalar S>
std::unique_ptr<StagedSystem<S>> analyse(const SystemMatrix<S>& matrix, const StageOptions& options) {
  return std::make_unique<LocalSystem<S>>(analyze(matrix, on_one_thread(options)), matrix);
}

template <Scalar S>
std::unique_ptr<StagedFactorization<S>> load(const std::string& path, const SystemMatrix<S>& matrix, const StageOptions& options) {
  return std::make_unique<LocalFactorization<S>>(Factorization<S>::load(path, matrix, on_one_thread(options)));
}

bool is_led_here() { return true; }
std::vector<Layout> layouts() { return {Layout::rows}; }
std::uint64_t num_seeds(std::uint64_t in_one_process) { return in_one_process; }

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
