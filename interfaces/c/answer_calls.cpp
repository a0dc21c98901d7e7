// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls for results other than solutions, and for saved factors.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "interfaces/c/calls.hpp"
#include "solver/course/system_course.hpp"
#include "solver/numerics/schur/schur_doubt.hpp"

namespace {

using frond::CallRecord;
using frond::DenseView;
using frond::FactorPart;
using frond::Index;
using frond::Scalar;
using frond::SolverOf;

template <class From, class To>
void copy_if_wanted(const std::vector<From>& from, To* to, To shift) {
  if (to != nullptr) {
    std::transform(from.begin(), from.end(), to, [shift](From value) { return static_cast<To>(value + shift); });
  }
}

// Missing scales are ones.
template <class R>
void copy_scales(const std::vector<R>& scales, Index order, void* to) {
  if (to != nullptr && scales.empty()) {
    std::fill_n(static_cast<R*>(to), order, R(1));
  } else {
    copy_if_wanted(scales, static_cast<R*>(to), R(0));
  }
}

// Copies the first columns, as many as fit.
template <Scalar S>
void copy_columns(const frond::DenseMatrix<S>& from, const DenseView<S>& to) {
  for (Index j = 0; j < to.cols; ++j) {
    std::copy_n(from.column(j).begin(), to.rows, to.column(j));
  }
}

frond::InverseAccuracy inverse_accuracy(int refined) {
  return refined != 0 ? frond::InverseAccuracy::refined : frond::InverseAccuracy::direct;
}

// Copies the entries into a caller's array.
template <Scalar S>
frond_status keep_entries(const frond::InverseEntries<S>& entries, void* values, CallRecord& record) {
  std::copy(entries.values.begin(), entries.values.end(), static_cast<S*>(values));
  const frond_status status = frond::status_of(entries.verdict);
  if (status != FROND_SUCCESS) {
    record.message = entries.describe();
  }
  return status;
}

// If the current factors leave no Schur complement, since the block of the other variables is singular, the result is NaN, and the
// status says so.
template <Scalar S>
frond_status keep_complement(const SolverOf<S>& own, CallRecord& record) {
  if (own.factorization().course().current().backend().has_schur_complement()) {
    return FROND_SUCCESS;
  }
  record.message = frond::kNoSchurComplementNote;
  return FROND_SINGULAR;
}

}  // namespace

frond_status frond_inverse_diagonal(frond_solver* solver, int refined, void* diagonal) {
  return frond::ask_factors(solver, __func__, [&](const auto& own, CallRecord& record) {
    own.team().agree([&] { frond::require(diagonal, own.leads() && own.order() > 0, "the array diagonal"); });
    return keep_entries(own.factorization().inverse_diagonal(inverse_accuracy(refined)), diagonal, record);
  });
}

frond_status frond_inverse_entries(frond_solver* solver, int refined, const int64_t* offsets, const int32_t* rows, void* values) {
  return frond::ask_factors(solver, __func__, [&](const auto& own, CallRecord& record) {
    std::optional<frond::CompressedIndices> columns;
    frond::PatternView positions;
    own.team().agree_on_leader([&] {
      columns.emplace(own.order(), own.order(), offsets, rows, own.base());
      frond::require(values, !columns->indices.empty(), "the array values");
      positions = {own.order(), own.order(), frond::Symmetry::general, columns->offsets, columns->indices};
    });
    return keep_entries(own.factorization().inverse_entries(positions, inverse_accuracy(refined)), values, record);
  });
}

frond_status frond_null_space(frond_solver* solver, int operation, int32_t capacity, void* z, int64_t ldz, int32_t* dimension) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own) {
    own.team().agree_on_leader([&] { frond::required(dimension, "dimension") = 0; });
    const frond::NullSpace<S> space = own.factorization().null_space(frond::common_operation(own.team(), operation));
    if (!space.is_known) {
      throw frond::UsageError("the null space is not known: " + space.note);
    }
    const Index wanted = std::min<Index>(capacity, space.dimension());
    own.team().agree([&] {
      if (own.leads() && z != nullptr && wanted > 0) {
        copy_columns(space.basis, own.view(z, ldz, own.order(), wanted, "z"));
      }
    });
    if (dimension != nullptr) {
      *dimension = space.dimension();
    }
  });
}

frond_status frond_schur_complement(frond_solver* solver, void* s, int64_t lds) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own, CallRecord& record) {
    DenseView<S> to;
    own.team().agree_on_leader([&] { to = own.view(s, lds, own.schur_order(), own.schur_order(), "s"); });
    copy_columns(own.factorization().schur_complement(), to);
    return keep_complement(own, record);
  });
}

