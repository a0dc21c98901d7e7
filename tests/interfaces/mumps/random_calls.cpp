// SPDX-License-Identifier: BSD-3-Clause
// Draws matrices, controls and jobs; measures solutions against the entries that were given.
#include "tests/interfaces/mumps/random_calls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "interfaces/mumps/jobs.hpp"
#include "tests/interfaces/mumps/client.hpp"

namespace frond::testing {
namespace {

constexpr int kSingular = -10;      // the number of pivots before it depends on their order
constexpr double kAccurate = 1e-9;  // backward error without refinement, of moderate matrices

enum class Values { dominant, moderate, small_integers, singular };

struct Matrix {
  int n = 0;
  Values kind = Values::dominant;
  std::vector<int> rows;
  std::vector<int> cols;
  std::vector<double> values;
  bool has_strays = false;  // entries outside the matrix
};

class RandomCalls {
 public:
  RandomCalls(void* function, std::uint64_t seed) : random_(seed), sym_(draw(0, 2)), client_(function, sym_) {}

  std::string run() {
    const int num_matrices = draw(1, 2);
    for (int k = 0; k < num_matrices; ++k) {
      make_matrix();
      set_controls();
      const int num_calls = draw(2, 6);
      static constexpr std::array kBeginnings = {1, 1, 4, 6};
      static constexpr std::array kJobs = {1, 2, 2, 3, 3, 3, 4, 5, 6, 99};
      make_call(kBeginnings[static_cast<std::size_t>(draw(0, 3))]);  // a new matrix is analysed first
      for (int call = 1; call < num_calls; ++call) {
        make_call(kJobs[static_cast<std::size_t>(draw(0, 9))]);
      }
    }
    return lines_;
  }

 private:
  int draw(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int of_ten) { return draw(1, 10) <= of_ten; }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  void add(int row, int col, double value) {
    if (sym_ != 0 && row < col && chance(5)) {
      std::swap(row, col);
    }
    matrix_.rows.push_back(row);
    matrix_.cols.push_back(col);
    matrix_.values.push_back(value);
  }

  double value_of_kind() { return matrix_.kind == Values::small_integers ? draw(-2, 2) : number(); }

  void make_matrix() {
    matrix_ = {};
    matrix_.n = draw(1, 14);
    matrix_.kind = sym_ == 1 ? Values::dominant : static_cast<Values>(draw(0, 3));  // SYM=1 promises that it is definite
    const int n = matrix_.n;
    for (int i = 1; i <= n; ++i) {
      add(i, i, matrix_.kind == Values::dominant ? 4.0 * n : value_of_kind());
      for (int k = draw(0, 3); k > 0; --k) {
        add(draw(1, n), sym_ == 0 ? draw(1, n) : i, value_of_kind());
      }
    }
    if (chance(2)) {
      add(draw(1, n), n + draw(1, 2), 1);
      matrix_.has_strays = true;
    }
    if (matrix_.kind == Values::singular) {  // a row, and its column, of zeros
      const int gone = draw(1, n);
      for (std::size_t k = 0; k < matrix_.rows.size(); ++k) {
        if (matrix_.rows[k] == gone || (sym_ != 0 && matrix_.cols[k] == gone)) {
          matrix_.values[k] = 0;
        }
      }
    }
    client_.give(n, matrix_.rows, matrix_.cols, matrix_.values);
  }

  void set_controls() {
    const auto pick = [this](int control, const std::vector<int>& values) {
      client_.set(control, values[static_cast<std::size_t>(draw(0, static_cast<int>(values.size()) - 1))]);
    };
    pick(6, {0, 7, 7});
    pick(7, {0, 2, 6, 7, 7});
    pick(8, {0, 77, 77});
    pick(9, {1, 1, 2});
    pick(10, {0, 0, 2, -1});
    pick(11, {0, 0, 1, 2});
    pick(14, {20, 50, 100});
    pick(20, {0, 0, 1});
    pick(21, {0, 0, 0, 1});
    pick(24, {0, 0, 1});
    pick(33, {0, 1});
    client_.set(13, 1);
  }

  void make_call(int job) {
    if ((job == 2 || job == 5) && chance(5) && matrix_.kind != Values::singular) {
      for (double& value : matrix_.values) {
        value *= 1 + 0.1 * number();
      }
    }
    make_sides();
    const int info = client_.call(job);
    const bool factorizes = mumps::factorizes(job);
    const bool solves = mumps::solves(job);
    lines_ += fmt::format("n={} sym={} kind={} job={} icntl 6:{} 8:{} 24:{} info={}", matrix_.n, sym_,
                          static_cast<int>(matrix_.kind), job, client_.id.icntl[5], client_.id.icntl[7], client_.id.icntl[23],
                          info == kSingular ? "-10" : client_.info());
    if (factorizes && info >= 0) {
      lines_ += fmt::format(" negative={} null={}", sym_ == 0 ? 0 : client_.id.infog[11], client_.id.infog[27]);
      if (client_.id.icntl[32] != 0 && client_.id.icntl[23] != 1) {
        lines_ += fmt::format(" det={:.6g}", std::ldexp(client_.id.rinfog[11], client_.id.infog[33]));
      }
      is_deficient_ = client_.id.icntl[23] == 1 && client_.id.infog[27] > 0;
    }
    if (solves && info >= 0 && !is_deficient_) {
      measure();
    }
    lines_ += '\n';
  }

