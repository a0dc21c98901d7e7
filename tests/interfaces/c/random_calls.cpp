// SPDX-License-Identifier: BSD-3-Clause
// Draws calls at random, and keeps track of the matrix that the solver should have.
#include "tests/interfaces/c/random_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "frond.h"

namespace frond::testing {
namespace {

using Number = std::complex<double>;

constexpr int kMostCalls = 24;
constexpr int kLargestOrder = 9;

bool is_complex(frond_scalar scalar) { return scalar == FROND_COMPLEX_FLOAT || scalar == FROND_COMPLEX_DOUBLE; }
bool is_single(frond_scalar scalar) { return scalar == FROND_FLOAT || scalar == FROND_COMPLEX_FLOAT; }

/// Numbers in the format of a solver's scalar.
class Array {
 public:
  Array(frond_scalar scalar, std::size_t count) : scalar_(scalar), doubles_(2 * count, 0), floats_(2 * count, 0) {}

  void set(std::size_t k, Number number) {
    put(is_complex(scalar_) ? 2 * k : k, number.real());
    if (is_complex(scalar_)) {
      put(2 * k + 1, number.imag());
    }
  }
  [[nodiscard]] Number get(std::size_t k) const {
    return is_complex(scalar_) ? Number(at(2 * k), at(2 * k + 1)) : Number(at(k), 0);
  }
  [[nodiscard]] void* data() { return is_single(scalar_) ? static_cast<void*>(floats_.data()) : doubles_.data(); }

 private:
  void put(std::size_t place, double value) {
    doubles_[place] = value;
    floats_[place] = static_cast<float>(value);
  }
  [[nodiscard]] double at(std::size_t place) const { return is_single(scalar_) ? floats_[place] : doubles_[place]; }

