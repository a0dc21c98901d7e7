// SPDX-License-Identifier: BSD-3-Clause
// One row per figure: its name, meaning and getter, which determines its type and phase.
#include "solver/tables/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

#include "frond/error.hpp"
#include "frond/named_options.hpp"
#include "solver/numerics/problem/counted_from.hpp"
#include "solver/numerics/problem/known_inertia.hpp"
#include "solver/options/suggestion.hpp"

namespace frond {
namespace {

using A = AnalysisFigures;
using M = MemoryEstimate;
using F = SystemReport;
using N = FactorizationReport;
using S = SolveReport;
using W = ColumnReport;  // the worst of all columns

template <class Part>
constexpr Phase kPhaseOf = std::is_same_v<Part, A> || std::is_same_v<Part, M>   ? Phase::analysis
                           : std::is_same_v<Part, S> || std::is_same_v<Part, W> ? Phase::solve
                                                                                : Phase::factorization;

// Return the part of a run that getters take, as a pointer or an optional: empty if it is not known.
template <class Part>
auto part_of(const FigureSources& sources) {
  const F* report = sources.factorization;
  if constexpr (std::is_same_v<Part, FigureSources>) {
    return &sources;
  } else if constexpr (std::is_same_v<Part, A>) {
    return sources.analysis;
  } else if constexpr (std::is_same_v<Part, M>) {
    return sources.memory ? std::optional(sources.memory()) : std::nullopt;
  } else if constexpr (std::is_same_v<Part, F>) {
    return report;
  } else if constexpr (std::is_same_v<Part, N>) {
    return report != nullptr ? &report->factorization : nullptr;
  } else if constexpr (std::is_same_v<Part, RankProof>) {
    return report != nullptr ? &report->rank : nullptr;
  } else if constexpr (std::is_same_v<Part, Inertia>) {
    return report != nullptr && has_inertia(*report, sources.is_complex) ? &report->factorization.inertia : nullptr;
  } else if constexpr (std::is_same_v<Part, Determinant>) {
    return report != nullptr && has_determinant(*report) ? &report->factorization.determinant : nullptr;
  } else if constexpr (std::is_same_v<Part, S>) {
    return sources.solve;
  } else {
    const S* solve = sources.solve;
    const bool is_measured = solve != nullptr && !solve->columns.empty() && solve->verdict != Verdict::unmeasured;
    return is_measured ? std::optional(solve->worst()) : std::nullopt;
  }
}

template <class T>
constexpr const char* kTypeOf = "text";
template <std::floating_point T>
constexpr const char* kTypeOf<T> = "real";
template <std::integral T>
constexpr const char* kTypeOf<T> = "integer";
template <>
constexpr const char* kTypeOf<std::vector<Index>> = "integers";
template <>
constexpr const char* kTypeOf<std::vector<double>> = "reals";
template <class T>
constexpr const char* kTypeOf<std::optional<T>> = kTypeOf<T>;

// Return the figure that a value stands for; NaN stands for unknown values.
std::optional<Figure> as_figure(double value, Index /*base*/) {
  return std::isnan(value) ? std::nullopt : std::optional<Figure>(value);
}
std::optional<Figure> as_figure(std::integral auto value, Index /*base*/) { return static_cast<std::int64_t>(value); }
std::optional<Figure> as_figure(std::string text, Index base) { return counted_from(std::move(text), base); }
std::optional<Figure> as_figure(std::vector<double> values, Index /*base*/) { return values; }
std::optional<Figure> as_figure(const std::vector<Index>& indices, Index base) {
  std::vector<std::int64_t> result(indices.size());
  std::transform(indices.begin(), indices.end(), result.begin(), [base](std::int64_t index) { return index + base; });
  return result;
}
template <class T>
std::optional<Figure> as_figure(const std::optional<T>& value, Index base) {
  return value ? as_figure(*value, base) : std::nullopt;
}

template <class Part, auto Take, Phase Since = kPhaseOf<Part>>
constexpr FigureRow row(const char* name, const char* meaning, bool is_in_json = true) {
  return {name,
          kTypeOf<std::decay_t<std::invoke_result_t<decltype(Take), const Part&>>>,
          meaning,
          Since,
          is_in_json,
          [](const FigureSources& sources) {
            const auto part = part_of<Part>(sources);
            return part ? as_figure(Take(*part), sources.index_base) : std::nullopt;
          }};
}
constexpr bool kNotInJson = false;

std::vector<double> of_columns(const S& solve, double ColumnReport::*member) {
  std::vector<double> values;
  std::transform(solve.columns.begin(), solve.columns.end(), std::back_inserter(values), std::mem_fn(member));
  return values;
}

std::optional<std::string> method_of(const FigureSources& sources) {
  return sources.factorization ? std::optional(to_string(sources.factorization->method))
         : sources.analysis    ? std::optional(to_string(sources.analysis->method))
                               : std::nullopt;
}

std::optional<std::vector<Index>> order_of_elimination(const FigureSources& sources) {
  const std::span<const Index> order = sources.elimination_order;
  return sources.analysis ? std::optional(std::vector<Index>(order.begin(), order.end())) : std::nullopt;
}

// Returns the notes of factorization and solve, each once.
std::optional<std::string> notes_of(const FigureSources& sources) {
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
  return fmt::format("{}", fmt::join(sentences, "\n"));
}

constexpr std::array kRows = {
    row<A, [](auto& a) { return a.order; }>("n", "the order of the matrix"),
    row<FigureSources, method_of, Phase::analysis>("method", "cholesky, ldlt, ldlh or lu"),
    row<A, [](auto& a) { return a.structural_rank; }>("structural_rank", "the largest rank that values could give the pattern"),
    row<A, [](auto& a) { return a.num_blocks; }>(
        "blocks", "irreducible diagonal blocks of the block triangular form; 0 if none was looked for", kNotInJson),
    row<A, [](auto& a) { return a.seconds; }>("analysis_seconds", "that the analysis took"),
    row<A, [](auto& a) { return a.num_fronts; }>("fronts", "nodes of the assembly tree"),
    row<A, [](auto& a) { return a.estimate.max_front_order; }>("largest_front", "the order of the largest front that is predicted"),
    row<FigureSources, order_of_elimination, Phase::analysis>("elimination_order",
                                                              "the variables in the order of their elimination", kNotInJson),
    row<A, [](auto& a) { return a.estimate.front_flops; }>("predicted_factor_flops",
                                                           "what a factorization takes when no pivot is delayed"),
    row<A, [](auto& a) { return a.estimate.factor_entries; }>("predicted_factor_entries", "of the factors, likewise"),
    row<M, [](auto& m) { return m.factor_bytes; }>("predicted_factor_bytes", "of the factors, likewise"),
    row<M, [](auto& m) { return m.peak_bytes(); }>("predicted_peak_bytes",
                                                   "factors and fronts together at their highest, likewise"),
    row<N, [](auto& f) { return f.flops; }>("factor_flops", "that the factorization took"),
    row<N, [](auto& f) { return f.factor_entries; }>("factor_entries", "of the factors"),
    row<N, [](auto& f) { return f.factor_bytes; }>("factor_bytes", "of the factors that are kept"),
    row<N, [](auto& f) { return f.peak_bytes; }>("metered_peak_bytes", "factors and fronts together at their highest"),
    row<N, [](auto& f) { return f.num_delayed_pivots; }>("delayed_pivots", "a pivot delayed through k fronts counts k times"),
    row<N, [](auto& f) { return f.num_two_by_two; }>("two_by_two_pivots", "pivots of two variables"),
    row<N, [](auto& f) { return f.num_perturbed_pivots; }>("perturbed_pivots", "that static pivoting has enlarged"),
    row<F, [](auto& f) { return f.num_kept_pivots; }>(
        "kept_pivots", "whose places were those of the factorization before, which refactorize keeps", kNotInJson),
    row<N, [](auto& f) { return f.pivot_growth; }>(
        "pivot_growth", "the largest entry of the factor that has the pivots over that of the scaled matrix"),
    row<F, [](auto& f) { return f.is_mixed; }>("is_mixed", "1 if the factors are of single precision", kNotInJson),
    row<Inertia, [](auto& i) { return i.positive; }>("positive_eigenvalues", "of a real symmetric or a Hermitian matrix",
                                                     kNotInJson),
    row<Inertia, [](auto& i) { return i.negative; }>("negative_eigenvalues", "of a real symmetric or a Hermitian matrix",
                                                     kNotInJson),
    row<Inertia, [](auto& i) { return i.zero; }>("zero_eigenvalues", "of a real symmetric or a Hermitian matrix", kNotInJson),
    row<Determinant, [](auto& d) { return d.mantissa.real(); }>("determinant_real",
                                                                "the determinant is (real + i imaginary) 2^exponent", kNotInJson),
    row<Determinant, [](auto& d) { return d.mantissa.imag(); }>("determinant_imaginary", "0 for real matrices", kNotInJson),
    row<Determinant, [](auto& d) { return d.exponent; }>("determinant_exponent", "the larger of both parts is in [1/2, 1), or 0",
                                                         kNotInJson),
    row<N, [](auto& f) { return f.null_pivots; }>("null_pivots", "variables (rows for lu) without a usable pivot", kNotInJson),
    row<RankProof, [](auto& r) { return to_string(r.status); }>(
        "rank_verdict", "presumed, nonsingular, singular, structurally_singular or in_doubt"),
    row<RankProof, [](auto& r) { return r.lowest; }>("rank_lowest", "the rank is at least that"),
    row<RankProof, [](auto& r) { return r.highest; }>("rank_highest", "the rank is at most that"),
    row<F, [](auto& f) { return to_string(f.scaling); }>("scaling", "none, equilibrate or matching"),
    row<W, [](auto& w) { return w.refinement_steps; }>("refinement_steps", "the most that one right-hand side took", kNotInJson),
    row<W, [](auto& w) { return w.krylov_steps; }>("krylov_steps", "of GMRES, likewise", kNotInJson),
    row<W, [](auto& w) { return w.normwise_backward_error; }>("backward_error", "the largest normwise one of all right-hand sides"),
    row<W, [](auto& w) { return w.componentwise_backward_error; }>("componentwise_backward_error",
                                                                   "the largest of all equations and right-hand sides"),
    row<W, [](auto& w) { return w.num_missed_equations; }>("missed_equations",
                                                           "not met by x, the most of a right-hand side; 0 where it is solved"),
    row<W, [](auto& w) { return w.num_negligible_equations; }>(
        "negligible_equations", "not met, but all their unknowns are rounding errors, the most of a right-hand side"),
    row<W, [](auto& w) { return w.negligible_size; }>("negligible_size",
                                                      "of these equations the largest terms, relative to the largest of all"),
    row<S, [](auto& s) { return s.condition; }>("condition_number",
                                                "in the 1-norm, estimated from below; with the option error-bounds"),
    row<W, [](auto& w) { return w.componentwise_condition; }>("componentwise_condition_number",
                                                              "Skeel's; with the option error-bounds"),
    row<W, [](auto& w) { return w.forward_error_bound; }>("forward_error_bound",
                                                          "of x relative to its largest entry; with the option error-bounds"),
    row<S, [](auto& s) { return to_string(s.verdict); }>(
        "verdict", "solved, accuracy_missed, singular, not_positive_definite, rank_in_doubt or unmeasured", kNotInJson),
    row<S, [](auto& s) { return s.describe(); }>("description", "the verdict as a sentence", kNotInJson),
    row<S, [](auto& s) { return of_columns(s, &W::normwise_backward_error); }>("backward_errors",
                                                                               "normwise, of each right-hand side", kNotInJson),
    row<S, [](auto& s) { return of_columns(s, &W::forward_error_bound); }>(
        "forward_error_bounds", "of each right-hand side; NaN where it is not known", kNotInJson),
    row<S, [](auto& s) { return to_string(s.consistency()); }>(
        "consistency",
        "of a singular matrix: whether b has solutions: consistent, inconsistent or in_doubt; not_measured of others", kNotInJson),
    row<S, [](auto& s) { return s.verdict == Verdict::unmeasured ? std::nullopt : std::optional(s.num_met()); }>(
        "consistent_right_hand_sides",
        "right-hand sides whose x is accurate; of a singular matrix those that are shown to be consistent", kNotInJson),
    row<FigureSources, notes_of, Phase::factorization>("notes", "what was decided or tried in vain, a line each", kNotInJson)};

const char* reason(const FigureSources& sources, Phase phase) {
  if (!sources.analysis) {
    return "nothing has been analysed";
  }
  if (phase >= Phase::factorization && !sources.factorization) {
    return "nothing has been factorized";
  }
  if (phase == Phase::solve && !sources.solve) {
    return "this thread has solved nothing";
  }
  return "it does not exist for this matrix, method or verdict, or was not asked for";
}

}  // namespace

AnalysisFigures analysis_figures(const Symbolic& symbolic, Method method) {
  return {symbolic.order(),
          method,
          symbolic.structural_rank(),
          symbolic.blocks().num_blocks,
          symbolic.tree().num_nodes(),
          symbolic.estimate(method),
          symbolic.ordering().analysis_seconds};
}

std::span<const FigureRow> figure_rows() { return kRows; }

const FigureRow* figure_row(std::string_view name) {
  const auto* found = std::find_if(kRows.begin(), kRows.end(), [name](const FigureRow& known) { return known.name == name; });
  return found == kRows.end() ? nullptr : found;
}

Figure figure(const FigureSources& sources, std::string_view name) {
  const FigureRow* found = figure_row(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    std::transform(kRows.begin(), kRows.end(), std::back_inserter(names), [](const FigureRow& known) { return known.name; });
    throw UsageError(fmt::format("there is no figure '{}'{}", name, suggestion(std::string(name), names)));
  }
  std::optional<Figure> known = found->find(sources);
  if (!known) {
    throw UsageError(fmt::format("{} ({}) is not known: {}", name, found->meaning, reason(sources, found->phase)));
  }
  return std::move(*known);
}

}  // namespace frond
