// SPDX-License-Identifier: BSD-3-Clause
// Saves and loads section after section.
#include "solver/local/saved_local.hpp"

#include <fmt/core.h>

#include <new>
#include <span>
#include <utility>

#include "frond/error.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {

template <Scalar S>
void save_local(const LocalBackend<S>& system, const SavedTarget& target) {
  using R = RealOf<S>;
  const SystemMatrix<S> matrix = system.matrix();
  const Symbolic& symbolic = system.symbolic();
  const AnalysedMatrix<S> analysed(symbolic, matrix, system.report().method);
  const SavedSystem saved = system.described(analysed.view().values, system.report());
  const std::span<const R> rows = system.row_scaling();
  const std::span<const R> cols = system.col_scaling();
  Scaling<R> scaling{{rows.begin(), rows.end()}, {cols.begin(), cols.end()}};
  write_saved(target, [&](SavedFileWriter& file) {
    write_system(file, saved, parts_of(symbolic));
    file.section(SavedSection::scaling, scaling);
    if (system.has_lower_factors()) {
      write_factors(file, system.lower_factors()->factors());
    } else {
      write_factors(file, *system.factors());
    }
  });
}

template <Scalar S>
std::unique_ptr<LocalBackend<S>> load_local(const SavedSource& source, SystemMatrix<S> matrix, SolverOptions options) {
  try {
    SavedFileReader file(source);
    const std::string& path = source.path;
    SavedSystem saved = read_system(file);
    check_saved_system<S>(path, saved, options.method);
    std::shared_ptr<const Symbolic> symbolic = saved_analysis(path, saved, read_symbolic(file));
    const AnalysedMatrix<S> analysed = check_saved_matrix(path, saved, *symbolic, matrix);
    options.factorization.kept = KeptFactors::all;
    FactorizationState<S> state{.report = std::move(saved.report)};
    state.levels = levels_of<S>(*symbolic, analysed.view().values);
    Scaling<RealOf<S>> scaling = read_scaling<RealOf<S>>(file, symbolic->order());
    const Method method = state.report.method;
    std::optional<Factors<S>> factors;
    std::optional<LowerFactors<S>> lower_factors;
    if (state.report.is_mixed) {
      lower_factors.emplace(read_factors<LowerOf<S>>(file, symbolic, method, {}, {}, options.factorization), std::move(scaling));
    } else {
      factors.emplace(
          read_factors<S>(file, symbolic, method, std::move(scaling.rows), std::move(scaling.cols), options.factorization));
    }
    file.expect_end();
    return std::make_unique<LocalBackend<S>>(std::move(symbolic), matrix, std::move(options), analysed.num_missing(),
                                             std::move(state), std::move(factors), std::move(lower_factors));
  } catch (const std::bad_alloc&) {
    throw MemoryError(
        fmt::format("{}: the system refuses memory for the saved factors: free some, or raise the limit of the process",
                    source.path),
        0, 0);
  }
}

#define FROND_INSTANTIATE(S)                                            \
  template void save_local(const LocalBackend<S>&, const SavedTarget&); \
  template std::unique_ptr<LocalBackend<S>> load_local(const SavedSource&, SystemMatrix<S>, SolverOptions);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
