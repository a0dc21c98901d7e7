// SPDX-License-Identifier: BSD-3-Clause
// Builds matrices edge by edge.
#include "tests/support/matrices/sparse_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "frond/matrix.hpp"
#include "tests/support/matrices/random_matrix.hpp"
#include "tests/support/matrices/test_systems.hpp"

namespace frond::test {
namespace {

// Collects couplings, then the diagonal.
template <Scalar S>
class Builder {
 public:
  Builder(Symmetry symmetry, Index order, std::uint64_t seed)
      : random_(static_cast<std::mt19937::result_type>(seed)), row_sums_(static_cast<std::size_t>(order)) {
    triplets_.num_rows = order;
    triplets_.num_cols = order;
    triplets_.symmetry = symmetry;
  }

  // Adds one entry of the lower triangle, or two independent ones of a general matrix.
  void couple(Index i, Index j) {
    add(std::max(i, j), std::min(i, j));
    if (triplets_.symmetry == Symmetry::general) {
      add(std::min(i, j), std::max(i, j));
    }
  }

  void add(Index row, Index col) {
    const S value = random_scalar<S>(random_);
    triplets_.add(row, col, value);
    row_sums_[row] += std::abs(value);
    row_sums_[col] += std::abs(value);
  }

  // Adds the diagonal; zero for the first `num_zeros` variables.
  SparseMatrix<S> finish(Values values, Index num_zeros = 0) {
    for (Index i = 0; i < triplets_.num_rows; ++i) {
      S value = random_scalar<S>(random_);
      if (i < num_zeros || (values == Values::zero_diagonal && i % 3 != 0)) {
        value = S(0);
      } else if (values == Values::dominant) {
        value = S(row_sums_[i] + RealOf<S>(0.1));
      } else if (triplets_.symmetry == Symmetry::hermitian) {
        value = S(std::real(value));
      }
      triplets_.add(i, i, value);
    }
    return compress(std::move(triplets_));
  }

  [[nodiscard]] bool toss(double probability) { return std::bernoulli_distribution(probability)(random_); }

 private:
  std::mt19937 random_;
  Triplets<S> triplets_;
  std::vector<RealOf<S>> row_sums_;
};

bool equal_bytes(const void* a, const void* b, std::size_t bytes) { return bytes == 0 || std::memcmp(a, b, bytes) == 0; }

template <Scalar S>
bool same_front(const FrontFactor<S>& a, const FrontFactor<S>& b, Method method) {
  if (a.order != b.order || a.num_fully_summed != b.num_fully_summed || a.num_eliminated != b.num_eliminated) {
    return false;
  }
  const auto p = static_cast<std::size_t>(a.num_fully_summed);
  const bool has_d = method == Method::ldlt || method == Method::ldlh;
  return equal_bytes(a.lower, b.lower, static_cast<std::size_t>(a.layout.size()) * sizeof(S)) &&
         equal_bytes(a.upper, b.upper, method == Method::lu ? p * static_cast<std::size_t>(a.cb_order()) * sizeof(S) : 0) &&
         equal_bytes(a.d, b.d, has_d ? 2 * p * sizeof(S) : 0) &&
         equal_bytes(a.pivots, b.pivots, method == Method::cholesky ? 0 : p * sizeof(PivotKind)) &&
         equal_bytes(a.row_variables, b.row_variables, p * sizeof(Index)) &&
         equal_bytes(a.col_variables, b.col_variables, p * sizeof(Index));
}

}  // namespace

template <Scalar S>
SparseMatrix<S> grid_matrix(Symmetry symmetry, Index nx, Index ny, Index nz, Values values, std::uint64_t seed) {
  Builder<S> builder(symmetry, nx * ny * nz, seed);
  for (Index z = 0; z < nz; ++z) {
    for (Index y = 0; y < ny; ++y) {
      for (Index x = 0; x < nx; ++x) {
        const Index point = x + nx * (y + ny * z);
        if (x + 1 < nx) {
          builder.couple(point, point + 1);
        }
        if (y + 1 < ny) {
          builder.couple(point, point + nx);
        }
        if (z + 1 < nz) {
          builder.couple(point, point + nx * ny);
        }
      }
    }
  }
  return builder.finish(values);
}

template <Scalar S>
SparseMatrix<S> random_sparse(Symmetry symmetry, Index order, double density, Values values, std::uint64_t seed) {
  Builder<S> builder(symmetry, order, seed);
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < order; ++i) {
      if (i != j && (i > j || symmetry == Symmetry::general) && builder.toss(density)) {
        builder.add(i, j);
      }
    }
  }
  return builder.finish(values);
}

template <Scalar S>
SparseMatrix<S> saddle_matrix(Symmetry symmetry, Index size, std::uint64_t seed) {
  Builder<S> builder(symmetry, 2 * size, seed);
  for (Index i = 0; i < size; ++i) {
    for (Index j = std::max<Index>(i - 2, 0); j < size; ++j) {
      builder.couple(i, size + j);
    }
  }
  return builder.finish(Values::random, size);
}

