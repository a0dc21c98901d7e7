// SPDX-License-Identifier: BSD-3-Clause
// Tests which pivots may stay, judged by rows that their search did not see.
#include "factorization/kernels/verify_pivots.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/support/matrices/scalars.hpp"

namespace frond::test {
namespace {

// D = diag(2, [0 1; 1 0], 0, 4), its second pivot of order two, the third null, and L = I.
template <class S>
class VerifyPivotsTest : public ::testing::Test {
 protected:
  using R = RealOf<S>;

  Index verified(std::array<S, 5> row) {
    x_ = row;
    std::array<S, 25> l{};
    return divide_and_verify<S>({d_.data(), pivots_.data(), true}, 0, DenseView<const S>{l.data(), 5, 5, 5},
                                {.threshold = R(0.01), .null = R(1e-5)}, DenseView<S>{x_.data(), 1, 5, 1});
  }

  std::array<S, 5> x_{};

 private:
  std::array<S, 10> d_{S(2), S(0), S(0), S(1), S(0), S(0), S(0), S(0), S(4), S(0)};
  std::array<PivotKind, 5> pivots_{PivotKind::one_by_one, PivotKind::two_by_two, PivotKind::second_of_two, PivotKind::null,
                                   PivotKind::one_by_one};
};
TYPED_TEST_SUITE(VerifyPivotsTest, Scalars);

TYPED_TEST(VerifyPivotsTest, DividesWhatPasses) {
  using S = TypeParam;
  EXPECT_EQ(this->verified({S(3), S(5), S(7), S(0), S(8)}), 5);
  EXPECT_EQ(this->x_, (std::array<S, 5>{S(1.5F), S(7), S(5), S(0), S(2)}));
}

TYPED_TEST(VerifyPivotsTest, StopsAtTheFirstThatIsTooLarge) {
  using S = TypeParam;
  EXPECT_EQ(this->verified({S(200), S(100), S(-100), S(0), S(400)}), 5);
  EXPECT_EQ(this->verified({S(200), S(100), S(100), S(0), S(401)}), 4);
  EXPECT_EQ(this->verified({S(200), S(101), S(100), S(0), S(1)}), 1);
  EXPECT_EQ(this->verified({S(200), S(100), S(101), S(0), S(1)}), 1);
  EXPECT_EQ(this->verified({S(201), S(1), S(1), S(0), S(1)}), 0);
}

TYPED_TEST(VerifyPivotsTest, NullPivotsHaveNothingBelow) {
  using S = TypeParam;
  EXPECT_EQ(this->verified({S(1), S(1), S(1), S(1e-6F), S(1)}), 5);
  EXPECT_EQ(this->x_[3], S(0));
  EXPECT_EQ(this->verified({S(1), S(1), S(1), S(1e-4F), S(1)}), 3);
}

TYPED_TEST(VerifyPivotsTest, RefusesWhatIsNotANumber) {
  using S = TypeParam;
  const S nan = std::numeric_limits<RealOf<S>>::quiet_NaN();
  EXPECT_EQ(this->verified({S(1), S(1), S(1), S(0), nan}), 4);
  EXPECT_EQ(this->verified({nan, S(1), S(1), S(0), S(1)}), 0);
}

}  // namespace
}  // namespace frond::test
