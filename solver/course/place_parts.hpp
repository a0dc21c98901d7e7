// SPDX-License-Identifier: BSD-3-Clause
// Defines the calls that differ between places: this process, and ranks.
#pragma once

#include <complex>
#include <memory>
#include <tuple>
#include <type_traits>

#include "frond/dense.hpp"
#include "frond/matrix.hpp"
#include "frond/place.hpp"
#include "frond/report.hpp"
#include "solver/course/analyze_system.hpp"
#include "solver/course/system_course.hpp"
#include "solver/course/team.hpp"
#include "solver/storage/saved/saved_file.hpp"

namespace frond {

class Communicator;

/// The calls for matrices of one scalar type. Over ranks they are collective, with A, sides and files on the leader. They throw as
/// the public calls do.
template <Scalar S>
class PlaceFor {
 public:
  PlaceFor() = default;
  PlaceFor(const PlaceFor&) = delete;
  PlaceFor& operator=(const PlaceFor&) = delete;
  virtual ~PlaceFor() = default;

  /// Returns the sum of the triplets of all, with its arrays, on the leader.
  [[nodiscard]] virtual SystemMatrix<S> assemble(const Triplets<S>& mine) const = 0;
  [[nodiscard]] virtual AnalysisParts analyze(const SystemMatrix<S>& matrix, const SolverOptions& options) const = 0;
  /// The analysis for other values. Throws UsageError if the matrix has entries that were not analysed.
  [[nodiscard]] virtual AnalysisParts fit(const AnalysisParts& analysis, const SystemMatrix<S>& matrix) const = 0;
  /// Returns the analysis of a checkpoint, from which its first factorization continues; if the checkpoint was not begun, it
  /// begins. The matrix becomes the one to factorize: a triangle if a general one was found to be symmetric.
  [[nodiscard]] virtual AnalysisParts resume(SystemMatrix<S>& matrix, const SolverOptions& options) const = 0;
  /// Returns a system that is not factorized yet.
  [[nodiscard]] virtual std::unique_ptr<SystemCourse<S>> course(const AnalysisParts& analysis,
                                                                const SystemMatrix<S>& matrix) const = 0;
  [[nodiscard]] virtual std::unique_ptr<SystemCourse<S>> load(const SavedSource& source, const SystemMatrix<S>& matrix,
                                                              const SolverOptions& options) const = 0;
  /// Returns all factors, on this process alone.
  [[nodiscard]] virtual std::unique_ptr<SystemCourse<S>> replicate(const SystemCourse<S>& system) const = 0;
  /// `place` is the one that these are the calls of.
  virtual SolveReport solve_in_blocks(const Place& place, SystemCourse<S>& replica, DenseView<const S> b, DenseView<S> x,
                                      Operation operation) const = 0;
};

/// The calls for all scalar types, and who makes them.
class PlaceParts {
 public:
  PlaceParts() = default;
  PlaceParts(const PlaceParts&) = delete;
  PlaceParts& operator=(const PlaceParts&) = delete;
  virtual ~PlaceParts() = default;

  [[nodiscard]] virtual const Team& team() const = 0;
  /// Of the ranks; null in one process.
  [[nodiscard]] virtual const Communicator* communicator() const { return nullptr; }
  [[nodiscard]] bool is_distributed() const { return communicator() != nullptr; }
  [[nodiscard]] virtual Rank rank() const { return 0; }
  /// Whether threads of their own may serve load messages.
  [[nodiscard]] virtual bool may_have_load_threads() const { return false; }

  template <Scalar S>
  [[nodiscard]] const PlaceFor<S>& of() const {
    return *std::get<std::unique_ptr<const PlaceFor<S>>>(calls_);
  }

 protected:
  /// Takes make(std::type_identity<S>()), a pointer to the calls, for each scalar type.
  template <class Make>
  void make_calls(const Make& make) {
    calls_ = {make(std::type_identity<float>()), make(std::type_identity<double>()),
              make(std::type_identity<std::complex<float>>()), make(std::type_identity<std::complex<double>>())};
  }

 private:
  template <Scalar S>
  using Pointer = std::unique_ptr<const PlaceFor<S>>;
  std::tuple<Pointer<float>, Pointer<double>, Pointer<std::complex<float>>, Pointer<std::complex<double>>> calls_;
};

}  // namespace frond
