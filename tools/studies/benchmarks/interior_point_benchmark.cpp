// SPDX-License-Identifier: BSD-3-Clause
// Solves generated problems of optimization by an interior-point method, whose KKT systems have one pattern and values that spread
// over ever more orders of magnitude: by a first factorization for each step, and by refactorize(). Both must take the same steps.
// Times are compared with those of MUMPS under Ipopt's controls, on the same values.
//
//   minimize  sum_i f_i(x_i) + x^T G^T G x / 2 + c^T x  subject to  A x = b,  x >= 0
//
// with f quadratic, or w (x^2 / 10 + log(1 + x^2)), which is not convex, and A and G coupling neighbours on a plane. Method:
// Nocedal & Wright 2006, "Numerical Optimization", section 19.3, with a fixed centering; where the inertia is not that of a
// minimum, H is shifted (Waechter & Biegler 2006, section 3.1).
//
// frond_interior_point_benchmark SEED COUNT ORDER|FILE...: COUNT problems of each kind, whose KKT systems have about these orders,
// and KKT systems of files, whose entries are varied. It prints how many problems were solved, in how many steps, how many courses
// had other numbers of steps with refactorize(), the largest relative difference of their iterates, in how many an inertia differs
// from that of MUMPS, in how many MUMPS failed, which are not compared, and ratios of medians: refactorize() with pivot checks and
// inertia over JOB=2, that with a solve and its verdict over that without, and the first factorization with its analysis over JOB=1
// and JOB=2.
#include <dmumps_c.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/files.hpp"
#include "frond/matrix.hpp"
#include "matrices/products.hpp"
#include "tools/program/bench/statistics.hpp"
#include "tools/program/process/stopwatch.hpp"

namespace {

using namespace frond;
using Vector = std::vector<double>;

constexpr int kMostSteps = 80;
constexpr double kTolerance = 1e-8;
constexpr double kCentering = 0.1;
constexpr double kToTheBoundary = 0.99;
constexpr double kFirstShift = 1e-4;
constexpr Index kFailed = -1;  // in place of a number of eigenvalues

struct Kind {
  const char* name;
  bool is_convex = true;
  bool is_badly_scaled = false;
  bool is_infeasible = false;
  double regularization = 0;  // of the equations, some of which depend on others, if it is not 0
};
constexpr Kind kKinds[] = {{"qp"},
                           {"qp, badly scaled", true, true},
                           {"qp, degenerate", true, false, false, 1e-8},
                           {"qp, infeasible", true, false, true, 1e-8},
                           {"nlp", false},
                           {"nlp, badly scaled, degenerate", false, true, false, 1e-8}};

// The KKT matrix [H + diag(z / x), A^T; A, -r I] by its lower triangle; entries of its diagonal come first in their columns.
struct Problem {
  Index num_variables = 0;
  SparseMatrix<double> kkt;
  Vector units;    // of the variables, whose sizes are their inverses, and of the equations
  Vector weights;  // of f
  Vector c;
  Vector b;
  const Kind* kind = nullptr;