  frond_scalar scalar_;
  std::vector<double> doubles_;
  std::vector<float> floats_;
};

/// A solver, and the matrix of the last successful call that set one.
class Caller {
 public:
  Caller(std::uint64_t seed, std::uint64_t seed_of_arrays, const std::function<frond_status(int, frond_solver**)>& make)
      : random_(seed), arrays_(seed_of_arrays), scalar_(static_cast<frond_scalar>(draw(0, 3))) {
    if (make(scalar_, &solver_) != FROND_SUCCESS) {
      wrong_ = "no solver";
    }
    note(frond_set(solver_, "threads", "1"), "threads");
  }
  ~Caller() {
    frond_destroy(solver_);
    frond_free(saved_);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  [[nodiscard]] const std::vector<frond_status>& statuses() const { return statuses_; }

  void call() {
    using Call = void (Caller::*)();
    constexpr std::array<Call, 18> kCalls = {
        &Caller::set_matrix, &Caller::set_matrix,  &Caller::set_triplets,  &Caller::set_values, &Caller::set_option,
        &Caller::solve,      &Caller::solve,       &Caller::solve,         &Caller::factorize,  &Caller::analyze,
        &Caller::ask_figure, &Caller::ask_answer,  &Caller::set_variables, &Caller::save,       &Caller::load,
        &Caller::set_scales, &Caller::solve_batch, &Caller::solve_rows};
    (this->*kCalls[draw(0, static_cast<int>(kCalls.size()) - 1)])();
  }

 private:
  int draw(int least, int largest) { return std::uniform_int_distribution<int>(least, largest)(random_); }
  bool rarely() { return draw(0, 9) == 0; }
  template <class T>
  T* sometimes_null(T* pointer) {
    return std::uniform_int_distribution<int>(0, 29)(arrays_) == 0 ? nullptr : pointer;
  }

  Number number() {
    std::normal_distribution<double> normal;
    if (draw(0, 199) == 0) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double real = normal(random_);
    return is_complex(scalar_) ? Number(real, normal(random_)) : Number(real, 0);
  }

  // Every status other than success must come with a message; none may be an internal error.
  void note(int status, const char* call) {
    const std::string message = frond_message(solver_);
    statuses_.push_back(static_cast<frond_status>(status));
    const bool is_known = std::string(frond_status_name(status)) != "unknown status";
    if (!is_known || status == FROND_INTERNAL_ERROR || (status == FROND_SUCCESS) != message.empty()) {
      wrong_ = std::string(call) + ": " + frond_status_name(status) + " '" + message + "'";
    }
  }

  // Sets dense columns with some zeros and a strong diagonal, in the current index base.
  void set_matrix() {
    const int n = draw(0, kLargestOrder);
    const int symmetry = draw(0, 12) < 12 ? draw(0, 3) : draw(4, 99);
    const bool by_rows = draw(0, 1) == 1;
    const bool is_wide = draw(0, 1) == 1;
    const int base = rarely() ? 1 - base_ : base_;
    bool is_as_meant = base == base_;
    std::vector<std::int64_t> offsets = {base};
    std::vector<std::int64_t> indices;
    std::vector<Number> values;
    std::vector<Number> dense(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0);
    for (int j = 0; j < n; ++j) {
      for (int i = symmetry == FROND_GENERAL ? 0 : j + (symmetry == FROND_SKEW_SYMMETRIC ? 1 : 0); i < n; ++i) {
        if (i != j && draw(0, 2) > 0) {
          continue;
        }
        Number value = number() + (i == j ? 8.0 : 0.0);
        if (i == j && symmetry == FROND_HERMITIAN) {
          value = value.real();
        }
        const bool is_spoilt = draw(0, 199) == 0;
        is_as_meant = is_as_meant && !is_spoilt;
        indices.push_back(is_spoilt ? draw(-3, n + 3) : i + base);
        values.push_back(value);
        const int row = by_rows ? j : i;
        const int col = by_rows ? i : j;
        place(dense, n, row, col, value, symmetry);
      }
      offsets.push_back(static_cast<std::int64_t>(indices.size()) + base);
    }
    Array array = packed(values);
    const void* given = draw(0, 9) == 0 ? nullptr : array.data();
    frond_status status = FROND_INTERNAL_ERROR;
    if (is_wide) {
      const auto set = by_rows ? frond_set_rows_64 : frond_set_columns_64;
      status = set(solver_, n, symmetry, sometimes_null(offsets.data()), sometimes_null(indices.data()), given);
    } else {
      const std::vector<std::int32_t> offsets_32(offsets.begin(), offsets.end());
      const std::vector<std::int32_t> indices_32(indices.begin(), indices.end());
      const auto set = by_rows ? frond_set_rows : frond_set_columns;
      status = set(solver_, n, symmetry, sometimes_null(offsets_32.data()), sometimes_null(indices_32.data()), given);
    }
    note(status, "set");
    if (status == FROND_SUCCESS) {
      order_ = n;
      num_entries_ = values.size();
      matrix_ = (given != nullptr || values.empty()) && is_as_meant ? std::optional(std::move(dense)) : std::nullopt;
    }
  }

  // Adds an entry and its mirror image.
  static void place(std::vector<Number>& dense, int n, int row, int col, Number value, int symmetry) {
    const auto at = [&](int i, int j) -> Number& {
      return dense[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(n)];
    };
    at(row, col) += value;
    if (row != col && symmetry != FROND_GENERAL) {
      at(col, row) += symmetry == FROND_HERMITIAN ? std::conj(value) : symmetry == FROND_SKEW_SYMMETRIC ? -value : value;
    }
  }

  void set_triplets() {
    const int n = draw(1, kLargestOrder);
    std::vector<std::int32_t> rows;
    std::vector<std::int32_t> cols;
    std::vector<Number> values;
    std::vector<Number> dense(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0);
    for (int k = 0; k < 3 * n; ++k) {
      const int row = k < n ? k : draw(0, n - 1);
      const int col = k < n ? k : draw(0, n - 1);
      rows.push_back(row + base_);
      cols.push_back(col + base_);
      values.push_back(number() + (row == col ? 6.0 : 0.0));
      place(dense, n, row, col, values.back(), FROND_GENERAL);
    }
    Array array = packed(values);
    const frond_status status =
        frond_set_triplets(solver_, n, FROND_GENERAL, rarely() ? draw(-3, 3 * n) : 3 * n, rows.data(), cols.data(), array.data());
    note(status, "triplets");
    if (status == FROND_SUCCESS) {
      order_ = n;
      num_entries_ = static_cast<std::size_t>(n) * 3;
      matrix_.reset();  // perhaps not all entries were passed
    }
  }

  void set_values() {
    std::vector<Number> values(num_entries_ + 1);
    std::generate(values.begin(), values.end(), [this] { return number() + 5.0; });
    Array array = packed(values);
    const auto count = static_cast<std::int64_t>(num_entries_) + (rarely() ? draw(-2, 1) : 0);
    const frond_status status = frond_set_values(solver_, count, sometimes_null(array.data()));
    note(status, "values");
    if (status == FROND_SUCCESS) {
      matrix_.reset();
    }
  }

  void set_option() {
    int count = 0;
    while (frond_option_name(count) != nullptr) {
      ++count;
    }
    const std::string name = frond_option_name(draw(0, count - 1));
    if (name == "checkpoint" || name == "threads") {
      return;
    }
    constexpr std::array<const char*, 12> kWords = {"automatic", "never", "always", "0",      "1", "0.1",
                                                    "lu",        "ldlt",  "amd",    "detect", "",  "none"};
    const char* value = kWords[draw(0, static_cast<int>(kWords.size()) - 1)];
    const frond_status status = frond_set(solver_, name.c_str(), sometimes_null(value));
    note(status, "set option");
    const char* now = nullptr;
    note(frond_get_option(solver_, name.c_str(), &now), "get option");
    if (name == "index-base" && now != nullptr) {
      base_ = now[0] - '0';
    }
    if (name == "time-limit") {
      note(frond_set(solver_, "time-limit", "0"), "time limit");
    }
    static_cast<void>(frond_set(solver_, name.c_str(), rarely() ? now : name.c_str()));  // as a rule not a value of any option
  }

  void analyze() { note(frond_analyze(solver_), "analyze"); }
  void factorize() { note(frond_factorize(solver_), "factorize"); }

  void solve() {
    const int count = rarely() ? draw(-1, 0) : draw(1, 3);
    const auto n = static_cast<std::size_t>(order_);
    const int operation = rarely() ? draw(-1, 4) : draw(0, 2);
    Array b(scalar_, n * 3 + 1);
    Array x(scalar_, n * 3 + 1);
    for (std::size_t k = 0; k < n * 3; ++k) {
      b.set(k, number());
    }
    const std::int64_t ld = order_ - (rarely() ? 1 : 0);
    const frond_status status = draw(0, 5) == 0
                                    ? frond_solve_once(solver_, count, sometimes_null(b.data()), ld, x.data(), order_)
                                    : frond_solve(solver_, operation, count, sometimes_null(b.data()), ld, x.data(), order_);
    note(status, "solve");
    if (status == FROND_SUCCESS && matrix_ && operation == FROND_PLAIN && count > 0) {
      check_solution(b, x);
    }
  }

  void solve_batch() {
    const int num_systems = rarely() ? -1 : draw(0, 3);
    const int count = rarely() ? -1 : draw(0, 2);
    const auto num_columns = static_cast<std::size_t>(order_) * 6 + 1;
    Array values(scalar_, 3 * num_entries_ + 1);
    for (std::size_t k = 0; k < 3 * num_entries_; ++k) {
      values.set(k, number() + 5.0);
    }
    Array b(scalar_, num_columns);
    Array x(scalar_, num_columns);
    std::array<std::int32_t, 3> statuses = {};
    std::array<double, 3> errors = {};
    const int operation = rarely() ? draw(-1, 4) : draw(0, 2);
    note(frond_solve_batch(solver_, operation, num_systems, sometimes_null(values.data()), count, sometimes_null(b.data()), order_,
                           x.data(), order_ - (rarely() ? 1 : 0), rarely() ? nullptr : statuses.data(),
                           rarely() ? nullptr : errors.data()),
         "batch");
  }

  void solve_rows() {
    std::int32_t num_rows = 0;
    std::vector<std::int32_t> rows(static_cast<std::size_t>(order_) + 1);
    note(frond_own_rows(solver_, rarely() ? draw(-1, 1) : order_, rows.data(), &num_rows), "own rows");
    Array b(scalar_, 6);
    Array x(scalar_, static_cast<std::size_t>(2 * order_ + 1));
    const std::array<std::int32_t, 3> b_rows = {base_, rarely() ? draw(-1, 10) : base_, base_};
    const int count = rarely() ? draw(-1, 3) : 1;
    note(frond_solve_rows(solver_, draw(0, 2), std::min(count, 2), rarely() ? -1 : std::min(order_, 3),
                          sometimes_null(b_rows.data()), b.data(), 3, std::min(num_rows, order_), sometimes_null(rows.data()),
                          sometimes_null(x.data()), order_),
         "rows");
  }

  // Checks the first right-hand side only.
  void check_solution(const Array& b, const Array& x) {
    const auto n = static_cast<std::size_t>(order_);
    double residual = 0;
    double scale = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Number sum = b.get(i);
      double size = std::abs(b.get(i));
      for (std::size_t j = 0; j < n; ++j) {
        sum -= (*matrix_)[i + j * n] * x.get(j);
        size += std::abs((*matrix_)[i + j * n] * x.get(j));
      }
      residual = std::max(residual, std::abs(sum));
      scale = std::max(scale, size);
    }
    if (!(residual <= (is_single(scalar_) ? 1e-4 : 1e-12) * scale)) {
      wrong_ = "a solution with the residual " + std::to_string(residual);
    }
  }

