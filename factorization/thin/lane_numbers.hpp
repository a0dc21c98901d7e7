// SPDX-License-Identifier: BSD-3-Clause
// Numbers of several systems at a time, one in each lane of the processor's vectors.
#pragma once

#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "frond/types.hpp"

namespace frond {

/// Real numbers at one place of several systems, as many as two vectors of AVX2 hold: while one waits for a result, the processor
/// goes on with the other. Functions of them are inlined where they are used, so that the instructions are those of the caller.
template <class R>
struct LaneReals {
  using Vector [[gnu::vector_size(32)]] = R;

  alignas(32) Vector first = {};
  alignas(32) Vector second = {};

  LaneReals() = default;
  [[gnu::always_inline]] LaneReals(const Vector& a, const Vector& b) : first(a), second(b) {}
  // Whole vectors are copied: what GCC 12 copies by halves cannot be loaded at once right after.
  [[gnu::always_inline]] LaneReals(const LaneReals& other) : first(other.first), second(other.second) {}
  [[gnu::always_inline]] LaneReals& operator=(const LaneReals& other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  ~LaneReals() = default;

  [[nodiscard, gnu::always_inline]] static LaneReals all(R value) { return {value + Vector{}, value + Vector{}}; }
  [[nodiscard]] R operator[](int lane) const {
    R value;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(this) + lane * sizeof(R), sizeof(R));
    return value;
  }
  void set(int lane, R value) { std::memcpy(reinterpret_cast<std::byte*>(this) + lane * sizeof(R), &value, sizeof(R)); }

  [[gnu::always_inline]] friend LaneReals operator-(LaneReals a) { return {-a.first, -a.second}; }
  [[gnu::always_inline]] friend LaneReals operator+(LaneReals a, LaneReals b) { return {a.first + b.first, a.second + b.second}; }
  [[gnu::always_inline]] friend LaneReals operator-(LaneReals a, LaneReals b) { return {a.first - b.first, a.second - b.second}; }
  [[gnu::always_inline]] friend LaneReals operator*(LaneReals a, LaneReals b) { return {a.first * b.first, a.second * b.second}; }
  [[gnu::always_inline]] friend LaneReals operator/(LaneReals a, LaneReals b) { return {a.first / b.first, a.second / b.second}; }
  [[gnu::always_inline]] LaneReals& operator+=(LaneReals b) { return *this = *this + b; }
  [[gnu::always_inline]] LaneReals& operator-=(LaneReals b) { return *this = *this - b; }
};

/// a where x < y, else b.
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> choose_where_less(LaneReals<R> x, LaneReals<R> y, LaneReals<R> a,
                                                                        LaneReals<R> b) {
  return {x.first < y.first ? a.first : b.first, x.second < y.second ? a.second : b.second};
}
/// a where a < b or b is NaN, else b.
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> smaller(LaneReals<R> a, LaneReals<R> b) {
  return choose_where_less(b, a, b, a);
}
/// a where a > b or b is NaN, else b.
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> larger(LaneReals<R> a, LaneReals<R> b) {
  return choose_where_less(a, b, b, a);
}
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> absolute(LaneReals<R> a) {
  return larger(a, -a);
}

/// Complex numbers, real and imaginary parts apart.
template <class R>
struct LaneComplex {
  LaneReals<R> re = {};
  LaneReals<R> im = {};

  LaneComplex() = default;
  [[gnu::always_inline]] LaneComplex(const LaneReals<R>& real, const LaneReals<R>& imaginary = {}) : re(real), im(imaginary) {}

  [[gnu::always_inline]] friend LaneComplex operator*(LaneComplex a, LaneComplex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  [[gnu::always_inline]] friend LaneComplex operator*(LaneComplex a, LaneReals<R> b) { return {a.re * b, a.im * b}; }
  [[gnu::always_inline]] LaneComplex& operator+=(LaneComplex b) { return *this = {re + b.re, im + b.im}; }
  [[gnu::always_inline]] LaneComplex& operator-=(LaneComplex b) { return *this = {re - b.re, im - b.im}; }
};

/// Numbers of several systems.
template <Scalar S>
using LaneNumbers = std::conditional_t<kIsComplex<S>, LaneComplex<RealOf<S>>, LaneReals<RealOf<S>>>;

/// As many systems of one pattern are factorized and solved at a time: 8 in double precision, 16 in single precision.
template <Scalar S>
inline constexpr int kLanes = sizeof(LaneReals<RealOf<S>>) / sizeof(RealOf<S>);

/// Of each lane.
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> magnitude_bound(LaneReals<R> a) {
  return absolute(a);
}
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> magnitude_bound(LaneComplex<R> a) {
  return absolute(a.re) + absolute(a.im);
}

template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> conjugate(LaneReals<R> a) {
  return a;
}
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneComplex<R> conjugate(LaneComplex<R> a) {
  return {a.re, -a.im};
}

template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> real_part(LaneReals<R> a) {
  return a;
}
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> real_part(LaneComplex<R> a) {
  return a.re;
}

template <class R>
[[nodiscard, gnu::always_inline]] inline LaneReals<R> inverse(LaneReals<R> a) {
  return LaneReals<R>::all(1) / a;
}
/// By the larger part (Smith 1962, "Algorithm 116: Complex division", Comm. ACM 5).
template <class R>
[[nodiscard, gnu::always_inline]] inline LaneComplex<R> inverse(LaneComplex<R> a) {
  const LaneReals<R> re = absolute(a.re);
  const LaneReals<R> im = absolute(a.im);
  const LaneReals<R> large = choose_where_less(re, im, a.im, a.re);
  const LaneReals<R> small = choose_where_less(re, im, a.re, a.im);
  const LaneReals<R> ratio = small / large;
  const LaneReals<R> of_large = LaneReals<R>::all(1) / (large + ratio * small);
  const LaneReals<R> of_small = of_large * ratio;
  return {choose_where_less(re, im, of_small, of_large), -choose_where_less(re, im, of_large, of_small)};
}

template <class R>
void set_lane(LaneReals<R>& a, int lane, R value) {
  a.set(lane, value);
}
template <class R>
void set_lane(LaneComplex<R>& a, int lane, std::complex<R> value) {
  a.re.set(lane, value.real());
  a.im.set(lane, value.imag());
}
template <class R>
[[nodiscard]] R lane_of(const LaneReals<R>& a, int lane) {
  return a[lane];
}
template <class R>
[[nodiscard]] std::complex<R> lane_of(const LaneComplex<R>& a, int lane) {
  return {a.re[lane], a.im[lane]};
}

/// Whether this processor has the instructions that with_wide_vectors() uses.
[[nodiscard]] inline bool has_wide_vectors() { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; }

/// Calls work(), which is inlined with all that it calls, with instructions that the compiler must not assume. See
/// SharedProduct::add_terms_with_fma() for the end.
template <class Work>
[[gnu::target("avx2,fma")]] void with_wide_vectors(const Work& work) {
  work();
  __builtin_ia32_vzeroupper();
}

/// The same with whatever the processor has.
template <class Work>
void with_vectors(const Work& work) {
  if (has_wide_vectors()) {
    with_wide_vectors(work);
  } else {
    work();
  }
}

}  // namespace frond