  void make_sides() {
    const auto n = static_cast<std::size_t>(matrix_.n);
    num_sides_ = draw(1, 3);
    const auto count = static_cast<std::size_t>(num_sides_);
    b_.assign(n * count, 0.0);
    sparse_rows_.clear();
    sparse_values_.clear();
    offsets_ = {1};
    const bool is_sparse = client_.id.icntl[19] == 1;
    for (int j = 0; j < num_sides_; ++j) {
      for (int i = 0; i < matrix_.n; ++i) {
        if (!is_sparse || chance(3)) {
          const double value = number();
          b_[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(i)] = value;
          sparse_rows_.push_back(i + 1);
          sparse_values_.push_back(value);
        }
      }
      offsets_.push_back(static_cast<int>(sparse_rows_.size()) + 1);
    }
    x_ = b_;
    if (is_sparse) {
      std::fill(x_.begin(), x_.end(), 7.0);
    }
    sparse_rows_.reserve(1);
    sparse_values_.reserve(1);
    local_rows_.assign(n, 0);
    local_.assign(n * count, 0.0);
    client_.id.nrhs = num_sides_;
    client_.id.lrhs = matrix_.n;
    client_.id.rhs = x_.data();
    client_.id.nz_rhs = static_cast<int>(sparse_rows_.size());
    client_.id.irhs_ptr = offsets_.data();
    client_.id.irhs_sparse = sparse_rows_.data();
    client_.id.rhs_sparse = sparse_values_.data();
    client_.id.lsol_loc = matrix_.n;
    client_.id.isol_loc = local_rows_.data();
    client_.id.sol_loc = local_.data();
  }

  // Names a residual that is too large.
  void measure() {
    const int n = matrix_.n;
    if (client_.id.icntl[20] == 1) {
      for (int j = 0; j < num_sides_; ++j) {
        for (int k = 0; k < n; ++k) {
          x_[static_cast<std::size_t>(j * n + local_rows_[static_cast<std::size_t>(k)] - 1)] =
              local_[static_cast<std::size_t>(j * n + k)];
        }
      }
    }
    double worst = 0;
    for (int j = 0; j < num_sides_; ++j) {
      worst = std::max(worst, backward_error(j * n));
    }
    lines_ += worst <= kAccurate ? " solved" : fmt::format(" WRONG {:.1e}", worst);
  }

  double backward_error(int first) const {
    const auto n = static_cast<std::size_t>(matrix_.n);
    std::vector<double> residual(n);
    std::vector<double> size(n);
    const auto at_place = [first](int variable) { return static_cast<std::size_t>(first + variable - 1); };
    for (std::size_t i = 0; i < n; ++i) {
      residual[i] = b_[static_cast<std::size_t>(first) + i];
      size[i] = std::abs(residual[i]);
    }
    double norm = 0;
    const auto subtract = [&](int row, int col, double value) {
      const double term = value * x_[at_place(col)];
      residual[static_cast<std::size_t>(row - 1)] -= term;
      norm = std::max(norm, std::abs(term));
    };
    const bool is_transposed = client_.id.icntl[8] != 1;
    for (std::size_t k = 0; k < matrix_.rows.size(); ++k) {
      const int row = is_transposed ? matrix_.cols[k] : matrix_.rows[k];
      const int col = is_transposed ? matrix_.rows[k] : matrix_.cols[k];
      if (row <= matrix_.n && col <= matrix_.n) {
        subtract(row, col, matrix_.values[k]);
        if (sym_ != 0 && row != col) {
          subtract(col, row, matrix_.values[k]);
        }
      }
    }
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      error = std::max(error, std::abs(residual[i]) / (norm + size[i]));
    }
    return error;
  }

  std::mt19937_64 random_;
  int sym_;
  Client<double> client_;
  Matrix matrix_;
  int num_sides_ = 1;
  bool is_deficient_ = false;
  std::vector<double> b_;
  std::vector<double> x_;
  std::vector<int> offsets_;
  std::vector<int> sparse_rows_;
  std::vector<double> sparse_values_;
  std::vector<int> local_rows_;
  std::vector<double> local_;
  std::string lines_;
};

}  // namespace

std::string run_random_mumps_calls(void* function, std::uint64_t seed) { return RandomCalls(function, seed).run(); }

}  // namespace frond::testing
