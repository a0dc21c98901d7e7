// SPDX-License-Identifier: BSD-3-Clause
// Tests --survive together with other options, and notes that outlive the process that wrote them.
#include "tools/program/solve/survival.hpp"

#include <gtest/gtest.h>

#include <string>

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
  SolveArguments arguments = survive_by("copies");
  arguments.ranks.arbiter = "/shared";
  EXPECT_THROW((void)protection_of(arguments), UsageError);
  arguments.ranks.survive = "recompute";
  EXPECT_EQ(protection_of(arguments), Protection::recompute);
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
