// SPDX-License-Identifier: BSD-3-Clause
// One row per option: its words or its range, and its member.
#include "solver/options/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/options/duration.hpp"
#include "solver/options/option_row.hpp"
#include "solver/options/suggestion.hpp"

namespace frond {
namespace {

constexpr bool kExpert = true;
constexpr double kManyFactorizations = 100;
constexpr int kMostThreads = 4096;

using Row = OptionRow<SolverOptions>;

std::vector<Row> analysis_rows() {
  constexpr RepeatedPhase kRepeats = RepeatedPhase::analysis;
  constexpr std::string_view kGroup = "Analysis";
  return {
      Row::choice(
          {"symmetry", "detect|as-stored",
           "treat a general matrix whose values are exactly symmetric, Hermitian or skew-symmetric as such, or as a general one",
           kRepeats, kGroup, "HOW", kExpert},
          [](auto& options) -> auto& { return options.detect_symmetry; }, {true, false}),
      Row::choice(
          {"ordering", "automatic|dissection|metis|amd|natural", "eliminate in the order that KIND of ordering finds", kRepeats,
           kGroup, "KIND"},
          [](auto& options) -> auto& { return options.analysis.ordering.kind; }),
      Row::choice(
          {"matching", "automatic|never|always",
           "match rows and columns before the ordering, for large pivots, where it pays (automatic) or the diagonal is weak "
           "(always); "
           "without effect on an ordering that is given or natural, and on Cholesky",
           kRepeats, kGroup, "WHEN", kExpert},
          [](auto& options) -> auto& { return options.analysis.ordering.matching; }),
      Row::choice(
          {"reuse", "automatic|1|many",
           "choose ordering and matching for the least time of one factorization, its analysis included, of two with the same "
           "analysis (automatic), or of a hundred (many)",
           kRepeats, kGroup, "TIMES", kExpert},
          [](auto& options) -> auto& { return options.analysis.ordering.expected_factorizations; },
          {OrderingOptions().expected_factorizations, 1, kManyFactorizations}),
      Row::choice(
          {"block-triangular", "automatic|never|always",
           "factorize only the diagonal blocks of the block triangular form of a general matrix, where no block has more than 0.9 "
           "of "
           "the order (automatic) or the structure splits (always); without effect for symmetric methods and with a Schur "
           "complement",
           kRepeats, kGroup, "WHEN", kExpert},
          [](auto& options) -> auto& { return options.analysis.block_triangular; }),
      Row::choice({"method", "automatic|cholesky|ldlt|ldlh|lu",
                   "factorize by METHOD; automatic: what symmetry and diagonal allow; ldlh is for complex Hermitian matrices",
                   kRepeats, kGroup, "METHOD"},
                  [](auto& options) -> auto& { return options.method; },
                  {std::nullopt, Method::cholesky, Method::ldlt, Method::ldlh, Method::lu}),
      Row::choice(
          {"scaling", "automatic|none|equilibrate|matching",
           "scale rows and columns; automatic: equilibrate where the diagonal is strong after that, otherwise matching, which "
           "scales by "
           "the matching with the largest product",
           kRepeats, kGroup, "KIND"},
          [](auto& options) -> auto& { return options.scaling; })};
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
      "U",
      kExpert};
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
      Row::number(
          {"threads", "0 to 4096", "use T threads; 0: all cores", kFactorization, {}, "T"}, 0, kMostThreads,
          [](auto& options) -> auto& { return options.factorization.num_threads; }),
      memory_limit_row(),
      Row::choice({"precision",
                   "full|mixed",
                   "compute the factors in full precision, or in single precision with refinement to full accuracy (mixed)",
                   kFactorization,
                   {},
                   "WHICH"},
                  [](auto& options) -> auto& { return options.mixed_precision; }, {false, true}),
      pivot_threshold_row(),
      Row::number(
          {"null-threshold", "0 to 0.5",
           "count pivots up to SIZE, relative to the largest scaled entry, as zero; 0: some rounding units, more for larger "
           "matrices",
           kFactorization, kPivots, "SIZE", kExpert},
          0, 0.5, [](auto& options) -> auto& { return options.factorization.pivoting.null_threshold; }),
      Row::choice(
          {"pivoting", "threshold|static",
           "treat pivots that fail the test with U: delay them, so that fronts grow (threshold), or take them all the same, small "
           "ones "
           "enlarged (static): memory is that predicted, and refinement makes up for it",
           kFactorization, kPivots, "KIND"},
          [](auto& options) -> auto& { return options.factorization.pivoting.kind; }),
      Row::number(
          {"pivot-perturbation", "0 to 0.5",
           "enlarge static pivots that failed the test to SIZE, relative to the largest entry; 0: the root of the rounding unit",
           kFactorization, kPivots, "SIZE", kExpert},
          0, 0.5, [](auto& options) -> auto& { return options.factorization.pivoting.perturbation; }),
      Row::choice(
          {"keep",
           "all|backward|none",
           "keep all factors, what solving along with the factorization reads (backward), or nothing but inertia, rank and "
           "determinant (none)",
           kFactorization,
           {},
           "WHICH"},
          [](auto& options) -> auto& { return options.factorization.kept; })};
}

