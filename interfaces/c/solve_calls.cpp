// SPDX-License-Identifier: BSD-3-Clause
// Implements analysis, factorization and solves, and reports their outcomes.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "interfaces/c/calls.hpp"

namespace frond {

frond_status keep_report(SolveReport report, CallRecord& record) {
  const frond_status status = status_of(report.verdict);
  if (status != FROND_SUCCESS) {
    record.message = report.describe();
  }
  record.solve = std::move(report);
  return status;
}

Operation common_operation(const Team& team, int operation) {
  Operation common = Operation::plain;
  team.agree_on_leader([&] { common = operation_of(operation); });
  share_value(team, common);
  return common;
}

frond_status keep_outcome(const SystemReport& report, CallRecord& record) {
  const FactorizationReport& factorization = report.factorization;
  if (factorization.status == FactorizationStatus::not_positive_definite) {
    record.message = "the matrix is not positive definite: choose the method ldlt, or automatic";
    return FROND_NOT_POSITIVE_DEFINITE;
  }
  if (report.rank.status == RankVerdict::in_doubt) {
    record.message = fmt::format("it is not proved whether the matrix is singular: its rank is from {} to {}", report.rank.lowest,
                                 report.rank.highest);
    return FROND_RANK_IN_DOUBT;
  }
  if (factorization.status == FactorizationStatus::singular) {
    record.message = fmt::format("the matrix is singular: its rank is {}", report.rank.highest);
    return FROND_SINGULAR;
  }
  return FROND_SUCCESS;
}

}  // namespace frond

namespace {

using frond::CallRecord;
using frond::DenseView;
using frond::Figure;
using frond::GivenSides;
using frond::Index;
using frond::Scalar;
using frond::SolverBase;
using frond::SolverOf;

// Returns the figure, which must have this type.
template <class T>
T figure_of(const SolverBase& solver, const CallRecord& record, const char* name) {
  frond::FigureSources sources = solver.figure_sources();
  sources.solve = record.solve ? &*record.solve : nullptr;
  Figure figure = frond::figure(sources, frond::required_text(name, "name"));
  T* value = std::get_if<T>(&figure);
  if (value == nullptr) {
    throw frond::UsageError(
        fmt::format("the figure {} is of the type {}: ask by the function for that", name, frond::figure_row(name)->type));
  }
  return std::move(*value);
}

// Keeps the report of the first system of a batch that was not successful, or otherwise that of the last one.
frond_status keep_reports(std::vector<frond::SolveReport> reports, int32_t* statuses, double* backward_errors, CallRecord& record) {
  frond_status first = FROND_SUCCESS;
  for (std::size_t system = 0; system < reports.size(); ++system) {
    const frond_status status = frond::status_of(reports[system].verdict);
    if (statuses != nullptr) {
      statuses[system] = status;
    }
    if (backward_errors != nullptr) {
      backward_errors[system] = reports[system].worst().normwise_backward_error;
    }
    if (first == FROND_SUCCESS) {
      first = frond::keep_report(std::move(reports[system]), record);
      if (first != FROND_SUCCESS) {
        record.message = fmt::format("system {}: {}", system, record.message);
      }
    }
  }
  return first;
}

template <class T>
frond_status get_list(frond_solver* solver, const char* name, int64_t capacity, T* values, int64_t* length) {
  return frond::ask_here(solver, [&](const SolverBase& own, const CallRecord& record) {
    int64_t& count = frond::required(length, "length");
    count = 0;
    const std::vector<T> list = figure_of<std::vector<T>>(own, record, name);
    count = static_cast<int64_t>(list.size());
    if (values != nullptr && capacity > 0) {
      std::copy_n(list.begin(), std::min(capacity, count), values);
    }
  });
}

// What the factors of the last call say. Those without fronts are there only where they leave no doubt, and need not be counted,
// which takes longer than making them again.
template <Scalar S>
frond_status keep_outcome_of(const SolverOf<S>& own, CallRecord& record) {
  const frond::Factorization<S>& factorization = own.factorization();
  return factorization.analysis().thin() ? FROND_SUCCESS : frond::keep_outcome(factorization.report(), record);
}

}  // namespace

frond_status frond_analyze(frond_solver* solver) {
  return frond::change(solver, __func__, [](auto& own) { own.analyze(); });
}

frond_status frond_factorize(frond_solver* solver) {
  return frond::change(solver, __func__, [](auto& own, CallRecord& record) {
    own.factorize();
    return keep_outcome_of(own, record);
  });
}

frond_status frond_refactorize(frond_solver* solver, int64_t num_entries, const void* values) {
  return frond::change(solver, __func__, [&](auto& own, CallRecord& record) {
    own.refactorize(num_entries, values);
    return keep_outcome_of(own, record);
  });
}

frond_status frond_resume(frond_solver* solver) {
  return frond::change(solver, __func__, [](auto& own, CallRecord& record) {
    own.resume();
    return keep_outcome_of(own, record);
  });
}

frond_status frond_solve(frond_solver* solver, int operation, int32_t count, const void* b, int64_t ldb, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own, CallRecord& record) {
    const GivenSides<S> given(
        own.team(), [&] { return own.led_view(b, ldb, own.order(), count, "b"); },
        [&] { return own.view(x, ldx, own.order(), count, "x"); });
    const frond::Operation op = frond::common_operation(own.team(), operation);
    return frond::keep_report(own.factorization().solve(given.b(), given.x(), op), record);
  });
}

