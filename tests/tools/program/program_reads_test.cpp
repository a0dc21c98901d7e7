// SPDX-License-Identifier: BSD-3-Clause
// Tests the input of frond: symmetry that only values show, standard input, archives with right-hand sides, and slightly malformed
// files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/programs/program_fixture.hpp"

namespace frond::testing {
namespace {

using ::testing::HasSubstr;

class ProgramReads : public Program {
 protected:
  // [2 1; 1 4], both triangles stored.
  std::string mirrored(const std::string& banner = "%%MatrixMarket") {
    return folder_.write("m.mtx", banner + " matrix coordinate real general\n2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 4\n");
  }
};

TEST_F(ProgramReads, SeesSymmetryInValues) {
  const std::string matrix = mirrored();
  const Json seen = solve(matrix);
  expect_values(seen, {{"symmetry", "symmetric"}, {"symmetry_detected", true}, {"method", "cholesky"}, {"nnz", 4}});
  EXPECT_THAT(run({"solve", matrix}).output, HasSubstr("real symmetric by its values, though stored as general\n"));
  const Json stored = solve(matrix, {"--set", "symmetry=as-stored"});
  expect_values(stored, {{"symmetry", "general"}, {"symmetry_detected", false}, {"method", "lu"}});
  EXPECT_EQ(solve(small())["symmetry"], "general");
  EXPECT_THAT(run({"analyze", matrix}).output, HasSubstr("symmetric by its values"));
}

TEST_F(ProgramReads, GivesTheSymmetryUpThatOnlyOneOfTwoMatricesHas) {
  const std::string matrix = mirrored();
  const std::string other =
      folder_.write("o.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 2 1\n2 1 3\n2 2 4\n");
  EXPECT_EQ(solve(matrix, {"--analysis-of", other})["symmetry"], "general");
  EXPECT_EQ(solve(other, {"--analysis-of", matrix})["symmetry"], "general");
  EXPECT_EQ(solve(matrix, {"--analysis-of", matrix})["symmetry"], "symmetric");
}

TEST_F(ProgramReads, StandardInput) {
  const ChildResult result = run_child({"sh", "-c", "\"$0\" solve - < \"$1\"", FROND_PROGRAM, small()}, 60);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("verdict        solved"));
  const ChildResult bad = run_child({"sh", "-c", "echo nothing | \"$0\" solve -", FROND_PROGRAM}, 60);
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.errors, HasSubstr("frond: error: standard input:1: this is text but no matrix"));
}

TEST_F(ProgramReads, StandardInputOnce) {
  expect_end({"solve", "-", "--rhs", "-"}, 2, "the matrix and --rhs are both standard input");
}

TEST_F(ProgramReads, ArchivesWithTheirRightHandSides) {
  small();
  folder_.write("s_b.mtx", "%%MatrixMarket matrix array real general\n2 1\n4\n8\n");
  const std::string archive = folder_.path("s.tar.gz");
  ASSERT_EQ(run_child({"tar", "-czf", archive, "-C", folder_.path("."), "s.mtx", "s_b.mtx"}, 60).exit_code, 0);
  const std::string x = folder_.path("x.mtx");
  expect_end({"solve", archive, "--out", x}, 0, "note           right-hand sides: " + archive + ": s_b.mtx\n");
  EXPECT_THAT(folder_.read("x.mtx"), HasSubstr("2 1\n1\n2\n"));
  EXPECT_EQ(solve(archive, {"--nrhs", "3"})["nrhs"], 3);
}

// Solves 4 x = 8 with the right-hand side stored behind the matrix, and then with another one.
TEST_F(ProgramReads, RightHandSidesBehindTheMatrix) {
  const std::string file = folder_.write("A.rsa",
                                         "with a right-hand side                                                  RHS\n"
                                         "             5             1             1             1             1\n"
                                         "RSA                        1             1             1             0\n"
                                         "(I4)            (I4)            (E10.3)             (E10.3)\n"
                                         "F                          1             0\n"
                                         "   1\n   2\n   1\n       4.0\n       8.0\n");
  const ChildResult result = run({"solve", file, "--out", folder_.path("x.mtx")});
  EXPECT_THAT(result.output, HasSubstr("note           right-hand sides: behind the matrix in " + file + "\n"));
  EXPECT_THAT(folder_.read("x.mtx"), HasSubstr("1 1\n2\n"));
  const std::string b = folder_.write("b.mtx", "%%MatrixMarket matrix array real general\n1 1\n12\n");
  EXPECT_EQ(run({"solve", file, "--rhs", b, "--out", folder_.path("y.mtx")}).exit_code, 0);
  EXPECT_THAT(folder_.read("y.mtx"), HasSubstr("1 1\n3\n"));
}

// Without the explicit zeros, both matrices are symmetric.
TEST_F(ProgramReads, ExplicitZerosAreLeftOutUnlessTheyAreKept) {
  const std::string matrix = folder_.write("z.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 0\n2 2 4\n");
  const Json left_out = solve(matrix);
  expect_values(left_out, {{"stored_entries", 2}, {"method", "cholesky"}});
  EXPECT_THAT(left_out["notes"].dump(), HasSubstr("explicit zeros of the matrix that were left out: 1; --keep-zeros keeps them"));
  const Json kept = solve(matrix, {"--keep-zeros"});
  expect_values(kept, {{"stored_entries", 3}, {"method", "lu"}});
  EXPECT_THAT(kept["notes"].dump(), HasSubstr("part of the pattern"));
  const std::string other = folder_.write("o.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 4\n");
  EXPECT_EQ(solve(other, {"--analysis-of", matrix})["verdict"], "solved");
  const std::string factors = folder_.path("factors");
  ASSERT_EQ(run({"solve", matrix, "--save-factors", factors}).exit_code, 0);
  EXPECT_EQ(run({"solve", matrix, "--load-factors", factors, "--set", "symmetry=detect"}).exit_code, 0);
  const ChildResult refused = run({"solve", other, "--load-factors", factors});
  EXPECT_EQ(refused.exit_code, 2) << refused.output;
}

TEST_F(ProgramReads, ASymmetryThatRoundingHasSpoilt) {
  const std::string matrix = folder_.write(
      "r.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 2 0.3\n2 1 0.30000000000000004\n2 2 4\n");
  const Json run = solve(matrix);
  EXPECT_EQ(run["symmetry"], "general");
  EXPECT_THAT(run["notes"].dump(), HasSubstr("symmetric but for rounding, 2e-16 of its entries"));
}

TEST_F(ProgramReads, WhatIsNotQuiteRightWithANote) {
  const Json run = solve(mirrored("\xef\xbb\xbf\n%% MatrixMarket"));
  EXPECT_EQ(run["notes"].size(), 3);
  EXPECT_THAT(run["notes"][0].get<std::string>(), HasSubstr("byte-order mark"));
  EXPECT_THAT(Program::run({"analyze", folder_.path("m.mtx")}).output, HasSubstr("note           " + folder_.path("m.mtx") + ": "));
}

TEST_F(ProgramReads, MatricesWhoseProductsOverflow) {
  const std::string matrix =
      folder_.write("l.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1.7e308\n1 2 1e300\n2 2 1e308\n");
  const Json run = solve(matrix);
  EXPECT_EQ(run["verdict"], "solved");
  EXPECT_LT(run["forward_error"].get<double>(), 1e-14);
}

}  // namespace
}  // namespace frond::testing
