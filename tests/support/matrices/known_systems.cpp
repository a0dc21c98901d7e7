// SPDX-License-Identifier: BSD-3-Clause
// Disguises integer matrices by permutations and scalings.
#include "tests/support/matrices/known_systems.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "frond/matrix.hpp"
#include "tests/support/matrices/draw.hpp"

namespace frond::testing {
namespace {

// The permutation, exponents and powers of i of the rows, or of the columns.
struct Side {
  std::vector<Index> position;
  std::vector<int> exponent;
  std::vector<int> turn;

  Side(Index order, const Disguise& disguise, Draw& draw)
      : position(static_cast<std::size_t>(order)), exponent(position.size()), turn(position.size()) {
    std::iota(position.begin(), position.end(), 0);
    for (std::size_t k = 0; k < position.size(); ++k) {
      exponent[k] = static_cast<int>(draw.between(-disguise.largest_exponent, disguise.largest_exponent));
      turn[k] = disguise.rotates ? draw.below(4) : 0;
      if (disguise.permutes) {
        std::swap(position[k], position[draw.below(static_cast<Index>(k) + 1)]);
      }
    }
  }

  [[nodiscard]] bool is_odd() const {
    std::vector<char> seen(position.size());
    std::size_t num_cycles = 0;
    for (std::size_t k = 0; k < position.size(); ++k) {
      num_cycles += seen[k] == 0 ? 1 : 0;
      for (std::size_t other = k; seen[other] == 0; other = static_cast<std::size_t>(position[other])) {
        seen[other] = 1;
      }
    }
    return (position.size() - num_cycles) % 2 != 0;
  }
};

template <Scalar S>
S turned(double value, int turn) {
  if constexpr (kIsComplex<S>) {
    constexpr std::complex<double> kTurns[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return S(value * kTurns[((turn % 4) + 4) % 4]);
  } else {
    return static_cast<S>(value);
  }
}

template <Scalar S>
Determinant disguised_determinant(Determinant determinant, const Side& rows, const Side& cols, Symmetry symmetry) {
  int turn = 0;
  for (std::size_t k = 0; k < rows.position.size(); ++k) {
    determinant.exponent += rows.exponent[k] + cols.exponent[k];
    turn += rows.turn[k] + (symmetry == Symmetry::hermitian ? -rows.turn[k] : cols.turn[k]);
  }
  determinant *= Determinant(turned<std::complex<double>>(1, turn));
  if (rows.is_odd() != cols.is_odd()) {
    determinant.negate();
  }
  return determinant;
}

}  // namespace

template <Scalar S>
KnownSystem<S> disguised(const KnownMatrix& known, Symmetry symmetry, const Disguise& disguise, std::uint64_t seed) {
  Draw draw(seed);
  const Side rows(known.order(), disguise, draw);
  const bool is_general = symmetry == Symmetry::general;
  const Side cols = is_general ? Side(known.order(), disguise, draw) : rows;
  Triplets<S> triplets{known.order(), known.order(), symmetry, {}, {}, {}};
  for (Eigen::Index j = 0; j < known.matrix.outerSize(); ++j) {
    for (ExactMatrix::InnerIterator entry(known.matrix, j); entry; ++entry) {
      const auto row = static_cast<std::size_t>(entry.row());
      const auto col = static_cast<std::size_t>(entry.col());
      const Index new_row = rows.position[row];
      const Index new_col = cols.position[col];
      if (std::abs(entry.value()) >= std::int64_t{1} << std::numeric_limits<RealOf<S>>::digits) {
        throw std::logic_error("an integer entry is not exact in this scalar");
      }
      if (is_general || new_row >= new_col) {
        const double value = std::ldexp(static_cast<double>(entry.value()), rows.exponent[row] + cols.exponent[col]);
        const int turn = rows.turn[row] + (symmetry == Symmetry::hermitian ? -cols.turn[col] : cols.turn[col]);
        triplets.add(new_row, new_col, turned<S>(value, turn));
      }
    }
  }
  KnownSystem<S> system{known.name, compress(std::move(triplets)), known.rank, known.inertia};
  system.name += ", order " + std::to_string(known.order()) + ", exponents to " + std::to_string(disguise.largest_exponent) +
                 ", seed " + std::to_string(seed) + ", symmetry " + std::to_string(static_cast<int>(symmetry));
  system.has_inertia = symmetry == Symmetry::hermitian || (symmetry == Symmetry::symmetric && !kIsComplex<S>);
  system.condition = known.condition;
  if (known.determinant) {
    system.determinant = disguised_determinant<S>(*known.determinant, rows, cols, symmetry);
  }
  return system;
}

namespace {

// Returns how far a matrix may be scaled without leaving the scalar's range.
template <Scalar S>
constexpr int kLargeExponent = std::numeric_limits<RealOf<S>>::digits > 24 ? 500 : 55;

}  // namespace

template <Scalar S>
std::vector<KnownSystem<S>> known_systems() {
  constexpr int kDigits = std::numeric_limits<RealOf<S>>::digits;
  std::vector<KnownSystem<S>> systems;
  std::uint64_t seed = 1000;
  const auto add = [&](const KnownMatrix& known, Symmetry symmetry) {
    for (const int exponent : {0, 6, kLargeExponent<S>}) {
      systems.push_back(disguised<S>(known, symmetry, {exponent, exponent > 0, kIsComplex<S>}, ++seed));
    }
  };
  for (const KnownMatrix& known : known_symmetric_matrices(kDigits)) {
    add(known, Symmetry::symmetric);
    if (kIsComplex<S>) {
      add(known, Symmetry::hermitian);
    }
  }
  for (const KnownMatrix& known : known_general_matrices(kDigits)) {
    add(known, known.symmetry);
  }
  return systems;
}

#define FROND_INSTANTIATE(S)                                                                       \
  template KnownSystem<S> disguised(const KnownMatrix&, Symmetry, const Disguise&, std::uint64_t); \
  template std::vector<KnownSystem<S>> known_systems();
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::testing
