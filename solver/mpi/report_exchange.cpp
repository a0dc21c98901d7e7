// SPDX-License-Identifier: BSD-3-Clause
// Reports as bytes: the plain values, then the list of null pivots.
#include "solver/mpi/report_exchange.hpp"

#include <cstring>
#include <span>
#include <vector>

#include "loadinfo/mpi/collective.hpp"

namespace frond {
namespace {

// All of a FactorizationReport but its list.
struct Values {
  FactorizationStatus status;
  Inertia inertia;
  Determinant determinant;
  Count num_delayed_pivots;
  Count num_two_by_two;
  Count num_panels_undone;
  double smallest_pivot;
  Index smallest_pivot_variable;
  double flops;
  Count factor_entries;
  Count factor_bytes;
  Count peak_bytes;
  Index max_front_order;
  Index num_workers_seen;
};

std::vector<std::byte> encode(const FactorizationReport& report) {
  const Values values{report.status,          report.inertia,           report.determinant,    report.num_delayed_pivots,
                      report.num_two_by_two,  report.num_panels_undone, report.smallest_pivot, report.smallest_pivot_variable,
                      report.flops,           report.factor_entries,    report.factor_bytes,   report.peak_bytes,
                      report.max_front_order, report.num_workers_seen};
  const auto list = std::as_bytes(std::span(report.null_pivots));
  std::vector<std::byte> bytes(sizeof(Values) + list.size());
  std::memcpy(bytes.data(), &values, sizeof(Values));
  std::copy(list.begin(), list.end(), bytes.begin() + sizeof(Values));
  return bytes;
}

FactorizationReport decode_report(std::span<const std::byte> bytes) {
  Values values;
  std::memcpy(&values, bytes.data(), sizeof(Values));
  const auto list = bytes.subspan(sizeof(Values));
  FactorizationReport report;
  report.null_pivots.resize(list.size() / sizeof(Index));
  std::copy(list.begin(), list.end(), std::as_writable_bytes(std::span(report.null_pivots)).begin());
  report.status = values.status;
  report.inertia = values.inertia;
  report.determinant = values.determinant;
  report.num_delayed_pivots = values.num_delayed_pivots;
  report.num_two_by_two = values.num_two_by_two;
  report.num_panels_undone = values.num_panels_undone;
  report.smallest_pivot = values.smallest_pivot;
  report.smallest_pivot_variable = values.smallest_pivot_variable;
  report.flops = values.flops;
  report.factor_entries = values.factor_entries;
  report.factor_bytes = values.factor_bytes;
  report.peak_bytes = values.peak_bytes;
  report.max_front_order = values.max_front_order;
  report.num_workers_seen = values.num_workers_seen;
  return report;
}

}  // namespace

FactorizationReport combined_report(const Communicator& ranks, const FactorizationReport& mine) {
  FactorizationReport whole;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, encode(mine))) {
    whole += decode_report(bytes);
  }
  return mine.status == FactorizationStatus::not_positive_definite ? mine : whole;
}

}  // namespace frond
