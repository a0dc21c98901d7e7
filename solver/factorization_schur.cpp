// SPDX-License-Identifier: BSD-3-Clause
// The whole system where the factors leave a Schur complement.
#include <algorithm>
#include <complex>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "matrices/error.hpp"
#include "solver/factorization.hpp"
#include "solver/schur/schur_complement.hpp"
#include "solver/schur/schur_doubt.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {

// The whole system, by the factors of A11 and of the Schur complement, or by those of A where these do not tell its rank.
template <Scalar S>
SolveReport Factorization<S>::solve_with_schur(DenseView<const S> b, DenseView<S> x, Operation operation,
                                               ErrorBounds bounds) const {
  const bool has_complement = has_schur_complement();
  const FactorizationReport factorized =
      has_complement ? with_schur_factor(state_.report.factorization, dense_schur(), symbolic_->schur_variables())
                     : state_.report.factorization;
  if (factorized.status == FactorizationStatus::not_positive_definite) {
    fill_with_nan(x);
    return judge<S>({}, factorized, rank_of_all(factorized), matrix_.order());
  }
  settle_whole();
  if (schur_->whole) {
    return solve_with_whole(b, x, operation, bounds);
  }
  if (!schur_->is_in_doubt) {
    return solve_with(factorized, b, x, operation, bounds);
  }
  FactorizationReport doubtful = factorized;
  leave_in_doubt(doubtful);
  SolveReport report;
  if (has_complement) {
    report = solve_with(doubtful, b, x, operation, bounds);
  } else {
    fill_with_nan(x);
    report = judge<S>({}, doubtful, rank_of_all(doubtful), matrix_.order());
    report.notes.emplace_back(kNoSchurComplementNote);
  }
  report.notes.emplace_back(kNoMemoryForWholeNote);
  return report;
}

template <Scalar S>
SolveReport Factorization<S>::solve_with_whole(DenseView<const S> b, DenseView<S> x, Operation operation,
                                               ErrorBounds bounds) const {
  SolveReport report = schur_->whole->solve_and_bound(b, x, operation, bounds);
  const std::vector<std::string>& notes = schur_->whole->report().notes;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  report.notes.insert(report.notes.begin(), whole_once_more_note(has_schur_complement()));
  return report;
}

// Once: what is in doubt is factorized without a Schur complement, as if none had been asked for.
template <Scalar S>
void Factorization<S>::settle_whole() const {
  const std::lock_guard lock(schur_->settling);
  if (schur_->is_settled) {
    return;
  }
  schur_->is_in_doubt =
      !has_schur_complement() || dense_schur().status() == FactorizationStatus::singular ||
      is_whole_rank_in_doubt<S>(matrix_.stored, factors_->row_scaling(), factors_->col_scaling(), solve_in_place(),
                                relative_null_threshold<S>(matrix_.order(), options_.factorization.pivoting));
  if (schur_->is_in_doubt) {
    SolverOptions options = options_;
    options.analysis.schur_variables.clear();
    options.factorization.progress = {};  // whoever watched the factorization may be gone
    options.factorization.budget = {};    // which was that of a part
    Count& limit = options.factorization.memory_limit;
    if (limit > 0) {
      limit = std::max(limit - state_.report.factorization.factor_bytes, kNoMemoryIsLeft);
    }
    try {
      schur_->whole = std::make_unique<Factorization>(analyze(matrix_, options), matrix_, options);
    } catch (const MemoryError&) {  // the factors that are there are as good as it gets
    } catch (const std::bad_alloc&) {
    }
  }
  schur_->is_settled = true;
}

template SolveReport Factorization<float>::solve_with_schur(DenseView<const float>, DenseView<float>, Operation, ErrorBounds) const;
template SolveReport Factorization<float>::solve_with_whole(DenseView<const float>, DenseView<float>, Operation, ErrorBounds) const;
template void Factorization<float>::settle_whole() const;
template SolveReport Factorization<double>::solve_with_schur(DenseView<const double>, DenseView<double>, Operation,
                                                             ErrorBounds) const;
template SolveReport Factorization<double>::solve_with_whole(DenseView<const double>, DenseView<double>, Operation,
                                                             ErrorBounds) const;
template void Factorization<double>::settle_whole() const;
template SolveReport Factorization<std::complex<float>>::solve_with_schur(DenseView<const std::complex<float>>,
                                                                          DenseView<std::complex<float>>, Operation,
                                                                          ErrorBounds) const;
template SolveReport Factorization<std::complex<float>>::solve_with_whole(DenseView<const std::complex<float>>,
                                                                          DenseView<std::complex<float>>, Operation,
                                                                          ErrorBounds) const;
template void Factorization<std::complex<float>>::settle_whole() const;
template SolveReport Factorization<std::complex<double>>::solve_with_schur(DenseView<const std::complex<double>>,
                                                                           DenseView<std::complex<double>>, Operation,
                                                                           ErrorBounds) const;
template SolveReport Factorization<std::complex<double>>::solve_with_whole(DenseView<const std::complex<double>>,
                                                                           DenseView<std::complex<double>>, Operation,
                                                                           ErrorBounds) const;
template void Factorization<std::complex<double>>::settle_whole() const;

}  // namespace frond
