// SPDX-License-Identifier: BSD-3-Clause
// Finds what the figures of a solver are taken from.
#include "factorization/factorize.hpp"
#include "factorization/ghosts/memory_estimate.hpp"
#include "interfaces/c/solver_of.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/tables/figures.hpp"
#include "solver/thin/thin_analysis.hpp"

namespace frond {

template <Scalar S>
FigureSources SolverOf<S>::figure_sources() const {
  FigureSources sources;
  sources.index_base = static_cast<Index>(settings_.base().first);
  sources.is_complex = kIsComplex<S>;
  if (factorization_ || analysis_) {
    const Analysis analysis = factorization_ ? factorization_->analysis() : *analysis_;
    if (const std::shared_ptr<const ThinAnalysis>& thin = analysis.thin()) {
      sources.analysis = analysis_figures(thin->plan());
      sources.memory = [thin] { return estimate_memory(thin->plan(), sizeof(S)); };
      sources.elimination_order = thin->plan().order.column_order;
    } else {
      add_figures_of_tree(analysis.parts(), sources);
    }
  }
  if (factorization_) {
    sources.factorization = &factorization_->report();
  } else if (once_) {
    sources.factorization = &*once_;
  }
  return sources;
}

template <Scalar S>
void SolverOf<S>::add_figures_of_tree(const AnalysisParts& parts, FigureSources& sources) const {
  const FactorizationOptions& options = settings_.options().factorization;
  sources.analysis = analysis_figures(*parts.symbolic, parts.method);
  sources.memory = [parts, num_threads = number_of_threads(options.num_threads), kept = options.kept] {
    return estimate_memory(*parts.symbolic, parts.method, sizeof(S), num_threads, kept);
  };
  sources.elimination_order = parts.symbolic->permutation().perm;
}

#define FROND_INSTANTIATE(S) template FigureSources SolverOf<S>::figure_sources() const;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
