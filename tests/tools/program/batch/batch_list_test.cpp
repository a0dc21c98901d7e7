// SPDX-License-Identifier: BSD-3-Clause
// Tests lists of systems, and the reuse of earlier results.
#include "tools/program/batch/batch_list.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tools/program/batch/batch_results.hpp"

namespace frond {
namespace {

class BatchFiles : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::string path = folder_.path(name);
    std::ofstream(path) << text;
    return path;
  }
  testing::ScratchFolder folder_;
};

TEST_F(BatchFiles, ListsNameMatricesAndRightHandSides) {
  const std::string list = write("list", "# of today\nA.mtx\n\n  B.mtx\tb.mtx  \n\"my matrix.mtx\" \"its b.mtx\"\n/abs/C.rb\n");
  const std::vector<BatchItem> expected = {{folder_.path("A.mtx"), ""},
                                           {folder_.path("B.mtx"), folder_.path("b.mtx")},
                                           {folder_.path("my matrix.mtx"), folder_.path("its b.mtx")},
                                           {"/abs/C.rb", ""}};
  EXPECT_EQ(read_batch_list(list), expected);
}

TEST_F(BatchFiles, NamesThatCannotBeAreRefused) {
  EXPECT_THROW((void)read_batch_list(folder_.path(std::string(300, 'x'))), InputError);
}

TEST_F(BatchFiles, FoldersHaveTheirMatricesInOrder) {
  write("c.mtx.gz", "");
  write("b.rua", "");
  write("a.mtx", "");
  write("notes.txt", "");
  const std::vector<BatchItem> expected = {
      {folder_.path("a.mtx"), ""}, {folder_.path("b.rua"), ""}, {folder_.path("c.mtx.gz"), ""}};
  EXPECT_EQ(read_batch_list(folder_.path("")), read_batch_list(folder_.path("")));
  std::vector<BatchItem> found = read_batch_list(folder_.path(""));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].matrix.substr(found[k].matrix.rfind('/')), expected[k].matrix.substr(expected[k].matrix.rfind('/')));
  }
}

TEST_F(BatchFiles, ListsThatAreNoneAreRefused) {
  EXPECT_THROW((void)read_batch_list(folder_.path("none")), InputError);
  EXPECT_THROW((void)read_batch_list(folder_.path("")), InputError) << "a folder without matrices";
  EXPECT_THROW((void)read_batch_list(write("empty", "# nothing\n")), InputError);
  testing::expect_error<InputError>("three:2", [&] { (void)read_batch_list(write("three", "A.mtx\nA.mtx b.mtx c.mtx\n")); });
}

TEST_F(BatchFiles, ResultsAreFoundAgainButForWhatWasCutOffOrIsOfOtherSystems) {
  const std::vector<BatchItem> items = {{"A.mtx", ""}, {"B.mtx", "b.mtx"}, {"A.mtx", ""}};
  const std::string path = folder_.path("results");
  {
    BatchResults results(path, items);
    EXPECT_TRUE(results.all().empty());
    results.add(1, items[1], {.verdict = "solved", .order = 7, .num_rhs = 2, .backward_error = 1e-16, .seconds = 3});
    results.add(2, items[2], {.verdict = "unreadable", .error = "\"quoted\"\n"});
  }
  std::ofstream(path, std::ios::app) << R"({"system":1,"matrix":"A.mtx","rhs":"","verd)";
  {
    BatchResults results(path, items);
    ASSERT_EQ(results.all().size(), 2U);
    EXPECT_TRUE(results.all().at(1).is_solved());
    EXPECT_EQ(results.all().at(1).order, 7);
    EXPECT_EQ(results.all().at(2).error, "\"quoted\"\n");
    results.add(0, items[0], {.verdict = "singular"});
  }
  EXPECT_EQ(BatchResults(path, items).all().size(), 3U);
  EXPECT_EQ(BatchResults(path, {{"A.mtx", ""}, {"B.mtx", ""}}).all().size(), 1U) << "B.mtx has other right-hand sides now";
  EXPECT_THROW(BatchResults(folder_.path("no/such/folder"), items), OutputError);
  BatchResults("", items).add(0, items[0], {});  // nothing is kept
}

}  // namespace
}  // namespace frond
