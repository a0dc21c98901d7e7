// SPDX-License-Identifier: BSD-3-Clause
// Tests factors over compressed columns against dense products in higher precision.
#include "factorization/thin/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "factorization/kernels/magnitude.hpp"
#include "factorization/thin/lane_lu.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond {
namespace {

constexpr Index kOrder = 40;

// A block upper triangular matrix in compressed columns.
template <class S>
struct Example {
  std::vector<Index> blocks;
  std::vector<Index> offsets = {0};
  std::vector<Index> rows = {};
  std::vector<Index> sources = {};
  std::vector<S> values = {};
  std::vector<RealOf<S>> scales = std::vector<RealOf<S>>(kOrder, 1);

  [[nodiscard]] SparsePattern pattern() const { return {offsets, rows, sources}; }
  [[nodiscard]] SparseValues<S> scaled() const { return {values.data(), scales}; }
  [[nodiscard]] bool refactorize(SparseLu<S>& lu, RealOf<S> threshold) const {
    std::vector<RealOf<S>> scales_of_pivots;
    std::ranges::transform(lu.row_order(), std::back_inserter(scales_of_pivots), [this](Index row) { return scales[row]; });
    return lu.refactorize({values.data(), scales_of_pivots}, threshold);
  }
  [[nodiscard]] std::vector<std::vector<S>> dense() const {
    std::vector<std::vector<S>> a(kOrder, std::vector<S>(kOrder, S(0)));
    for (Index j = 0; j < kOrder; ++j) {
      for (Index e = offsets[j]; e < offsets[j + 1]; ++e) {
        a[rows[e]][j] = values[sources[e]] * scales[rows[e]];
      }
    }
    return a;
  }
};

template <class S>
S random_number(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  if constexpr (kIsComplex<S>) {
    const double re = number(random);
    return S(static_cast<RealOf<S>>(re), static_cast<RealOf<S>>(number(random)));
  } else {
    return static_cast<S>(number(random));
  }
}

// Diagonal entries are small, so that pivots leave the diagonal; entries of a column, and values, come in any order.
template <class S>
Example<S> example(unsigned seed, double diagonal) {
  std::mt19937 random(seed);
  std::bernoulli_distribution holds(0.12);
  Example<S> made;
  made.blocks = {0, 1, 2, 15, 17, kOrder};
  for (Index j = 0; j < kOrder; ++j) {
    const Index end = *std::upper_bound(made.blocks.begin(), made.blocks.end(), j);
    std::vector<Index> column;
    for (Index i = 0; i < end; ++i) {
      if (i == j || holds(random)) {
        column.push_back(i);
      }
    }
    std::shuffle(column.begin(), column.end(), random);
    for (const Index i : column) {
      made.rows.push_back(i);
      made.values.push_back(random_number<S>(random) * (i == j && end - j > 1 ? static_cast<RealOf<S>>(diagonal) : RealOf<S>(1)));
    }
    made.offsets.push_back(static_cast<Index>(made.rows.size()));
  }
  made.sources.resize(made.rows.size());
  std::iota(made.sources.begin(), made.sources.end(), 0);
  std::shuffle(made.sources.begin(), made.sources.end(), random);
  for (RealOf<S>& scale : made.scales) {
    scale = std::ldexp(RealOf<S>(1), static_cast<int>(random() % 5) - 2);
  }
  return made;
}

template <class S>
SparseLuOptions<S> options_with(const Example<S>& example, double threshold) {
  SparseLuOptions<S> options{.threshold = static_cast<RealOf<S>>(threshold), .most_entries = 100000};
  for (Index j = 0; j < kOrder; ++j) {
    const Index begin = *(std::upper_bound(example.blocks.begin(), example.blocks.end(), j) - 1);
    options.num_couplings +=
        static_cast<std::size_t>(std::count_if(example.rows.begin() + example.offsets[j],
                                               example.rows.begin() + example.offsets[j + 1], [&](Index i) { return i < begin; }));
  }
  return options;
}

template <class S>
using Wide = std::conditional_t<kIsComplex<S>, std::complex<long double>, long double>;

// The largest |P B - L U - N|_ij over |L| |U| + |N|.
template <class S>
double product_error(const Example<S>& example, const SparseLu<S>& lu) {
  std::vector<std::vector<Wide<S>>> lower(kOrder, std::vector<Wide<S>>(kOrder, 0));
  auto upper = lower;
  auto couplings = lower;
  const auto spread = [](const SparseColumns<S>& columns, auto& to) {
    for (Index j = 0; j < kOrder; ++j) {
      for (Index e = columns.offsets[j]; e < columns.offsets[j + 1]; ++e) {
        to[columns.rows[e]][j] = columns.values[e];
      }
    }
  };
  spread(lu.lower(), lower);
  spread(lu.upper(), upper);
  spread(lu.couplings(), couplings);
  for (Index k = 0; k < kOrder; ++k) {
    lower[k][k] = 1;
    upper[k][k] = lu.pivots()[k];
  }
  const std::vector<std::vector<S>> a = example.dense();
  long double worst = 0;
  for (Index i = 0; i < kOrder; ++i) {
    for (Index j = 0; j < kOrder; ++j) {
      Wide<S> rest = Wide<S>(a[lu.row_order()[i]][j]) - couplings[i][j];
      long double size = std::abs(couplings[i][j]);
      for (Index k = 0; k < kOrder; ++k) {
        rest -= lower[i][k] * upper[k][j];
        size += std::abs(lower[i][k]) * std::abs(upper[k][j]);
      }
      worst = std::max(worst, size > 0 ? std::abs(rest) / size : std::abs(rest));
    }
  }
  return static_cast<double>(worst);
}

// The largest |b - op(B) x|_i / (|op(B)| |x| + |b|)_i.
template <class S>
double solve_error(const Example<S>& example, const std::vector<S>& b, const std::vector<S>& x, bool is_transposed) {
  const std::vector<std::vector<S>> a = example.dense();
  long double worst = 0;
  for (Index i = 0; i < kOrder; ++i) {
    Wide<S> rest = b[i];
    long double size = std::abs(Wide<S>(b[i]));
    for (Index j = 0; j < kOrder; ++j) {
      const Wide<S> entry = is_transposed ? a[j][i] : a[i][j];
      rest -= entry * Wide<S>(x[j]);
      size += std::abs(entry) * std::abs(Wide<S>(x[j]));
    }
    worst = std::max(worst, std::abs(rest) / size);
  }
  return static_cast<double>(worst);
}

template <class S>
class SparseLuTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SparseLuTest, Scalars);