frond_status frond_condense(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, void* condensed,
                            int64_t ldc) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own, CallRecord& record) {
    DenseView<const S> from;
    DenseView<S> to;
    own.team().agree_on_leader([&] {
      from = own.view(b, ldb, own.order(), count, "b");
      to = own.view(condensed, ldc, own.schur_order(), count, "condensed");
    });
    own.factorization().condense(from, to, frond::common_operation(own.team(), operation));
    return keep_complement(own, record);
  });
}

frond_status frond_expand(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, const void* x2,
                          int64_t ldx2, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own, CallRecord& record) {
    DenseView<const S> kept;
    const frond::GivenSides<S> given(
        own.team(),
        [&] {
          kept = own.leads() ? own.view(x2, ldx2, own.schur_order(), count, "x2") : DenseView<const S>{};
          return own.led_view(b, ldb, own.order(), count, "b");
        },
        [&] { return own.leads() ? own.view(x, ldx, own.order(), count, "x") : DenseView<S>{}; });
    own.factorization().expand(given.b(), kept, given.x(), frond::common_operation(own.team(), operation));
    return keep_complement(own, record);
  });
}

frond_status frond_solve_part(frond_solver* solver, int part, int operation, int32_t count, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own) {
    FactorPart common_part = FactorPart::lower;
    DenseView<S> to;
    own.team().agree_on_leader([&] {
      common_part = frond::choice_of(part, {FactorPart::lower, FactorPart::diagonal, FactorPart::upper},
                                     "part: give FROND_LOWER, FROND_DIAGONAL or FROND_UPPER");
      to = own.view(x, ldx, own.order(), count, "x");
    });
    own.factorization().solve_part(common_part, frond::common_operation(own.team(), operation), to);
  });
}

frond_status frond_factor_order(frond_solver* solver, int32_t* pivots, int32_t* rows, int32_t* cols, void* row_scales,
                                void* col_scales) {
  return frond::ask_factors(solver, __func__, [&](const auto& own) {
    const auto order = own.factorization().factor_order();
    const auto first = static_cast<int32_t>(own.base().first);
    copy_if_wanted(order.pivots, pivots, first);
    copy_if_wanted(order.rows, rows, first);
    copy_if_wanted(order.cols, cols, first);
    copy_scales(order.row_scaling, own.order(), row_scales);
    copy_scales(order.col_scaling, own.order(), col_scales);
  });
}

frond_status frond_save(frond_solver* solver, const char* path) {
  return frond::ask_factors(solver, __func__, [&](const auto& own) {
    std::string common;
    own.team().agree([&] { common = own.leads() ? frond::required_text(path, "path") : ""; });
    own.factorization().save(common);
  });
}

frond_status frond_load(frond_solver* solver, const char* path) {
  return frond::change(solver, __func__, [&](auto& own, CallRecord& record) {
    own.load(path);
    return frond::keep_outcome(*own.figure_sources().factorization, record);
  });
}

frond_status frond_save_to_memory(frond_solver* solver, void** bytes, int64_t* num_bytes) {
  return frond::ask_factors(solver, __func__, [&](const auto& own) {
    own.team().agree_on_leader([&] {
      static_cast<void>(frond::required(bytes, "bytes"));
      static_cast<void>(frond::required(num_bytes, "num_bytes"));
    });
    if (bytes != nullptr && num_bytes != nullptr) {
      *bytes = nullptr;
      *num_bytes = 0;
    }
    const std::vector<std::byte> saved = own.factorization().save_to_memory();
    if (saved.empty()) {  // another process has them
      return;
    }
    void* copy = std::malloc(saved.size());  // NOLINT(cppcoreguidelines-no-malloc): it outlives the solver, and C gives it back
    if (copy == nullptr) {
      throw std::bad_alloc();
    }
    std::copy(saved.begin(), saved.end(), static_cast<std::byte*>(copy));
    *bytes = copy;
    *num_bytes = static_cast<int64_t>(saved.size());
  });
}

frond_status frond_load_from_memory(frond_solver* solver, const void* bytes, int64_t num_bytes) {
  return frond::change(solver, __func__, [&](auto& own, CallRecord& record) {
    own.team().agree([&] {
      if (own.leads() && (num_bytes < 0 || (bytes == nullptr && num_bytes > 0))) {
        throw frond::UsageError("there are no bytes: give what frond_save_to_memory() has given");
      }
    });
    const std::size_t length = own.leads() ? static_cast<std::size_t>(num_bytes) : 0;
    own.load(std::span(static_cast<const std::byte*>(bytes), length));
    return frond::keep_outcome(*own.figure_sources().factorization, record);
  });
}

void frond_free(void* bytes) {
  std::free(bytes);  // NOLINT(cppcoreguidelines-no-malloc): from frond_save_to_memory()
}
