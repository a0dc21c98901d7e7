// SPDX-License-Identifier: BSD-3-Clause
// Tests which fronts are executed again, against all subsets of all small forests.
#include "factorization/recovery/census.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "analysis/graph/forest.hpp"

namespace frond {
namespace {

AssemblyTree forest_of(std::vector<NodeId> parent) {
  std::vector<Index> variable_offsets(parent.size() + 1);
  for (std::size_t node = 0; node < parent.size(); ++node) {
    variable_offsets[node + 1] = variable_offsets[node] + 1;
  }
  std::vector<Count> cb_offsets = {0};
  std::vector<Index> cb_rows;
  for (const NodeId above : parent) {
    if (above != kNoParent) {
      cb_rows.push_back(above);
    }
    cb_offsets.push_back(static_cast<Count>(cb_rows.size()));
  }
  return {std::move(parent), std::move(variable_offsets), std::move(cb_offsets), std::move(cb_rows)};
}

// Calls visit(parents) for every forest of `size` nodes that is numbered in postorder.
template <class Visit>
void for_each_forest(NodeId size, Visit visit) {
  std::vector<NodeId> parent(static_cast<std::size_t>(size), kNoParent);
  const auto at = [&parent](NodeId node) { return parent[static_cast<std::size_t>(node)]; };
  const auto is_postorder = [&] {
    for (NodeId node = 0; node < size; ++node) {
      for (NodeId between = node + 1; at(node) != kNoParent && between < at(node); ++between) {
        if (at(between) == kNoParent || at(between) > at(node)) {
          return false;
        }
      }
    }
    return true;
  };
  for (;;) {
    if (is_postorder()) {
      visit(parent);
    }
    NodeId node = 0;
    for (; node < size; ++node) {
      NodeId& above = parent[static_cast<std::size_t>(node)];
      above = above == kNoParent ? node + 1 : above + 1;
      if (above < size) {
        break;
      }
      above = kNoParent;
    }
    if (node == size) {
      return;
    }
  }
}

// True if a run could ever reach this state. A front is laid out when all its children are whole.
bool is_sane(const AssemblyTree& tree, const std::vector<FrontCensus>& census) {
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontCensus& front = census[static_cast<std::size_t>(node)];
    const NodeId parent = tree.parent(node);
    const bool is_whole = front.stage == FrontStage::whole;
    if (parent == kNoParent) {
      if (front.has_block || front.is_consumed) {
        return false;
      }
      continue;
    }
    const FrontStage above = census[static_cast<std::size_t>(parent)].stage;
    if ((front.has_block && !is_whole) ||
        (front.is_consumed && (above == FrontStage::lost || front.stage == FrontStage::under_way)) ||
        (above == FrontStage::whole && !front.is_consumed) || (front.stage == FrontStage::under_way && above != FrontStage::lost)) {
      return false;
    }
  }
  return true;
}

// Executes the fronts of `again` from scratch, continues those under way, and returns true if everything ends well: no block is
// missing, and no result of a front is combined with different bits of it.
bool works(const AssemblyTree& tree, const std::vector<FrontCensus>& census, unsigned again) {
  enum class Bits { none, old, other };
  std::vector<Bits> made(census.size(), Bits::none);
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const FrontCensus& front = census[static_cast<std::size_t>(node)];
    const bool is_executed = (again >> static_cast<unsigned>(node) & 1U) != 0;
    bool has_other_input = false;
    if (!is_executed && front.stage == FrontStage::lost) {
      return false;
    }
    for (const NodeId child : tree.children(node)) {
      const FrontCensus& below = census[static_cast<std::size_t>(child)];
      const bool is_child_executed = (again >> static_cast<unsigned>(child) & 1U) != 0;
      const bool has_other_bits = made[static_cast<std::size_t>(child)] == Bits::other;
      const bool needs_block = is_executed || (front.stage == FrontStage::under_way && !below.is_consumed);
      if (!is_executed && has_other_bits) {
        return false;
      }
      if (needs_block && !is_child_executed && below.stage == FrontStage::whole && !below.has_block) {
        return false;
      }
      has_other_input |= has_other_bits || (below.stage == FrontStage::under_way && !is_child_executed && !below.is_reproducible);
    }
    if (is_executed) {
      made[static_cast<std::size_t>(node)] = front.is_reproducible && !has_other_input ? Bits::old : Bits::other;
    }
  }
  return true;
}

FrontCensus front_of(unsigned code) {
  FrontCensus front;
  front.stage = static_cast<FrontStage>(code % 3);
  front.has_block = (code / 3 & 1U) != 0;
  front.is_consumed = (code / 6 & 1U) != 0;
  front.is_reproducible = (code / 12 & 1U) != 0;
  return front;
}
constexpr unsigned kNumFronts = 24;

unsigned mask_of(const std::vector<char>& nodes) {
  unsigned mask = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    mask |= nodes[node] != 0 ? 1U << node : 0U;
  }
  return mask;
}

