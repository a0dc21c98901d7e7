// SPDX-License-Identifier: BSD-3-Clause
// Solves a generated problem by Ipopt with its linear solver mumps: ipopt_problems quartic|qp|bilinear|control VARIABLES
#include <coin/IpStdCInterface.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

/// min sum of h x^2 / 2 + c x + w (x_i - x_{i+1})^4  subject to  lower <= A x + q x_i x_j <= upper  and bounds of x. Each
/// constraint has a product of two of its variables.
struct Problem {
  int order = 0;
  std::vector<double> h;
  std::vector<double> c;
  double quartic = 0;
  std::vector<double> x_lower;
  std::vector<double> x_upper;
  std::vector<int> begins = {0};  // of the constraints' entries
  std::vector<int> cols;
  std::vector<double> entries;
  std::vector<double> products;  // q, of the first two entries
  std::vector<double> lower;
  std::vector<double> upper;

  explicit Problem(int n)
      : order(n), h(static_cast<std::size_t>(n), 1.0), c(h.size()), x_lower(h.size(), -1), x_upper(h.size(), 2) {}

  [[nodiscard]] int num_constraints() const { return static_cast<int>(lower.size()); }
  void add(const std::vector<int>& variables, const std::vector<double>& values, double product, double low, double high) {
    cols.insert(cols.end(), variables.begin(), variables.end());
    entries.insert(entries.end(), values.begin(), values.end());
    begins.push_back(static_cast<int>(cols.size()));
    products.push_back(product);
    lower.push_back(low);
    upper.push_back(high);
  }
};

// Constraints of four variables near each other.
Problem random_problem(int n, unsigned seed, double quartic, double product_size, bool has_flat_terms) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::uniform_int_distribution<int> step(1, 10);
  Problem problem(n);
  problem.quartic = quartic;
  for (int i = 0; i < n; ++i) {
    problem.c[static_cast<std::size_t>(i)] = value(random);
    problem.h[static_cast<std::size_t>(i)] = has_flat_terms && i % 3 == 0 ? 0 : 1;
  }
  for (int row = 0; row < n / 2; ++row) {
    std::vector<int> variables = {2 * row};
    std::vector<double> values = {value(random)};
    for (int k = 0; k < 3; ++k) {
      variables.push_back((variables.back() + step(random)) % n);
      values.push_back(value(random));
    }
    const double target = 0.03 * value(random);
    problem.add(variables, values, product_size * values[0], target, row % 3 == 0 ? target + 1 : target);
  }
  return problem;
}

// Steers y to a curve by u: y' = u - y.
Problem control_problem(int n) {
  const int num_steps = n / 2;
  const double dt = 10.0 / num_steps;
  Problem problem(2 * num_steps);
  for (int t = 0; t < num_steps; ++t) {
    const auto y = static_cast<std::size_t>(2 * t);
    problem.c[y] = -std::sin(3 * t * dt);
    problem.h[y + 1] = 0.01;
    problem.x_lower[y + 1] = -0.8;
    problem.x_upper[y + 1] = 0.8;
  }
  problem.add({0}, {1}, 0, 0, 0);
  for (int t = 0; t + 1 < num_steps; ++t) {
    problem.add({2 * t + 2, 2 * t, 2 * t + 1}, {1, dt - 1, -dt}, 0, 0, 0);
  }
  return problem;
}

const Problem& problem_of(UserDataPtr data) { return *static_cast<const Problem*>(data); }

Bool objective(Index n, Number* x, Bool /*is_new*/, Number* value, UserDataPtr data) {
  const Problem& p = problem_of(data);
  *value = 0;
  for (int i = 0; i < n; ++i) {
    *value += (p.h[i] * x[i] / 2 + p.c[i]) * x[i] + (i + 1 < n ? p.quartic * std::pow(x[i] - x[i + 1], 4) : 0);
  }
  return TRUE;
}

Bool gradient(Index n, Number* x, Bool /*is_new*/, Number* values, UserDataPtr data) {
  const Problem& p = problem_of(data);
  for (int i = 0; i < n; ++i) {
    values[i] = p.h[i] * x[i] + p.c[i];
  }
  for (int i = 0; i + 1 < n; ++i) {
    const double slope = 4 * p.quartic * std::pow(x[i] - x[i + 1], 3);
    values[i] += slope;
    values[i + 1] -= slope;
  }
  return TRUE;
}

