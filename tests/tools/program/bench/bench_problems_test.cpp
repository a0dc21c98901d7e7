// SPDX-License-Identifier: BSD-3-Clause
// Tests problems given by kind, file, folder and suite.
#include "tools/program/bench/bench_problems.hpp"

#include <gtest/gtest.h>

#include <set>

#include "frond/error.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

TEST(BenchProblems, TakesKindsWithSizesAndFiles) {
  const testing::ScratchFolder folder;
  const std::string file = folder.write("A.mtx", "");
  const auto problems = parse_bench_problems({"laplacian3d7", "5", file, "kkt3d", "3"}, "");
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].name, "laplacian3d7 5");
  EXPECT_EQ(problems[0].model->n, 5);
  EXPECT_EQ(problems[1].name, "A.mtx");
  EXPECT_EQ(problems[1].file, file);
  EXPECT_FALSE(problems[1].model.has_value());
  EXPECT_EQ(problems[2].model->kind, ModelProblem::kkt3d);
}

TEST(BenchProblems, TakesTheMatricesOfAFolderByName) {
  const testing::ScratchFolder folder;
  for (const char* name : {"b.mtx.gz", "a.rua", "README.md", "c.tsv"}) {
    folder.write(name, "");
  }
  for (const auto& problems : {parse_bench_problems({folder.path("")}, ""), parse_bench_problems({"real"}, folder.path(""))}) {
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_EQ(problems[0].name, "a.rua");
    EXPECT_EQ(problems[1].name, "b.mtx.gz");
  }
}

TEST(BenchProblems, RefusesNamesThatCannotBe) {
  EXPECT_THROW((void)parse_bench_problems({std::string(300, 'x')}, ""), UsageError);
  EXPECT_THROW((void)parse_bench_problems({"real"}, std::string(300, 'x')), UsageError);
}

TEST(BenchProblems, HasSuitesOfModelProblemsThatExist) {
  for (const char* suite : {"small", "model"}) {
    std::set<std::string> names;
    for (const BenchProblem& problem : parse_bench_problems({suite}, "")) {
      const ModelProblemInfo& info = model_problem_info(problem.model->kind);
      EXPECT_GE(problem.model->n, info.smallest_size);
      EXPECT_LE(problem.model->n, info.largest_size);
      EXPECT_TRUE(names.insert(problem.name).second) << problem.name;
    }
    EXPECT_GE(names.size(), 7u);
  }
}

TEST(BenchProblems, HasTwentyProblemsInEveryClassAndEightBelowOrderThousand) {
  for (const std::string& name : kBenchClasses) {
    std::set<std::string> names;
    int num_small = 0;
    for (const BenchProblem& problem : problems_of_class(name)) {
      names.insert(problem.name);
      std::visit([&num_small](const auto& matrix) { num_small += matrix.num_rows < 1000 ? 1 : 0; },
                 generate(problem.model->kind, problem.model->n, 1));
    }
    EXPECT_GE(names.size(), 20u) << name;
    EXPECT_GE(num_small, 8) << name;
  }
  EXPECT_TRUE(problems_of_class("").empty());
}

TEST(BenchProblems, RefusesOtherWords) {
  const testing::ScratchFolder empty;
  EXPECT_THROW((void)parse_bench_problems({"laplacian3d7"}, ""), UsageError);
  EXPECT_THROW((void)parse_bench_problems({"laplacian3d7", "many"}, ""), UsageError);
  EXPECT_THROW((void)parse_bench_problems({"no-such-file.mtx"}, ""), UsageError);
  EXPECT_THROW((void)parse_bench_problems({"real"}, ""), UsageError);
  EXPECT_THROW((void)parse_bench_problems({empty.path("")}, ""), UsageError);
}

}  // namespace
}  // namespace frond