// Calls visit(tree, census) for every census.
template <class Visit>
void for_each_census(NodeId size, Visit visit) {
  for_each_forest(size, [&](const std::vector<NodeId>& parent) {
    const AssemblyTree tree = forest_of(parent);
    std::size_t num_codes = 1;
    for (NodeId node = 0; node < size; ++node) {
      num_codes *= kNumFronts;
    }
    std::vector<FrontCensus> census(static_cast<std::size_t>(size));
    for (std::size_t code = 0; code < num_codes; ++code) {
      std::size_t rest = code;
      for (FrontCensus& front : census) {
        front = front_of(static_cast<unsigned>(rest % kNumFronts));
        rest /= kNumFronts;
      }
      if (is_sane(tree, census)) {
        visit(tree, census);
      }
    }
  });
}

TEST(FrontsToExecute, AreContainedInEverySetThatCanBeExecutedAndAreOne) {
  Count num_censuses = 0;
  Count num_executed = 0;
  for (NodeId size = 1; size <= 4; ++size) {
    for_each_census(size, [&](const AssemblyTree& tree, const std::vector<FrontCensus>& census) {
      const unsigned planned = mask_of(fronts_to_execute(tree, census));
      ASSERT_TRUE(works(tree, census, planned));
      for (unsigned other = 0; other < 1U << static_cast<unsigned>(size); ++other) {
        ASSERT_TRUE((planned & ~other) == 0 || !works(tree, census, other)) << "planned " << planned << ", smaller " << other;
      }
      ++num_censuses;
      num_executed += __builtin_popcount(planned);
    });
  }
  EXPECT_GT(num_censuses, 10000);
  EXPECT_GT(num_executed, num_censuses);
}

// The tree has 0 and 1 below 2, and 2 below 3.
class ChainTest : public ::testing::Test {
 protected:
  AssemblyTree tree_ = forest_of({2, 2, 3, kNoParent});
  FrontCensus whole_{.stage = FrontStage::whole, .is_consumed = true};
  FrontCensus waiting_{.stage = FrontStage::whole, .has_block = true};
  FrontCensus lost_{};

  [[nodiscard]] std::vector<char> planned(const std::vector<FrontCensus>& census) const { return fronts_to_execute(tree_, census); }
};

TEST_F(ChainTest, ALostFrontWhoseInputsWaitIsExecutedAlone) {
  EXPECT_EQ(planned({waiting_, waiting_, lost_, lost_}), (std::vector<char>{0, 0, 1, 1}));
}

TEST_F(ChainTest, ALostFrontWhoseInputsAreGoneTakesThemWithIt) {
  EXPECT_EQ(planned({whole_, waiting_, lost_, lost_}), (std::vector<char>{1, 0, 1, 1}));
}

TEST_F(ChainTest, ALostUnitBelowAWholeFrontCostsOnlyItself) {
  FrontCensus root = whole_;
  root.is_consumed = false;
  EXPECT_EQ(planned({lost_, whole_, whole_, root}), (std::vector<char>{1, 0, 0, 0}));
}

TEST_F(ChainTest, OtherBitsOfALostFrontVoidWhatWasMadeOfIt) {
  FrontCensus lost_layout = lost_;
  lost_layout.is_reproducible = false;
  FrontCensus root = whole_;
  root.is_consumed = false;
  EXPECT_EQ(planned({lost_layout, whole_, whole_, root}), (std::vector<char>{1, 1, 1, 1}));
}

// Expresses the stored data as a census, in which a front counts if it has everything below it.
TEST(ResumableFronts, AreThoseThatNeedNotBeExecuted) {
  for (NodeId size = 1; size <= 5; ++size) {
    for_each_forest(size, [&](const std::vector<NodeId>& parent) {
      const AssemblyTree tree = forest_of(parent);
      for (unsigned code = 0; code < 1U << (2 * static_cast<unsigned>(size)); ++code) {
        std::vector<char> has_factor(static_cast<std::size_t>(size));
        std::vector<char> has_block(static_cast<std::size_t>(size));
        std::vector<FrontCensus> census(static_cast<std::size_t>(size));
        for (NodeId node = 0; node < size; ++node) {
          const auto index = static_cast<std::size_t>(node);
          has_factor[index] = static_cast<char>(code >> (2 * index) & 1U);
          has_block[index] = static_cast<char>(code >> (2 * index + 1) & 1U);
          bool is_whole = has_factor[index] != 0;
          for (const NodeId child : tree.children(node)) {
            is_whole = is_whole && census[static_cast<std::size_t>(child)].stage == FrontStage::whole;
          }
          census[index].stage = is_whole ? FrontStage::whole : FrontStage::lost;
          census[index].has_block = is_whole && has_block[index] != 0;
        }
        std::vector<char> resumable = resumable_fronts(tree, has_factor, has_block);
        for (char& is_in : resumable) {
          is_in = is_in == 0 ? 1 : 0;
        }
        ASSERT_EQ(resumable, fronts_to_execute(tree, census)) << "code " << code;
      }
    });
  }
  EXPECT_EQ(resumable_fronts(AssemblyTree(), {}, {}), std::vector<char>());
}

}  // namespace
}  // namespace frond
