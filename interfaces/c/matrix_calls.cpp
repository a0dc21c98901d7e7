// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls that set patterns and values.
#include "interfaces/c/calls.hpp"

namespace {

using frond::CallRecord;
using frond::InputPattern;
using frond::TripletPattern;

frond::Symmetry symmetry_of(int symmetry) {
  using frond::Symmetry;
  return frond::choice_of(symmetry, {Symmetry::general, Symmetry::symmetric, Symmetry::skew_symmetric, Symmetry::hermitian},
                          "symmetry: give FROND_GENERAL, FROND_SYMMETRIC, FROND_SKEW_SYMMETRIC or FROND_HERMITIAN");
}

template <class I>
frond_status set_compressed(frond_solver* solver, const char* call, I order, int symmetry, const I* offsets, const I* indices,
                            const void* values, bool by_rows) {
  return frond::change(solver, call, [&](auto& own) {
    const auto make = [&] { return InputPattern::compressed(order, symmetry_of(symmetry), offsets, indices, own.base(), by_rows); };
    own.set_pattern(make, values);
  });
}

template <class I>
frond_status set_triplets(frond_solver* solver, const char* call, I order, int symmetry, int64_t num_entries, const I* rows,
                          const I* cols, const void* values) {
  return frond::change(solver, call, [&](auto& own) {
    const auto make = [&] { return TripletPattern::checked(order, symmetry_of(symmetry), num_entries, rows, cols, own.base()); };
    own.set_triplets(make, values);
  });
}

}  // namespace

frond_status frond_set_columns(frond_solver* solver, int32_t n, int symmetry, const int32_t* offsets, const int32_t* rows,
                               const void* values) {
  return set_compressed(solver, __func__, n, symmetry, offsets, rows, values, false);
}

frond_status frond_set_columns_64(frond_solver* solver, int64_t n, int symmetry, const int64_t* offsets, const int64_t* rows,
                                  const void* values) {
  return set_compressed(solver, __func__, n, symmetry, offsets, rows, values, false);
}

frond_status frond_set_rows(frond_solver* solver, int32_t n, int symmetry, const int32_t* offsets, const int32_t* cols,
                            const void* values) {
  return set_compressed(solver, __func__, n, symmetry, offsets, cols, values, true);
}

frond_status frond_set_rows_64(frond_solver* solver, int64_t n, int symmetry, const int64_t* offsets, const int64_t* cols,
                               const void* values) {
  return set_compressed(solver, __func__, n, symmetry, offsets, cols, values, true);
}

frond_status frond_set_triplets(frond_solver* solver, int32_t n, int symmetry, int64_t num_entries, const int32_t* rows,
                                const int32_t* cols, const void* values) {
  return set_triplets(solver, __func__, n, symmetry, num_entries, rows, cols, values);
}

frond_status frond_set_triplets_64(frond_solver* solver, int64_t n, int symmetry, int64_t num_entries, const int64_t* rows,
                                   const int64_t* cols, const void* values) {
  return set_triplets(solver, __func__, n, symmetry, num_entries, rows, cols, values);
}

frond_status frond_set_values(frond_solver* solver, int64_t num_entries, const void* values) {
  return frond::change(solver, __func__, [&](auto& own) { own.set_values(num_entries, values); });
}

frond_status frond_set_order(frond_solver* solver, const int32_t* order) {
  return frond::change(solver, __func__, [&](auto& own) { own.set_order(order); });
}

frond_status frond_set_scales(frond_solver* solver, const void* rows, const void* cols) {
  return frond::change(solver, __func__, [&](auto& own) { own.set_scales(rows, cols); });
}

frond_status frond_set_schur_variables(frond_solver* solver, int32_t count, const int32_t* variables) {
  return frond::change(solver, __func__, [&](auto& own) { own.set_schur_variables(count, variables); });
}
