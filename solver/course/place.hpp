// SPDX-License-Identifier: BSD-3-Clause
// Defines where a system is factorized: in this process, or on ranks.
#pragma once

#include <complex>
#include <memory>
#include <utility>

#include "frond/matrix.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/system_course.hpp"

namespace frond {

/// The place for matrices of one scalar type.
template <Scalar S>
class PlaceFor {
 public:
  PlaceFor() = default;
  PlaceFor(const PlaceFor&) = delete;
  PlaceFor& operator=(const PlaceFor&) = delete;
  virtual ~PlaceFor() = default;

  /// Returns a system that is not factorized yet. Over ranks collective, with A on rank 0. Throws as Factorization does.
  [[nodiscard]] virtual std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis,
                                                                const SystemMatrix<S>& matrix) const = 0;
  /// The same for a matrix that is the sum of the triplets of all.
  [[nodiscard]] virtual std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis, const Triplets<S>& mine) const = 0;
};

/// The place for matrices of all scalar types.
class Place : public PlaceFor<float>,
              public PlaceFor<double>,
              public PlaceFor<std::complex<float>>,
              public PlaceFor<std::complex<double>> {
 public:
  template <Scalar S>
  [[nodiscard]] const PlaceFor<S>& of() const {
    return *this;
  }
};

/// A place whose courses are make(analysis, matrix) and make(analysis, triplets).
template <class Make, Scalar... Scalars>
class PlaceBy;

template <class Make>
class PlaceBy<Make> : public Place {
 public:
  explicit PlaceBy(Make make) : make_(std::move(make)) {}
  using PlaceFor<float>::course;
  using PlaceFor<double>::course;
  using PlaceFor<std::complex<float>>::course;
  using PlaceFor<std::complex<double>>::course;

 protected:
  Make make_;
};

template <class Make, Scalar S, Scalar... Rest>
class PlaceBy<Make, S, Rest...> : public PlaceBy<Make, Rest...> {
 public:
  using PlaceBy<Make, Rest...>::PlaceBy;
  using PlaceBy<Make, Rest...>::course;
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis,
                                                        const SystemMatrix<S>& matrix) const override {
    return this->make_(analysis, matrix);
  }
  [[nodiscard]] std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis, const Triplets<S>& mine) const override {
    return this->make_(analysis, mine);
  }
};

template <class Make>
[[nodiscard]] std::shared_ptr<const Place> place_by(Make make) {
  return std::make_shared<const PlaceBy<Make, float, double, std::complex<float>, std::complex<double>>>(std::move(make));
}

}  // namespace frond
