// SPDX-License-Identifier: BSD-3-Clause
// Tests every pair of options of frond solve: those that exclude each other, and all others.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/program/solve/solve_arguments.hpp"

namespace frond {
namespace {

using Options = std::set<std::string>;  // with their words: "precision mixed"

// Each with the one that it requires.
constexpr const char* kOptions =
    "analysis-of f;arbiter f+survive;checkpoint f;condensed-out f+schur 1;error-bounds all;expand a b+schur 1;factor-part lower f;"
    "html f;inverse-diagonal f;inverse-entries P f;json f;keep-zeros;levels;load-factors f;memory-limit 1GB;method lu;nrhs 2;"
    "null-space f;once;only rank;operation adjoint;operation plain;operation transpose;ordering amd;out f;pivoting static;"
    "precision mixed;precision single;processes 2;refine-inverse;replicate-factors;resume f;rhs f;save-factors f;scaling none;"
    "schedule memory;schur 1;schur-out f+schur 1;survive;survive=copies;threads 2;time-limit 9;trace f;work pool;write-ordering f;"
    "set bind=off;set block-triangular=never;set checkpoint-every=9s;set chunks=ss;set heartbeat-limit=9;set krylov-steps=1;"
    "set load-exchange=naive;set load-period=9;set load-thread=off;set matching=never;set mpi-threads=funneled;"
    "set null-threshold=0;set pivot-perturbation=0;set pivot-threshold=0;set refine-steps=1;set refine-to=0;set reuse=many;"
    "set seed=2;set symmetry=detect;set verdict=pivots;set watchdog=2";

// What the first ones exclude.
constexpr std::pair<const char*, const char*> kExclusions[] = {
    {"rhs", "nrhs;set seed"},
    {"load-factors",
     "save-factors;analysis-of;ordering;method;scaling;pivoting;set matching;set reuse;set block-triangular;set pivot-threshold;"
     "set null-threshold;set pivot-perturbation"},
    {"schur", "load-factors;factor-part;null-space;save-factors"},
    {"only",
     "rhs;nrhs;out;operation transpose;operation adjoint;condensed-out;expand;factor-part;error-bounds;null-space;inverse-diagonal;"
     "inverse-entries;save-factors;load-factors;set seed;set refine-steps;set refine-to;set krylov-steps"},
    {"once",
     "operation transpose;operation adjoint;schur;error-bounds;factor-part;null-space;inverse-diagonal;inverse-entries;"
     "save-factors;load-factors;only"},
    {"checkpoint", "resume;load-factors;only;once;schur;analysis-of"},
    {"resume", "load-factors;only;once;schur;analysis-of"},
    {"survive=copies", "load-factors;only;once;schur;analysis-of"},
    {"replicate-factors", "once;only;schur;survive"},
    {"precision mixed", "load-factors;only;factor-part;once;schur"},
    {"set verdict=pivots", "once;only;schur;precision mixed;error-bounds;set refine-steps;set refine-to;set krylov-steps"}};

bool has(const Options& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return option.starts_with(name) && (option.size() == name.size() || option[name.size()] == ' ' || option[name.size()] == '=');
  });
}

// One option with two words.
bool has_two_words(const Options& options) {
  std::multiset<std::string> names;
  for (const std::string& option : options) {
    names.insert(option.substr(0, option.find_first_of(" =")));
  }
  names.erase("set");
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool are_refused(const Options& options) {
  CLI::App command("solves", "solve");
  SolveArguments arguments;
  add_solve_options(command, arguments);
  std::string text = "A.mtx";
  for (const std::string& option : options) {
    text += " --" + option;
  }
  try {
    command.parse(text, false);
    check_exclusions(command, arguments);
    return false;
  } catch (const CLI::ExcludesError&) {
    return true;
  }
}

bool are_listed(const Options& options) {
  return std::any_of(std::begin(kExclusions), std::end(kExclusions), [&](const auto& row) {
    const std::vector<std::string> others = CLI::detail::split(row.second, ';');
    return has(options, row.first) &&
           std::any_of(others.begin(), others.end(), [&](const auto& other) { return has(options, other); });
  });
}

TEST(Exclusions, AreThoseOfEachPair) {
  const std::vector<std::string> all = CLI::detail::split(kOptions, ';');
  for (const std::string& one : all) {
    for (const std::string& other : all) {
      Options options;
      for (const std::string& option : CLI::detail::split(one + "+" + other, '+')) {
        options.insert(option);
      }
      if (one < other && !has_two_words(options)) {
        EXPECT_EQ(are_refused(options), are_listed(options)) << one << " and " << other;
      }
    }
  }
}

}  // namespace
}  // namespace frond
