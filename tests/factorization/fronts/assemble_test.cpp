// SPDX-License-Identifier: BSD-3-Clause
// Tests assembly against dense sums: entries of A, contribution blocks, delayed pivots.
#include "factorization/fronts/assemble_entries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "factorization/memory/factor_storage.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/ranks/single_front.hpp"

namespace frond::test {
namespace {

// A front with its memory, whose entries are `fill` until set.
template <Scalar S>
struct OwnedFront {
  OwnedFront(Method method, Index order, Index num_fully_summed, Index num_eliminated, S fill) {
    numeric.factor.order = order;
    numeric.factor.num_fully_summed = num_fully_summed;
    numeric.factor.num_eliminated = num_eliminated;
    numeric.factor.layout = front_layout(order, num_fully_summed, method);
    numeric.cb_layout = contribution_layout(order - num_fully_summed, method);
    lower.assign(static_cast<std::size_t>(numeric.factor.layout.size()), fill);
    cb.assign(static_cast<std::size_t>(numeric.cb_layout.size()), fill);
    numeric.factor.lower = lower.data();
    numeric.cb = cb.data();
    if (method == Method::lu) {
      upper.assign(static_cast<std::size_t>(num_fully_summed) * static_cast<std::size_t>(order - num_fully_summed), fill);
      numeric.factor.upper = upper.data();
    }
  }
  OwnedFront(const OwnedFront&) = delete;
  OwnedFront& operator=(const OwnedFront&) = delete;

  // Entry (i, j) of the front, i >= j for the symmetric methods; of B for LU.
  S& entry(Index i, Index j) {
    const FrontFactor<S>& factor = numeric.factor;
    const Index p = factor.num_fully_summed;
    if (j < p) {
      return factor.lower[factor.layout.column_offset(j) + i];
    }
    return i < p ? factor.upper[j - p + static_cast<Count>(i) * factor.cb_order()]
                 : numeric.cb[numeric.cb_layout.column_offset(j - p) + i - p];
  }

  NumericFront<S> numeric;
  std::vector<S> lower;
  std::vector<S> upper;
  std::vector<S> cb;
};

// A child and its place in the parent.
template <Scalar S>
struct Child {
  OwnedFront<S> front;
  std::vector<Index> relative_indices;
  Index delayed_begin;
};

struct Shape {
  Index tree_summed;  // of the parent, without delayed pivots
  Index parent_cb;
  struct {
    Index num_eliminated;
    Index num_delayed;
    Index cb;
  } children[3];
};

// Three children whose remainders are random integers, with signalling NaNs elsewhere.
template <Scalar S>
class ExtendAdd {
 public:
  ExtendAdd(Method method, const Shape& shape, std::uint32_t seed) : method_(method), shape_(shape), random_(seed) {
    for (const auto& child : shape.children) {
      add_child(child.num_eliminated, child.num_delayed, child.cb);
    }
  }

  // Checks the parent's front after the ranges between `cuts` are assembled one by one.
  void expect_sum(const std::vector<Index>& cuts) {
    const Index p = shape_.tree_summed + num_delayed_;
    const Index order = p + shape_.parent_cb;
    OwnedFront<S> parent(method_, order, p, 0, S(0));
    std::fill(parent.cb.begin(), parent.cb.end(), kUnused);
    parent.numeric.num_delayed_in = num_delayed_;
    for (std::size_t range = 0; range + 1 < cuts.size(); ++range) {
      clear_contribution(cuts[range], cuts[range + 1], parent.numeric);
      for (const auto& child : children_) {
        extend_add(method_, ChildFront<S>{&child->front.numeric, child->relative_indices, child->delayed_begin}, cuts[range],
                   cuts[range + 1], parent.numeric);
      }
    }
    const DenseMatrix<S> expected = dense_sum(order);
    for (Index j = 0; j < order; ++j) {
      for (Index i = is_symmetric(method_) ? j : 0; i < order; ++i) {
        ASSERT_EQ(parent.entry(i, j), expected(i, j)) << "at " << i << ", " << j;
      }
    }
  }

  [[nodiscard]] Index order() const { return shape_.tree_summed + num_delayed_ + shape_.parent_cb; }

 private:
  static constexpr S kUnused = S(std::numeric_limits<RealOf<S>>::signaling_NaN());

  void add_child(Index num_eliminated, Index num_delayed, Index cb) {
    std::vector<Index> rows(static_cast<std::size_t>(shape_.tree_summed + shape_.parent_cb));
    std::iota(rows.begin(), rows.end(), 0);
    std::shuffle(rows.begin(), rows.end(), random_);
    rows.resize(static_cast<std::size_t>(cb));
    std::sort(rows.begin(), rows.end());
    const Index p = num_eliminated + num_delayed;
    children_.push_back(
        std::unique_ptr<Child<S>>(new Child<S>{OwnedFront<S>(method_, p + cb, p, num_eliminated, kUnused), rows, num_delayed_}));
    num_delayed_ += num_delayed;
    OwnedFront<S>& front = children_.back()->front;
    std::uniform_int_distribution<int> draw(-9, 9);
    for (Index j = num_eliminated; j < p + cb; ++j) {
      for (Index i = is_symmetric(method_) ? j : num_eliminated; i < p + cb; ++i) {
        front.entry(i, j) = S(static_cast<RealOf<S>>(draw(random_)));
      }
    }
  }

