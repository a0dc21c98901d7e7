// SPDX-License-Identifier: BSD-3-Clause
// Half of the factors on every rank, and what all ranks do when that is not enough.
#include "solver/mpi/distributed_once.hpp"

#include <complex>
#include <optional>
#include <string>
#include <utility>

#include "matrices/error.hpp"
#include "solver/mpi/agreement.hpp"
#include "solver/ranks/rank_solve.hpp"
#include "solver/verdict/half_factors.hpp"
#include "solver/verdict/outcome.hpp"
#include "solver/verdict/proof_search.hpp"

namespace frond {

// What `factorization` is for here: the networks of the ranks, scales and mapping, and a second run if the first one will not do.
template <Scalar S>
class DistributedHalfSolve {
 public:
  explicit DistributedHalfSolve(const std::shared_ptr<const DistributedSystem<S>>& system)
      : system_(*system), factorization_(system, SystemReport()) {}

  DistributedOnceReport run(const DenseRows<const S>& b, const DenseRows<S>& x) {
    const RankSides<S> sides{b, x, factorization_.agree_on_columns(b, x)};
    std::string reason =
        reason_to_keep_all(*system_.symbolic(), system_.method(), system_.matrix().transposed, system_.options().solver);
    if (!reason.empty()) {
      return solve_with_all_factors(sides, kept_all_note(reason));
    }
    factorization_.note_circumstances();
    SolveReport solved;
    try {
      reason = eliminate(sides, solved);
    } catch (const MemoryError& error) {  // over delayed pivots, perhaps, that no values can provide
      reason = error.what();
    } catch (const BudgetError& error) {  // over delayed pivots
      reason = error.what();
    }
    return reason.empty() ? report(std::move(solved)) : solve_with_all_factors(sides, factorized_again_note(reason));
  }

 private:
  [[nodiscard]] DistributedOnceReport report(SolveReport solved) const {
    return {{factorization_.report(), std::move(solved)}, factorization_.rank_counts()};
  }

  DistributedOnceReport solve_with_all_factors(const RankSides<S>& sides, std::string note) {
    factorization_.factors_.reset();
    factorization_.state_.kept = KeptFactors::all;
    factorization_.state_.report = SystemReport();
    factorization_.note_circumstances();
    factorization_.factorize();
    SolveReport solved = factorization_.solve_rows(sides.b, sides.x);
    DistributedOnceReport all = report(std::move(solved));
    all.whole.system.notes.insert(all.whole.system.notes.begin(), std::move(note));
    return all;
  }

  // B and A are eliminated together. Why X is not good enough; empty if it is.
  std::string eliminate(const RankSides<S>& sides, SolveReport& solved) {
    factorization_.state_.kept = KeptFactors::backward;
    factorization_.take_way_of_attempt(Method::lu);
    const Scaling<RealOf<S>>& scaling = factorization_.state_.scaling;
    const Symbolic& symbolic = *system_.symbolic();
    std::optional<RankForwardElimination<S>> elimination;
    agree(system_.ranks(), [&] {
      mapping_ = system_.mapping(Method::lu);
      elimination.emplace(symbolic, mapping_, system_.ranks().rank(), sides.num_columns,
                          system_.options().solver.factorization.num_threads);
    });
    load(sides, *elimination);
    SystemReport& of_system = factorization_.state_.report;
    of_system.factorization = factorization_.factorize_scaled(Method::lu, &*elimination);
    std::string doubt = doubt_about_pivots<S>(of_system.factorization);
    if (!doubt.empty()) {
      return doubt;
    }
    note_perturbations(of_system);
    presume_rank(of_system, symbolic.order(), symbolic.structural_rank());
    std::optional<EliminatedSides<S>> eliminated;
    agree(system_.ranks(), [&] { eliminated = elimination->finish(*factorization_.factors_); });
    const EliminatedRankSystem<S> half{{symbolic, mapping_, Method::lu, *factorization_.factors_, scaling.rows, scaling.cols},
                                       &*eliminated};
    solved = judge<S>(measure(half, sides), of_system.factorization, of_system.rank, symbolic.order());
    return doubt_about_solution<S>(solved);
  }

  // Brings B to the masters.
  void load(const RankSides<S>& sides, RankForwardElimination<S>& elimination) {
    const Scaling<RealOf<S>>& scaling = factorization_.state_.scaling;
    factorization_.run([&] {
      return std::make_unique<RankSolve<S>>(
          UnfactorizedRankSystem<S>{*system_.symbolic(), mapping_, scaling.rows, scaling.cols, &elimination}, Operation::plain,
          RankSides<S>{sides.b, {}, sides.num_columns}, factorization_.main_);
    });
  }

  // The backward sweep, and the errors of what comes of it.
  std::vector<ColumnReport> measure(const EliminatedRankSystem<S>& half, const RankSides<S>& sides) {
    const RefinementOptions no_refinement{.max_steps = 0, .max_krylov_steps = 0};
    SolvedColumns<S> none;
    return factorization_.solve_and_measure(half, Operation::plain, sides, no_refinement, none);
  }

  const DistributedSystem<S>& system_;
  DistributedFactorization<S> factorization_;
  Mapping mapping_;
};

template <Scalar S>
DistributedOnceReport solve_once_rows(const std::shared_ptr<const DistributedSystem<S>>& system, const DenseRows<const S>& b,
                                      const DenseRows<S>& x) {
  return DistributedHalfSolve<S>(system).run(b, x);
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
