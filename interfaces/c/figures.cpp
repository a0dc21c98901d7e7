// SPDX-License-Identifier: BSD-3-Clause
// One row per figure: its name, type, meaning, and getter.
#include "interfaces/c/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "frond/error.hpp"
#include "frond/named_options.hpp"
#include "solver/numerics/problem/counted_from.hpp"
#include "solver/numerics/problem/known_inertia.hpp"
#include "solver/options/suggestion.hpp"

namespace frond {
namespace {

using Known = std::optional<Figure>;

/// The phase that makes a figure known.
enum class Source { analysis, factorization, solve };

struct Row {
  FigureInfo info;
  Known (*get)(const FigureSources&);
  Source source = Source::analysis;
};

std::vector<std::int64_t> based(const std::vector<Index>& indices, std::int64_t base) {
  std::vector<std::int64_t> result(indices.size());
  std::transform(indices.begin(), indices.end(), result.begin(), [base](Index index) { return index + base; });
  return result;
}

// Getters that need an analysis, a factorization or a solve; without it they return nothing.
template <auto Take>
Known of_analysis(const FigureSources& sources) {
  return sources.analysis ? Known(Take(*sources.analysis)) : std::nullopt;
}
template <auto Take>
Known of_factorization(const FigureSources& sources) {
  return sources.factorization ? Known(Take(*sources.factorization)) : std::nullopt;
}
template <auto Take>
Known of_solve(const FigureSources& sources) {
  return sources.solve ? Known(Take(*sources.solve)) : std::nullopt;
}

// NaN stands for unknown values.
Known if_number(double value) { return std::isnan(value) ? std::nullopt : Known(value); }

using A = FigureSources::OfAnalysis;
using F = SystemReport;
using S = SolveReport;

std::int64_t integer(auto value) { return static_cast<std::int64_t>(value); }

template <auto Member>
Known inertia(const FigureSources& sources) {
  return sources.factorization && has_inertia(*sources.factorization, sources.is_complex)
             ? Known(integer(sources.factorization->factorization.inertia.*Member))
             : std::nullopt;
}

template <auto Take>
Known determinant(const FigureSources& sources) {
  const bool is_known = sources.factorization && has_determinant(*sources.factorization);
  return is_known ? Known(Take(sources.factorization->factorization.determinant)) : std::nullopt;
}

template <auto Member>
Known worst(const FigureSources& sources) {
  return sources.solve && !sources.solve->columns.empty() ? if_number(static_cast<double>(sources.solve->worst().*Member))
                                                          : std::nullopt;
}

template <auto Member>
Known most(const FigureSources& sources) {
  return sources.solve && !sources.solve->columns.empty() ? Known(integer(sources.solve->worst().*Member)) : std::nullopt;
}

template <auto Member>
Known of_columns(const FigureSources& sources) {
  if (!sources.solve) {
    return std::nullopt;
  }
  std::vector<double> values;
  std::transform(sources.solve->columns.begin(), sources.solve->columns.end(), std::back_inserter(values),
                 [](const ColumnReport& column) { return column.*Member; });
  return values;
}

Known notes(const FigureSources& sources) {
  if (!sources.factorization && !sources.solve) {
    return std::nullopt;
  }
  std::vector<std::string> sentences = sources.factorization ? sources.factorization->notes : std::vector<std::string>();
  if (sources.solve) {
    for (const std::string& sentence : sources.solve->notes) {
      if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
        sentences.push_back(sentence);
      }
    }
  }
  return counted_from(fmt::format("{}", fmt::join(sentences, "\n")), static_cast<Index>(sources.index_base));
}

Known description(const FigureSources& sources) {
  return sources.solve ? Known(counted_from(sources.solve->describe(), static_cast<Index>(sources.index_base))) : std::nullopt;
}

Known null_pivots(const FigureSources& sources) {
  return sources.factorization ? Known(based(sources.factorization->factorization.null_pivots, sources.index_base)) : std::nullopt;
}

Known order_of_elimination(const FigureSources& sources) {
  return sources.analysis ? Known(based(sources.analysis->symbolic->permutation().perm, sources.index_base)) : std::nullopt;
}

constexpr std::array kRows = {
    Row{{"n", "integer", "the order of the matrix"}, of_analysis<[](const A& a) { return integer(a.symbolic->order()); }>},
    Row{{"method", "text", "cholesky, ldlt, ldlh or lu"},
        [](const FigureSources& sources) -> Known {
          return sources.factorization ? Known(to_string(sources.factorization->method))
                 : sources.analysis    ? Known(to_string(sources.analysis->method))
                                       : std::nullopt;
        }},
    Row{{"structural_rank", "integer", "the largest rank that values could give the pattern"},
        of_analysis<[](const A& a) { return integer(a.symbolic->structural_rank()); }>},
    Row{{"blocks", "integer", "irreducible diagonal blocks of the block triangular form; 0: it was not looked for any"},
        of_analysis<[](const A& a) { return integer(a.symbolic->blocks().num_blocks); }>},
    Row{{"fronts", "integer", "nodes of the assembly tree"},
        of_analysis<[](const A& a) { return integer(a.symbolic->tree().num_nodes()); }>},
    Row{{"largest_front", "integer", "the order of the largest front that is predicted"},
        of_analysis<[](const A& a) { return integer(a.estimate().max_front_order); }>},
    Row{{"elimination_order", "integers", "the variables in the order of their elimination"}, order_of_elimination},
    Row{{"predicted_factor_flops", "real", "what a factorization takes when no pivot is delayed"},
        of_analysis<[](const A& a) { return a.estimate().front_flops; }>},
    Row{{"predicted_factor_entries", "integer", "of the factors, likewise"},
        of_analysis<[](const A& a) { return integer(a.estimate().factor_entries); }>},
    Row{{"predicted_factor_bytes", "integer", "of the factors, likewise"},
        of_analysis<[](const A& a) { return integer(a.memory().factor_bytes); }>},
    Row{{"predicted_peak_bytes", "integer", "factors and fronts together at their highest, likewise"},
        of_analysis<[](const A& a) { return integer(a.memory().peak_bytes()); }>},
    Row{{"analysis_seconds", "real", "that the analysis took"},
        of_analysis<[](const A& a) { return a.symbolic->ordering().analysis_seconds; }>},
    Row{{"factor_flops", "real", "that the factorization took"},
        of_factorization<[](const F& f) { return f.factorization.flops; }>,
        Source::factorization},
    Row{{"factor_entries", "integer", "of the factors"},
        of_factorization<[](const F& f) { return integer(f.factorization.factor_entries); }>,
        Source::factorization},
    Row{{"factor_bytes", "integer", "of the factors that are kept"},
        of_factorization<[](const F& f) { return integer(f.factorization.factor_bytes); }>,
        Source::factorization},
    Row{{"metered_peak_bytes", "integer", "factors and fronts together at their highest"},
        of_factorization<[](const F& f) { return integer(f.factorization.peak_bytes); }>,
        Source::factorization},
    Row{{"delayed_pivots", "integer", "a pivot delayed through k fronts counts k times"},
        of_factorization<[](const F& f) { return integer(f.factorization.num_delayed_pivots); }>,
        Source::factorization},
    Row{{"two_by_two_pivots", "integer", "pivots of two variables"},
        of_factorization<[](const F& f) { return integer(f.factorization.num_two_by_two); }>,
        Source::factorization},
    Row{{"perturbed_pivots", "integer", "that static pivoting has enlarged"},
        of_factorization<[](const F& f) { return integer(f.factorization.num_perturbed_pivots); }>,
        Source::factorization},
    Row{{"pivot_growth", "real", "the largest entry of the factor that has the pivots over that of the scaled matrix"},
        of_factorization<[](const F& f) { return f.factorization.pivot_growth; }>,
        Source::factorization},
    Row{{"scaling", "text", "none, equilibrate or matching"},
        of_factorization<[](const F& f) { return to_string(f.scaling); }>,
        Source::factorization},
    Row{{"is_mixed", "integer", "1 if the factors are of single precision"},
        of_factorization<[](const F& f) { return integer(f.is_mixed); }>,
        Source::factorization},
    Row{{"positive_eigenvalues", "integer", "of a real symmetric or a Hermitian matrix"},
        inertia<&Inertia::positive>,
        Source::factorization},
    Row{{"negative_eigenvalues", "integer", "of a real symmetric or a Hermitian matrix"},
        inertia<&Inertia::negative>,
        Source::factorization},
    Row{{"zero_eigenvalues", "integer", "of a real symmetric or a Hermitian matrix"},
        inertia<&Inertia::zero>,
        Source::factorization},
    Row{{"determinant_real", "real", "the determinant is (real + i imaginary) 2^exponent"},
        determinant<[](const Determinant& d) { return d.mantissa.real(); }>,
        Source::factorization},
    Row{{"determinant_imaginary", "real", "0 for real matrices"},
        determinant<[](const Determinant& d) { return d.mantissa.imag(); }>,
        Source::factorization},
    Row{{"determinant_exponent", "integer", "the larger of both parts is in [1/2, 1), or 0"},
        determinant<[](const Determinant& d) { return integer(d.exponent); }>,
        Source::factorization},
    Row{{"null_pivots", "integers", "variables (rows for lu) without a usable pivot"}, null_pivots, Source::factorization},
    Row{{"rank_verdict", "text", "presumed, nonsingular, singular, structurally_singular or in_doubt"},
        of_factorization<[](const F& f) { return to_string(f.rank.status); }>,
        Source::factorization},
    Row{{"rank_lowest", "integer", "the rank is at least that"},
        of_factorization<[](const F& f) { return integer(f.rank.lowest); }>,
        Source::factorization},
    Row{{"rank_highest", "integer", "the rank is at most that"},
        of_factorization<[](const F& f) { return integer(f.rank.highest); }>,
        Source::factorization},
    Row{{"verdict", "text", "solved, accuracy_missed, singular, not_positive_definite or rank_in_doubt"},
        of_solve<[](const S& s) { return to_string(s.verdict); }>,
        Source::solve},
    Row{{"description", "text", "the verdict as a sentence"}, description, Source::solve},
    Row{{"backward_error", "real", "the largest normwise one of all right-hand sides"},
        worst<&ColumnReport::normwise_backward_error>,
        Source::solve},
    Row{{"componentwise_backward_error", "real", "the largest of all equations and right-hand sides"},
        worst<&ColumnReport::componentwise_backward_error>,
        Source::solve},
    Row{{"missed_equations", "integer", "not met by x, the most of a right-hand side; 0 where it is solved"},
        most<&ColumnReport::num_missed_equations>,
        Source::solve},
    Row{{"negligible_equations", "integer", "not met, but all their unknowns are rounding errors, the most of a right-hand side"},
        most<&ColumnReport::num_negligible_equations>,
        Source::solve},
    Row{{"negligible_size", "real", "of these equations the largest terms, relative to the largest of all"},
        worst<&ColumnReport::negligible_size>,
        Source::solve},
    Row{{"refinement_steps", "integer", "the most that one right-hand side took"},
        most<&ColumnReport::refinement_steps>,
        Source::solve},
    Row{{"krylov_steps", "integer", "of GMRES, likewise"}, most<&ColumnReport::krylov_steps>, Source::solve},
    Row{{"condition_number", "real", "in the 1-norm, estimated from below; with the option error-bounds"},
        [](const FigureSources& sources) { return sources.solve ? if_number(sources.solve->condition) : std::nullopt; },
        Source::solve},
    Row{{"componentwise_condition_number", "real", "Skeel's; with the option error-bounds"},
        worst<&ColumnReport::componentwise_condition>,
        Source::solve},
    Row{{"forward_error_bound", "real", "of x relative to its largest entry; with the option error-bounds"},
        worst<&ColumnReport::forward_error_bound>,
        Source::solve},
    Row{{"backward_errors", "reals", "normwise, of each right-hand side"},
        of_columns<&ColumnReport::normwise_backward_error>,
        Source::solve},
    Row{{"forward_error_bounds", "reals", "of each right-hand side; what is no number is not known"},
        of_columns<&ColumnReport::forward_error_bound>,
        Source::solve},
    Row{{"consistency", "text",
         "of a singular matrix: whether b has solutions: consistent, inconsistent or in_doubt; not_measured of others"},
        of_solve<[](const S& s) { return to_string(s.consistency()); }>,
        Source::solve},
    Row{{"consistent_right_hand_sides", "integer",
         "right-hand sides whose x is accurate; of a singular matrix those that are shown to be consistent"},
        of_solve<[](const S& s) { return integer(s.num_met()); }>,
        Source::solve},
    Row{{"notes", "text", "what was decided or tried in vain, a line each"}, notes, Source::factorization}};

const char* reason(const FigureSources& sources, const Row& row) {
  if (!sources.analysis) {
    return "nothing has been analysed";
  }
  if (row.source >= Source::factorization && !sources.factorization) {
    return "nothing has been factorized";
  }
  if (row.source == Source::solve && !sources.solve) {
    return "this thread has solved nothing";
  }
  return "it does not exist for this matrix, method or verdict, or was not asked for";
}

}  // namespace

const FigureInfo* figure_info(std::size_t number) { return number < kRows.size() ? &kRows[number].info : nullptr; }

const FigureInfo* figure_info(std::string_view name) {
  const auto* row = std::find_if(kRows.begin(), kRows.end(), [name](const Row& known) { return known.info.name == name; });
  return row == kRows.end() ? nullptr : &row->info;
}

Figure figure(const FigureSources& sources, std::string_view name) {
  const auto* row = std::find_if(kRows.begin(), kRows.end(), [name](const Row& known) { return known.info.name == name; });
  if (row == kRows.end()) {
    std::vector<std::string> names;
    std::transform(kRows.begin(), kRows.end(), std::back_inserter(names), [](const Row& known) { return known.info.name; });
    throw UsageError(fmt::format("there is no figure '{}'{}", name, suggestion(std::string(name), names)));
  }
  Known known = row->get(sources);
  if (!known) {
    throw UsageError(fmt::format("{} ({}) is not known: {}", name, row->info.meaning, reason(sources, *row)));
  }
  return std::move(*known);
}

}  // namespace frond
