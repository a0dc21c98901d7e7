// SPDX-License-Identifier: BSD-3-Clause
// Tests --survive together with other options, and notes that outlive the process that wrote them.
#include "tools/program/solve/survival.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

SolveArguments survive_by(const std::string& how) {
  SolveArguments arguments;
  arguments.ranks.survive = how;
  return arguments;
}

TEST(Protection, IsThatOfTheCheckpointUnlessItIsNamed) {
  EXPECT_EQ(protection_of(survive_by(kSurviveByDefault)), Protection::recompute);
  EXPECT_EQ(protection_of(survive_by("recompute")), Protection::recompute);
  EXPECT_EQ(protection_of(survive_by("copies")), Protection::copies);
  for (const char* how : {kSurviveByDefault, "files"}) {
    SolveArguments arguments = survive_by(how);
    arguments.checkpoint = "run1";
    EXPECT_EQ(protection_of(arguments), Protection::files) << how;
    arguments.checkpoint.clear();
    arguments.resume = "run1";
    EXPECT_EQ(protection_of(arguments), Protection::files) << how;
  }
}

TEST(Protection, IsRefusedWhereItProtectsNothing) {
  EXPECT_THROW((void)protection_of(survive_by("files")), UsageError);
  for (const char* how : {"recompute", "copies"}) {
    SolveArguments arguments = survive_by(how);
    arguments.checkpoint = "run1";
    EXPECT_THROW((void)protection_of(arguments), UsageError) << how;
  }
  const std::vector<std::function<void(SolveArguments&)>> without_all_factors = {
      [](SolveArguments& arguments) { arguments.load_factors = "A.factors"; },
      [](SolveArguments& arguments) { arguments.once = true; },
      [](SolveArguments& arguments) { arguments.schur = "1-5"; },
      [](SolveArguments& arguments) { arguments.only = {"inertia"}; },
      [](SolveArguments& arguments) { arguments.analysis_of = "B.mtx"; },
      [](SolveArguments& arguments) { arguments.ranks.arbiter = "/shared"; }};
  for (const auto& change : without_all_factors) {
    SolveArguments arguments = survive_by("copies");
    change(arguments);
    EXPECT_THROW((void)protection_of(arguments), UsageError);
    arguments.ranks.survive = "recompute";
    EXPECT_EQ(protection_of(arguments), Protection::recompute);
  }
}

TEST(SurvivalNotes, AreTheLastOfEachProcess) {
  const testing::ScratchFolder folder;
  EXPECT_EQ(Survival::last_phase(folder.path("."), 0), "");
  const Survival first(folder.path("."), 0, {});
  const Survival second(folder.path("."), 1, {});
  first.begin_phase("in the factorization");
  second.begin_phase("in the reading");
  first.begin_phase("in the solve");
  EXPECT_EQ(Survival::last_phase(folder.path("."), 0), "in the solve");
  EXPECT_EQ(Survival::last_phase(folder.path("."), 1), "in the reading");
  Survival(folder.path("nowhere"), 0, {}).begin_phase("in the solve");  // must not throw
}

}  // namespace
}  // namespace frond