  DenseMatrix<S> dense_sum(Index order) {
    DenseMatrix<S> sum(order, order);
    for (const auto& child : children_) {
      const FrontFactor<S>& factor = child->front.numeric.factor;
      // place[k] is the parent's position of the child's position num_eliminated + k
      std::vector<Index> place(static_cast<std::size_t>(factor.num_delayed()));
      std::iota(place.begin(), place.end(), child->delayed_begin);
      for (const Index relative : child->relative_indices) {
        place.push_back(relative + num_delayed_);
      }
      const auto size = static_cast<Index>(place.size());
      for (Index j = 0; j < size; ++j) {
        for (Index i = is_symmetric(method_) ? j : 0; i < size; ++i) {
          sum(place[i], place[j]) += child->front.entry(factor.num_eliminated + i, factor.num_eliminated + j);
        }
      }
    }
    return sum;
  }

  Method method_;
  Shape shape_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<Child<S>>> children_;
  Index num_delayed_ = 0;
};

template <class S>
class AssembleTest : public ::testing::Test {};
TYPED_TEST_SUITE(AssembleTest, Scalars);

constexpr Shape kShapes[] = {
    {4, 5, {{2, 0, 6}, {1, 0, 9}, {3, 0, 0}}},            // nothing delayed
    {4, 5, {{2, 2, 6}, {0, 3, 9}, {3, 1, 0}}},            // delayed in all children, one without contribution block
    {3, 0, {{2, 1, 3}, {1, 0, 2}, {0, 0, 1}}},            // a root
    {30, 300, {{5, 20, 250}, {5, 0, 140}, {0, 9, 129}}},  // several block columns
};

TYPED_TEST(AssembleTest, ExtendAddIsTheDenseSumForEveryPartition) {
  for (const Method method : kAllMethods) {
    for (Shape shape : kShapes) {
      if (method == Method::cholesky) {
        for (auto& child : shape.children) {
          child.num_delayed = 0;
        }
      }
      SCOPED_TRACE(::testing::Message() << "method " << static_cast<int>(method) << ", parent's block " << shape.parent_cb);
      ExtendAdd<TypeParam> test(method, shape, 3);
      const Index order = test.order();
      test.expect_sum({0, order});
      std::vector<Index> single(static_cast<std::size_t>(order) + 1);
      std::iota(single.begin(), single.end(), 0);
      test.expect_sum(single);
      std::vector<Index> panels;
      for (Index begin = 0; begin < order; begin += 128) {
        panels.push_back(begin);
      }
      panels.push_back(order);
      test.expect_sum(panels);
      std::mt19937 random(17);
      std::uniform_int_distribution<Index> draw(0, order);
      for (int repeat = 0; repeat < 5; ++repeat) {
        std::vector<Index> cuts = {0, order, draw(random), draw(random), draw(random)};
        std::sort(cuts.begin(), cuts.end());
        test.expect_sum(cuts);
      }
    }
  }
}

// Every entry of A lands in exactly one front, at its place behind the delayed pivots.
TYPED_TEST(AssembleTest, EntriesOfAllFrontsAddUpToTheScaledMatrix) {
  using S = TypeParam;
  constexpr Index kDelayed = 3;
  for (const Method method : kAllMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const SparseMatrix<S> a = random_sparse<S>(symmetry_of(method), 60, 0.08, Values::random, 23);
    const auto symbolic = analyze(a.pattern());
    const AssemblyTree& tree = symbolic->tree();
    std::vector<RealOf<S>> rows(60);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = static_cast<RealOf<S>>(1 << (i % 5));
    }
    std::vector<RealOf<S>> cols(rows);
    if (method == Method::lu) {
      std::reverse(cols.begin(), cols.end());
    }
    const Factors<S> scalings(symbolic, method, {}, nullptr, rows, cols);
    std::vector<RealOf<S>> new_rows;
    std::vector<RealOf<S>> new_cols;
    for (const Index old : symbolic->permutation().perm) {
      new_rows.push_back(rows[old]);
      new_cols.push_back(cols[old]);
    }
    DenseMatrix<S> sum(60, 60);
    for (NodeId node = 0; node < tree.num_nodes(); ++node) {
      OwnedFront<S> front(method, tree.front_order(node) + kDelayed, tree.num_fully_summed(node) + kDelayed, 0, S(0));
      front.numeric.num_delayed_in = kDelayed;
      assemble_entries<S>(*symbolic, method, {a.values, new_rows, new_cols}, node, FrontTarget<S>(method, front.numeric));
      const auto variable = [&](Index position) {
        const Index p = tree.num_fully_summed(node);
        return position < p ? tree.variable_begin(node) + position : tree.cb_rows(node)[position - p];
      };
      for (Index j = 0; j < tree.front_order(node); ++j) {
        for (Index i = is_symmetric(method) ? j : 0; i < tree.front_order(node); ++i) {
          const S value = front.entry(i + kDelayed, j + kDelayed);
          sum(method == Method::lu ? variable(j) : variable(i), method == Method::lu ? variable(i) : variable(j)) += value;
          if (is_symmetric(method) && i != j) {
            sum(variable(j), variable(i)) += method == Method::ldlt ? value : conjugate(value);
          }
        }
      }
    }
    EXPECT_EQ(sum.values, permuted_matrix(scalings, a.view()).values);
  }
}

}  // namespace
}  // namespace frond::test
