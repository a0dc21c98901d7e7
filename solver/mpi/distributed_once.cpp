// SPDX-License-Identifier: BSD-3-Clause
// Several ranks that factorize and solve in one go.
#include "solver/mpi/distributed_once.hpp"

#include <complex>
#include <utility>

#include "solver/course/once_course.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/mpi/rank_backend.hpp"

namespace frond {

template <Scalar S>
DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<S>>& system, const DenseRows<const S>& b,
                                      const DenseRows<S>& x) {
  SolverOptions options = system->options().solver;
  options.factorization.kept = KeptFactors::all;
  auto backend = std::make_unique<RankBackend<S>>(system, std::move(options));
  const RankSides<S> sides{b, x, backend->agree_on_columns(b, x)};
  SystemCourse<S> course(std::move(backend), circumstances(*system));
  OnceReport report = OnceCourse<S>(course).run(sides);
  return {std::move(report), static_cast<const RankBackend<S>&>(course.current().backend()).rank_counts()};
}

template <Scalar S>
DistributedOnceReport solve_once(const std::shared_ptr<const DistributedSystem<S>>& system, DenseView<const S> b, DenseView<S> x,
                                 SolutionPlace place) {
  std::vector<Index> rows;
  agree(system->ranks(), [&] { rows = all_rows(system->symbolic()->order()); });
  const bool has_b = system->ranks().rank() == 0;
  const bool has_x = has_b || place == SolutionPlace::all_ranks;
  return solve_once_rows<S>(system, all_or_nothing<const S>(has_b, rows, b), all_or_nothing<S>(has_x, rows, x));
}

template DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<float>>&,
                                               const DenseRows<const float>&, const DenseRows<float>&);
template DistributedOnceReport solve_once(const std::shared_ptr<const DistributedSystem<float>>&, DenseView<const float>,
                                          DenseView<float>, SolutionPlace);
template DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<double>>&,
                                               const DenseRows<const double>&, const DenseRows<double>&);
template DistributedOnceReport solve_once(const std::shared_ptr<const DistributedSystem<double>>&, DenseView<const double>,
                                          DenseView<double>, SolutionPlace);
template DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<std::complex<float>>>&,
                                               const DenseRows<const std::complex<float>>&, const DenseRows<std::complex<float>>&);
template DistributedOnceReport solve_once(const std::shared_ptr<const DistributedSystem<std::complex<float>>>&,
                                          DenseView<const std::complex<float>>, DenseView<std::complex<float>>, SolutionPlace);
template DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<std::complex<double>>>&,
                                               const DenseRows<const std::complex<double>>&,
                                               const DenseRows<std::complex<double>>&);
template DistributedOnceReport solve_once(const std::shared_ptr<const DistributedSystem<std::complex<double>>>&,
                                          DenseView<const std::complex<double>>, DenseView<std::complex<double>>, SolutionPlace);

}  // namespace frond