SparseMatrix<double> runaway_chain(Symmetry symmetry, Index order) {
  Triplets<double> triplets{.num_rows = order, .num_cols = order, .symmetry = symmetry};
  const auto couple = [&triplets](Index row, Index col, double value) {
    triplets.add(row, col, value);
    if (triplets.symmetry == Symmetry::general) {
      triplets.add(col, row, value);
    }
  };
  const Index last = order - 1;
  for (Index i = 0; i < last; ++i) {
    triplets.add(i, i, i % 4 == 0 ? 2 : 0);
    if (i + 1 < last) {
      couple(i + 1, i, 1e-3);
    }
    couple(last, i, 1 + 0.1 * (i % 7));
  }
  triplets.add(last, last, 1);
  return compress(std::move(triplets));
}

template <Scalar S>
SparseMatrix<S> graded(SparseMatrix<S> a, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_int_distribution<int> exponent(-13, 13);
  std::vector<RealOf<S>> d(static_cast<std::size_t>(a.num_cols));
  std::generate(d.begin(), d.end(), [&] { return std::ldexp(RealOf<S>(1), exponent(random)); });
  testing::for_each_entry(a, [&d](Index i, Index j, S& value) { value *= d[i] * d[j]; });
  return a;
}

SparseMatrix<double> deceptive_blocks(Index num_blocks, Index block, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<double> size(-1, 1);
  constexpr double kSmall = 1e-3;
  Triplets<double> triplets;
  triplets.symmetry = Symmetry::symmetric;
  const Index separator = 2 * num_blocks * block;
  triplets.num_rows = triplets.num_cols = separator + block;
  for (Index first = 0; first < separator; first += 2 * block) {
    for (Index j = 0; j < block; ++j) {
      const bool is_even = j % 2 == 0;
      const Index column = first + j;
      triplets.add(column, column, is_even ? 1 : 0.28);
      for (Index i = j + 1; i < block; ++i) {
        triplets.add(first + i, column, is_even && i == j + 1 ? 0.5 : kSmall * size(random));
      }
      for (Index i = 0; i < block; ++i) {
        triplets.add(separator + i, column, (is_even ? 1 : kSmall) * size(random));
      }
      const Index leaf = first + block + j;
      triplets.add(leaf, leaf, 1);
      triplets.add(leaf, column, kSmall);
    }
  }
  for (Index j = 0; j < block; ++j) {
    triplets.add(separator + j, separator + j, 5 * block);
    for (Index i = j + 1; i < block; ++i) {
      triplets.add(separator + i, separator + j, size(random));
    }
  }
  return compress(std::move(triplets));
}

SparseMatrix<double> uncoupled_grids(Symmetry symmetry, std::span<const Index> sizes, std::uint64_t seed) {
  Triplets<double> triplets;
  triplets.symmetry = symmetry;
  for (const Index n : sizes) {
    const SparseMatrix<double> grid = grid_matrix<double>(symmetry, n, n, n, Values::dominant, seed);
    testing::for_each_entry(
        grid, [&](Index i, Index j, double value) { triplets.add(triplets.num_rows + i, triplets.num_rows + j, value); });
    triplets.num_rows += grid.num_rows;
  }
  triplets.num_cols = triplets.num_rows;
  return compress(std::move(triplets));
}

SparseMatrix<double> singular_laplacian(Symmetry symmetry, Index nx, Index ny, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<double> weight(0.1, 1);
  Triplets<double> triplets;
  triplets.num_rows = nx * ny;
  triplets.num_cols = nx * ny;
  triplets.symmetry = symmetry;
  const auto couple = [&](Index i, Index j) {
    const double w = weight(random);
    triplets.add(i, i, w);
    triplets.add(j, j, w);
    triplets.add(j, i, -w);
    if (symmetry == Symmetry::general) {
      triplets.add(i, j, -w);
    }
  };
  for (Index y = 0; y < ny; ++y) {
    for (Index x = 0; x < nx; ++x) {
      const Index point = x + nx * y;
      if (x + 1 < nx) {
        couple(point, point + 1);
      }
      if (y + 1 < ny) {
        couple(point, point + nx);
      }
    }
  }
  return compress(std::move(triplets));
}

template <Scalar S>
bool same_bits(const Factors<S>& a, const Factors<S>& b) {
  const Index num_nodes = a.symbolic().tree().num_nodes();
  bool same = num_nodes == b.symbolic().tree().num_nodes();
  for (NodeId node = 0; node < num_nodes && same; ++node) {
    same = same_front(a.front(node), b.front(node), a.method());
  }
  return same;
}

#define FROND_INSTANTIATE(S)                                                                     \
  template SparseMatrix<S> grid_matrix<S>(Symmetry, Index, Index, Index, Values, std::uint64_t); \
  template SparseMatrix<S> random_sparse<S>(Symmetry, Index, double, Values, std::uint64_t);     \
  template SparseMatrix<S> saddle_matrix<S>(Symmetry, Index, std::uint64_t);                     \
  template bool same_bits<S>(const Factors<S>&, const Factors<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
template SparseMatrix<double> graded(SparseMatrix<double>, std::uint64_t);
template SparseMatrix<std::complex<double>> graded(SparseMatrix<std::complex<double>>, std::uint64_t);

}  // namespace frond::test