std::vector<Row> solve_rows() {
  constexpr RepeatedPhase kRepeats = RepeatedPhase::none;
  constexpr std::string_view kGroup = "Accuracy";
  return {Row::number(
              {"refine-steps", "0 to 1000", "refine by at most STEPS corrections", kRepeats, kGroup, "STEPS", kExpert}, 0, 1000,
              [](auto& options) -> auto& { return options.refinement.max_steps; }),
          Row::number(
              {"refine-to", "0 to 1e-14", "refine until the componentwise backward error is at most ERROR; 0: 10 rounding units",
               kRepeats, kGroup, "ERROR", kExpert},
              0, 1e-14, [](auto& options) -> auto& { return options.refinement.target; }),
          Row::number(
              {"krylov-steps", "0 to 100000", "where refinement stalls, go on by at most STEPS steps of GMRES", kRepeats, kGroup,
               "STEPS", kExpert},
              0, 100000, [](auto& options) -> auto& { return options.refinement.max_krylov_steps; }),
          Row::choice(
              {"error-bounds", "never|first|all",
               "bound the error of no solution, the first, or all, and estimate the condition number; a bound takes some five "
               "solves, and "
               "the condition number as many",
               kRepeats, kGroup, "WHICH"},
              [](auto& options) -> auto& { return options.error_bounds; }),
          Row::choice({"verdict", "full|pivots",
                       "measure, refine and judge each x (full), or give what the factors give, judged by nothing but their pivots",
                       kRepeats, kGroup, "WHICH", kExpert},
                      [](auto& options) -> auto& { return options.refinement.measures; }, {true, false})};
}

std::vector<Row> checkpoint_rows() {
  return {
      {{"checkpoint",
        "a directory",
        "write fronts there as they are finished, so that another run can go on",
        kFactorization,
        {},
        "DIR"},
       [](SolverOptions& options, std::string_view text) { options.checkpoint.directory = text; },
       [](const SolverOptions& options) { return options.checkpoint.directory; }},
      {{"checkpoint-every", "a time such as 90s or 10min",
        "list what is finished every TIME, and give back disk that no list needs", kFactorization, "Checkpoints", "TIME", kExpert},
       [](SolverOptions& options, std::string_view text) {
         options.checkpoint.every_seconds = parse_duration("checkpoint-every", text);
       },
       [](const SolverOptions& options) { return fmt::format("{}s", options.checkpoint.every_seconds); }}};
}

// Options of several processes.
std::vector<Row> ranks_rows() {
  constexpr std::string_view kGroup = "Several processes";
  return {Row::choice(
              {"schedule", "flops|memory", "balance flops or memory by dynamic decisions", RepeatedPhase::analysis, kGroup, "WHAT"},
              [](auto& options) -> auto& { return options.ranks.schedule; }),
          Row::choice(
              {"work", "static|ring|random|loaded|pool",
               "let a process without work take subtrees that others have not begun, and slow ones have smaller shares of fronts: "
               "static, never; ring, asking one after the other; random; loaded, those first that have most to do; pool, where "
               "the first process gives parts of subtrees to all",
               kFactorization, kGroup, "HOW"},
              [](auto& options) -> auto& { return options.ranks.sharing; }),
          Row::choice(
              {"chunks", "static|ss|fsc|mfsc|gss|tss|fac|wf|rand|awf-b|awf-c|awf-d|awf-e|af",
               "where work is given from a pool, give it in chunks by RULE", kFactorization, kGroup, "RULE", kExpert},
              [](auto& options) -> auto& { return options.ranks.chunks; }),
          Row::choice(
              {"load-exchange", "naive|increments|local-increments|snapshot|partial-snapshot",
               "let processes know each other's load by HOW", kFactorization, kGroup, "HOW", kExpert},
              [](auto& options) -> auto& { return options.ranks.load_exchange; }),
          Row::choice({"load-thread", "on|off", "serve load messages by a thread of each process while it computes", kFactorization,
                       kGroup, "on|off", kExpert},
                      [](auto& options) -> auto& { return options.ranks.use_load_thread; }, {true, false}),
          Row::number(
              {"load-period", "1 to 1000000", "look for load messages every US microseconds while they come", kFactorization,
               kGroup, "US", kExpert},
              1, 1000000, [](auto& options) -> auto& { return options.ranks.load_period_us; }),
          Row::number(
              {"watchdog", "a number of at least 0", "report what a process waits for when it has been idle for SECONDS; 0: never",
               kFactorization, kGroup, "SECONDS", kExpert},
              0, std::numeric_limits<double>::max(), [](auto& options) -> auto& { return options.ranks.watchdog_seconds; })};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> all;
    for (std::vector<Row> some : {analysis_rows(), factorization_rows(), solve_rows(), checkpoint_rows(), ranks_rows()}) {
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

void refuse_value(const NamedOption& option, std::string_view value) {
  throw UsageError(fmt::format("the option {} cannot be '{}': give {}", option.name, value, option.values));
}

std::vector<std::string_view> words_of(std::string_view values) {
  std::vector<std::string_view> words;
  for (std::size_t end = 0; end != std::string_view::npos; values.remove_prefix(std::min(values.size(), end + 1))) {
    end = values.find('|');
    words.push_back(values.substr(0, end));
  }
  return words;
}

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