TYPED_TEST(SparseLuTest, FactorsMultiplyToTheMatrixAndKeepTheThreshold) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  Index num_off_diagonal = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const double threshold : {0.01, 0.5, 1.0}) {
      SCOPED_TRACE(seed);
      const Example<S> matrix = example<S>(seed, seed % 2 == 0 ? 1 : 0.05);
      const auto lu = SparseLu<S>::factorize(matrix.pattern(), matrix.blocks, matrix.scaled(), options_with<S>(matrix, threshold));
      ASSERT_TRUE(lu);
      EXPECT_LE(product_error(matrix, *lu), 20 * eps);
      const std::vector<std::vector<S>> a = matrix.dense();
      PivotExtremes<S> found;
      for (Index k = 0; k < kOrder; ++k) {
        num_off_diagonal += lu->row_order()[k] == k ? 0 : 1;
        RealOf<S> largest = 0;
        for (Index i = *(std::ranges::upper_bound(matrix.blocks, k) - 1); i < kOrder; ++i) {
          largest = std::max(largest, magnitude_bound(a[i][k]));
        }
        const RealOf<S> pivot = magnitude_bound(lu->pivots()[k]) / largest;
        found.smallest_pivot = std::min(found.smallest_pivot, pivot);
        found.largest_of_upper = std::max(found.largest_of_upper, pivot);
        for (Index e = lu->upper().offsets[k]; e < lu->upper().offsets[k + 1]; ++e) {
          found.largest_of_upper = std::max(found.largest_of_upper, magnitude_bound(lu->upper().values[e]) / largest);
        }
        if (k == lu->extremes().smallest) {
          EXPECT_EQ(pivot, lu->extremes().smallest_pivot);
        }
      }
      for (const S l : lu->lower().values) {
        EXPECT_LE(magnitude_bound(l) * threshold, 2);  // of a complex quotient the bound is up to twice that of its parts
      }
      EXPECT_EQ(lu->extremes().smallest_pivot, found.smallest_pivot);
      EXPECT_EQ(lu->extremes().largest_of_upper, found.largest_of_upper);
    }
  }
  EXPECT_GT(num_off_diagonal, 100);
}

