// SPDX-License-Identifier: BSD-3-Clause
// Tests symmetric factors over compressed columns against dense products in higher precision.
#include "factorization/thin/sparse_ldlt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "factorization/thin/lane_ldlt.hpp"
#include "tests/support/typed_tests.hpp"

namespace frond::sparse_ldlt_test {
namespace {

constexpr Index kOrder = 40;

template <class S>
using Wide = std::conditional_t<kIsComplex<S>, std::complex<long double>, long double>;
template <class S>
using Dense = std::vector<std::vector<Wide<S>>>;

template <class S>
Dense<S> zeros() {
  return Dense<S>(kOrder, std::vector<Wide<S>>(kOrder, 0));
}

template <class S>
Wide<S> mirror(Wide<S> value, bool is_hermitian) {
  if constexpr (kIsComplex<S>) {
    return is_hermitian ? std::conj(value) : value;
  } else {
    return value;
  }
}

// A matrix with a dominant diagonal of both signs, or of one; some entries are stored as their conjugates.
template <class S>
struct Example {
  bool is_hermitian;
  std::vector<Index> offsets = {0};
  std::vector<Index> rows = {};
  std::vector<Index> sources = {};
  std::vector<S> values = {};
  std::vector<RealOf<S>> scales = {};
  Dense<S> scaled = zeros<S>();  // both triangles

  [[nodiscard]] SparsePattern pattern() const { return {offsets, rows, sources}; }
  [[nodiscard]] SparseValues<S> matrix() const { return {values.data(), scales}; }
};

template <class S>
Example<S> example(unsigned seed, bool is_hermitian, bool is_definite) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<RealOf<S>> number(-1, 1);
  Example<S> made{.is_hermitian = is_hermitian};
  for (Index k = 0; k < kOrder; ++k) {
    made.scales.push_back(std::ldexp(RealOf<S>(1), static_cast<int>(random() % 5) - 2));
  }
  for (Index j = 0; j < kOrder; ++j) {
    for (Index i = 0; i <= j; ++i) {
      if (i < j && random() % 12 != 0) {
        continue;
      }
      S value(i == j ? RealOf<S>(is_definite || random() % 2 == 0 ? 9 : -9) : number(random));
      if constexpr (kIsComplex<S>) {
        value += i == j && is_hermitian ? S(0) : S(0, number(random));
      }
      const bool is_conjugate = is_hermitian && random() % 2 == 0;
      made.rows.push_back(i);
      made.sources.push_back(static_cast<Index>(is_conjugate ? -1 - static_cast<Index>(made.values.size()) : made.values.size()));
      made.values.push_back(is_conjugate ? conjugate(value) : value);
      made.scaled[i][j] = Wide<S>(value) * static_cast<long double>(made.scales[i] * made.scales[j]);
      made.scaled[j][i] = mirror<S>(made.scaled[i][j], is_hermitian);
    }
    made.offsets.push_back(static_cast<Index>(made.rows.size()));
  }
  return made;
}

// The largest |B - L D L'|_ij over |L| |D| |L'|.
template <class S>
double product_error(const Example<S>& example, const SparseLdlt<S>& factors, const std::vector<S>& l_values) {
  Dense<S> l = zeros<S>();
  const LdltStructure& structure = factors.structure();
  for (Index j = 0; j < kOrder; ++j) {
    l[j][j] = 1;
    for (Index e = structure.column_offsets[j]; e < structure.column_offsets[j + 1]; ++e) {
      l[structure.rows[e]][j] = l_values[e];
    }
  }
  long double worst = 0;
  for (Index i = 0; i < kOrder; ++i) {
    for (Index j = 0; j < kOrder; ++j) {
      Wide<S> rest = example.scaled[i][j];
      long double size = 0;
      for (Index k = 0; k < kOrder; ++k) {
        const Wide<S> term = l[i][k] * Wide<S>(factors.pivots()[k]) * mirror<S>(l[j][k], example.is_hermitian);
        rest -= term;
        size += std::abs(term);
      }
      worst = std::max(worst, size > 0 ? std::abs(rest) / size : std::abs(rest));
    }
  }
  return static_cast<double>(worst);
}

// The largest |b - B x|_i / (|B| |x| + |b|)_i.
template <class S>
double solve_error(const Example<S>& example, const std::vector<S>& b, const std::vector<S>& x) {
  long double worst = 0;
  for (Index i = 0; i < kOrder; ++i) {
    Wide<S> rest = b[i];
    long double size = std::abs(rest);
    for (Index j = 0; j < kOrder; ++j) {
      rest -= example.scaled[i][j] * Wide<S>(x[j]);
      size += std::abs(example.scaled[i][j] * Wide<S>(x[j]));
    }
    worst = std::max(worst, std::abs(rest) / size);
  }
  return static_cast<double>(worst);
}

template <class S>
SparseLdltOptions<S> options_for(const Example<S>& example) {
  return {.is_hermitian = example.is_hermitian, .threshold = RealOf<S>(0.01)};
}

template <class S>
class SparseLdltTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SparseLdltTest, Scalars);

