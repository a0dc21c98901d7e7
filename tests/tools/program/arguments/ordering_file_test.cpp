// SPDX-License-Identifier: BSD-3-Clause
// Tests valid and malformed ordering files.
#include "tools/program/arguments/ordering_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

// Analyses a diagonal matrix with this order of elimination.
Symbolic analysis_with(std::vector<Index> perm, std::vector<Index> row_of_column) {
  const std::vector<Count> offsets{0, 1, 2, 3};
  const std::vector<Index> rows = row_of_column.empty() ? std::vector<Index>{0, 1, 2} : row_of_column;
  const AnalysisOptions options{
      .ordering = {.kind = OrderingKind::given, .perm = std::move(perm), .row_of_column = std::move(row_of_column)}};
  return *analyze({3, 3, Symmetry::general, offsets, rows}, options);
}

TEST(OrderingFile, ComesBackAsItWasWritten) {
  const testing::ScratchFolder folder;
  const std::vector<Index> perm{2, 0, 1};
  write_ordering(folder.path("order"), analysis_with(perm, {}));
  EXPECT_EQ(folder.read("order"), "3\n1\n2\n");
  const OrderingOptions options = parse_ordering(folder.path("order"));
  EXPECT_EQ(options.kind, OrderingKind::given);
  EXPECT_EQ(options.perm, perm);
  EXPECT_TRUE(options.row_of_column.empty());
}

TEST(OrderingFile, HoldsTheRowsThatWereMatched) {
  const testing::ScratchFolder folder;
  write_ordering(folder.path("order"), analysis_with({2, 0, 1}, {1, 0, 2}));
  EXPECT_EQ(folder.read("order"), "3 3\n1 2\n2 1\n");
  const OrderingOptions options = parse_ordering(folder.path("order"));
  EXPECT_EQ(options.perm, (std::vector<Index>{2, 0, 1}));
  EXPECT_EQ(options.row_of_column, (std::vector<Index>{1, 0, 2}));
}

TEST(OrderingFile, MayHaveLineEndsOfDosAndBlankLines) {
  const testing::ScratchFolder folder;
  EXPECT_EQ(parse_ordering(folder.write("order", "2\r\n\r\n1\r\n")).perm, (std::vector<Index>{1, 0}));
}

TEST(OrderingFile, NamesTheLineThatIsWrong) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("order", "2\n0\n");
  const auto error = testing::error_of<InputError>([&] { (void)parse_ordering(path); });
  EXPECT_EQ(error.line(), 2);
  EXPECT_THROW((void)parse_ordering(folder.write("words", "one\n")), InputError);
  EXPECT_THROW((void)parse_ordering(folder.write("glued", "1x\n")), InputError);
  EXPECT_THROW((void)parse_ordering(folder.write("three", "1 1 1\n")), InputError);
  EXPECT_THROW((void)parse_ordering("minimal-degree"), InputError) << "neither a kind nor a file";
}

TEST(OrderingFile, MustNameEveryVariableOnce) {
  const testing::ScratchFolder folder;
  const auto message = [&folder](const char* text) -> std::string {
    return testing::complaint_of<InputError>([&] { (void)parse_ordering(folder.write("order", text)); });
  };
  EXPECT_NE(message("3\n\n1\n3\n").find("order:4: variable 3 was eliminated in line 1 before"), std::string::npos);
  EXPECT_NE(message("1 2\n2 2\n").find("order:2: row 2 was eliminated in line 1 before"), std::string::npos);
  EXPECT_NE(message("1 2\n2\n").find("order:2: some lines name a row and some do not"), std::string::npos);
  EXPECT_NE(message("1\n3\n").find("order:2: there is no variable 3: the file orders 2"), std::string::npos);
}

TEST(OrderingKinds, HaveTheNamesTheyAreAskedForBy) {
  for (const OrderingKind kind :
       {OrderingKind::automatic, OrderingKind::dissection, OrderingKind::metis, OrderingKind::amd, OrderingKind::natural}) {
    EXPECT_EQ(parse_ordering(to_string(kind)).kind, kind);
  }
}

}  // namespace
}  // namespace frond