TYPED_TEST(SparseLuTest, SolvesWithTheMatrixAndItsTranspose) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  const Example<S> matrix = example<S>(7, 1);
  const auto lu = SparseLu<S>::factorize(matrix.pattern(), matrix.blocks, matrix.scaled(), options_with<S>(matrix, 1));
  ASSERT_TRUE(lu);
  std::mt19937 random(3);
  std::vector<S> b(kOrder);
  for (S& value : b) {
    value = random_number<S>(random);
  }
  std::vector<S> x(kOrder);
  for (Index k = 0; k < kOrder; ++k) {
    x[k] = b[lu->row_order()[k]];
  }
  lu->solve(x.data());
  EXPECT_LE(solve_error(matrix, b, x, false), 1000 * eps);
  std::vector<S> by_pivot = b;
  lu->solve_transposed(by_pivot.data());
  for (Index k = 0; k < kOrder; ++k) {
    x[lu->row_order()[k]] = by_pivot[k];
  }
  EXPECT_LE(solve_error(matrix, b, x, true), 1000 * eps);
}

TYPED_TEST(SparseLuTest, FactorizesOtherValuesAlongTheSamePivots) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  Example<S> matrix = example<S>(11, 0.05);
  auto lu = SparseLu<S>::factorize(matrix.pattern(), matrix.blocks, matrix.scaled(), options_with<S>(matrix, 0.1));
  ASSERT_TRUE(lu);
  const SparseLu<S> first = *lu;
  ASSERT_TRUE(matrix.refactorize(*lu, RealOf<S>(0.05)));
  EXPECT_EQ(lu->pivots()[kOrder - 1], first.pivots()[kOrder - 1]);
  EXPECT_LE(product_error(matrix, *lu), 20 * eps);
  EXPECT_EQ(lu->extremes().smallest_pivot, first.extremes().smallest_pivot);
  for (S& value : matrix.values) {
    value *= RealOf<S>(1.25);
  }
  ASSERT_TRUE(matrix.refactorize(*lu, RealOf<S>(0.05)));
  EXPECT_LE(product_error(matrix, *lu), 20 * eps);
  EXPECT_TRUE(std::ranges::equal(lu->row_order(), first.row_order()));
}

TYPED_TEST(SparseLuTest, RefusesValuesThatItsPivotsDoNotServeAndServesOthersAfterwards) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  Example<S> matrix = example<S>(11, 0.05);
  auto lu = SparseLu<S>::factorize(matrix.pattern(), matrix.blocks, matrix.scaled(), options_with<S>(matrix, 0.1));
  ASSERT_TRUE(lu);
  const std::vector<S> values = matrix.values;
  for (const RealOf<S> factor : {RealOf<S>(0), RealOf<S>(1e-6), std::numeric_limits<RealOf<S>>::quiet_NaN()}) {
    // The pivot of column 2, the first of a block of 13, is an entry of A.
    for (Index e = matrix.offsets[2]; e < matrix.offsets[3]; ++e) {
      if (matrix.rows[e] == lu->row_order()[2]) {
        matrix.values[matrix.sources[e]] *= factor;
      }
    }
    EXPECT_FALSE(matrix.refactorize(*lu, RealOf<S>(0.01)));
    matrix.values = values;
    ASSERT_TRUE(matrix.refactorize(*lu, RealOf<S>(0.01)));
    EXPECT_LE(product_error(matrix, *lu), 20 * eps);
  }
}

