// SPDX-License-Identifier: BSD-3-Clause
// Tests places of fronts: disjoint, zero, numbered, counted, and sized beyond 32 bits.
#include "factorization/memory/factor_storage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "factorization/memory/region_pool.hpp"
#include "frond/error.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/random_tree.hpp"
#include "tests/support/matrices/scalars.hpp"

namespace frond::test {
namespace {

template <class S>
class FactorStorageTest : public ::testing::Test {
 protected:
  // Expects every array of a front to be zero, then fills it with `mark`.
  static void claim(const FrontFactor<S>& front, Method method, Index num_delayed_in, S mark) {
    const auto claim_array = [&](S* data, Count length) {
      EXPECT_TRUE(std::all_of(data, data + length, [](const S& value) { return value == S(0); }));
      std::fill(data, data + length, mark);
    };
    const Index p = front.num_fully_summed;
    claim_array(front.lower, front.layout.size());
    if (method == Method::lu) {
      claim_array(front.upper, static_cast<Count>(p) * front.cb_order());
    } else if (method != Method::cholesky) {
      claim_array(front.d, 2 * static_cast<Count>(p));
    }
    std::fill_n(front.row_variables, num_delayed_in, -1);
    std::fill_n(front.col_variables, num_delayed_in, -1);
    if (method != Method::cholesky) {
      std::fill_n(front.pivots, p, PivotKind::null);
    }
  }

  static bool is_untouched(const FrontFactor<S>& front, Method method, Index num_delayed_in, Index variable_begin, S mark) {
    bool same = std::all_of(front.lower, front.lower + front.layout.size(), [&](const S& value) { return value == mark; });
    for (Index k = 0; k < front.num_fully_summed; ++k) {
      const Index variable = k < num_delayed_in ? -1 : variable_begin + k - num_delayed_in;
      same = same && front.row_variables[k] == variable && front.col_variables[k] == variable &&
             (method == Method::cholesky || front.pivots[k] == PivotKind::null);
    }
    return same;
  }
};
TYPED_TEST_SUITE(FactorStorageTest, Scalars);

TYPED_TEST(FactorStorageTest, PlacesAreZeroDisjointAndCounted) {
  using S = TypeParam;
  const AssemblyTree tree = random_tree(30, 20, 3);
  for (const Method method : kAllMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const auto regions = std::make_shared<RegionPool>();
    Region used(1 << 20);  // places are zero even in reused memory
    std::fill_n(used.data(), used.bytes(), std::byte{0x7f});
    regions->give_back(std::move(used));
    FactorStorage storage(tree, method, sizeof(S), regions);
    MemoryMeter meter(0);
    std::vector<FrontFactor<S>> fronts;
    Count bytes = 0;
    const auto num_delayed_in = [&](NodeId node) { return method == Method::cholesky ? 0 : node % 3; };
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      fronts.push_back(storage.place<S>(tree, node, num_delayed_in(node), method, meter));
      const FrontFactor<S>& front = fronts.back();
      EXPECT_EQ(front.order, tree.front_order(node) + num_delayed_in(node));
      EXPECT_EQ(front.num_fully_summed, tree.num_fully_summed(node) + num_delayed_in(node));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(front.lower) % 64, 0U);
      bytes += front_bytes(front.order, front.num_fully_summed, method, sizeof(S));
      this->claim(front, method, num_delayed_in(node), S(static_cast<RealOf<S>>(node + 1)));
    }
    EXPECT_EQ(meter.current(), bytes);
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      EXPECT_TRUE(this->is_untouched(fronts[node], method, num_delayed_in(node), tree.variable_begin(node),
                                     S(static_cast<RealOf<S>>(node + 1))))
          << "node " << node;
    }
  }
}

class CountingPool : public RegionPool {
 public:
  Region take(Count bytes) override {
    ++num_taken;
    bytes_taken += bytes;
    return RegionPool::take(bytes);
  }
  Index num_taken = 0;
  Count bytes_taken = 0;
};

// Places for all fronts of a tree, each with a delayed pivot.
struct LargerFronts {
  explicit LargerFronts(Index num_nodes) : tree(random_tree(num_nodes, 20, 3)) {
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      static_cast<void>(storage->place<double>(tree, node, 1, Method::ldlt, meter));
    }
  }

  AssemblyTree tree;
  std::shared_ptr<CountingPool> regions = std::make_shared<CountingPool>();
  std::optional<FactorStorage> storage{std::in_place, tree, Method::ldlt, sizeof(double), regions};
  MemoryMeter meter{0};
};