  void ask_figure() {
    int count = 0;
    while (frond_figure_name(count) != nullptr) {
      ++count;
    }
    const char* name = frond_figure_name(draw(0, count - 1));
    double real = 0;
    std::int64_t integer = 0;
    std::vector<std::int64_t> integers(4);
    std::vector<double> reals(4);
    const char* text = nullptr;
    switch (draw(0, 4)) {
      case 0:
        note(frond_get_real(solver_, name, &real), "real");
        break;
      case 1:
        note(frond_get_integer(solver_, name, &integer), "integer");
        break;
      case 2:
        note(frond_get_text(solver_, name, &text), "text");
        break;
      case 3:
        note(frond_get_integers(solver_, name, draw(-1, 4), integers.data(), &integer), "integers");
        break;
      default:
        note(frond_get_reals(solver_, name, draw(-1, 4), reals.data(), &integer), "reals");
    }
  }

  void ask_answer() {
    const auto n = static_cast<std::size_t>(order_);
    Array answer(scalar_, n * n + n + 1);
    Array sides(scalar_, n + 1);
    std::int32_t dimension = 0;
    std::vector<std::int32_t> order(n + 1);
    switch (draw(0, 6)) {
      case 0:
        note(frond_inverse_diagonal(solver_, draw(0, 1), answer.data()), "diagonal");
        break;
      case 1:
        note(frond_null_space(solver_, draw(0, 3), order_, answer.data(), order_, &dimension), "null space");
        break;
      case 2:
        note(frond_schur_complement(solver_, answer.data(), order_), "complement");
        break;
      case 3:
        note(frond_condense(solver_, FROND_PLAIN, 1, sides.data(), order_, answer.data(), order_), "condense");
        break;
      case 4:
        note(frond_solve_part(solver_, draw(0, 3), FROND_PLAIN, 1, answer.data(), order_), "part");
        break;
      case 5:
        note(frond_factor_order(solver_, order.data(), nullptr, nullptr, answer.data(), nullptr), "order");
        break;
      default:
        note(frond_expand(solver_, FROND_PLAIN, 1, sides.data(), order_, answer.data(), order_, answer.data(), order_), "expand");
    }
  }