  [[nodiscard]] Index num_equations() const { return static_cast<Index>(b.size()); }
  [[nodiscard]] double& diagonal(Vector& values, Index k) const { return values[static_cast<std::size_t>(kkt.column_offsets[k])]; }
  // 1 + (u x)^2
  [[nodiscard]] double denominator(Index i, double x) const { return 1 + units[i] * units[i] * x * x; }
  [[nodiscard]] double slope(Index i, double x) const {
    return weights[i] * x * (kind->is_convex ? 1 : 0.2 + 2 / denominator(i, x));
  }
  [[nodiscard]] double curvature(Index i, double x) const {
    return weights[i] * (kind->is_convex ? 1 : 0.2 + 2 * (2 - denominator(i, x)) / std::pow(denominator(i, x), 2));
  }
};

Problem random_problem(const Kind& kind, Index order, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto below = [&](Index end) { return static_cast<Index>(random() % static_cast<std::uint64_t>(end)); };
  const auto power = [&](double most) { return std::pow(10, most * number(random)); };
  Problem problem;
  problem.num_variables = 3 * order / 5;
  problem.kind = &kind;
  const Index n = problem.num_variables;
  const Index m = order - n;
  // A variable near to another one on a plane.
  const auto near = [&](Index i) {
    const auto side = static_cast<Index>(std::sqrt(n));
    return (i + 3 * n + below(5) - 2 + side * (below(5) - 2)) % n;
  };
  Vector& units = problem.units;
  units.resize(static_cast<std::size_t>(order));
  std::generate(units.begin(), units.end(), [&] { return kind.is_badly_scaled ? power(2) : 1; });
  Triplets<double> entries{order, order, Symmetry::symmetric};
  problem.b.assign(static_cast<std::size_t>(m), 0);
  for (Index k = 0; k < order; ++k) {
    entries.add(k, k, k < n ? 0 : -kind.regularization);
  }
  for (Index i = 0; i < n; ++i) {
    problem.weights.push_back(power(1) * units[i] * units[i]);
    problem.c.push_back(number(random) * units[i]);
    const Index other = near(i);
    if (other != i && !kind.is_convex) {  // a column of G
      entries.add(i, i, 0.01 * units[i] * units[i]);
      entries.add(other, other, 0.01 * units[other] * units[other]);
      entries.add(std::max(i, other), std::min(i, other), -0.01 * units[i] * units[other]);
    }
  }
  std::vector<std::pair<Index, double>> row;
  for (Index equation = 0; equation < m; ++equation) {
    if (kind.regularization == 0 || equation % 10 != 9) {  // otherwise the row before once more
      row = {{equation, 2}, {near(equation), number(random)}, {near(equation), number(random)}, {near(equation), number(random)}};
    }
    for (const auto& [variable, value] : row) {
      const double entry = value * units[variable] * units[n + equation];
      entries.add(n + equation, variable, entry);
      problem.b[equation] += entry / units[variable];
    }
  }
  if (kind.is_infeasible) {
    problem.b[m / 2] = -100 * std::abs(problem.b[m / 2]) - 100;
  }
  problem.kkt = compress(std::move(entries));
  return problem;
}

/// Factors of KKT matrices of one pattern.
class KktSolver {
 public:
  virtual ~KktSolver() = default;
  virtual Index factorize(const Vector& values) = 0;  // returns the number of negative eigenvalues
  virtual void solve(const Vector& b, Vector& x) = 0;
};

class ByFrond : public KktSolver {
 public:
  ByFrond(const SparseMatrix<double>& pattern, bool keeps, bool measures) : matrix_(pattern), keeps_(keeps) {
    options_.factorization.num_threads = 1;
    options_.refinement.measures = measures;
  }
  Index factorize(const Vector& values) override {
    matrix_.values = values;
    if (!factorization_ || !keeps_) {
      if (!analysis_) {
        analysis_ = analyze(matrix_, options_);
      }
      factorization_ = std::make_unique<Factorization<double>>(*analysis_, matrix_);
    } else {
      factorization_->refactorize(matrix_.values);
    }
    return static_cast<Index>(factorization_->report().factorization.inertia.negative);
  }
  void solve(const Vector& b, Vector& x) override { static_cast<void>(factorization_->solve(b, x)); }

 private:
  SparseMatrix<double> matrix_;
  bool keeps_;
  SolverOptions options_;
  std::optional<Analysis> analysis_;
  std::unique_ptr<Factorization<double>> factorization_;
};

/// Controls as Ipopt 3.14 sets them: no output, automatic order and scales, room for delays, pivots down to 1e-6.
class ByMumps : public KktSolver {
 public:
  explicit ByMumps(const SparseMatrix<double>& pattern) : values_(pattern.values) {
    mumps_.sym = 2;
    mumps_.par = 1;
    mumps_.comm_fortran = -987654;
    run(-1);
    std::fill_n(mumps_.icntl, 3, -1);
    mumps_.icntl[3] = 0;
    mumps_.icntl[5] = mumps_.icntl[6] = 7;
    mumps_.icntl[7] = 77;
    mumps_.icntl[12] = 1;
    mumps_.icntl[13] = 1000;
    mumps_.cntl[0] = 1e-6;
    for (Index j = 0; j < pattern.num_cols; ++j) {
      for (Count k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
        rows_.push_back(pattern.row_indices[static_cast<std::size_t>(k)] + 1);
        columns_.push_back(j + 1);
      }
    }
    mumps_.n = pattern.num_cols;
    mumps_.nnz = static_cast<MUMPS_INT8>(values_.size());
    mumps_.irn = rows_.data();
    mumps_.jcn = columns_.data();
    mumps_.a = values_.data();
  }
  ~ByMumps() override { run(-2); }
  ByMumps(const ByMumps&) = delete;
  ByMumps& operator=(const ByMumps&) = delete;

  Index factorize(const Vector& values) override {
    std::copy(values.begin(), values.end(), values_.begin());
    if (!is_analysed_) {
      run(1);
      is_analysed_ = true;
    }
    run(2);
    return mumps_.infog[0] < 0 ? kFailed : mumps_.infog[11];
  }
  void solve(const Vector& b, Vector& x) override {
    x = b;
    mumps_.rhs = x.data();
    run(3);
  }

 private:
  void run(int job) {
    mumps_.job = job;
    dmumps_c(&mumps_);
  }

