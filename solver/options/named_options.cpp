// SPDX-License-Identifier: BSD-3-Clause
// One row per option: its words or its range, and its member.
#include "frond/named_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
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

// The k-th of `values`, which info.values lists as words; `member(options)` is what the option stands for, of constant options,
// too.
template <class Value, class Member>
Row choice(const NamedOption& info, const std::vector<Value>& values, Member member) {
  const auto word = [info](std::size_t k) {
    std::string_view words = info.values;
    for (; k > 0; --k) {
      words.remove_prefix(words.find('|') + 1);
    }
    return words.substr(0, words.find('|'));
  };
  return {info,
          [info, values, member, word](SolverOptions& options, std::string_view text) {
            for (std::size_t k = 0; k < values.size(); ++k) {
              if (word(k) == text) {
                member(options) = values[k];
                return;
              }
            }
            refuse(info, text);
          },
          [values, member, word](const SolverOptions& options) {
            const auto value = std::find(values.begin(), values.end(), member(options));
            return std::string(value == values.end() ? "given" : word(static_cast<std::size_t>(value - values.begin())));
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

std::vector<Row> analysis_rows() {
  constexpr RepeatedPhase kRepeats = RepeatedPhase::analysis;
  constexpr std::string_view kGroup = "Analysis";
  return {
      choice<SymmetryUse>(
          {"symmetry", "detect|as-stored",
           "treat a general matrix whose values are exactly symmetric, Hermitian or skew-symmetric as such, or as a general one",
           kRepeats, kGroup, "HOW"},
          {SymmetryUse::detect, SymmetryUse::as_stored}, [](auto& options) -> auto& { return options.symmetry; }),
      choice<OrderingKind>(
          {"ordering",
           "automatic|dissection|metis|amd|natural",
           "eliminate in the order that KIND of ordering finds",
           kRepeats,
           {},
           "KIND"},
          {OrderingKind::automatic, OrderingKind::dissection, OrderingKind::metis, OrderingKind::amd, OrderingKind::natural},
          [](auto& options) -> auto& { return options.analysis.ordering.kind; }),
      choice<MatchingUse>(
          {"matching", "automatic|never|always",
           "match rows and columns before the ordering, for large pivots, where it pays (automatic) or the diagonal is weak "
           "(always); "
           "without effect on an ordering that is given or natural, and on Cholesky",
           kRepeats, kGroup, "WHEN"},
          {MatchingUse::automatic, MatchingUse::never, MatchingUse::always},
          [](auto& options) -> auto& { return options.analysis.ordering.matching; }),
      choice<double>(
          {"reuse", "automatic|1|many",
           "choose ordering and matching for the least time of one factorization, its analysis included, of two with the same "
           "analysis (automatic), or of a hundred (many)",
           kRepeats, kGroup, "TIMES"},
          {OrderingOptions().expected_factorizations, 1, kManyFactorizations},
          [](auto& options) -> auto& { return options.analysis.ordering.expected_factorizations; }),
      choice<BlockTriangularUse>(
          {"block-triangular", "automatic|never|always",
           "factorize only the diagonal blocks of the block triangular form of a general matrix, where no block has more than 0.9 "
           "of "
           "the order (automatic) or the structure splits (always); without effect for symmetric methods and with a Schur "
           "complement",
           kRepeats, kGroup, "WHEN"},
          {BlockTriangularUse::automatic, BlockTriangularUse::never, BlockTriangularUse::always},
          [](auto& options) -> auto& { return options.analysis.block_triangular; }),
      choice<std::optional<Method>>(
          {"method", "automatic|cholesky|ldlt|ldlh|lu",
           "factorize by METHOD; automatic: what symmetry and diagonal allow; ldlh is for complex Hermitian matrices", kRepeats,
           kGroup, "METHOD"},
          {std::nullopt, Method::cholesky, Method::ldlt, Method::ldlh, Method::lu},
          [](auto& options) -> auto& { return options.method; }),
      choice<ScalingKind>(
          {"scaling", "automatic|none|equilibrate|matching",
           "scale rows and columns; automatic: equilibrate where the diagonal is strong after that, otherwise matching, which "
           "scales by "
           "the matching with the largest product",
           kRepeats, kGroup, "KIND"},
          {ScalingKind::automatic, ScalingKind::none, ScalingKind::equilibrate, ScalingKind::matching},
          [](auto& options) -> auto& { return options.scaling.kind; })};
}

constexpr RepeatedPhase kFactorization = RepeatedPhase::factorization;
constexpr std::string_view kPivots = "Pivots";

// The threshold that was not given may be lowered where delayed pivots are dear.
Row pivot_threshold_row() {
  static constexpr std::string_view kAutomatic = "automatic";
  const NamedOption info{
      "pivot-threshold",
      "automatic, or a number from 0 to 1",
      "accept pivots by the threshold U: larger is safer, smaller keeps factors sparser; automatic: 0.01, and where "
      "delayed pivots would more than double the flops 1e-06, in single precision 1e-03",
      kFactorization,
      kPivots,
      "U"};
  return {info,
          [info](SolverOptions& options, std::string_view text) {
            PivotingOptions& pivoting = options.factorization.pivoting;
            pivoting.pivot_threshold = text == kAutomatic ? PivotingOptions().pivot_threshold : parse_number(info, text, 0.0, 1.0);
            pivoting.may_lower_threshold = text == kAutomatic;
          },
          [](const SolverOptions& options) {
            const PivotingOptions& pivoting = options.factorization.pivoting;
            return pivoting.may_lower_threshold ? std::string(kAutomatic) : fmt::format("{}", pivoting.pivot_threshold);
          }};
}

Row memory_limit_row() {
  static constexpr std::string_view kMachine = "machine";
  return {{"memory-limit",
           "machine, or a size such as 1.5GB",
           "never take more memory than SIZE for factors and fronts of each process; machine: what the machine, control groups and "
           "limits of the process have left after the analysis, less a reserve; processes that share it divide it by what they are "
           "predicted to need",
           kFactorization,
           {},
           "SIZE"},
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
          {"threads", "0 to 4096", "use T threads; 0: all cores", kFactorization, {}, "T"}, 0, kMostThreads,
          [](auto& options) -> auto& { return options.factorization.num_threads; }),
      memory_limit_row(),
      choice<Precision>(
          {"precision",
           "full|mixed",
           "compute the factors in full precision, or in single precision with refinement to full accuracy (mixed)",
           kFactorization,
           {},
           "WHICH"},
          {Precision::full, Precision::mixed}, [](auto& options) -> auto& { return options.precision; }),
      pivot_threshold_row(),
      number<double>(
          {"null-threshold", "0 to 0.5",
           "count pivots up to SIZE, relative to the largest scaled entry, as zero; 0: some rounding units, more for larger "
           "matrices",
           kFactorization, kPivots, "SIZE"},
          0, 0.5, [](auto& options) -> auto& { return options.factorization.pivoting.null_threshold; }),
      choice<PivotingKind>(
          {"pivoting", "threshold|static",
           "treat pivots that fail the test with U: delay them, so that fronts grow (threshold), or take them all the same, small "
           "ones "
           "enlarged (static): memory is that predicted, and refinement makes up for it",
           kFactorization, kPivots, "KIND"},
          {PivotingKind::threshold, PivotingKind::static_structure},
          [](auto& options) -> auto& { return options.factorization.pivoting.kind; }),
      number<double>(
          {"pivot-perturbation", "0 to 0.5",
           "enlarge static pivots that failed the test to SIZE, relative to the largest entry; 0: the root of the rounding unit",
           kFactorization, kPivots, "SIZE"},
          0, 0.5, [](auto& options) -> auto& { return options.factorization.pivoting.perturbation; }),
      choice<KeptFactors>(
          {"keep",
           "all|backward|none",
           "keep all factors, what solving along with the factorization reads (backward), or nothing but inertia, rank and "
           "determinant (none)",
           kFactorization,
           {},
           "WHICH"},
          {KeptFactors::all, KeptFactors::backward, KeptFactors::none},
          [](auto& options) -> auto& { return options.factorization.kept; })};
}

std::vector<Row> solve_rows() {
  constexpr RepeatedPhase kRepeats = RepeatedPhase::none;
  constexpr std::string_view kGroup = "Accuracy";
  return {number<int>(
              {"refine-steps", "0 to 1000", "refine by at most STEPS corrections", kRepeats, kGroup, "STEPS"}, 0, 1000,
              [](auto& options) -> auto& { return options.refinement.max_steps; }),
          number<double>(
              {"refine-to",
               "0 to 1e-14",
               "refine until the componentwise backward error is at most ERROR; 0: 10 rounding units",
               kRepeats,
               {},
               "ERROR"},
              0, 1e-14, [](auto& options) -> auto& { return options.refinement.target; }),
          number<int>(
              {"krylov-steps", "0 to 100000", "where refinement stalls, go on by at most STEPS steps of GMRES", kRepeats, kGroup,
               "STEPS"},
              0, 100000, [](auto& options) -> auto& { return options.refinement.max_krylov_steps; }),
          choice<ErrorBounds>(
              {"error-bounds", "never|first|all",
               "bound the error of no solution, the first, or all, and estimate the condition number; a bound takes some five "
               "solves, and "
               "the condition number as many",
               kRepeats, kGroup, "WHICH"},
              {ErrorBounds::never, ErrorBounds::first_column, ErrorBounds::all_columns},
              [](auto& options) -> auto& { return options.error_bounds; })};
}

std::vector<Row> checkpoint_rows() {
  return {{{"checkpoint",
            "a directory",
            "write fronts there as they are finished, so that another run can go on",
            kFactorization,
            {},
            "DIR"},
           [](SolverOptions& options, std::string_view text) { options.checkpoint.directory = text; },
           [](const SolverOptions& options) { return options.checkpoint.directory; }},
          {{"checkpoint-every",
            "a time such as 90s or 10min",
            "from one list of what is finished to the next",
            kFactorization,
            {},
            "TIME"},
           [](SolverOptions& options, std::string_view text) {
             options.checkpoint.every_seconds = parse_duration("checkpoint-every", text);
           },
           [](const SolverOptions& options) { return fmt::format("{}s", options.checkpoint.every_seconds); }}};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> all;
    for (std::vector<Row> some : {analysis_rows(), factorization_rows(), solve_rows(), checkpoint_rows()}) {
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
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
