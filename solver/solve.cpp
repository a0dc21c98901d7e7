// SPDX-License-Identifier: BSD-3-Clause
// One process that does all of it.
#include "frond/solve.hpp"

#include <fmt/core.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/course/once_course.hpp"
#include "solver/course/system_course.hpp"
#include "solver/local/local_backend.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {

template <Scalar S>
Solution<S> solve(const SystemMatrix<S>& matrix, std::type_identity_t<std::span<const S>> b, const SolverOptions& options) {
  if (b.size() != static_cast<std::size_t>(matrix.order())) {
    throw UsageError(fmt::format("the matrix has order {}, but b has {} entries", matrix.order(), b.size()));
  }
  const Factorization<S> factorization(analyze(matrix, options), matrix);
  Solution<S> solution{std::vector<S>(b.size()), {}};
  solution.report = factorization.solve(b, solution.x);
  return solution;
}

template <Scalar S>
OnceReport solve_once(const Analysis& analysis, const SystemMatrix<S>& matrix, DenseView<const S> b, DenseView<S> x) {
  check_system(matrix);
  check_right_hand_sides(matrix.order(), b, x);
  SolverOptions options = analysis.options();
  options.factorization.kept = KeptFactors::all;
  const Analysis keeping_all = analysis.with_options(std::move(options));
  return on_threads(keeping_all.options().factorization.num_threads, [&] {
    auto backend = std::make_unique<LocalBackend<S>>(keeping_all.parts(), matrix);
    std::vector<std::string> notes;
    note_missing_entries(backend->num_missing(), notes);
    SystemCourse<S> system(std::move(backend), std::move(notes));
    return OnceCourse<S>(system).run({{{}, b}, {{}, x}, b.cols});
  });
}

template Solution<float> solve(const SystemMatrix<float>&, std::span<const float>, const SolverOptions&);
template OnceReport solve_once(const Analysis&, const SystemMatrix<float>&, DenseView<const float>, DenseView<float>);
template Solution<double> solve(const SystemMatrix<double>&, std::span<const double>, const SolverOptions&);
template OnceReport solve_once(const Analysis&, const SystemMatrix<double>&, DenseView<const double>, DenseView<double>);
template Solution<std::complex<float>> solve(const SystemMatrix<std::complex<float>>&, std::span<const std::complex<float>>,
                                             const SolverOptions&);
template OnceReport solve_once(const Analysis&, const SystemMatrix<std::complex<float>>&, DenseView<const std::complex<float>>,
                               DenseView<std::complex<float>>);
template Solution<std::complex<double>> solve(const SystemMatrix<std::complex<double>>&, std::span<const std::complex<double>>,
                                              const SolverOptions&);
template OnceReport solve_once(const Analysis&, const SystemMatrix<std::complex<double>>&, DenseView<const std::complex<double>>,
                               DenseView<std::complex<double>>);

}  // namespace frond
