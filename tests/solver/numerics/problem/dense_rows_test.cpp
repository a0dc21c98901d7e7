// SPDX-License-Identifier: BSD-3-Clause
// Tests that rows are added and copied where they belong, and that invalid rows are refused.
#include "solver/numerics/problem/dense_rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond {
namespace {

class DenseRowsTest : public ::testing::Test {
 protected:
  // Returns two columns with a leading dimension of 4.
  [[nodiscard]] DenseRows<double> block() { return {rows_, {values_.data(), 3, 2, 4}}; }
  [[nodiscard]] DenseRows<const double> const_block() { return {rows_, block().values}; }

  [[nodiscard]] std::string refusal(Index order, const DenseRows<const double>& b, const DenseRows<double>& x) {
    return testing::complaint_of<UsageError>([&] { check_rows(order, b, x); });
  }

  std::vector<Index> rows_ = {4, 0, 4};
  std::vector<double> values_ = {1, 2, 3, -1, 10, 20, 30, -1};
};

TEST_F(DenseRowsTest, AddsRowsThatAreThereTwice) {
  std::vector<double> sums(10, 0.5);
  add_rows(const_block(), DenseView<double>{sums.data(), 5, 2, 5});
  EXPECT_EQ(sums, (std::vector<double>{2.5, 0.5, 0.5, 0.5, 4.5, 20.5, 0.5, 0.5, 0.5, 40.5}));
}

TEST_F(DenseRowsTest, CopiesRowsAsOftenAsTheyAreAskedFor) {
  const std::vector<double> whole = {0, 1, 2, 3, 4};
  copy_rows(DenseView<const double>{whole.data(), 5, 1, 5}, block().columns(1, 2));
  EXPECT_EQ(values_, (std::vector<double>{1, 2, 3, -1, 4, 0, 4, -1}));
}

TEST_F(DenseRowsTest, OfNothingHasColumnsOfNothing) { EXPECT_EQ(DenseRows<double>{}.columns(3, 7).values.data, nullptr); }

TEST_F(DenseRowsTest, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal(5, const_block(), block()), "");
  EXPECT_NE(refusal(4, const_block(), {}).find("no row 4 of B"), std::string::npos);
  rows_[1] = -1;
  EXPECT_NE(refusal(5, {}, block()).find("no row -1 of X"), std::string::npos);
}

TEST_F(DenseRowsTest, RefusesBlocksThatDoNotFit) {
  DenseRows<double> x = block();
  x.values.ld = 2;
  EXPECT_NE(refusal(5, {}, x).find("leading dimension 2"), std::string::npos);
  x = block();
  x.rows = x.rows.subspan(1);
  EXPECT_NE(refusal(5, {}, x).find("2 rows of X"), std::string::npos);
}

TEST_F(DenseRowsTest, RefusesWhatIsNotFinite) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    values_[6] = value;
    EXPECT_NE(refusal(5, const_block(), {}).find("row 4 of column 1 of B"), std::string::npos);
    EXPECT_EQ(refusal(5, {}, block()), "");
  }
}

}  // namespace
}  // namespace frond