  DMUMPS_STRUC_C mumps_ = {};
  Vector values_;
  std::vector<MUMPS_INT> rows_;
  std::vector<MUMPS_INT> columns_;
  bool is_analysed_ = false;
};

/// The iterates of one run, and the values of their KKT matrices.
struct Course {
  std::size_t order = 0;
  std::vector<Vector> iterates;
  std::vector<Vector> values;
  bool has_converged = false;
};

double largest_step(const Vector& at, const Vector& direction) {
  double step = 1;
  for (std::size_t i = 0; i < at.size(); ++i) {
    step = direction[i] < 0 ? std::min(step, -kToTheBoundary * at[i] / direction[i]) : step;
  }
  return step;
}

void add_multiple(double factor, const Vector& direction, std::size_t from, Vector& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += factor * direction[from + i];
  }
}

Course run_interior_point(const Problem& problem, KktSolver& solver) {
  const auto n = static_cast<std::size_t>(problem.num_variables);
  const auto m = static_cast<std::size_t>(problem.num_equations());
  Course course;
  course.order = n + m;
  Vector x(n);
  Vector z(problem.units.begin(), problem.units.begin() + problem.num_variables);
  std::transform(z.begin(), z.end(), x.begin(), [](double unit) { return 1 / unit; });
  Vector y(m, 0);
  Vector unknowns(n + m);
  Vector products(n + m);
  for (int step = 0; step < kMostSteps; ++step) {
    // G^T G x + A^T y, and A x; the diagonal of G^T G is in the values of the pattern, too.
    std::copy(x.begin(), x.end(), unknowns.begin());
    std::copy(y.begin(), y.end(), unknowns.begin() + static_cast<std::ptrdiff_t>(n));
    multiply<double>(problem.kkt.view(), Operation::plain, unknowns, products);
    const double mu = std::inner_product(x.begin(), x.end(), z.begin(), 0.0) / static_cast<double>(n);
    Vector b(n + m);
    Vector values = problem.kkt.values;
    double error = mu;
    for (std::size_t i = 0; i < n; ++i) {
      const auto variable = static_cast<Index>(i);
      const double dual = products[i] + problem.slope(variable, x[i]) + problem.c[i] - z[i];
      error = std::max(error, std::abs(dual) / (1 + std::abs(problem.c[i])));
      b[i] = -dual - z[i] + kCentering * mu / x[i];
      problem.diagonal(values, variable) += problem.curvature(variable, x[i]) + z[i] / x[i];
    }
    for (std::size_t j = 0; j < m; ++j) {
      const double primal = products[n + j] + problem.kind->regularization * y[j] - problem.b[j];
      error = std::max(error, std::abs(primal) / (1 + std::abs(problem.b[j])));
      b[n + j] = -primal;
    }
    course.has_converged = error <= kTolerance;
    if (course.has_converged || !std::isfinite(error)) {
      break;
    }
    course.values.push_back(values);
    for (double shift = 0; solver.factorize(values) != static_cast<Index>(m) && shift < 1e10;
         shift = std::max(kFirstShift, 10 * shift)) {
      for (Index i = 0; i < problem.num_variables; ++i) {
        problem.diagonal(values, i) += std::max(kFirstShift, 10 * shift) - shift;
      }
      course.values.push_back(values);
    }
    Vector direction(n + m);
    solver.solve(b, direction);
    Vector dz(n);
    for (std::size_t i = 0; i < n; ++i) {
      dz[i] = (kCentering * mu - z[i] * direction[i]) / x[i] - z[i];
    }
    const double primal_step = largest_step(x, {direction.begin(), direction.begin() + static_cast<std::ptrdiff_t>(n)});
    add_multiple(primal_step, direction, 0, x);
    add_multiple(primal_step, direction, n, y);
    add_multiple(largest_step(z, dz), dz, 0, z);
    course.iterates.push_back(x);
  }
  return course;
}

// The largest relative difference of iterates that both have.
double difference(const Course& one, const Course& other) {
  double largest = 0;
  for (std::size_t k = 0; k < std::min(one.iterates.size(), other.iterates.size()); ++k) {
    for (std::size_t i = 0; i < one.iterates[k].size(); ++i) {
      largest = std::max(largest, std::abs(one.iterates[k][i] - other.iterates[k][i]) / (1 + std::abs(one.iterates[k][i])));
    }
  }
  return largest;
}

struct Times {
  double first = 0;
  std::vector<double> others;
  std::vector<Index> negatives;
};

// Factorizes all matrices of a course, and solves with each if `solves`.
Times time_course(const Course& course, KktSolver& solver, bool solves) {
  Times times;
  const Vector b(course.order, 1);
  Vector x(course.order);
  for (const Vector& values : course.values) {
    const Stopwatch stopwatch;
    times.negatives.push_back(solver.factorize(values));
    if (solves) {
      solver.solve(b, x);
    }
    (times.others.empty() && times.first == 0 ? times.first : times.others.emplace_back()) = stopwatch.seconds();
  }
  return times;
}