TYPED_TEST(SparseLdltTest, FactorsMultiplyToTheMatrixAndSolve) {
  using S = TypeParam;
  const double eps = std::numeric_limits<RealOf<S>>::epsilon();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const bool is_hermitian : kIsComplex<S> ? std::vector{false, true} : std::vector{false}) {
      SCOPED_TRACE(seed);
      const Example<S> matrix = example<S>(seed, is_hermitian, seed % 2 == 0);
      const LdltStructure structure = LdltStructure::of(matrix.pattern(), 10000);
      SparseLdlt<S> factors(structure);
      ASSERT_TRUE(factors.factorize(matrix.pattern(), matrix.matrix(), options_for(matrix)));
      EXPECT_LE(product_error(matrix, factors, factors.lower()), 20 * eps);
      const std::vector<S> b(kOrder, S(1));
      std::vector<S> x = b;
      factors.solve(x.data());
      EXPECT_LE(solve_error(matrix, b, x), 20 * eps);
      RealOf<S> smallest = std::numeric_limits<RealOf<S>>::infinity();
      for (const S pivot : factors.pivots()) {
        smallest = std::min(smallest, magnitude_bound(pivot));
        EXPECT_TRUE(!is_hermitian || std::imag(pivot) == 0);
      }
      EXPECT_EQ(factors.extremes().smallest_pivot, smallest);
      EXPECT_EQ(magnitude_bound(factors.pivots()[factors.extremes().smallest]), smallest);
    }
  }
}

TEST(SparseLdlt, FillsInWhereEliminationDoes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Example<double> matrix = example<double>(seed, false, true);
    const LdltStructure structure = LdltStructure::of(matrix.pattern(), 10000);
    std::vector<std::vector<bool>> holds(kOrder, std::vector<bool>(kOrder));
    for (Index i = 0; i < kOrder; ++i) {
      for (Index j = 0; j < kOrder; ++j) {
        holds[i][j] = matrix.scaled[i][j] != 0;
      }
    }
    std::size_t num_entries = 0;
    double multiplications = 0;
    for (Index k = 0; k < kOrder; ++k) {
      std::vector<Index> below;
      for (Index i = k + 1; i < kOrder; ++i) {
        if (holds[i][k]) {
          below.push_back(i);
        }
      }
      for (const Index i : below) {
        for (const Index j : below) {
          holds[i][j] = true;
          multiplications += i >= j ? 1 : 0;
        }
      }
      num_entries += below.size();
      EXPECT_TRUE(std::equal(below.begin(), below.end(), structure.rows.begin() + structure.column_offsets[k],
                             structure.rows.begin() + structure.column_offsets[k + 1]));
    }
    EXPECT_EQ(structure.rows.size(), num_entries);
    EXPECT_EQ(structure.multiplications, multiplications);
    EXPECT_EQ(LdltStructure::of(matrix.pattern(), num_entries).order(), kOrder);
    EXPECT_EQ(LdltStructure::of(matrix.pattern(), num_entries - 1).order(), 0);
  }
}

