// SPDX-License-Identifier: BSD-3-Clause
// Tests that residuals and errors measured by several ranks are those of one.
#include "solver/distributed/ranks/rank_meter.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "solver/distributed/ranks/column_part.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/virtual_network.hpp"

namespace frond::testing {
namespace {

// Ranks with one meter each, which are driven until no message is under way.
template <Scalar S>
class MeterRanks {
 public:
  MeterRanks(const SparseMatrix<S>& a, Operation operation, std::span<const RealOf<S>> scales, Rank num_ranks, std::uint32_t seed)
      : network_(num_ranks, 1, 200, seed) {
    for (Rank rank = 0; rank < num_ranks; ++rank) {
      parts_.push_back(std::make_unique<ColumnPart<S>>(a.view(), rank, num_ranks));
      outboxes_.push_back(std::make_unique<Outbox>(network_.channel(0, rank)));
      meters_.push_back(std::make_unique<RankMeter<S>>(a.view(), parts_.back()->view(), operation, scales, *outboxes_.back()));
    }
  }

  // Returns the meter of rank 0 with the products.
  const RankMeter<S>& multiply(DenseView<const S> x) {
    meters_[0]->start(x);
    bool is_multiplied = meters_[0]->take_products();
    while (network_.deliver()) {
      for (std::size_t rank = 0; rank < meters_.size(); ++rank) {
        is_multiplied = step(rank) || is_multiplied;
      }
    }
    EXPECT_TRUE(is_multiplied);
    return *meters_[0];
  }

 private:
  bool step(std::size_t rank) {
    Channel& channel = network_.channel(0, static_cast<Rank>(rank));
    if (channel.take_room_event()) {
      outboxes_[rank]->pump();
    }
    while (const std::optional<ReceivedMessage> message = channel.poll()) {
      ByteReader reader(message->bytes());
      const auto kind = reader.value<SolveMessage>();
      if (goes_down_the_tree(kind)) {
        send_down_the_tree(*outboxes_[rank], message->bytes());
      }
      EXPECT_TRUE(meters_[rank]->receive(kind, message->from(), reader));
    }
    return rank == 0 && meters_[0]->take_products();
  }

  test::VirtualNetwork network_;
  std::vector<std::unique_ptr<ColumnPart<S>>> parts_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;
  std::vector<std::unique_ptr<RankMeter<S>>> meters_;
};

template <class S>
class RankMeterOf : public ::testing::Test {};
TYPED_TEST_SUITE(RankMeterOf, test::Scalars);

TYPED_TEST(RankMeterOf, MeasuresWhatOneProcessMeasures) {
  using S = TypeParam;
  const double eps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());
  const DenseMatrix<S> b = random_dense<S>(40, 3, 2);
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian}) {
    const SparseMatrix<S> a = random_matrix<S>(40, 4, symmetry, Flavour::zero_diagonal, 1);
    for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
      std::vector<RealOf<S>> scales(operation == Operation::transposed ? 40 : 0);
      for (std::size_t i = 0; i < scales.size(); ++i) {
        scales[i] = i % 2 == 0 ? RealOf<S>(4) : RealOf<S>(0.25);
      }
      const BackwardErrorMeter<S> meter(a.view(), operation, scales);
      for (const Rank num_ranks : {1, 2, 3, 8}) {
        const std::uint32_t seed = std::random_device{}();
        SCOPED_TRACE(::testing::Message() << num_ranks << " ranks, seed " << seed);
        MeterRanks<S> ranks(a, operation, scales, num_ranks, seed);
        for (int time = 0; time < 2; ++time) {  // row sums arrive only the first time
          const DenseMatrix<S> x = random_dense<S>(40, 3, seed);
          const RankMeter<S>& multiplied = ranks.multiply({x.values.data(), 40, 3, 40});
          for (Index k = 0; k < 3; ++k) {
            std::vector<S> residual(40);
            std::vector<S> expected_residual(40);
            const ColumnReport report = multiplied.measure(k, b.column(k), x.column(k), residual);
            const ColumnReport expected = meter.measure(b.column(k), x.column(k), expected_residual);
            EXPECT_NEAR(report.normwise_backward_error, expected.normwise_backward_error, 100 * eps);
            EXPECT_NEAR(report.componentwise_backward_error, expected.componentwise_backward_error, 100 * eps);
            for (std::size_t i = 0; i < 40; ++i) {
              EXPECT_NEAR(std::abs(residual[i] - expected_residual[i]), 0, 1000 * eps);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace frond::testing
