// SPDX-License-Identifier: BSD-3-Clause
// Runs frond check-labels on matrices whose rank and inertia are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/programs/program_fixture.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond {
namespace {

using ProgramLabels = testing::Program;

TEST_F(ProgramLabels, ChecksLabels) {
  small();
  singular();
  folder_.write("LABELS.tsv",
                "file\tn\tclass\ns.mtx\t2\tnonsingular\nS.mtx\t3\tstructurally_singular\ns.mtx\t2\tnearly_singular\n");
  expect_end({"check-labels", folder_.path("")}, 0, "3 matrices: 3 agree");
  folder_.write("LABELS.tsv", "file\tclass\ns.mtx\tnumerically_singular\nS.mtx\tnonsingular\nnone.mtx\tnonsingular\n");
  expect_end({"check-labels", folder_.path("")}, 3, "0 agree with their label, 3 do not");
  folder_.write("t.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 -4\n");
  folder_.write("LABELS.tsv",
                "file\tclass\tnumerical_rank\tpos\tneg\tzero\tkappa2\nS.mtx\tstructurally_singular\t3\t-\t-\t-\tinf\n"
                "t.mtx\tnonsingular\t2\t2\t7\t0\t5e3\ns.mtx\tnonsingular\t2\t-\t-\t-\t2.5\n");
  expect_end({"check-labels", folder_.path("")}, 3, "NO: rank 2 instead of 3", "inertia 1/1/0 instead of 2/7/0",
             "condition number 2.0e+00 instead of 5.0e+03", "1 agree with their label, 2 do not");
  EXPECT_EQ(run({"check-labels", folder_.path(""), "--largest-componentwise-error", "1e-300"}).exit_code, 3);
  EXPECT_EQ(run({"check-labels", folder_.path("nowhere")}).exit_code, 2);
  EXPECT_EQ(run({"check-labels", folder_.path(""), "--memory-limit", "much"}).exit_code, 2);
  EXPECT_EQ(run({"check-labels", folder_.path(""), "--time-limit", "0"}).exit_code, 2);
}

TEST_F(ProgramLabels, ChecksLabelsBesideAnotherSolver) {
  small();
  singular();
  folder_.write("LABELS.tsv", "file\tclass\ns.mtx\tnonsingular\nS.mtx\tstructurally_singular\n");
  const ChildResult result = run({"check-labels", folder_.path(""), "--peers", "eigen", "--tsv", folder_.path("table.tsv")});
  if (result.output.find("eigen was not built") != std::string::npos) {
    GTEST_SKIP() << "built without -DFROND_STUDIES=ON";
  }
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_NE(result.output.find("solved by another and not by Frond: none"), std::string::npos) << result.output;
  const std::string table = folder_.read("table.tsv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5) << table;
  EXPECT_NE(table.find("\teigen\tsolved\t"), std::string::npos) << table;
  EXPECT_EQ(run({"check-labels", folder_.path(""), "--peers", "nobody"}).exit_code, 2);
}

TEST_F(ProgramLabels, ChecksLabelsUntilItIsInterrupted) {
  generate("laplacian3d7", "20");
  std::string labels = "file\tclass\n";
  for (int line = 0; line < 10000; ++line) {
    labels += "A.mtx\tnonsingular\n";
  }
  folder_.write("LABELS.tsv", labels);
  // In the foreground, the signal is sent once; a second one ends the program at once.
  const ChildResult result = run_child({"timeout", "--foreground", "--signal=INT", "--preserve-status", "2", FROND_PROGRAM,
                                        "check-labels", folder_.path(""), "--tsv", folder_.path("table.tsv")},
                                       60);
  EXPECT_EQ(result.exit_code, 3) << result.output << result.errors;
  EXPECT_NE(result.output.find("0 do not"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("interrupted"), std::string::npos) << result.output;
  EXPECT_FALSE(folder_.read("table.tsv").empty());
}

TEST_F(ProgramLabels, ChecksLabelsWithinLimits) {
  generate("laplacian3d7", "12");
  folder_.write("LABELS.tsv", "file\tclass\nA.mtx\tnonsingular\n");
  expect_end({"check-labels", folder_.path(""), "--memory-limit", "100kB"}, 0, "1 over the limits");
}

}  // namespace
}  // namespace frond
