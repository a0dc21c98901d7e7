// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over columns with numbers of any kind: those of one system for one right-hand side or a few, or those of several systems.
#pragma once

#include <array>
#include <span>

#include "factorization/thin/lane_numbers.hpp"
#include "factorization/thin/sparse_pattern.hpp"
#include "frond/types.hpp"

namespace frond {

/// The sides of one row, as many as are solved for at a time if there are several; they lie next to each other.
template <Scalar S>
using Sides = std::array<S, kSideLanes>;

/// y -= value * x.
template <class Value>
[[gnu::always_inline]] inline void subtract_product(const Value& value, const Value& x, Value& y) {
  y -= value * x;
}
template <Scalar S>
[[gnu::always_inline]] inline void subtract_product(S value, const Sides<S>& x, Sides<S>& y) {
  for (int side = 0; side < kSideLanes; ++side) {
    y[side] -= value * x[side];
  }
}

/// x *= value.
template <class Value>
[[gnu::always_inline]] inline void multiply_by(const Value& value, Value& x) {
  x = x * value;
}
template <Scalar S>
[[gnu::always_inline]] inline void multiply_by(S value, Sides<S>& x) {
  for (S& side : x) {
    side *= value;
  }
}

/// x += y.
template <class Value>
[[gnu::always_inline]] inline void add_to(const Value& y, Value& x) {
  x += y;
}
template <Scalar S>
[[gnu::always_inline]] inline void add_to(const Sides<S>& y, Sides<S>& x) {
  for (int side = 0; side < kSideLanes; ++side) {
    x[side] += y[side];
  }
}

/// Compressed columns.
template <class Value>
struct ColumnsView {
  const Index* offsets;
  const Index* rows;
  const Value* values;

  template <class Side>
  [[gnu::always_inline]] void subtract_column(Index col, Side* x) const {
    const Side own = x[col];
    for (Index entry = offsets[col], end = offsets[col + 1]; entry < end; ++entry) {
      subtract_product(values[entry], own, x[rows[entry]]);
    }
  }
  template <class Side>
  [[gnu::always_inline]] void subtract_products(Index col, Side* x) const {
    Side rest = x[col];
    for (Index entry = offsets[col], end = offsets[col + 1]; entry < end; ++entry) {
      subtract_product(values[entry], x[rows[entry]], rest);
    }
    x[col] = rest;
  }
};

/// See SparseLu.
template <class Value>
struct LuView {
  std::span<const Index> blocks;
  ColumnsView<Value> lower;
  ColumnsView<Value> upper;
  ColumnsView<Value> couplings;
  const Value* inverse_pivots;
};

/// x := B^-1 P^T x: see SparseLu::solve().
template <class Value, class Side>
[[gnu::always_inline]] inline void solve_lu(const LuView<Value>& lu, Side* x) {
  for (std::size_t block = lu.blocks.size() - 1; block > 0; --block) {
    const Index begin = lu.blocks[block - 1];
    const Index end = lu.blocks[block];
    for (Index col = begin; col < end; ++col) {
      lu.lower.subtract_column(col, x);
    }
    for (Index col = end; col-- > begin;) {
      multiply_by(lu.inverse_pivots[col], x[col]);
      lu.upper.subtract_column(col, x);
    }
    for (Index col = begin; col < end; ++col) {
      lu.couplings.subtract_column(col, x);
    }
  }
}

/// x := P B^-T x: see SparseLu::solve_transposed().
template <class Value, class Side>
[[gnu::always_inline]] inline void solve_lu_transposed(const LuView<Value>& lu, Side* x) {
  for (std::size_t block = 1; block < lu.blocks.size(); ++block) {
    const Index begin = lu.blocks[block - 1];
    const Index end = lu.blocks[block];
    for (Index col = begin; col < end; ++col) {
      lu.couplings.subtract_products(col, x);
    }
    for (Index col = begin; col < end; ++col) {
      lu.upper.subtract_products(col, x);
      multiply_by(lu.inverse_pivots[col], x[col]);
    }
    for (Index col = end; col-- > begin;) {
      lu.lower.subtract_products(col, x);
    }
  }
}

/// x := B^-1 x for B = L D L^T, or L D L^H if it `is_hermitian`, of order n: see SparseLdlt::solve().
template <class Value, class Side>
[[gnu::always_inline]] inline void solve_ldlt(Index n, const ColumnsView<Value>& lower, const Value* inverse_pivots,
                                              bool is_hermitian, Side* x) {
  for (Index col = 0; col < n; ++col) {
    lower.subtract_column(col, x);
  }
  const auto subtract = [=](Index entry, Side & sum) __attribute__((always_inline)) {
    const Value value = lower.values[entry];
    subtract_product(is_hermitian ? conjugate(value) : value, x[lower.rows[entry]], sum);
  };
  for (Index col = n; col-- > 0;) {
    Side even = x[col];
    Side odd = {};  // two sums, so that processors need not wait for one
    multiply_by(inverse_pivots[col], even);
    Index entry = lower.offsets[col];
    for (const Index end = lower.offsets[col + 1] - 1; entry < end; entry += 2) {
      subtract(entry, even);
      subtract(entry + 1, odd);
    }
    if (entry < lower.offsets[col + 1]) {
      subtract(entry, even);
    }
    add_to(odd, even);
    x[col] = even;
  }
}

}  // namespace frond