TYPED_TEST(SparseLdltTest, ServesEachLaneAsItServesItsSystemAlone) {
  using S = TypeParam;
  using R = RealOf<S>;
  const double eps = std::numeric_limits<R>::epsilon();
  for (const bool is_hermitian : kIsComplex<S> ? std::vector{false, true} : std::vector{false}) {
    const Example<S> leading = example<S>(2, is_hermitian, true);
    const LdltStructure structure = LdltStructure::of(leading.pattern(), 10000);
    LaneLdlt<S> lanes(structure, is_hermitian);
    const std::vector<R> diagonals = {9, -9, 0, R(1e-7), 5};  // the first pivots
    std::vector<Example<S>> systems(kLanes<S>, leading);
    std::vector<LaneNumbers<S>> values(leading.values.size());
    for (std::size_t first = 0; first < diagonals.size(); ++first) {
      for (int lane = 0; lane < kLanes<S>; ++lane) {
        systems[lane].values[0] = S(diagonals[(first + lane) % diagonals.size()]);
        systems[lane].scaled[0][0] =
            Wide<S>(systems[lane].values[0]) * static_cast<long double>(leading.scales[0] * leading.scales[0]);
        for (std::size_t e = 0; e < values.size(); ++e) {
          set_lane(values[e], lane, systems[lane].values[e]);
        }
      }
      lanes.factorize(leading.pattern(), values.data(), leading.scales);
      std::vector<LaneNumbers<S>> x(kOrder, LaneReals<R>::all(1));
      lanes.solve(x.data());
      for (int lane = 0; lane < kLanes<S>; ++lane) {
        SparseLdlt<S> alone(structure);
        const bool is_usable = alone.factorize(leading.pattern(), systems[lane].matrix(), options_for(leading));
        ASSERT_EQ(lanes.extremes().are_usable(lane, options_for(leading).threshold), is_usable);
        if (is_usable) {
          const auto is_positive = [](S pivot) { return std::real(pivot) > 0; };
          EXPECT_EQ(lanes.is_positive(lane), std::ranges::all_of(alone.pivots(), is_positive));
          std::vector<S> own;
          std::ranges::transform(x, std::back_inserter(own), [&](const auto& numbers) { return S(lane_of(numbers, lane)); });
          EXPECT_LE(solve_error(systems[lane], std::vector<S>(kOrder, S(1)), own), 100 * eps);
          EXPECT_NEAR(lanes.extremes().of(lane).smallest_pivot / alone.extremes().smallest_pivot, 1, 1000 * eps);
          EXPECT_NEAR(lanes.extremes().of(lane).largest_of_upper / alone.extremes().largest_of_upper, 1, 1000 * eps);
        }
      }
    }
  }
}

// After a failure the same object factorizes again, to the same bits.
TYPED_TEST(SparseLdltTest, RefusesPivotsThatAreTooSmallOrNotPositiveOrNoNumbers) {
  using S = TypeParam;
  using R = RealOf<S>;
  Example<S> matrix = example<S>(2, kIsComplex<S>, true);
  const LdltStructure structure = LdltStructure::of(matrix.pattern(), 10000);
  SparseLdlt<S> factors(structure);
  SparseLdltOptions<S> definite = options_for(matrix);
  definite.must_be_definite = true;
  ASSERT_TRUE(factors.factorize(matrix.pattern(), matrix.matrix(), definite));
  const std::vector<S> values = matrix.values;
  const std::vector<S> expected = factors.lower();
  const auto change = [&](Index col, S diagonal) {
    matrix.values = values;
    const auto place = static_cast<std::size_t>(
        std::find(matrix.rows.begin() + matrix.offsets[col], matrix.rows.begin() + matrix.offsets[col + 1], col) -
        matrix.rows.begin());
    const Index source = matrix.sources[place];
    matrix.values[source >= 0 ? source : -1 - source] = diagonal;
  };
  change(kOrder - 1, S(-9));
  EXPECT_FALSE(factors.factorize(matrix.pattern(), matrix.matrix(), definite));
  EXPECT_TRUE(factors.factorize(matrix.pattern(), matrix.matrix(), options_for(matrix)));
  for (const R small : {R(0), R(1e-6), std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()}) {
    change(0, S(small));
    EXPECT_FALSE(factors.factorize(matrix.pattern(), matrix.matrix(), options_for(matrix))) << small;
  }
  matrix.values = values;
  ASSERT_TRUE(factors.factorize(matrix.pattern(), matrix.matrix(), definite));
  EXPECT_EQ(factors.lower(), expected);
}

}  // namespace
}  // namespace frond::sparse_ldlt_test
