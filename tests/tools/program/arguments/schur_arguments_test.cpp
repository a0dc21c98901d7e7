// SPDX-License-Identifier: BSD-3-Clause
// Tests lists of variables, given on the command line and in files.
#include "tools/program/arguments/schur_arguments.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(SchurArguments, AreNumbersAndRangesInTheirOrder) {
  EXPECT_EQ(parse_schur_variables("9,3-5,1"), (std::vector<Index>{8, 2, 3, 4, 0}));
  EXPECT_TRUE(parse_schur_variables("").empty());
}

TEST(SchurArguments, MayComeFromAFile) {
  const testing::ScratchFolder folder;
  EXPECT_EQ(parse_schur_variables(folder.write("kept", "7 3-4\r\n\n1, 2\n")), (std::vector<Index>{6, 2, 3, 0, 1}));
}

TEST(SchurArguments, NameTheLineThatIsWrong) {
  const testing::ScratchFolder folder;
  for (const char* text : {"1\n0\n", "1\n5-3\n", "1\n2x\n", "1\n-2\n", "1\n3-\n", "1\n99999999999\n"}) {
    const auto error = testing::error_of<InputError>([&] { (void)parse_schur_variables(folder.write("kept", text)); });
    EXPECT_EQ(error.line(), 2) << text;
  }
  EXPECT_THROW((void)parse_schur_variables("3-1"), InputError);
  EXPECT_THROW((void)parse_schur_variables(folder.path("missing")), InputError);
}

TEST(SchurArguments, NameSomeVariable) {
  const testing::ScratchFolder folder;
  for (const std::string& list : {std::string(","), folder.write("empty", ""), folder.write("blank", " \n,\n")}) {
    const auto error = testing::error_of<InputError>([&] { (void)parse_schur_variables(list); });
    EXPECT_EQ(std::string(error.what()).find("--schur: '" + list + "' names no variable"), 0U) << error.what();
  }
}

// Returns the message about a list for a matrix of this order; empty if the list is valid.
std::string complaint(const std::string& list, Index order) {
  return testing::complaint_of<UsageError>([&] { check_schur_list(list, parse_schur_variables(list), order); });
}

TEST(SchurArguments, AreVariablesOfTheMatrixEachOnce) {
  const testing::ScratchFolder folder;
  EXPECT_EQ(complaint("3,1-2", 3), "");
  EXPECT_EQ(complaint("", 0), "");
  EXPECT_EQ(complaint("4", 3), "--schur: there is no variable 4, the matrix has order 3");
  EXPECT_EQ(complaint("1", 0), "--schur: there is no variable 1, the matrix has order 0");
  EXPECT_EQ(complaint("1-2,1", 3), "--schur: variable 1 is named more than once; name it once");
  const std::string file = folder.write("kept", "2\n2\n");
  EXPECT_EQ(complaint(file, 3), "--schur " + file + ": variable 2 is named more than once; name it once");
}

}  // namespace
}  // namespace frond
