// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls for results other than solutions, and for saved factors.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "interfaces/c/calls.hpp"
#include "solver/numerics/schur/schur_doubt.hpp"

namespace {

using frond::AnySolver;
using frond::CallRecord;

// If there is no Schur complement, the result is NaN, and the status says so.
frond_status keep_complement(const AnySolver& own, CallRecord& record) {
  if (own.has_schur_complement()) {
    return FROND_SUCCESS;
  }
  record.message = frond::kNoSchurComplementNote;
  return FROND_SINGULAR;
}

}  // namespace

frond_status frond_inverse_diagonal(frond_solver* solver, int refined, void* diagonal) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& record) {
    return frond::keep_answer(own.inverse_diagonal(refined != 0, diagonal), record);
  });
}

frond_status frond_inverse_entries(frond_solver* solver, int refined, const int64_t* offsets, const int32_t* rows, void* values) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& record) {
    return frond::keep_answer(own.inverse_entries(refined != 0, {offsets, rows}, values), record);
  });
}

frond_status frond_null_space(frond_solver* solver, int operation, int32_t capacity, void* z, int64_t ldz, int32_t* dimension) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& /*record*/) {
    own.team().agree([&] {
      if (own.team().leads()) {
        frond::required(dimension, "dimension") = 0;
      }
    });
    const frond::Index found = own.null_space(operation, capacity, {z, ldz});
    if (dimension != nullptr) {
      *dimension = found;
    }
    return FROND_SUCCESS;
  });
}

frond_status frond_schur_complement(frond_solver* solver, void* s, int64_t lds) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& record) {
    own.schur_complement({s, lds});
    return keep_complement(own, record);
  });
}

frond_status frond_condense(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, void* condensed,
                            int64_t ldc) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& record) {
    own.condense(operation, count, {b, ldb}, {condensed, ldc});
    return keep_complement(own, record);
  });
}

frond_status frond_expand(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, const void* x2,
                          int64_t ldx2, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& record) {
    own.expand(operation, count, {b, ldb}, {x2, ldx2}, {x, ldx});
    return keep_complement(own, record);
  });
}

frond_status frond_solve_part(frond_solver* solver, int part, int operation, int32_t count, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& /*record*/) {
    own.solve_part(part, operation, count, {x, ldx});
    return FROND_SUCCESS;
  });
}

frond_status frond_factor_order(frond_solver* solver, int32_t* pivots, int32_t* rows, int32_t* cols, void* row_scales,
                                void* col_scales) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& /*record*/) {
    own.factor_order({pivots, rows, cols, row_scales, col_scales});
    return FROND_SUCCESS;
  });
}

frond_status frond_save(frond_solver* solver, const char* path) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& /*record*/) {
    own.save(path);
    return FROND_SUCCESS;
  });
}

frond_status frond_load(frond_solver* solver, const char* path) {
  return frond::change(solver, __func__, [&](AnySolver& own, CallRecord& record) {
    own.load(path);
    return frond::keep_outcome(*own.figure_sources().factorization, record);
  });
}

frond_status frond_save_to_memory(frond_solver* solver, void** bytes, int64_t* num_bytes) {
  return frond::ask_factors(solver, __func__, [&](const AnySolver& own, CallRecord& /*record*/) {
    own.team().agree([&] {
      if (own.team().leads()) {
        static_cast<void>(frond::required(bytes, "bytes"));
        static_cast<void>(frond::required(num_bytes, "num_bytes"));
      }
    });
    if (bytes != nullptr && num_bytes != nullptr) {
      *bytes = nullptr;
      *num_bytes = 0;
    }
    const std::vector<std::byte> saved = own.save();
    if (saved.empty()) {  // another process has them
      return FROND_SUCCESS;
    }
    void* copy = std::malloc(saved.size());  // NOLINT(cppcoreguidelines-no-malloc): it outlives the solver, and C gives it back
    if (copy == nullptr) {
      throw std::bad_alloc();
    }
    std::copy(saved.begin(), saved.end(), static_cast<std::byte*>(copy));
    *bytes = copy;
    *num_bytes = static_cast<int64_t>(saved.size());
    return FROND_SUCCESS;
  });
}

frond_status frond_load_from_memory(frond_solver* solver, const void* bytes, int64_t num_bytes) {
  return frond::change(solver, __func__, [&](AnySolver& own, CallRecord& record) {
    own.team().agree([&] {
      if (own.team().leads() && (num_bytes < 0 || (bytes == nullptr && num_bytes > 0))) {
        throw frond::UsageError("there are no bytes: give what frond_save_to_memory() has given");
      }
    });
    const std::size_t length = own.team().leads() ? static_cast<std::size_t>(num_bytes) : 0;
    own.load(std::span(static_cast<const std::byte*>(bytes), length));
    return frond::keep_outcome(*own.figure_sources().factorization, record);
  });
}

void frond_free(void* bytes) {
  std::free(bytes);  // NOLINT(cppcoreguidelines-no-malloc): from frond_save_to_memory()
}
