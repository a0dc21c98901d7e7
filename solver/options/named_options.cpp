// SPDX-License-Identifier: BSD-3-Clause
// One row per option: its words or its range, and its member.
#include "frond/named_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/options/duration.hpp"
#include "solver/options/suggestion.hpp"

namespace frond {
namespace {

constexpr double kManyFactorizations = 100;
constexpr int kMostThreads = 4096;

/// An option that can be set and read.
struct Row {
  NamedOption info;
  std::function<void(SolverOptions&, std::string_view)> set;
  std::function<std::string(const SolverOptions&)> get;
};

[[noreturn]] void refuse(const NamedOption& option, std::string_view value) {
  throw UsageError(fmt::format("the option {} cannot be '{}': give {}", option.name, value, option.values));
}

template <class Value>
struct Word {
  std::string_view text;
  Value value;
};

// `member(options)` returns a reference to the option's member, of const options, too.
template <class Value, std::size_t Size, class Member>
Row choice(const NamedOption& info, const std::array<Word<Value>, Size>& words, Member member) {
  return {info,
          [info, words, member](SolverOptions& options, std::string_view text) {
            const auto word =
                std::find_if(words.begin(), words.end(), [&](const Word<Value>& known) { return known.text == text; });
            if (word == words.end()) {
              refuse(info, text);
            }
            member(options) = word->value;
          },
          [words, member](const SolverOptions& options) {
            const auto word =
                std::find_if(words.begin(), words.end(), [&](const Word<Value>& known) { return known.value == member(options); });
            return std::string(word == words.end() ? "given" : word->text);
          }};
}

// The whole text must be the number.
template <class Number>
Number parse_number(const NamedOption& info, std::string_view text, Number least, Number largest) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least && number <= largest)) {
    refuse(info, text);
  }
  return number;
}

template <class Number, class Member>
Row number(const NamedOption& info, Number least, Number largest, Member member) {
  return {info,
          [info, least, largest, member](SolverOptions& options, std::string_view text) {
            member(options) = parse_number(info, text, least, largest);
          },
          [member](const SolverOptions& options) { return fmt::format("{}", member(options)); }};
}

Row method_row() {
  using Known = std::optional<Method>;
  return choice<Known>(
      {"method", "automatic|cholesky|ldlt|ldlh|lu", "factorize by it; automatic: what symmetry and diagonal allow",
       RepeatedPhase::analysis},
      std::array<Word<Known>, 5>{{{"automatic", std::nullopt},
                                  {"cholesky", Method::cholesky},
                                  {"ldlt", Method::ldlt},
                                  {"ldlh", Method::ldlh},
                                  {"lu", Method::lu}}},
      [](auto& options) -> auto& { return options.method; });
}

std::vector<Row> analysis_rows() {
  return {
      choice<SymmetryUse>(
          {"symmetry", "detect|as-stored",
           "treat a general matrix as what its values are, exactly; looked at for every set of values", RepeatedPhase::analysis},
          std::array<Word<SymmetryUse>, 2>{{{"detect", SymmetryUse::detect}, {"as-stored", SymmetryUse::as_stored}}},
          [](auto& options) -> auto& { return options.symmetry; }),
      choice<OrderingKind>(
          {"ordering", "automatic|dissection|metis|amd|natural", "the order of elimination", RepeatedPhase::analysis},
          std::array<Word<OrderingKind>, 5>{{{"automatic", OrderingKind::automatic},
                                             {"dissection", OrderingKind::dissection},
                                             {"metis", OrderingKind::metis},
                                             {"amd", OrderingKind::amd},
                                             {"natural", OrderingKind::natural}}},
          [](auto& options) -> auto& { return options.analysis.ordering.kind; }),
      choice<MatchingUse>(
          {"matching", "automatic|never|always", "match rows and columns before the ordering, for large pivots",
           RepeatedPhase::analysis},
          std::array<Word<MatchingUse>, 3>{
              {{"automatic", MatchingUse::automatic}, {"never", MatchingUse::never}, {"always", MatchingUse::always}}},
          [](auto& options) -> auto& { return options.analysis.ordering.matching; }),
      choice<double>(
          {"reuse", "automatic|1|many", "how many factorizations an analysis is to serve", RepeatedPhase::analysis},
          std::array<Word<double>, 3>{
              {{"automatic", OrderingOptions().expected_factorizations}, {"1", 1}, {"many", kManyFactorizations}}},
          [](auto& options) -> auto& { return options.analysis.ordering.expected_factorizations; }),
      choice<BlockTriangularUse>(
          {"block-triangular", "automatic|never|always",
           "factorize only the diagonal blocks of the block triangular form of a general matrix", RepeatedPhase::analysis},
          std::array<Word<BlockTriangularUse>, 3>{{{"automatic", BlockTriangularUse::automatic},
                                                   {"never", BlockTriangularUse::never},
                                                   {"always", BlockTriangularUse::always}}},
          [](auto& options) -> auto& { return options.analysis.block_triangular; }),
      method_row(),
      choice<ScalingKind>(
          {"scaling", "automatic|none|equilibrate|matching", "scale rows and columns", RepeatedPhase::analysis},
          std::array<Word<ScalingKind>, 4>{{{"automatic", ScalingKind::automatic},
                                            {"none", ScalingKind::none},
                                            {"equilibrate", ScalingKind::equilibrate},
                                            {"matching", ScalingKind::matching}}},
          [](auto& options) -> auto& { return options.scaling.kind; })};
}

