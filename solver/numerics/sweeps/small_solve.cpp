// SPDX-License-Identifier: BSD-3-Clause
// Implements plain loops; for a single right-hand side they process several columns or sums at a time, so that they wait for memory
// and not for the previous sum.
#include "solver/numerics/sweeps/small_solve.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

#include "factorization/kernels/lanes.hpp"

namespace frond {
namespace {

using blas::Diagonal;
using blas::Op;
using blas::Triangle;

// Calls visit(begin, width) for blocks of columns, the widest first; width is a constant of its type.
template <class Visit>
void for_each_narrow_block(Index cols, const Visit& visit) {
  Index begin = 0;
  for (; begin + 4 <= cols; begin += 4) {
    visit(begin, std::integral_constant<int, 4>());
  }
  if (begin + 2 <= cols) {
    visit(begin, std::integral_constant<int, 2>());
    begin += 2;
  }
  if (begin < cols) {
    visit(begin, std::integral_constant<int, 1>());
  }
}

// The same, last to first.
template <class Visit>
void for_each_narrow_block_backwards(Index cols, const Visit& visit) {
  Index end = cols;
  for (; end >= 4; end -= 4) {
    visit(end - 4, std::integral_constant<int, 4>());
  }
  if (end >= 2) {
    visit(end - 2, std::integral_constant<int, 2>());
    end -= 2;
  }
  if (end > 0) {
    visit(0, std::integral_constant<int, 1>());
  }
}

constexpr std::size_t kCacheLine = 64;

// Prefetches the next entries of Width columns, `ahead` numbers from those that begin at a, a + ld, ...: between short columns the
// processor's own prefetching loses track.
template <int Width, class S>
[[gnu::always_inline]] inline void fetch_columns(const S* a, Index ld, Count ahead) {
  for (int c = 0; c < Width; ++c) {
    __builtin_prefetch(reinterpret_cast<const char*>(a) + (c * static_cast<Count>(ld) + ahead) * static_cast<Count>(sizeof(S)));
  }
}

// y[c] -= the sum of x[i] A[i, c], for Width columns of A that begin at a, a + ld, ..., in one pass over x. `ahead` as for
// fetch_columns().
template <int Width, class S>
void subtract_sums(Index rows, const S* __restrict x, const S* __restrict a, Index ld, Count ahead, S* __restrict y) {
  using L = Lanes<S>;
  constexpr Index kLine = kCacheLine / sizeof(S);
  std::array<typename L::Vector, Width> sums{};
  const auto add_from = [&](Index i) {
    const typename L::Vector factors = L::load(x + i);
    for (std::size_t c = 0; c < Width; ++c) {
      sums[c] += factors * L::load(a + static_cast<Count>(c) * ld + i);
    }
  };
  Index i = 0;
  for (; i + kLine <= rows; i += kLine) {
    fetch_columns<Width>(a + i, ld, ahead);
    for (Index k = 0; k < kLine; k += L::kCount) {
      add_from(i + k);
    }
  }
  for (; i + L::kCount <= rows; i += L::kCount) {
    add_from(i);
  }
  std::array<S, Width> totals{};
  for (std::size_t c = 0; c < Width; ++c) {
    totals[c] = L::total(sums[c]);
  }
  for (; i < rows; ++i) {
    for (std::size_t c = 0; c < Width; ++c) {
      totals[c] += x[i] * a[static_cast<Count>(c) * ld + i];
    }
  }
  for (std::size_t c = 0; c < Width; ++c) {
    y[c] -= totals[c];
  }
}

// y -= A x, for Width columns of A that begin at a, a + ld, ..., in one pass over y. `ahead` as for fetch_columns().
template <int Width, class S>
void subtract_columns(Index rows, const S* __restrict a, Index ld, Count ahead, const S* __restrict x, S* __restrict y) {
  using L = Lanes<S>;
  constexpr Index kLine = kCacheLine / sizeof(S);
  const auto subtract_at = [&](Index i) {
    typename L::Vector difference = L::load(y + i);
    for (std::size_t c = 0; c < Width; ++c) {
      difference -= L::load(a + static_cast<Count>(c) * ld + i) * x[c];
    }
    L::store(difference, y + i);
  };
  Index i = 0;
  for (; i + kLine <= rows; i += kLine) {
    fetch_columns<Width>(a + i, ld, ahead);
    for (Index k = 0; k < kLine; k += L::kCount) {
      subtract_at(i + k);
    }
  }
  for (; i + L::kCount <= rows; i += L::kCount) {
    subtract_at(i);
  }
  for (; i < rows; ++i) {
    for (std::size_t c = 0; c < Width; ++c) {
      y[i] -= a[static_cast<Count>(c) * ld + i] * x[c];
    }
  }
}

template <class S>
bool is_one_vector(const DenseView<S>& x) {
  return x.rows == 1 && x.ld == 1;
}

// Rows of T next to the columns [begin, end) of its triangle.
struct Beside {
  Index begin;
  Index end;
};

Beside beside_diagonal(Triangle triangle, Index rows, Index begin, Index end) {
  return triangle == Triangle::lower ? Beside{end, rows} : Beside{0, begin};
}

constexpr bool ascends(Triangle triangle, Op op) { return (triangle == Triangle::lower) == (op == Op::transpose); }

// X := X op(T)^-1 for one row of X and the few columns of a diagonal block. The loops are fully determined at compile time, and are
// unrolled.
template <bool Ascends, Op Form, Diagonal Kind, int Width, class S>
void solve_diagonal_block(const S* t, Index ld, S* x) {
  const auto entry = [&](int i, int j) { return t[static_cast<Count>(j) * ld + i]; };
  for (int step = 0; step < Width; ++step) {
    const int j = Ascends ? step : Width - 1 - step;
    S value = x[j];
    for (int before = 0; before < step; ++before) {
      const int i = Ascends ? before : Width - 1 - before;
      value -= x[i] * (Form == Op::none ? entry(i, j) : entry(j, i));
    }
    x[j] = Kind == Diagonal::stored ? value / entry(j, j) : value;
  }
}

template <Triangle Half, Op Form, Diagonal Kind, class S>
void solve_for_vector(const DenseView<const S>& t, S* x) {
  constexpr bool kAscends = ascends(Half, Form);
  const auto solve_block = [&](Index begin, auto width) {
    constexpr int kWidth = decltype(width)::value;
    const Beside beside = beside_diagonal(Half, t.rows, begin, begin + kWidth);
    const S* columns = t.column(begin);
    const Count ahead = static_cast<Count>(t.ld) * (kAscends ? kWidth : -kWidth);
    if constexpr (Form == Op::none) {
      subtract_sums<kWidth>(beside.end - beside.begin, x + beside.begin, columns + beside.begin, t.ld, ahead, x + begin);
    }
    solve_diagonal_block<kAscends, Form, Kind, kWidth>(columns + begin, t.ld, x + begin);
    if constexpr (Form == Op::transpose) {
      subtract_columns<kWidth>(beside.end - beside.begin, columns + beside.begin, t.ld, ahead, x + begin, x + beside.begin);
    }
  };
  if constexpr (kAscends) {
    for_each_narrow_block(t.cols, solve_block);
  } else {
    for_each_narrow_block_backwards(t.cols, solve_block);
  }
}

template <Triangle Half, Op Form, class S>
void solve_for_vector(Diagonal diagonal, const DenseView<const S>& t, S* x) {
  if (diagonal == Diagonal::stored) {
    solve_for_vector<Half, Form, Diagonal::stored>(t, x);
  } else {
    solve_for_vector<Half, Form, Diagonal::unit>(t, x);
  }
}

template <Triangle Half, class S>
void solve_for_vector(Op op, Diagonal diagonal, const DenseView<const S>& t, S* x) {
  if (op == Op::none) {
    solve_for_vector<Half, Op::none>(diagonal, t, x);
  } else {
    solve_for_vector<Half, Op::transpose>(diagonal, t, x);
  }
}

template <class S>
void solve_for_vector(Triangle triangle, Op op, Diagonal diagonal, const DenseView<const S>& t, S* x) {
  if (triangle == Triangle::lower) {
    solve_for_vector<Triangle::lower>(op, diagonal, t, x);
  } else {
    solve_for_vector<Triangle::upper>(op, diagonal, t, x);
  }
}

}  // namespace

template <Scalar S>
void subtract_small_product(Op op, DenseView<const S> x, DenseView<const S> a, DenseView<S> y) {
  if (is_one_vector(x) && is_one_vector(y)) {
    for_each_narrow_block(a.cols, [&](Index begin, auto width) {
      constexpr int kWidth = decltype(width)::value;
      const Count ahead = static_cast<Count>(a.ld) * kWidth;
      if (op == Op::transpose) {
        subtract_columns<kWidth>(a.rows, a.column(begin), a.ld, ahead, x.data + begin, y.data);
      } else {
        subtract_sums<kWidth>(a.rows, x.data, a.column(begin), a.ld, ahead, y.data + begin);
      }
    });
    return;
  }
  for (Index outer = 0; outer < a.cols; ++outer) {
    for (Index inner = 0; inner < a.rows; ++inner) {
      const S value = a(inner, outer);
      const S* from = x.column(op == Op::none ? inner : outer);
      S* to = y.column(op == Op::none ? outer : inner);
      for (Index row = 0; row < y.rows; ++row) {
        to[row] -= from[row] * value;
      }
    }
  }
}

template <Scalar S>
void solve_small_triangle(Triangle triangle, Op op, Diagonal diagonal, DenseView<const S> t, DenseView<S> x) {
  if (is_one_vector(x)) {
    solve_for_vector<S>(triangle, op, diagonal, t, x.data);
    return;
  }
  for (Index step = 0; step < t.cols; ++step) {
    const Index j = ascends(triangle, op) ? step : t.cols - 1 - step;
    const auto [begin, end] = beside_diagonal(triangle, t.rows, j, j + 1);
    const DenseView<const S> beside = t.block(begin, j, end - begin, 1);
    const DenseView<S> column = x.columns(j, j + 1);
    if (op == Op::none) {
      subtract_small_product<S>(op, x.columns(begin, end), beside, column);
    }
    for (Index row = 0; row < x.rows && diagonal == Diagonal::stored; ++row) {
      column(row, 0) /= t(j, j);
    }
    if (op == Op::transpose) {
      subtract_small_product<S>(op, column, beside, x.columns(begin, end));
    }
  }
}

#define FROND_INSTANTIATE(S)                                                                      \
  template void subtract_small_product(Op, DenseView<const S>, DenseView<const S>, DenseView<S>); \
  template void solve_small_triangle(Triangle, Op, Diagonal, DenseView<const S>, DenseView<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
