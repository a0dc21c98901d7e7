// SPDX-License-Identifier: BSD-3-Clause
// Summarizes several measurements, problems and solvers.
#pragma once

#include <span>
#include <vector>

namespace frond {

// NaN stands for a missing measurement.

/// The middle value, or the mean of both middle ones; NaN if there are none.
[[nodiscard]] double median(std::vector<double> values);

/// (largest - least) / median; NaN if there are none.
[[nodiscard]] double relative_spread(std::span<const double> values);

/// exp of the mean logarithm of those that are not NaN; NaN if there are none.
[[nodiscard]] double geometric_mean(std::span<const double> values);

/// Returns each solver's times divided by the least time of any solver for the same problem, increasing. times[solver][problem];
/// problems that a solver did not solve are missing in its list.
[[nodiscard]] std::vector<std::vector<double>> performance_ratios(const std::vector<std::vector<double>>& times);

/// The performance profile (Dolan, Moré 2002, "Benchmarking optimization software with performance profiles"): the fraction of all
/// problems that a solver with these ratios solves within `factor` times the least time.
[[nodiscard]] double solved_fraction(std::span<const double> ratios, std::size_t num_problems, double factor);

}  // namespace frond
