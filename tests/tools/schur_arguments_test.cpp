// SPDX-License-Identifier: BSD-3-Clause
#include "tools/schur_arguments.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "matrices/error.hpp"
#include "scratch_folder.hpp"

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
    try {
      (void)parse_schur_variables(folder.write("kept", text));
      ADD_FAILURE() << text << " was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 2) << text;
    }
  }
  EXPECT_THROW((void)parse_schur_variables("3-1"), InputError);
  EXPECT_THROW((void)parse_schur_variables(folder.path("missing")), InputError);
}

}  // namespace
}  // namespace frond