// Numbers of one lane must not get into another one.
TYPED_TEST(SparseLuTest, ServesEachLaneAsItServesItsSystemAlone) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  const Example<S> leading = example<S>(11, 0.05);
  const auto lu = SparseLu<S>::factorize(leading.pattern(), leading.blocks, leading.scaled(), options_with<S>(leading, 0.1));
  ASSERT_TRUE(lu);
  std::vector<RealOf<S>> scales;
  std::ranges::transform(lu->row_order(), std::back_inserter(scales), [&](Index row) { return leading.scales[row]; });
  LaneLu<S> lanes(*lu);
  const std::vector<RealOf<S>> changes = {1, 0, RealOf<S>(1.5), RealOf<S>(1e-6), std::numeric_limits<RealOf<S>>::infinity(), 1};
  for (std::size_t first = 0; first < changes.size(); ++first) {
    std::mt19937 random(static_cast<unsigned>(first));
    std::vector<Example<S>> systems(kLanes<S>, leading);
    std::vector<LaneNumbers<S>> values(leading.values.size());
    std::vector<LaneNumbers<S>> x(kOrder);
    const std::vector<S> b(kOrder, S(1));
    for (int lane = 0; lane < kLanes<S>; ++lane) {
      for (Index e = 0; e < leading.offsets[kOrder]; ++e) {
        S& value = systems[lane].values[leading.sources[e]];
        const bool is_pivot = e >= leading.offsets[2] && e < leading.offsets[3] && leading.rows[e] == lu->row_order()[2];
        value *= RealOf<S>(1) + RealOf<S>(0.01) * std::real(random_number<S>(random));
        value *= is_pivot ? changes[(first + lane) % changes.size()] : 1;
        set_lane(values[leading.sources[e]], lane, value);
      }
    }
    lanes.refactorize(values.data(), scales);
    for (const bool is_transposed : {false, true}) {
      for (Index k = 0; k < kOrder; ++k) {
        x[k] = LaneReals<RealOf<S>>::all(1);
      }
      lanes.solve(is_transposed, x.data());
      for (int lane = 0; lane < kLanes<S>; ++lane) {
        SparseLu<S> alone = *lu;
        const bool is_usable = systems[lane].refactorize(alone, RealOf<S>(0.01));
        ASSERT_EQ(lanes.extremes().are_usable(lane, RealOf<S>(0.01)), is_usable);
        if (is_usable) {
          std::vector<S> by_pivot(kOrder, S(1));
          is_transposed ? alone.solve_transposed(by_pivot.data()) : alone.solve(by_pivot.data());
          std::vector<S> own(kOrder);
          std::vector<S> expected(kOrder);
          for (Index k = 0; k < kOrder; ++k) {
            own[is_transposed ? lu->row_order()[k] : k] = lane_of(x[k], lane);
            expected[is_transposed ? lu->row_order()[k] : k] = by_pivot[k];
          }
          const double error_alone = solve_error(systems[lane], b, expected, is_transposed);
          EXPECT_LE(solve_error(systems[lane], b, own, is_transposed), 16 * error_alone + 100 * eps);
          EXPECT_NEAR(lanes.extremes().of(lane).smallest_pivot / alone.extremes().smallest_pivot, 1, 1000 * eps);
          EXPECT_NEAR(lanes.extremes().of(lane).largest_of_upper / alone.extremes().largest_of_upper, 1, 1000 * eps);
        }
      }
    }
  }
}

TYPED_TEST(SparseLuTest, FindsNoFactorsOfSingularOrHugeNumbersOrBeyondTheirLimits) {
  using S = TypeParam;
  Example<S> matrix = example<S>(11, 1);
  const auto factors = [&](std::size_t most_entries, double most_multiplications = 1e9) {
    SparseLuOptions<S> options = options_with<S>(matrix, 0.1);
    options.most_entries = most_entries;
    options.most_multiplications = most_multiplications;
    return SparseLu<S>::factorize(matrix.pattern(), matrix.blocks, matrix.scaled(), options);
  };
  const auto found = factors(100000);
  ASSERT_TRUE(found);
  const std::size_t num_entries = found->lower().rows.size() + found->upper().rows.size();
  EXPECT_TRUE(factors(num_entries));
  EXPECT_FALSE(factors(num_entries - 1));
  double multiplications = 0;
  for (const Index pivot : found->upper().rows) {
    multiplications += found->lower().offsets[pivot + 1] - found->lower().offsets[pivot];
  }
  EXPECT_TRUE(factors(num_entries, multiplications));
  EXPECT_FALSE(factors(num_entries, multiplications - 1));
  const std::vector<S> values = matrix.values;
  std::fill(matrix.values.begin(), matrix.values.end(), S(0));
  EXPECT_FALSE(factors(100000));
  matrix.values = values;
  for (S& value : matrix.values) {
    value *= std::numeric_limits<RealOf<S>>::max() / 4;
  }
  EXPECT_FALSE(factors(100000));  // products of L and U overflow
}

}  // namespace
}  // namespace frond