// A threshold that was not given may be lowered if delayed pivots are expensive.
Row pivot_threshold_row() {
  static constexpr std::string_view kAutomatic = "automatic";
  const NamedOption info{"pivot-threshold", "automatic, or a number from 0 to 1",
                         "accept pivots by it: larger is safer, smaller keeps factors sparser", RepeatedPhase::factorization};
  return {info,
          [info](SolverOptions& options, std::string_view text) {
            PivotingOptions& pivoting = options.factorization.pivoting;
            const double threshold = text == kAutomatic ? PivotingOptions().pivot_threshold : parse_number(info, text, 0.0, 1.0);
            pivoting.pivot_threshold = threshold;
            pivoting.may_lower_threshold = text == kAutomatic;
          },
          [](const SolverOptions& options) {
            const PivotingOptions& pivoting = options.factorization.pivoting;
            return pivoting.may_lower_threshold ? std::string(kAutomatic) : fmt::format("{}", pivoting.pivot_threshold);
          }};
}

Row memory_limit_row() {
  static constexpr std::string_view kMachine = "machine";
  return {{"memory-limit", "machine, or a size such as 1.5GB", "never take more memory for factors and fronts",
           RepeatedPhase::factorization},
          [](SolverOptions& options, std::string_view text) {
            options.factorization.memory_limit = text == kMachine ? 0 : parse_byte_size(text);
          },
          [](const SolverOptions& options) {
            const Count limit = options.factorization.memory_limit;
            return limit == 0 ? std::string(kMachine) : fmt::format("{}", limit);
          }};
}

std::vector<Row> factorization_rows() {
  return {
      number<int>(
          {"threads", "0 to 4096", "threads; 0: all cores", RepeatedPhase::factorization}, 0, kMostThreads,
          [](auto& options) -> auto& { return options.factorization.num_threads; }),
      memory_limit_row(),
      choice<Precision>(
          {"precision", "full|mixed", "that of the factors; mixed: single, with refinement to full accuracy",
           RepeatedPhase::factorization},
          std::array<Word<Precision>, 2>{{{"full", Precision::full}, {"mixed", Precision::mixed}}},
          [](auto& options) -> auto& { return options.precision; }),
      pivot_threshold_row(),
      number<double>(
          {"null-threshold", "0 to 0.5",
           "pivots that count as zero, relative to the largest scaled entry; 0: some "
           "rounding units",
           RepeatedPhase::factorization},
          0, 0.5, [](auto& options) -> auto& { return options.factorization.pivoting.null_threshold; }),
      choice<PivotingKind>(
          {"pivoting", "threshold|static", "delay pivots that fail the test, or take them enlarged", RepeatedPhase::factorization},
          std::array<Word<PivotingKind>, 2>{{{"threshold", PivotingKind::threshold}, {"static", PivotingKind::static_structure}}},
          [](auto& options) -> auto& { return options.factorization.pivoting.kind; }),
      number<double>(
          {"pivot-perturbation", "0 to 0.5",
           "the least size of a static pivot that failed the test; 0: the root of the "
           "rounding unit",
           RepeatedPhase::factorization},
          0, 0.5, [](auto& options) -> auto& { return options.factorization.pivoting.perturbation; }),
      choice<KeptFactors>(
          {"keep", "all|backward|none",
           "of the factors; backward: what solving along with the factorization "
           "reads; none: inertia, rank and determinant are all that is wanted",
           RepeatedPhase::factorization},
          std::array<Word<KeptFactors>, 3>{
              {{"all", KeptFactors::all}, {"backward", KeptFactors::backward}, {"none", KeptFactors::none}}},
          [](auto& options) -> auto& { return options.factorization.kept; })};
}