struct Ratios {
  std::vector<double> pivots;   // refactorize() with pivot checks and inertia, over JOB=2
  std::vector<double> verdict;  // with a solve and its verdict, over that
  std::vector<double> first;    // analysis and first factorization, over JOB=1 and 2
  int num_steps = 0;
  int num_converged = 0;
  int num_other_courses = 0;  // with refactorize() other numbers of steps, or another end
  int num_other_inertias = 0;
  int num_not_compared = 0;  // MUMPS failed, or there is but one matrix
  double difference = 0;
};

void time_all(const SparseMatrix<double>& pattern, const Course& course, Ratios& ratios) {
  ByFrond checked(pattern, true, false);
  ByFrond measured(pattern, true, true);
  ByMumps mumps(pattern);
  const Times by_pivots = time_course(course, checked, false);
  const Times by_verdict = time_course(course, measured, true);
  const Times by_mumps = time_course(course, mumps, false);
  if (by_mumps.others.empty() || std::ranges::count(by_mumps.negatives, kFailed) > 0) {
    ++ratios.num_not_compared;
    return;
  }
  ratios.num_other_inertias += by_pivots.negatives == by_mumps.negatives ? 0 : 1;
  ratios.pivots.push_back(median(by_pivots.others) / median(by_mumps.others));
  ratios.verdict.push_back(median(by_verdict.others) / median(by_pivots.others));
  ratios.first.push_back(by_pivots.first / by_mumps.first);
}

void compare(const Problem& problem, Ratios& ratios) {
  ByFrond first(problem.kkt, false, true);
  ByFrond again(problem.kkt, true, true);
  const Course expected = run_interior_point(problem, first);
  const Course course = run_interior_point(problem, again);
  ratios.num_steps += static_cast<int>(course.iterates.size());
  ratios.num_converged += course.has_converged ? 1 : 0;
  const bool is_other = course.iterates.size() != expected.iterates.size() || course.has_converged != expected.has_converged;
  ratios.num_other_courses += is_other ? 1 : 0;
  ratios.difference = std::max(ratios.difference, difference(expected, course));
  time_all(problem.kkt, course, ratios);
}

// A symmetric matrix of a file, and five more with entries that differ by up to a percent.
void compare_file(const std::string& file, Ratios& ratios) {
  const AnyMatrix any = read_matrix(file);
  const auto* matrix = std::get_if<SparseMatrix<double>>(&any);
  if (matrix == nullptr || matrix->symmetry != Symmetry::symmetric) {
    throw UsageError(file + " is not a real symmetric matrix: leave it out");
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> factor(0.99, 1.01);
  Course course;
  course.order = static_cast<std::size_t>(matrix->num_cols);
  for (int k = 0; k < 6; ++k) {
    course.values.push_back(matrix->values);
    std::for_each(course.values.back().begin(), course.values.back().end(),
                  [&](double& value) { value *= k == 0 ? 1 : factor(random); });
  }
  time_all(*matrix, course, ratios);
}

void print(const std::string& order, const char* name, int count, const Ratios& ratios) {
  const auto worst = [](const std::vector<double>& values) {
    return values.empty() ? std::nan("") : *std::max_element(values.begin(), values.end());
  };
  std::printf("%7s %-28s %3d/%-3d %5d %6d %8.1e %7d %6d | %8.2f %6.2f %7.2f %6.2f | %6.2f\n", order.c_str(), name,
              ratios.num_converged, count, ratios.num_steps, ratios.num_other_courses, ratios.difference, ratios.num_other_inertias,
              ratios.num_not_compared, geometric_mean(ratios.pivots), worst(ratios.pivots), geometric_mean(ratios.verdict),
              worst(ratios.verdict), geometric_mean(ratios.first));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) {
      throw UsageError("usage: frond_interior_point_benchmark SEED COUNT ORDER|FILE...");
    }
    const std::uint64_t seed = std::stoull(argv[1]);
    const int count = std::stoi(argv[2]);
    std::printf("%7s %-28s %-7s %5s %6s %8s %7s %6s | %8s %6s %7s %6s | %6s\n", "order", "problems", "solved", "steps", "others",
                "differ", "inertia", "failed", "/ JOB=2", "worst", "verdict", "worst", "first");
    for (const std::string word : std::span(argv, static_cast<std::size_t>(argc)).subspan(3)) {
      if (word.find_first_not_of("0123456789") != std::string::npos) {
        Ratios ratios;
        compare_file(word, ratios);
        print("", word.substr(word.rfind('/') + 1).c_str(), 0, ratios);
        continue;
      }
      for (const Kind& kind : kKinds) {
        Ratios ratios;
        for (int k = 0; k < count; ++k) {
          compare(random_problem(kind, static_cast<Index>(std::stoi(word)), seed + static_cast<unsigned>(k)), ratios);
        }
        print(word, kind.name, count, ratios);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
