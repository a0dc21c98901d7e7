// SPDX-License-Identifier: BSD-3-Clause
// Tests tables of lost launches, and malformed lists.
#include "tests/cross/results_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond::test {
namespace {

class ResultsTableTest : public ::testing::Test {
 protected:
  ResultsTableTest() { std::filesystem::remove(path_); }
  ~ResultsTableTest() override { std::filesystem::remove(path_); }

  void write(const std::string& content) const { std::ofstream(path_) << content; }
  [[nodiscard]] std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const std::string path_ = ::testing::TempDir() + "frond_results_table_" + std::to_string(getpid());
  const Configuration configuration_{"A.mtx", "naive", "flops", "on", "ring"};
};

TEST_F(ResultsTableTest, KnowsWhatWasFinishedBefore) {
  {
    ResultsTable table(path_);
    EXPECT_FALSE(table.contains(configuration_.key(2)));
    table.begin(configuration_.key(2));
    table.finish("lu\tsolved");
  }
  const ResultsTable table(path_);
  EXPECT_TRUE(table.contains("A.mtx\t2\tnaive\tflops\ton\tring"));
  EXPECT_FALSE(table.contains(configuration_.key(3)));
  EXPECT_EQ(content().substr(content().find("A.mtx")), "A.mtx\t2\tnaive\tflops\ton\tring\tlu\tsolved\n");
}

TEST_F(ResultsTableTest, CompletesTheLineOfALostLaunch) {
  { ResultsTable(path_).begin(configuration_.key(2)); }
  EXPECT_NE(content().back(), '\n');
  EXPECT_TRUE(ResultsTable(path_).contains(configuration_.key(2)));
  const std::string completed = content();
  EXPECT_EQ(completed.substr(completed.size() - 6), "\tlost\n");
  EXPECT_TRUE(ResultsTable(path_).contains(configuration_.key(2)));
  EXPECT_EQ(content(), completed);
}

TEST_F(ResultsTableTest, RefusesATableOfOtherFields) {
  write("matrix\tranks\tverdict\nA.mtx\t2\tsolved\n");
  EXPECT_THROW(ResultsTable{path_}, InputError);
}

TEST_F(ResultsTableTest, SaysWhereAListIsNoList) {
  write("A.mtx naive flops on ring\nB.mtx naive flops off static\n");
  const std::vector<Configuration> list = read_configurations(path_);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1].key(4), "B.mtx\t4\tnaive\tflops\toff\tstatic");
  write("A.mtx naive flops on ring\nB.mtx naive flops on\n");
  const auto error = testing::error_of<InputError>([&] { (void)read_configurations(path_); });
  EXPECT_EQ(error.line(), 2);
}

}  // namespace
}  // namespace frond::test
