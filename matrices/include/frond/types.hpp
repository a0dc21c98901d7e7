// SPDX-License-Identifier: BSD-3-Clause
// The integer and scalar types that all of Frond shares.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

/// Marks the symbols that programs may link to in a shared library of Frond.
#define FROND_API [[gnu::visibility("default")]]

namespace frond {

/// A row, column, variable or node number. Orders of matrices stay below 2^31.
using Index = std::int32_t;

/// A number of entries, bytes or floating-point operations, and any offset into an array of entries.
using Count = std::int64_t;

using Rank = std::int32_t;  ///< a process of the communicator, 0-based

template <class S>
concept Scalar = std::same_as<S, float> || std::same_as<S, double> || std::same_as<S, std::complex<float>> ||
    std::same_as<S, std::complex<double>>;

/// Expands CODE(S) for every scalar S, for example to explicit instantiations of the templates defined in a source.
#define FROND_FOR_ALL_SCALARS(CODE) CODE(float) CODE(double) CODE(std::complex<float>) CODE(std::complex<double>)

/// Instantiates a class template explicitly for every scalar.
#define FROND_INSTANTIATE_CLASS(NAME)       \
  template class NAME<float>;               \
  template class NAME<double>;              \
  template class NAME<std::complex<float>>; \
  template class NAME<std::complex<double>>;

/// The real type of the same precision: float for float and complex<float>, double for the others.
template <class S>
using RealOf = decltype(std::real(S()));

template <class S>
inline constexpr bool kIsComplex = !std::is_same_v<S, RealOf<S>>;  ///< true for complex numbers

/// The complex conjugate, in the type of its argument (std::conj would turn a real number into a complex one).
template <Scalar S>
[[nodiscard]] constexpr S conjugate(S value) {
  if constexpr (kIsComplex<S>) {
    return std::conj(value);
  } else {
    return value;
  }
}

/// What a matrix guarantees about its two triangles.
enum class Symmetry {
  general,         ///< nothing
  symmetric,       ///< A = A^T
  skew_symmetric,  ///< A = -A^T
  hermitian        ///< A = A^H
};

/// How a matrix is factorized. A real Hermitian matrix is symmetric; `ldlh` is for complex Hermitian ones.
enum class Method {
  cholesky,  ///< A = L L^H, positive definite
  ldlt,      ///< A = L D L^T with 1x1 and 2x2 pivots
  ldlh,      ///< A = L D L^H with 1x1 and 2x2 pivots
  lu         ///< A = L D U, row-wise threshold pivoting
};

[[nodiscard]] constexpr bool is_symmetric(Method method) { return method != Method::lu; }  ///< one factor serves both sweeps

/// The operator applied to the vector: A, A^T or A^H.
enum class Operation { plain, transposed, adjoint };

}  // namespace frond
