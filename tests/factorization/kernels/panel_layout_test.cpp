// SPDX-License-Identifier: BSD-3-Clause
// Tests positions in trapezoids: the drawn example, every entry once, and sizes beyond 32 bits.
#include "factorization/kernels/panel_layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace frond::test {
namespace {

TEST(PanelLayout, IsTheDrawnExample) {
  const PanelLayout layout{5, 4, 2};
  EXPECT_EQ(layout.num_blocks(), 2);
  EXPECT_EQ(layout.size(), 16);
  EXPECT_EQ(layout.block_offset(1), 10);
  EXPECT_EQ(layout.leading_dimension(1), 3);
  EXPECT_EQ(layout.column_offset(0) + 4, 4);
  EXPECT_EQ(layout.column_offset(1) + 1, 6);
  EXPECT_EQ(layout.column_offset(2) + 2, 10);
  EXPECT_EQ(layout.column_offset(3) + 4, 15);
}

TEST(PanelLayout, HoldsEveryEntryOfTheTrapezoidOnce) {
  for (const Index order : {0, 1, 5, 128, 129, 300}) {
    for (const Index cols : {0, 1, 4, 128, 129, 256, 300}) {
      for (const Index width : {1, 2, 128, 300}) {
        if (cols > order) {
          continue;
        }
        SCOPED_TRACE(::testing::Message() << order << " x " << cols << " by " << width);
        const PanelLayout layout{order, cols, width};
        std::set<Count> positions;
        for (Index j = 0; j < cols; ++j) {
          for (Index i = j; i < order; ++i) {
            positions.insert(layout.column_offset(j) + i);
          }
        }
        EXPECT_EQ(static_cast<Count>(positions.size()),
                  static_cast<Count>(cols) * order - static_cast<Count>(cols) * (cols - 1) / 2);
        EXPECT_TRUE(positions.empty() || (*positions.begin() == 0 && *positions.rbegin() == layout.size() - 1));
        EXPECT_TRUE(!positions.empty() || layout.size() == 0);
      }
    }
  }
}

TEST(PanelLayout, CountsBeyondThirtyTwoBits) {
  constexpr Count kOrder = 200000;
  const PanelLayout square{kOrder, kOrder, kOrder};
  EXPECT_EQ(square.size(), kOrder * kOrder);
  EXPECT_EQ(square.column_offset(kOrder - 1), kOrder * (kOrder - 1));
  const PanelLayout trapezoid{kOrder, kOrder, 128};
  Count size = 0;
  for (Count begin = 0; begin < kOrder; begin += 128) {
    size += std::min<Count>(128, kOrder - begin) * (kOrder - begin);
  }
  EXPECT_EQ(trapezoid.size(), size);
  EXPECT_EQ(trapezoid.column_offset(kOrder - 1) + kOrder - 1, size - 1);
}

}  // namespace
}  // namespace frond::test