frond_status frond_solve_sparse(frond_solver* solver, int operation, int32_t count, const int64_t* offsets, const int32_t* rows,
                                const void* values, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own, CallRecord& record) {
    DenseView<S> to;
    std::optional<frond::CompressedIndices> columns;
    frond::MatrixView<S> sides;
    own.team().agree([&] {
      to = own.view(x, ldx, own.order(), count, "x");
      if (own.leads()) {
        columns.emplace(count, own.order(), offsets, rows, own.base());
        frond::require(values, !columns->indices.empty(), "the array values");
        sides = {{own.order(), count, frond::Symmetry::general, columns->offsets, columns->indices},
                 {static_cast<const S*>(values), columns->indices.size()}};
      }
    });
    const frond::Operation op = frond::common_operation(own.team(), operation);
    return frond::keep_report(own.factorization().solve_sparse(sides, to, op), record);
  });
}

frond_status frond_solve_rows(frond_solver* solver, int operation, int32_t count, int32_t num_b_rows, const int32_t* b_rows,
                              const void* b, int64_t ldb, int32_t num_x_rows, const int32_t* x_rows, void* x, int64_t ldx) {
  return frond::ask_factors(solver, __func__, [&]<Scalar S>(const SolverOf<S>& own, CallRecord& record) {
    std::vector<Index> given_rows;
    std::vector<Index> wanted_rows;
    const GivenSides<S> given(
        own.team(),
        [&] {
          given_rows = own.variables(b_rows, num_b_rows, "b_rows");
          frond::require(b, !given_rows.empty() && count > 0, "b");
          return given_rows.empty() ? DenseView<const S>{} : own.view(b, ldb, num_b_rows, count, "b");
        },
        [&] {
          wanted_rows = own.variables(x_rows, num_x_rows, "x_rows");
          frond::require(x, !wanted_rows.empty() && count > 0, "x");
          return wanted_rows.empty() ? DenseView<S>{} : own.view(x, ldx, num_x_rows, count, "x");
        });
    const frond::Operation op = frond::common_operation(own.team(), operation);
    return frond::keep_report(own.factorization().solve_rows({given_rows, given.b()}, {wanted_rows, given.x()}, op), record);
  });
}

frond_status frond_own_rows(frond_solver* solver, int32_t capacity, int32_t* rows, int32_t* count) {
  return frond::ask_factors(solver, __func__, [&](const auto& own) {
    own.team().agree([&] { frond::required(count, "count") = 0; });
    const std::vector<Index> own_rows = own.factorization().own_rows();
    *count = static_cast<int32_t>(own_rows.size());
    if (rows != nullptr && capacity > 0) {
      const auto first = static_cast<Index>(own.base().first);
      std::transform(own_rows.begin(), own_rows.begin() + std::min(capacity, *count), rows,
                     [first](Index row) { return static_cast<int32_t>(row + first); });
    }
  });
}

frond_status frond_solve_once(frond_solver* solver, int32_t count, const void* b, int64_t ldb, void* x, int64_t ldx) {
  return frond::change(solver, __func__, [&](auto& own, CallRecord& record) {
    return frond::keep_report(own.solve_once(count, b, ldb, x, ldx), record);
  });
}

frond_status frond_solve_batch(frond_solver* solver, int operation, int64_t num_systems, const void* values, int32_t count,
                               const void* b, int64_t ldb, void* x, int64_t ldx, int32_t* statuses, double* backward_errors) {
  return frond::change(solver, __func__, [&](auto& own, CallRecord& record) {
    return keep_reports(own.solve_batch(operation, num_systems, values, count, b, ldb, x, ldx), statuses, backward_errors, record);
  });
}

frond_status frond_get_real(frond_solver* solver, const char* name, double* value) {
  return frond::ask_here(solver, [&](const SolverBase& own, const CallRecord& record) {
    frond::required(value, "value") = figure_of<double>(own, record, name);
  });
}

frond_status frond_get_integer(frond_solver* solver, const char* name, int64_t* value) {
  return frond::ask_here(solver, [&](const SolverBase& own, const CallRecord& record) {
    frond::required(value, "value") = figure_of<std::int64_t>(own, record, name);
  });
}

frond_status frond_inertia(frond_solver* solver, int64_t* positive, int64_t* negative, int64_t* zero) {
  return frond::ask_factors(solver, __func__, [&](const SolverBase& own, const CallRecord& record) {
    const auto give = [&](const char* name, int64_t* to) {
      if (to != nullptr) {
        *to = figure_of<std::int64_t>(own, record, name);
      }
    };
    give("positive_eigenvalues", positive);
    give("negative_eigenvalues", negative);
    give("zero_eigenvalues", zero);
  });
}

frond_status frond_get_text(frond_solver* solver, const char* name, const char** text) {
  return frond::ask_here(solver, [&](const SolverBase& own, CallRecord& record) {
    frond::required(text, "text") = nullptr;
    record.text = figure_of<std::string>(own, record, name);
    *text = record.text.c_str();
  });
}

frond_status frond_get_integers(frond_solver* solver, const char* name, int64_t capacity, int64_t* values, int64_t* length) {
  return get_list(solver, name, capacity, values, length);
}

frond_status frond_get_reals(frond_solver* solver, const char* name, int64_t capacity, double* values, int64_t* length) {
  return get_list(solver, name, capacity, values, length);
}

const char* frond_figure_name(int number) {
  const std::span<const frond::FigureRow> rows = frond::figure_rows();
  const std::size_t place = frond::number_in_list(number);
  return place < rows.size() ? rows[place].name : nullptr;
}

const char* frond_figure_type(const char* name) {
  const frond::FigureRow* row = name == nullptr ? nullptr : frond::figure_row(name);
  return row == nullptr ? nullptr : row->type;
}

const char* frond_figure_meaning(const char* name) {
  const frond::FigureRow* row = name == nullptr ? nullptr : frond::figure_row(name);
  return row == nullptr ? nullptr : row->meaning;
}