Bool constraints(Index /*n*/, Number* x, Bool /*is_new*/, Index m, Number* values, UserDataPtr data) {
  const Problem& p = problem_of(data);
  for (int row = 0; row < m; ++row) {
    const int begin = p.begins[row];
    values[row] = p.products[row] == 0 ? 0 : p.products[row] * x[p.cols[begin]] * x[p.cols[begin + 1]];
    for (int k = begin; k < p.begins[row + 1]; ++k) {
      values[row] += p.entries[k] * x[p.cols[k]];
    }
  }
  return TRUE;
}

Bool jacobian(Index /*n*/, Number* x, Bool /*is_new*/, Index m, Index /*count*/, Index* rows, Index* cols, Number* values,
              UserDataPtr data) {
  const Problem& p = problem_of(data);
  for (int row = 0; row < m; ++row) {
    for (int k = p.begins[row]; k < p.begins[row + 1]; ++k) {
      const int place = k - p.begins[row];
      if (values == nullptr) {
        rows[k] = row;
        cols[k] = p.cols[k];
      } else {
        const bool is_in_product = p.products[row] != 0 && place < 2;
        values[k] = p.entries[k] + (is_in_product ? p.products[row] * x[p.cols[p.begins[row] + 1 - place]] : 0);
      }
    }
  }
  return TRUE;
}

// The diagonal, the entries next to it, and an entry for each product.
Bool hessian(Index n, Number* x, Bool /*is_new*/, Number factor, Index m, Number* multipliers, Bool /*are_new*/, Index /*count*/,
             Index* rows, Index* cols, Number* values, UserDataPtr data) {
  const Problem& p = problem_of(data);
  int k = 0;
  const auto put = [&](int row, int col, double value) {
    if (values == nullptr) {
      rows[k] = std::max(row, col);
      cols[k] = std::min(row, col);
    } else {
      values[k] = value;
    }
    ++k;
  };
  const auto bend = [&](int i) {
    return i < 0 || i + 1 >= n || values == nullptr ? 0 : 12 * p.quartic * std::pow(x[i] - x[i + 1], 2);
  };
  for (int i = 0; i < n; ++i) {
    put(i, i, factor * (p.h[i] + bend(i) + bend(i - 1)));
    if (i + 1 < n) {
      put(i + 1, i, -factor * bend(i));
    }
  }
  for (int row = 0; row < m; ++row) {
    if (p.products[row] != 0) {
      put(p.cols[p.begins[row]], p.cols[p.begins[row] + 1], values == nullptr ? 0 : multipliers[row] * p.products[row]);
    }
  }
  return TRUE;
}

int steps_of_run = 0;

Bool note_step(Index /*mode*/, Index step, Number, Number, Number, Number, Number, Number, Number, Number, Index, UserDataPtr) {
  steps_of_run = step;
  return TRUE;
}

void solve(Problem problem) {
  const auto count = static_cast<Index>(problem.cols.size());
  Index num_second = 2 * problem.order - 1;
  for (const double product : problem.products) {
    num_second += product != 0 ? 1 : 0;
  }
  IpoptProblem ipopt = CreateIpoptProblem(problem.order, problem.x_lower.data(), problem.x_upper.data(), problem.num_constraints(),
                                          problem.lower.data(), problem.upper.data(), count, num_second, 0, objective, constraints,
                                          gradient, jacobian, hessian);
  char* option = std::getenv("IPOPT_PRINT_LEVEL");
  AddIpoptIntOption(ipopt, const_cast<char*>("print_level"), option == nullptr ? 0 : std::atoi(option));
  AddIpoptStrOption(ipopt, const_cast<char*>("sb"), const_cast<char*>("yes"));
  AddIpoptStrOption(ipopt, const_cast<char*>("linear_solver"), const_cast<char*>("mumps"));
  SetIntermediateCallback(ipopt, note_step);
  std::vector<double> x(problem.c.size(), 0.1);
  double optimum = 0;
  const int status = IpoptSolve(ipopt, x.data(), nullptr, &optimum, nullptr, nullptr, nullptr, &problem);
  FreeIpoptProblem(ipopt);
  std::printf("steps %d\nstatus %d\nanswer %.12g\n", steps_of_run, status, optimum);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string family = count > 1 ? arguments[1] : "";
  const int n = count > 2 ? std::atoi(arguments[2]) : 0;
  if (family == "quartic") {
    solve(random_problem(n, 1, 0.1, 0.1, false));
  } else if (family == "qp") {
    solve(random_problem(n, 2, 0, 0, true));
  } else if (family == "bilinear") {
    solve(random_problem(n, 3, 0, 1, false));
  } else if (family == "control") {
    solve(control_problem(n));
  } else {
    std::fprintf(stderr, "usage: %s quartic|qp|bilinear|control VARIABLES\n", arguments[0]);
    return 2;
  }
  return 0;
}
