// SPDX-License-Identifier: BSD-3-Clause
// Compares the numbers of two factorizations bit by bit.
#pragma once

#include <bit>
#include <complex>
#include <type_traits>
#include <vector>

#include "factorization/fronts/report_fields.hpp"

namespace frond::test {

/// Returns the fields of a report that depend only on the matrix, the order and the pivoting, not on threads or on what is kept.
[[nodiscard]] inline std::vector<std::uint64_t> report_bits(FactorizationReport report) {
  report.factor_bytes = 0;
  report.peak_bytes = 0;
  report.num_workers_seen = 0;
  std::vector<std::uint64_t> bits;
  const auto add = [&bits](const auto& value) {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, double>) {
      bits.push_back(std::bit_cast<std::uint64_t>(value));
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
      bits.push_back(std::bit_cast<std::uint64_t>(value.real()));
      bits.push_back(std::bit_cast<std::uint64_t>(value.imag()));
    } else {
      bits.push_back(static_cast<std::uint64_t>(value));
    }
  };
  const auto add_field = [&](const auto& field) {
    using T = std::decay_t<decltype(field)>;
    if constexpr (std::is_same_v<T, std::vector<Index>>) {
      for (const Index value : field) add(value);
    } else if constexpr (std::is_same_v<T, std::vector<LevelCounts>>) {
      for (const LevelCounts& level : field) {
        add(level.num_fronts);
        add(level.max_front_order);
        add(level.flops);
        add(level.num_delayed_pivots);
        add(level.num_two_by_two);
        add(level.num_null_pivots);
        add(level.num_perturbed_pivots);
      }
    } else {
      add(field);
    }
  };
  with_fields(report, [&](const auto&... fields) { (add_field(fields), ...); });
  return bits;
}

}  // namespace frond::test