  void set_variables() {
    std::vector<std::int32_t> variables(static_cast<std::size_t>(order_) + 1);
    std::generate(variables.begin(), variables.end(), [this] { return draw(0, std::max(order_, 1)) + base_; });
    if (draw(0, 1) == 0) {
      note(frond_set_schur_variables(solver_, draw(-1, 2) <= order_ ? draw(0, std::min(order_, 2)) : 0, variables.data()),
           "variables");
      note(frond_set_schur_variables(solver_, 0, nullptr), "no variables");
    } else {
      static_cast<void>(frond_set_order(solver_, variables.data()));
      const frond_status status = frond_set_order(solver_, nullptr);
      note(status, "order");
    }
  }

  void set_scales() {
    Array scales(scalar_, static_cast<std::size_t>(order_) + 1);
    for (std::size_t k = 0; k <= static_cast<std::size_t>(order_); ++k) {
      scales.set(k / (is_complex(scalar_) ? 2 : 1), std::abs(number()) + 0.1);
    }
    note(frond_set_scales(solver_, sometimes_null(scales.data()), sometimes_null(scales.data())), "scales");
    note(frond_set_scales(solver_, nullptr, nullptr), "no scales");
  }

  void save() {
    frond_free(saved_);
    saved_ = nullptr;
    note(frond_save_to_memory(solver_, &saved_, &saved_bytes_), "save");
  }

  void load() {
    const int wrong_bytes = draw(0, 1);
    const int missing_bytes = rarely() ? 1 : 0;
    note(frond_load_from_memory(solver_, saved_, saved_ == nullptr ? wrong_bytes : saved_bytes_ - missing_bytes), "load");
  }

  [[nodiscard]] Array packed(const std::vector<Number>& values) const {
    Array array(scalar_, values.size() + 1);
    for (std::size_t k = 0; k < values.size(); ++k) {
      array.set(k, values[k]);
    }
    return array;
  }

  std::mt19937_64 random_;
  std::mt19937_64 arrays_;
  frond_scalar scalar_;
  frond_solver* solver_ = nullptr;
  int order_ = 0;
  int base_ = 0;
  std::size_t num_entries_ = 0;
  std::optional<std::vector<Number>> matrix_;  // column by column; empty if unknown
  void* saved_ = nullptr;
  std::int64_t saved_bytes_ = 0;
  std::string wrong_;
  std::vector<frond_status> statuses_;
};

}  // namespace

std::string run_random_calls(std::uint64_t seed) {
  std::vector<frond_status> statuses;
  return run_random_calls(seed, seed, frond_create, statuses);
}

std::string run_random_calls(std::uint64_t seed, std::uint64_t seed_of_arrays,
                             const std::function<frond_status(int scalar, frond_solver** solver)>& make,
                             std::vector<frond_status>& statuses) {
  Caller caller(seed, seed_of_arrays, make);
  for (int k = 0; k < kMostCalls && caller.wrong().empty(); ++k) {
    caller.call();
  }
  statuses.insert(statuses.end(), caller.statuses().begin(), caller.statuses().end());
  return caller.wrong();
}

}  // namespace frond::testing
