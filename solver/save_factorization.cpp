// SPDX-License-Identifier: BSD-3-Clause
// Saving and loading what one process has factorized.
#include <fmt/core.h>

#include <new>
#include <utility>

#include "matrices/atomic_file.hpp"
#include "matrices/error.hpp"
#include "solver/factorization.hpp"
#include "solver/saved/saved_factors.hpp"
#include "solver/verdict/outcome.hpp"

namespace frond {
namespace {

template <class R>
Scaling<R> copy_of(std::span<const R> rows, std::span<const R> cols) {
  return {{rows.begin(), rows.end()}, {cols.begin(), cols.end()}};
}

}  // namespace

template <Scalar S>
void Factorization<S>::save(const std::string& path) const {
  if (const Factorization* full = fallback()) {
    full->save(path);
    return;
  }
  check_factors_kept(options_.factorization.kept);
  if (keeps_schur_complement()) {
    throw UsageError("factors that leave a Schur complement cannot be saved: factorize all variables, or factorize again");
  }
  if (!factors_ && !lower_factors_) {
    refuse_to_save_nothing(state_.report.factorization);
  }
  const AnalysedMatrix<S> analysed(*symbolic_, matrix_, state_.report.method);
  const SavedSystem system{kSavedScalar<S>, matrix_.stored.pattern.symmetry, values_hash<S>(analysed.view().values), 1,
                           state_.report};
  Scaling<RealOf<S>> scaling =
      lower_factors_ ? lower_factors_->scaling() : copy_of(factors_->row_scaling(), factors_->col_scaling());
  write_atomically(path, [&](const std::string& name) {
    SavedFileWriter file(name, path);
    write_system(file, system, parts_of(*symbolic_, symbolic_->ordering()));
    file.section(SavedSection::scaling, [&scaling](FieldStream& fields) { visit(fields, scaling); });
    if (lower_factors_) {
      write_factors(file, lower_factors_->factors());
    } else {
      write_factors(file, *factors_);
    }
    file.finish();
  });
}

template <Scalar S>
Factorization<S> Factorization<S>::load(const std::string& path, const SystemMatrix<S>& matrix, SolverOptions options) {
  try {
    SavedFileReader file(path);
    SavedSystem system = read_system(file);
    check_saved_system<S>(path, system, options.method);
    const std::shared_ptr<const Symbolic> symbolic = joined(read_symbolic(file));
    const AnalysedMatrix<S> analysed = check_saved_matrix(path, system, *symbolic, matrix);
    options.factorization.kept = KeptFactors::all;
    Factorization loaded(symbolic, matrix, std::move(options), system.report);
    loaded.state_.levels = levels_of<S>(*symbolic, analysed.view().values);
    Scaling<RealOf<S>> scaling;
    file.section(SavedSection::scaling, [&scaling](FieldStream& fields) { visit(fields, scaling); });
    const SystemReport& report = loaded.state_.report;
    const FactorizationOptions& how = loaded.options_.factorization;
    if (report.is_mixed) {
      Factors<LowerOf<S>> lower = read_factors<LowerOf<S>>(file, symbolic, report.method, {}, {}, how);
      loaded.lower_factors_.emplace(std::move(lower), std::move(scaling));
      loaded.fallback_ = std::make_unique<Fallback>();
    } else {
      loaded.factors_.emplace(
          read_factors<S>(file, symbolic, report.method, std::move(scaling.rows), std::move(scaling.cols), how));
    }
    file.expect_end();
    return loaded;
  } catch (const std::bad_alloc&) {
    throw MemoryError(
        fmt::format("{}: the system refuses memory for the saved factors: free some, or raise the limit of the process", path), 0,
        0);
  }
}

template void Factorization<float>::save(const std::string&) const;
template void Factorization<double>::save(const std::string&) const;
template void Factorization<std::complex<float>>::save(const std::string&) const;
template void Factorization<std::complex<double>>::save(const std::string&) const;
template Factorization<float> Factorization<float>::load(const std::string&, const SystemMatrix<float>&, SolverOptions);
template Factorization<double> Factorization<double>::load(const std::string&, const SystemMatrix<double>&, SolverOptions);
template Factorization<std::complex<float>> Factorization<std::complex<float>>::load(const std::string&,
                                                                                     const SystemMatrix<std::complex<float>>&,
                                                                                     SolverOptions);
template Factorization<std::complex<double>> Factorization<std::complex<double>>::load(const std::string&,
                                                                                       const SystemMatrix<std::complex<double>>&,
                                                                                       SolverOptions);

}  // namespace frond