std::vector<Row> solve_rows() {
  return {
      number<int>(
          {"refine-steps", "0 to 1000", "corrections of each solution at most", RepeatedPhase::none}, 0, 1000,
          [](auto& options) -> auto& { return options.refinement.max_steps; }),
      number<double>(
          {"refine-to", "0 to 1e-14", "the componentwise backward error to refine to; 0: 10 rounding units", RepeatedPhase::none},
          0, 1e-14, [](auto& options) -> auto& { return options.refinement.target; }),
      number<int>(
          {"krylov-steps", "0 to 100000", "steps of GMRES at most where refinement stalls", RepeatedPhase::none}, 0, 100000,
          [](auto& options) -> auto& { return options.refinement.max_krylov_steps; }),
      choice<ErrorBounds>(
          {"error-bounds", "never|first|all", "of which solutions the error is bounded", RepeatedPhase::none},
          std::array<Word<ErrorBounds>, 3>{
              {{"never", ErrorBounds::never}, {"first", ErrorBounds::first_column}, {"all", ErrorBounds::all_columns}}},
          [](auto& options) -> auto& { return options.error_bounds; })};
}

Row checkpoint_row() {
  return {{"checkpoint", "a directory", "write fronts there as they are finished, so that another run can go on",
           RepeatedPhase::factorization},
          [](SolverOptions& options, std::string_view text) { options.checkpoint.directory = text; },
          [](const SolverOptions& options) { return options.checkpoint.directory; }};
}

Row checkpoint_every_row() {
  return {{"checkpoint-every", "a time such as 90s or 10min", "from one list of what is finished to the next",
           RepeatedPhase::factorization},
          [](SolverOptions& options, std::string_view text) {
            options.checkpoint.every_seconds = parse_duration("checkpoint-every", text);
          },
          [](const SolverOptions& options) { return fmt::format("{}s", options.checkpoint.every_seconds); }};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> all;
    for (std::vector<Row> some : {analysis_rows(), factorization_rows(), solve_rows()}) {
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    all.push_back(checkpoint_row());
    all.push_back(checkpoint_every_row());
    return all;
  }();
  return kRows;
}

const Row& row_of(std::string_view name) {
  const auto row = std::find_if(rows().begin(), rows().end(), [name](const Row& known) { return known.info.name == name; });
  if (row == rows().end()) {
    std::vector<std::string> names;
    std::transform(rows().begin(), rows().end(), std::back_inserter(names),
                   [](const Row& known) { return std::string(known.info.name); });
    throw UsageError(fmt::format("there is no option '{}'{}", name, suggestion(std::string(name), names)));
  }
  return *row;
}

}  // namespace

std::span<const NamedOption> named_options() {
  static const std::vector<NamedOption> kOptions = [] {
    std::vector<NamedOption> options;
    std::transform(rows().begin(), rows().end(), std::back_inserter(options), [](const Row& row) { return row.info; });
    return options;
  }();
  return kOptions;
}

const NamedOption& named_option(std::string_view name) { return row_of(name).info; }

void set_option(SolverOptions& options, std::string_view name, std::string_view value) { row_of(name).set(options, value); }

std::string option_value(const SolverOptions& options, std::string_view name) { return row_of(name).get(options); }

}  // namespace frond
