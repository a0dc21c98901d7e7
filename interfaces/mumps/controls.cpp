// SPDX-License-Identifier: BSD-3-Clause
// What controls leave open is chosen by Frond, as it would be without them.
#include "interfaces/mumps/controls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "interfaces/mumps/call_log.hpp"

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

// Of ICNTL(16), or as the environment says; 0: as many as pay.
int number_of_threads(int control) {
  if (control > 0) {
    return std::min(control, kMostThreads);
  }
  const int own = threads_in("FROND_NUM_THREADS");
  return own > 0 ? own : threads_in("OMP_NUM_THREADS");
}

// An absolute size as a part of the largest entry.
template <Scalar S>
double relative(double size, std::span<const S> values) {
  RealOf<S> largest = 0;
  for (const S value : values) {
    largest = std::max<RealOf<S>>(largest, std::abs(value));
  }
  return largest > 0 ? size / static_cast<double>(largest) : 0;
}

}  // namespace

template <Scalar S>
void Controls<S>::set(std::string_view name, std::string value) {
  const auto [known, is_new] = values_.try_emplace(std::string(name));
  if (is_new || known->second != value) {
    known->second = std::move(value);
    solver_.set_option(known->first.c_str(), known->second.c_str());
  }
}

template <Scalar S>
void Controls<S>::set_for_analysis(const Structure<S>& structure) {
  set("index-base", "1");
  set("mirrored", "sum");
  set("ordering", ordering_of(structure.icntl(kOrdering)));
  set("matching", structure.icntl(kMatching) == 0 ? "never" : "automatic");
  set("scaling", structure.icntl(kScaling) == 0 ? "none" : "automatic");
  set("threads", fmt::format("{}", number_of_threads(structure.icntl(16))));
}

template <Scalar S>
void Controls<S>::set_for_factorization(const Structure<S>& structure, std::span<const S> values) {
  constexpr Count kMegabyte = 1000000;
  const double threshold = structure.cntl(1);
  const double null_size = structure.cntl(3);
  const double static_size = structure.cntl(4);
  const bool finds_null_pivots = structure.icntl(kNullPivots) == 1;
  const bool is_default = static_cast<RealOf<S>>(kDefaultThreshold) == structure.cntl(1) || structure.integer(Member::sym) == 1;
  set("threads", fmt::format("{}", number_of_threads(structure.icntl(16))));
  set("memory-limit", structure.icntl(23) > 0 ? fmt::format("{}", structure.icntl(23) * kMegabyte) : "machine");
  set("pivot-threshold", is_default || std::isnan(threshold) ? "automatic" : fmt::format("{}", std::clamp(threshold, 0.0, 1.0)));
  set("null-threshold",
      !finds_null_pivots || null_size == 0
          ? "0"
          : fmt::format("{}", std::min(null_size > 0 ? null_size : relative(-null_size, values), kLargestRelative)));
  const bool is_static = static_size >= 0 && !finds_null_pivots;
  set("pivoting", is_static ? "static" : "threshold");
  set("pivot-perturbation", is_static ? fmt::format("{}", std::min(relative(static_size, values), kLargestRelative)) : "0");
  set("keep", structure.icntl(kDiscard) == 1 ? "none" : "all");
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
