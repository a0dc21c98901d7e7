// SPDX-License-Identifier: BSD-3-Clause
// Computes medians, means and profiles.
#include "tools/program/bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace frond {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Returns infinity if no solver has solved it.
double least_time(const std::vector<std::vector<double>>& times, std::size_t problem) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& of_solver : times) {
    least = std::fmin(least, of_solver[problem]);
  }
  return least;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) {
    return kUnknown;
  }
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double relative_spread(std::span<const double> values) {
  if (values.empty()) {
    return kUnknown;
  }
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  return (*largest - *least) / median({values.begin(), values.end()});
}

double geometric_mean(std::span<const double> values) {
  double sum = 0;
  int count = 0;
  for (const double value : values) {
    if (!std::isnan(value)) {
      sum += std::log(value);
      ++count;
    }
  }
  return count == 0 ? kUnknown : std::exp(sum / count);
}

std::vector<std::vector<double>> performance_ratios(const std::vector<std::vector<double>>& times) {
  std::vector<std::vector<double>> ratios(times.size());
  const std::size_t num_problems = times.empty() ? 0 : times.front().size();
  for (std::size_t problem = 0; problem < num_problems; ++problem) {
    const double least = least_time(times, problem);
    for (std::size_t solver = 0; solver < times.size(); ++solver) {
      if (!std::isnan(times[solver][problem])) {
        ratios[solver].push_back(times[solver][problem] / least);
      }
    }
  }
  for (std::vector<double>& of_solver : ratios) {
    std::sort(of_solver.begin(), of_solver.end());
  }
  return ratios;
}

double solved_fraction(std::span<const double> ratios, std::size_t num_problems, double factor) {
  const auto end = std::upper_bound(ratios.begin(), ratios.end(), factor);
  return static_cast<double>(end - ratios.begin()) / static_cast<double>(num_problems);
}

}  // namespace frond
