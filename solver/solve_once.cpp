// SPDX-License-Identifier: BSD-3-Clause
// One process that factorizes and solves in one go.
#include "solver/solve_once.hpp"

#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "solver/course/system_course.hpp"
#include "solver/local/local_backend.hpp"
#include "solver/problem/analysed_matrix.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {

template <Scalar S>
OnceReport solve_once(const std::shared_ptr<const Symbolic>& symbolic, const SystemMatrix<S>& matrix, DenseView<const S> b,
                      DenseView<S> x, SolverOptions options) {
  check_system(matrix);
  check_schur_variables(options.analysis.schur_variables, *symbolic);
  check_right_hand_sides(matrix.order(), b, x);
  options.factorization.kept = KeptFactors::all;
  return on_threads(options.factorization.num_threads, [&] {
    auto backend = std::make_unique<LocalBackend<S>>(symbolic, matrix, std::move(options));
    std::vector<std::string> notes;
    note_missing_entries(backend->num_missing(), notes);
    SystemCourse<S> system(std::move(backend), std::move(notes));
    return OnceCourse<S>(system).run({{{}, b}, {{}, x}, b.cols});
  });
}

template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<float>&, DenseView<const float>,
                               DenseView<float>, SolverOptions);
template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<double>&, DenseView<const double>,
                               DenseView<double>, SolverOptions);
template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<std::complex<float>>&,
                               DenseView<const std::complex<float>>, DenseView<std::complex<float>>, SolverOptions);
template OnceReport solve_once(const std::shared_ptr<const Symbolic>&, const SystemMatrix<std::complex<double>>&,
                               DenseView<const std::complex<double>>, DenseView<std::complex<double>>, SolverOptions);

}  // namespace frond
