// SPDX-License-Identifier: BSD-3-Clause
// A front's output through bytes: a guest made of them adds to its parent what the front itself would.
#include "factorization/contribution_image.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <vector>

#include "factorization/factor_storage.hpp"

namespace frond::test {
namespace {

constexpr Index kOrder = 9;
constexpr Index kFullySummed = 5;
constexpr Index kEliminated = 3;

// A front with every entry different, and everything that an output is made of.
template <Scalar S>
struct NumberedFront {
  explicit NumberedFront(Method method) {
    numeric.factor.order = kOrder;
    numeric.factor.num_fully_summed = kFullySummed;
    numeric.factor.num_eliminated = method == Method::cholesky ? kFullySummed : kEliminated;
    numeric.factor.layout = front_layout(kOrder, kFullySummed, method);
    lower.resize(static_cast<std::size_t>(numeric.factor.layout.size()));
    numeric.factor.lower = lower.data();
    if (method == Method::lu) {
      upper.resize(std::size_t{kFullySummed} * (kOrder - kFullySummed));
      numeric.factor.upper = upper.data();
    }
    numeric.cb_layout = contribution_layout(kOrder - kFullySummed, method);
    cb.resize(static_cast<std::size_t>(numeric.cb_layout.size()));
    numeric.cb = cb.data();
    S next = S(1);
    for (std::vector<S>* part : {&lower, &upper, &cb}) {
      std::generate(part->begin(), part->end(), [&next] { return next += S(1); });
    }
  }

  NumericFront<S> numeric;
  std::vector<S> lower;
  std::vector<S> upper;
  std::vector<S> cb;
};

template <Scalar S>
void expect_equal_outputs(const NumericFront<S>& front, const NumericFront<S>& guest) {
  const FrontFactor<S>& from = front.factor;
  const FrontFactor<S>& to = guest.factor;
  const Index e = from.num_eliminated;
  ASSERT_EQ(to.num_eliminated, 0);
  ASSERT_EQ(to.num_delayed(), from.num_delayed());
  ASSERT_EQ(to.cb_order(), from.cb_order());
  for (Index j = 0; j < from.num_delayed(); ++j) {
    for (Index i = 0; i < from.order - e; ++i) {
      EXPECT_EQ(to.lower[to.layout.column_offset(j) + i], from.lower[from.layout.column_offset(e + j) + e + i]);
    }
    for (Index i = 0; from.upper != nullptr && i < from.cb_order(); ++i) {
      EXPECT_EQ(to.upper[j * to.cb_order() + i], from.upper[(e + j) * from.cb_order() + i]);
    }
  }
  EXPECT_TRUE(std::equal(front.cb, front.cb + front.cb_layout.size(), guest.cb));
}

template <Scalar S>
void expect_to_travel(Method method, Count piece_bytes) {
  SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", pieces of " << piece_bytes);
  const NumberedFront<S> front(method);
  const Index num_delayed = front.numeric.factor.num_delayed();
  const Index cb_order = front.numeric.factor.cb_order();
  std::vector<S> memory(static_cast<std::size_t>(guest_entries(cb_order, num_delayed, method)));
  std::vector<Index> variables(static_cast<std::size_t>(num_delayed));
  const NumericFront<S> guest = make_guest(cb_order, num_delayed, method, memory.data(), variables.data(), variables.data());

  const ContributionImage<S> from(front.numeric);
  const ContributionImage<S> to(guest);
  ASSERT_EQ(from.num_bytes(), to.num_bytes());
  ASSERT_EQ(to.num_bytes(), static_cast<Count>(memory.size() * sizeof(S)));
  std::vector<std::byte> piece;
  for (Count end = from.num_bytes(); end > 0; end -= static_cast<Count>(piece.size())) {  // in any order: backwards
    piece.resize(static_cast<std::size_t>(std::min(piece_bytes, end)));
    const Count offset = end - static_cast<Count>(piece.size());
    from.read(offset, piece);
    to.write(offset, piece);
  }
  expect_equal_outputs(front.numeric, guest);
}

TEST(ContributionImage, TravelsInPiecesOfAnyLength) {
  for (const Count piece_bytes : {Count{1}, Count{7}, Count{64}, Count{1} << 20}) {
    for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
      expect_to_travel<double>(method, piece_bytes);
    }
    expect_to_travel<std::complex<float>>(Method::lu, piece_bytes);
  }
}

}  // namespace
}  // namespace frond::test
