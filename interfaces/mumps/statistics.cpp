// SPDX-License-Identifier: BSD-3-Clause
// Lists which result has which place. Places that are not listed stay 0: what they count does not exist here.
#include "interfaces/mumps/statistics.hpp"

#include <array>
#include <cmath>

#include "interfaces/mumps/control_numbers.hpp"
#include "interfaces/mumps/failure.hpp"

namespace frond::mumps {
namespace {

// The places of a count, of one process and of all; 0: none.
struct Place {
  int info;
  int infog;
};

template <Scalar S, std::size_t N>
void write(Count value, const std::array<Place, N>& places, const Structure<S>& structure) {
  for (const Place& place : places) {
    if (place.info != 0) {
      structure.info(place.info) = in_millions(value);
    }
    if (place.infog != 0) {
      structure.infog(place.infog) = in_millions(value);
    }
  }
}

Count megabytes(Count bytes) {
  constexpr Count kMegabyte = 1000000;
  return (bytes + kMegabyte - 1) / kMegabyte;
}

template <Scalar S>
void write_flops(double flops, int place, const Structure<S>& structure) {
  structure.rinfo(place) = structure.rinfog(place) = static_cast<RealOf<S>>(flops);
}

// The number of ICNTL(7) for the order that was used.
int ordering_used(int asked) {
  constexpr int kMinimumDegree = 0;
  return asked >= 0 && asked <= 6 ? asked : kMinimumDegree;
}

// As a mantissa below 1, of a complex number by the sum of its parts, and an exponent of 2.
template <Scalar S>
void write_determinant(const Determinant& determinant, const Structure<S>& structure) {
  double real = determinant.mantissa.real();
  double imaginary = determinant.mantissa.imag();
  int shift = 0;
  if (const double size = std::abs(real) + std::abs(imaginary); size > 0) {
    std::frexp(size, &shift);
    real = std::ldexp(real, -shift);
    imaginary = std::ldexp(imaginary, -shift);
  }
  structure.rinfog(12) = static_cast<RealOf<S>>(real);
  structure.rinfog(13) = static_cast<RealOf<S>>(imaginary);
  structure.infog(34) = static_cast<int>(determinant.exponent) + shift;
}

}  // namespace

template <Scalar S>
void write_analysis(const FigureSources& sources, const Structure<S>& structure) {
  const AnalysisFigures& figures = *sources.analysis;
  const FactorizationEstimate& estimate = figures.estimate;
  write(estimate.factor_entries, std::array{Place{3, 3}, Place{20, 20}, Place{24, 0}}, structure);
  write(estimate.max_front_order, std::array{Place{5, 5}}, structure);
  write(figures.num_fronts, std::array{Place{6, 6}}, structure);
  write(megabytes(sources.memory().peak_bytes()), std::array{Place{15, 16}, Place{17, 17}, Place{0, 26}, Place{0, 27}}, structure);
  write_flops(estimate.front_flops, 1, structure);
  structure.infog(7) = ordering_used(structure.icntl(kOrdering));
  structure.infog(24) = 1;  // nothing is constrained
  structure.infog(32) = 1;  // by one process
  structure.infog(33) = structure.icntl(kScaling);
}

template <Scalar S>
void write_factorization(const SystemReport& report, Index order, bool has_signs, const Structure<S>& structure) {
  const FactorizationReport& done = report.factorization;
  const auto num_null = static_cast<Count>(done.null_pivots.size());
  write(done.factor_entries, std::array{Place{9, 9}, Place{21, 0}, Place{27, 29}, Place{28, 35}}, structure);
  write(done.max_front_order, std::array{Place{11, 11}}, structure);
  write(has_signs ? done.inertia.negative : 0, std::array{Place{12, 12}}, structure);
  write(done.num_delayed_pivots, std::array{Place{13, 13}}, structure);
  write(megabytes(done.peak_bytes), std::array{Place{16, 18}, Place{22, 19}, Place{0, 21}, Place{0, 22}}, structure);
  write(num_null, std::array{Place{18, 28}}, structure);
  write(order - num_null, std::array{Place{23, 0}}, structure);
  write(done.num_perturbed_pivots, std::array{Place{25, 25}}, structure);
  write_flops(done.flops, 3, structure);
  if (structure.icntl(kDeterminant) != 0) {
    write_determinant(done.determinant, structure);
  }
}

#define FROND_INSTANTIATE(S)                                               \
  template void write_analysis(const FigureSources&, const Structure<S>&); \
  template void write_factorization(const SystemReport&, Index, bool, const Structure<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond::mumps
