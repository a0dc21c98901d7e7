// SPDX-License-Identifier: BSD-3-Clause
// Visits the fields of a report one after the other, for code that copies it to bytes and back.
#pragma once

#include "frond/factorization_report.hpp"

namespace frond {

/// Calls visit(fields...) with every field of a FactorizationReport, const or not: plain values, and lists.
template <class Report, class Visit>
void with_fields(Report& report, Visit&& visit) {
  visit(report.status, report.inertia.positive, report.inertia.negative, report.inertia.zero, report.determinant.mantissa,
        report.determinant.exponent, report.num_delayed_pivots, report.num_two_by_two, report.num_perturbed_pivots,
        report.num_panels_undone, report.null_pivots, report.smallest_pivot, report.smallest_pivot_variable,
        report.smallest_pivot_sign, report.largest_entry, report.pivot_growth, report.flops, report.factor_entries,
        report.factor_bytes, report.peak_bytes, report.max_front_order, report.num_workers_seen, report.levels);
}

template <class Fields>
void visit(Fields& fields, FactorizationReport& report) {
  with_fields(report, fields);
}

}  // namespace frond