TEST(FactorStorage, KeepsLargerFrontsInFewRegions) {
  LargerFronts fronts(200);
  EXPECT_GE(fronts.regions->num_taken, 2);
  EXPECT_LE(fronts.regions->num_taken, 40);
  fronts.storage.reset();
  EXPECT_GT(fronts.regions->kept_bytes(), 0);
}

// Otherwise their own places would stay empty, on pages that exist for others.
TEST(FactorStorage, GivesLargerFrontsThePlacesOfOthers) {
  const LargerFronts fronts(2000);
  EXPECT_GT(fronts.meter.current(), fronts.storage->planned_bytes());
  EXPECT_LT(static_cast<double>(fronts.regions->bytes_taken), 1.5 * static_cast<double>(fronts.meter.current()));
}

// When a node's front returns from another process, it must not overlap another front.
TEST(FactorStorage, GivesAPlaceToOneFrontAlone) {
  const AssemblyTree tree = random_tree(200, 20, 3);
  FactorStorage storage(tree, Method::ldlt, sizeof(double), std::make_shared<RegionPool>(0));
  MemoryMeter meter(0);
  std::vector<std::pair<const std::byte*, Count>> places;
  for (const Index num_delayed_in : {1, 0, 1}) {
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      const FrontFactor<double> front = storage.place<double>(tree, node, num_delayed_in, Method::ldlt, meter);
      places.emplace_back(reinterpret_cast<const std::byte*>(front.lower),
                          front_bytes(front.order, front.num_fully_summed, Method::ldlt, sizeof(double)));
    }
  }
  std::sort(places.begin(), places.end());
  for (std::size_t k = 1; k < places.size(); ++k) {
    EXPECT_LE(places[k - 1].first + places[k - 1].second, places[k].first);
  }
}

TYPED_TEST(FactorStorageTest, UnplannedMemoryIsZeroCountedAndReturned) {
  using S = TypeParam;
  const AssemblyTree tree = random_tree(30, 20, 3);
  const auto regions = std::make_shared<RegionPool>();
  FactorStorage storage(tree, Method::lu, sizeof(S), regions);
  MemoryMeter meter(0);
  for (int round = 0; round < 2; ++round) {  // the second round finds what the first has written
    std::byte* first = storage.place_unplanned(9000, meter);
    std::byte* second = storage.place_unplanned(5000, meter);
    EXPECT_EQ(meter.current(), 14000);
    for (const auto& [memory, bytes] : {std::pair(first, 9000), std::pair(second, 5000)}) {
      EXPECT_TRUE(std::all_of(memory, memory + bytes, [](std::byte value) { return value == std::byte{0}; }));
      std::fill_n(memory, bytes, std::byte{0x7f});
    }
    storage.give_back_unplanned(first, meter);
    EXPECT_EQ(meter.current(), 5000);
    storage.give_back_unplanned(second, meter);
    EXPECT_EQ(meter.current(), 0);
  }
  EXPECT_GE(regions->kept_bytes(), 14000);
}

TEST(FactorStorage, PlannedBytesAreTheFrontsBytes) {
  const AssemblyTree tree = random_tree(50, 30, 4);
  for (const Method method : kAllMethods) {
    Count bytes = 0;
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      bytes += front_bytes(tree.front_order(node), tree.num_fully_summed(node), method, 8);
    }
    EXPECT_EQ(FactorStorage(tree, method, 8, std::make_shared<RegionPool>(0)).planned_bytes(), bytes);
  }
}

TEST(FactorStorage, CountsBeyondThirtyTwoBits) {
  constexpr Count kOrder = 300000;
  constexpr Count kSummed = 200000;
  const auto expect_close = [](Count bytes, Count scalars, Count scalar_bytes) {
    EXPECT_GE(bytes, scalars * scalar_bytes);
    EXPECT_LE(bytes, scalars * scalar_bytes + kSummed * 16);
  };
  expect_close(front_bytes(kOrder, kSummed, Method::lu, 8), kOrder * kSummed + (kOrder - kSummed) * kSummed, 8);
  expect_close(front_bytes(kOrder, kSummed, Method::ldlt, 16), kOrder * kSummed + 2 * kSummed, 16);
  EXPECT_EQ(front_layout(kOrder, kSummed, Method::cholesky).width, 128);
}

TEST(FactorStorage, OfAnAbsurdTreeIsAMemoryError) {
  const AssemblyTree tree({kNoParent}, {0, 4000000}, {0, 0}, {});
  EXPECT_THROW(FactorStorage(tree, Method::lu, 16, std::make_shared<RegionPool>(0)), MemoryError);
}

}  // namespace
}  // namespace frond::test
