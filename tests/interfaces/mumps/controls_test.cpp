// SPDX-License-Identifier: BSD-3-Clause
// Tests which options controls become.
#include "interfaces/mumps/controls.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>

#include "interfaces/mumps/control_numbers.hpp"

namespace frond::mumps {
namespace {

constexpr Layout kLayout = layout_of(Version::v5_3, sizeof(double));
constexpr std::array<double, 2> kValues = {4, -8};

// The option after these controls, the others being 0.
class MumpsControls : public ::testing::Test {
 protected:
  std::string option(const char* name, int sym = 0) {
    Controls<double> controls(solver_, sym);
    controls.set_for_analysis(structure_);
    controls.set_for_factorization(structure_, kValues);
    return solver_.settings().get(name);
  }
  std::string option_after(int control, int value, const char* name) {
    structure_.icntl(control) = value;
    return option(name);
  }

  alignas(std::max_align_t) std::array<std::byte, kLayout.size> bytes_{};
  Structure<double> structure_{bytes_.data(), kLayout};
  SolverOf<double> solver_{Place()};
};

TEST_F(MumpsControls, ChooseOrderings) {
  for (const auto& [value, name] : {std::pair{0, "amd"},
                                    {2, "amd"},
                                    {3, "dissection"},
                                    {4, "dissection"},
                                    {5, "metis"},
                                    {6, "amd"},
                                    {7, "automatic"},
                                    {-1, "automatic"},
                                    {99, "automatic"}}) {
    EXPECT_EQ(option_after(kOrdering, value, "ordering"), name) << value;
  }
}

TEST_F(MumpsControls, ChooseThreadsBeforeTheEnvironmentDoes) {
  unsetenv("FROND_NUM_THREADS");
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(option("threads"), "0");
  setenv("OMP_NUM_THREADS", "3", 1);
  EXPECT_EQ(option("threads"), "3");
  setenv("FROND_NUM_THREADS", "2", 1);
  EXPECT_EQ(option("threads"), "2");
  EXPECT_EQ(option_after(kThreads, 4, "threads"), "4");
  unsetenv("FROND_NUM_THREADS");
  unsetenv("OMP_NUM_THREADS");
}

TEST_F(MumpsControls, LeaveToFrondWhatIsMumpssDefault) {
  structure_.cntl(1) = 0.01;
  structure_.cntl(4) = -1;
  EXPECT_EQ(option("pivot-threshold"), "automatic");
  structure_.cntl(1) = 1e-6;
  EXPECT_EQ(option("pivot-threshold"), "1e-06");
  EXPECT_EQ(option("pivot-threshold", 1), "automatic") << "a definite matrix needs none";
  structure_.cntl(1) = std::nan("");
  EXPECT_EQ(option("pivot-threshold"), "automatic");
  EXPECT_EQ(option("pivoting"), "threshold");
  EXPECT_EQ(option_after(kMatching, 7, "matching"), "automatic");
  EXPECT_EQ(option_after(kMatching, 0, "matching"), "never");
  EXPECT_EQ(option("memory-limit"), "machine");
  EXPECT_EQ(option_after(kMemoryLimit, 3000, "memory-limit"), "3000000000");
}

// With scales the largest entry is about 1.
TEST_F(MumpsControls, CompareSizesWithTheScaledMatrix) {
  structure_.cntl(4) = -1;
  structure_.cntl(3) = -0.25;
  EXPECT_EQ(option("null-threshold"), "0") << "without ICNTL(24)";
  structure_.icntl(kNullPivots) = 1;
  EXPECT_EQ(option("null-threshold"), "0.03125") << "of entries up to 8";
  EXPECT_EQ(option_after(kScaling, 77, "null-threshold"), "0.25");
  structure_.cntl(3) = 1e-9;
  EXPECT_EQ(option("null-threshold"), "1e-09");
  structure_.cntl(3) = std::nan("");
  EXPECT_EQ(option("null-threshold"), "0");
  structure_.icntl(kNullPivots) = 0;
  structure_.cntl(4) = 0.125;
  EXPECT_EQ(option("pivoting"), "static");
  EXPECT_EQ(option("pivot-perturbation"), "0.125");
  EXPECT_EQ(option_after(kScaling, 0, "pivot-perturbation"), "0.015625");
}

}  // namespace
}  // namespace frond::mumps
