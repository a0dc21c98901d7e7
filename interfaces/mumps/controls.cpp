// SPDX-License-Identifier: BSD-3-Clause
// What controls leave open is chosen by Frond, as it would be without them.
#include "interfaces/mumps/controls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "interfaces/mumps/call_log.hpp"
#include "interfaces/mumps/control_numbers.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond::mumps {
namespace {

constexpr double kLargestRelative = 0.5;    // size of a pivot that may count as zero, or that others are enlarged to
constexpr double kDefaultThreshold = 0.01;  // CNTL(1) where nobody has set it
constexpr int kMostThreads = 4096;

const char* ordering_of(int control) {
  switch (control) {
    case 0:
    case 2:
    case 6:
      return "amd";
    case 3:
    case 4:
      return "dissection";
    case 5:
      return "metis";
    default:
      return "automatic";
  }
}

// The number in a variable of the environment, or 0.
int threads_in(const char* variable) {
  const char* text = std::getenv(variable);
  const int threads = text == nullptr ? 0 : std::atoi(text);
  return threads > 0 && threads <= kMostThreads ? threads : 0;
}

// What ICNTL(16) or the environment says; 0: as many as pay.
int number_of_threads(int control) {
  if (control > 0) {
    return std::min(control, kMostThreads);
  }
  const int own = threads_in("FROND_NUM_THREADS");
  return own > 0 ? own : threads_in("OMP_NUM_THREADS");
}

// Finds the largest magnitude of all processes, each of which has some of the values.
template <Scalar S>
double largest_of_all(const Team& team, std::span<const S> values) {
  const auto mine = static_cast<double>(largest_magnitude(values));
  const std::vector<Count> all = team.of_all(std::bit_cast<Count>(mine));  // bits of numbers without sign compare as they do
  return std::bit_cast<double>(*std::max_element(all.begin(), all.end()));
}

// An absolute size relative to the largest entry.
double relative(double size, double largest) { return largest > 0 ? std::min(size / largest, kLargestRelative) : 0; }

// CNTL(3): relative above 0, absolute below; 0 or NaN leaves it to Frond.
double null_threshold(double control, double largest) {
  return control > 0 ? std::min(control, kLargestRelative) : control < 0 ? relative(-control, largest) : 0;
}

}  // namespace

template <Scalar S>
void Controls<S>::set(std::string_view name, std::string value) {
  auto known = values_.find(name);
  bool is_new = known == values_.end() || known->second != value;
  share_value(solver_->team(), is_new);  // the environments of processes may differ
  if (!is_new) {
    return;
  }
  known = values_.insert_or_assign(std::string(name), std::move(value)).first;
  solver_->set_option(known->first.c_str(), known->second.c_str());
}

template <Scalar S>
void Controls<S>::set_for_analysis(const Structure<S>& structure) {
  set("index-base", "1");
  set("mirrored", "sum");
  set("ordering", ordering_of(structure.icntl(kOrdering)));
  set("matching", structure.icntl(kMatching) == 0 ? "never" : "automatic");
  set("scaling", structure.icntl(kScaling) == 0 ? "none" : "automatic");
  set("threads", fmt::format("{}", number_of_threads(structure.icntl(kThreads))));
  set("keep", structure.icntl(kDiscard) == 1 ? "none" : "all");
}

template <Scalar S>
void Controls<S>::set_for_factorization(const Structure<S>& structure, std::span<const S> values) {
  constexpr Count kMegabyte = 1000000;
  const double threshold = structure.cntl(1);
  const double static_size = structure.cntl(4);
  const bool finds_null_pivots = structure.icntl(kNullPivots) == 1;
  // That of a scaled matrix is about 1.
  const double largest = structure.icntl(kScaling) != 0 ? 1 : largest_of_all(solver_->team(), values);
  const bool is_default = static_cast<RealOf<S>>(kDefaultThreshold) == structure.cntl(1) || is_definite_;
  set("threads", fmt::format("{}", number_of_threads(structure.icntl(kThreads))));
  set("memory-limit", structure.icntl(kMemoryLimit) > 0 ? fmt::format("{}", structure.icntl(kMemoryLimit) * kMegabyte) : "machine");
  set("pivot-threshold", is_default || std::isnan(threshold) ? "automatic" : fmt::format("{}", std::clamp(threshold, 0.0, 1.0)));
  set("null-threshold", fmt::format("{}", finds_null_pivots ? null_threshold(structure.cntl(3), largest) : 0));
  const bool is_static = static_size >= 0 && !finds_null_pivots;
  set("pivoting", is_static ? "static" : "threshold");
  set("pivot-perturbation", fmt::format("{}", is_static ? relative(static_size, largest) : 0));
  set("verdict", finds_null_pivots ? "full" : "pivots");
}

template <Scalar S>
bool Controls<S>::measures_solution(const Structure<S>& structure) {
  const int analysis = structure.icntl(kErrorAnalysis);
  return (structure.icntl(kRefinement) != 0 || analysis == 1 || analysis == 2) && structure.integer(Member::nrhs) == 1 &&
         structure.icntl(kRightHandSides) < 10 && structure.icntl(kDistributedSolution) != 1;
}

template <Scalar S>
void Controls<S>::set_for_solve(const Structure<S>& structure) {
  constexpr int kMostSteps = 1000;
  const bool measures = measures_solution(structure);
  const int steps = measures ? std::min(std::abs(structure.icntl(kRefinement)), kMostSteps) : 0;
  set("verdict", measures || is_logging() ? "full" : "pivots");
  set("refine-steps", fmt::format("{}", steps));
  set("krylov-steps", "0");
  set("error-bounds", measures && structure.icntl(kErrorAnalysis) == 1 ? "first" : "never");
}

FROND_INSTANTIATE_CLASS(Controls)

}  // namespace frond::mumps
