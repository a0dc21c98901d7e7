// SPDX-License-Identifier: BSD-3-Clause
// Derives exclusions from what each option needs, and what it takes from a run.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tools/program/solve/solve_arguments.hpp"

namespace frond {
namespace {

// What a run has unless an option takes it away.
constexpr unsigned kMaking = 1;          // the matrix is factorized, as options of the analysis and of pivots say
constexpr unsigned kOwnAnalysis = 2;     // by an analysis of its own
constexpr unsigned kBeginning = 4;       // from the beginning
constexpr unsigned kFactors = 8;         // all factors are there afterwards
constexpr unsigned kWhole = 16;          // of all of the matrix
constexpr unsigned kFullPrecision = 32;  // in the precision of the matrix
constexpr unsigned kSolves = 64;         // the system is solved
constexpr unsigned kMadeSides = 128;     // for right-hand sides that are made
constexpr unsigned kNoLoss = 256;        // in processes of which none may be lost
constexpr unsigned kMeasured = 512;      // each x is refined, measured and judged
constexpr unsigned kCheckpoint = kMaking | kOwnAnalysis | kFactors | kWhole;

struct Claim {
  std::string option;  // as on the command line, with the word of which this is true, if it is not true of all
  unsigned needs;
  unsigned takes = 0;
};

// Other options need nothing, except those of the solver's table.
const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> kClaims = {{"--analysis-of", kMaking, kOwnAnalysis},
                                             {"--checkpoint", kCheckpoint | kBeginning},
                                             {"--condensed-out", kSolves},
                                             {"--error-bounds", kSolves | kFactors | kMeasured},
                                             {"--expand", kSolves},
                                             {"--factor-part", kSolves | kFactors | kWhole | kFullPrecision},
                                             {"--inverse-diagonal", kSolves | kFactors},
                                             {"--inverse-entries", kSolves | kFactors},
                                             {"--load-factors", kFactors, kMaking},
                                             {"--nrhs", kSolves | kMadeSides},
                                             {"--null-space", kSolves | kFactors | kWhole},
                                             {"--once", kSolves | kWhole, kFactors},
                                             {"--only", 0, kSolves | kFactors},
                                             {"--operation adjoint", kSolves | kFactors},
                                             {"--operation transpose", kSolves | kFactors},
                                             {"--ordering", kMaking},
                                             {"--out", kSolves},
                                             {"--precision mixed", kMaking | kFactors | kWhole, kFullPrecision},
                                             {"--replicate-factors", kFactors | kWhole | kNoLoss},
                                             {"--resume", kCheckpoint, kBeginning},
                                             {"--rhs", kSolves, kMadeSides},
                                             {"--save-factors", kMaking | kFactors | kWhole},
                                             {"--schur", kMaking, kWhole},
                                             {"--set krylov-steps", kSolves | kMeasured},
                                             {"--set refine-steps", kSolves | kMeasured},
                                             {"--set refine-to", kSolves | kMeasured},
                                             {"--set seed", kSolves | kMadeSides},
                                             {"--set symmetry", 0},  // is looked for where the matrix is read
                                             {"--set verdict=pivots", kSolves | kFactors | kWhole | kFullPrecision, kMeasured},
                                             {"--survive", 0, kNoLoss},
                                             {"--survive=copies", kCheckpoint}};
  return kClaims;
}

// What a row of the table needs by the phase that it belongs to.
unsigned needs_of(const NamedOption& option) {
  if (option.repeats == RepeatedPhase::none) {
    return kSolves;
  }
  return option.group == "Analysis" || option.group == "Pivots" ? kMaking : 0;
}

bool is_given(const std::string& claimed, const CLI::App& command, const NamedArguments& named) {
  constexpr std::string_view kSetting = "--set ";
  if (claimed.starts_with(kSetting)) {
    const std::string_view setting = std::string_view(claimed).substr(kSetting.size());
    const std::size_t end = setting.find('=');
    return end == std::string::npos ? named.has(setting) : named.is(setting.substr(0, end), setting.substr(end + 1));
  }
  const std::size_t end = claimed.find_first_of(" =");
  const CLI::Option* option = command.get_option(claimed.substr(0, end));
  return option->count() > 0 && (end == std::string::npos || option->results().front() == claimed.substr(end + 1));
}

std::vector<Claim> given_claims(const CLI::App& command, const NamedArguments& named) {
  std::vector<Claim> claims = all_claims();
  for (const NamedOption& option : named_options()) {
    const std::string spelling = spelling_of(option);
    if (named.has(option.name) &&
        std::none_of(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.option == spelling; })) {
      claims.push_back({spelling, needs_of(option)});
    }
  }
  std::erase_if(claims, [&](const Claim& claim) { return !is_given(claim.option, command, named); });
  return claims;
}

}  // namespace

void check_exclusions(const CLI::App& command, const SolveArguments& arguments) {
  const std::vector<Claim> claims = given_claims(command, arguments.system.named);
  for (const Claim& taker : claims) {
    for (const Claim& other : claims) {
      if ((taker.takes & other.needs) != 0) {
        throw CLI::ExcludesError(taker.option, other.option);
      }
    }
  }
}

}  // namespace frond
