// SPDX-License-Identifier: BSD-3-Clause
// Visits the fields of a report one after the other, for code that copies it to bytes and back.
#pragma once

#include "frond/factorization_report.hpp"

namespace frond {

/// Calls visit(field) for every field of a FactorizationReport, const or not: plain values, and lists.
template <class Report, class Visit>
void for_each_field(Report& report, Visit visit) {
  visit(report.status);
  visit(report.inertia.positive);
  visit(report.inertia.negative);
  visit(report.inertia.zero);
  visit(report.determinant.mantissa);
  visit(report.determinant.exponent);
  visit(report.num_delayed_pivots);
  visit(report.num_two_by_two);
  visit(report.num_perturbed_pivots);
  visit(report.num_panels_undone);
  visit(report.null_pivots);
  visit(report.smallest_pivot);
  visit(report.smallest_pivot_variable);
  visit(report.smallest_pivot_sign);
  visit(report.largest_entry);
  visit(report.pivot_growth);
  visit(report.flops);
  visit(report.factor_entries);
  visit(report.factor_bytes);
  visit(report.peak_bytes);
  visit(report.max_front_order);
  visit(report.num_workers_seen);
  visit(report.levels);
}

}  // namespace frond
