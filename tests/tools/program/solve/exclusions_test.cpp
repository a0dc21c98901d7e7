// SPDX-License-Identifier: BSD-3-Clause
// Tests every pair of options of frond solve: those that exclude each other, and all others.
#include "tools/program/solve/exclusions.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/program/solve/solve_arguments.hpp"

namespace frond {
namespace {

using Words = std::vector<std::string>;

Words words_in(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

// Options by their names below.
const std::map<std::string, std::string>& option_texts() {
  static const std::map<std::string, std::string> kTexts = [] {
    std::map<std::string, std::string> texts = {{"adjoint", "--operation adjoint"}, {"transpose", "--operation transpose"},
                                                {"plain", "--operation plain"},     {"mixed", "--precision mixed"},
                                                {"single", "--precision single"},   {"copies", "--survive=copies"}};
    for (const char* flag : {"once", "replicate-factors", "survive", "keep-zeros", "levels", "refine-inverse"}) {
      texts[flag] = std::string("--") + flag;
    }
    for (const char* file :
         {"analysis-of", "rhs", "out", "json", "html", "trace", "write-ordering", "null-space", "inverse-diagonal", "save-factors",
          "load-factors", "checkpoint", "resume", "schur-out", "condensed-out", "arbiter"}) {
      texts[file] = std::string("--") + file + " f";
    }
    for (const char* option : {"nrhs 2", "ordering amd", "method lu", "scaling none", "pivoting static", "error-bounds all",
                               "only rank", "schur 1", "expand a b", "factor-part lower f", "inverse-entries P f", "threads 2",
                               "memory-limit 1GB", "processes 2", "time-limit 9", "schedule memory", "work pool"}) {
      texts[words_in(option).front()] = std::string("--") + option;
    }
    for (const std::string setting : {"matching=never",      "reuse=many",         "block-triangular=never", "symmetry=detect",
                                      "pivot-threshold=0.1", "null-threshold=0.1", "pivot-perturbation=0.1", "refine-steps=1",
                                      "refine-to=0",         "krylov-steps=1",     "checkpoint-every=9s",    "seed=2",
                                      "load-exchange=naive", "chunks=ss",          "load-thread=off",        "load-period=9",
                                      "watchdog=2",          "heartbeat-limit=9",  "mpi-threads=funneled",   "bind=off"}) {
      texts[setting.substr(0, setting.find('='))] = "--set " + setting;
    }
    return texts;
  }();
  return kTexts;
}

// The option that this one requires; empty: none.
std::string companion_of(const std::string& name) {
  return name == "schur-out" || name == "condensed-out" || name == "expand" ? "schur" : name == "arbiter" ? "survive" : "";
}

// Those that each of the first excludes.
const std::vector<std::pair<std::string, std::string>>& exclusions() {
  static const std::vector<std::pair<std::string, std::string>> kExclusions = {
      {"rhs", "nrhs seed"},
      {"load-factors",
       "save-factors analysis-of ordering matching reuse block-triangular method scaling pivoting pivot-perturbation "
       "pivot-threshold null-threshold"},
      {"schur", "load-factors factor-part null-space save-factors"},
      {"only",
       "rhs nrhs seed out transpose adjoint condensed-out expand factor-part refine-steps refine-to krylov-steps error-bounds "
       "null-space inverse-diagonal inverse-entries save-factors load-factors"},
      {"once",
       "transpose adjoint schur error-bounds factor-part null-space inverse-diagonal inverse-entries save-factors load-factors "
       "only"},
      {"checkpoint", "resume load-factors only once schur analysis-of"},
      {"resume", "load-factors only once schur analysis-of"},
      {"replicate-factors", "once only schur survive copies"},
      {"mixed", "load-factors only factor-part once schur"},
      {"copies", "load-factors only once schur analysis-of"}};
  return kExclusions;
}

bool are_listed(const std::string& one, const std::string& other) {
  return std::any_of(exclusions().begin(), exclusions().end(), [&](const auto& row) {
    const Words others = words_in(row.second);
    const auto lists = [&](const std::string& name) { return std::find(others.begin(), others.end(), name) != others.end(); };
    return (row.first == one && lists(other)) || (row.first == other && lists(one));
  });
}

// With what they need.
std::set<std::string> with_companions(const std::string& one, const std::string& other) {
  std::set<std::string> names = {one, other, companion_of(one), companion_of(other)};
  names.erase("");
  if (names.contains("copies")) {
    names.erase("survive");  // is the same option
  }
  return names;
}

bool are_refused(const std::set<std::string>& names) {
  CLI::App command("solves", "solve");
  SolveArguments arguments;
  add_solve_options(command, arguments);
  std::string text = "A.mtx";
  for (const std::string& name : names) {
    text += " " + option_texts().at(name);
  }
  try {
    Words words = words_in(text);
    std::reverse(words.begin(), words.end());
    command.parse(std::move(words));
    check_exclusions(command, arguments.system.named);
    return false;
  } catch (const CLI::ExcludesError&) {
    return true;
  }
}

// Words of one option cannot both be given.
bool are_one_option(const std::string& one, const std::string& other) {
  const auto option = [](const std::string& name) {
    const std::string word = words_in(option_texts().at(name)).front();
    return word.substr(0, word.find('='));
  };
  return option(one) == option(other) && option(one) != "--set";
}

TEST(Exclusions, AreThoseOfEachPair) {
  int num_refused = 0;
  for (const auto& [one, one_text] : option_texts()) {
    for (const auto& [other, other_text] : option_texts()) {
      if (one >= other || are_one_option(one, other)) {
        continue;
      }
      const std::set<std::string> names = with_companions(one, other);
      bool is_expected = false;
      for (const std::string& first : names) {
        for (const std::string& second : names) {
          is_expected |= are_listed(first, second);
        }
      }
      EXPECT_EQ(are_refused(names), is_expected) << one << " and " << other;
      num_refused += is_expected ? 1 : 0;
    }
  }
  EXPECT_GT(num_refused, 90);
}

TEST(Exclusions, NameBothAsTheyAreWritten) {
  CLI::App command("solves", "solve");
  SolveArguments arguments;
  add_solve_options(command, arguments);
  command.parse("A.mtx --load-factors f --set matching=never", false);
  try {
    check_exclusions(command, arguments.system.named);
    FAIL();
  } catch (const CLI::ExcludesError& error) {
    EXPECT_STREQ(error.what(), "--load-factors excludes --set matching");
  }
}

}  // namespace
}  // namespace frond
