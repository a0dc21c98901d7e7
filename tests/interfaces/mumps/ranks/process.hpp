// SPDX-License-Identifier: BSD-3-Clause
// A client of the parallel MUMPS on each process: systems that all know, arrays of each, and what comes back, as text.
#pragma once

#include <dlfcn.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/interfaces/mumps/systems.hpp"

namespace frond::testing {

inline constexpr int kOrder = 120;
inline constexpr int kNumSides = 3;
inline constexpr int kHost = 0;

inline int number_of_processes() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

inline int number_of_this_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline void* function_of(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library == nullptr ? nullptr : dlsym(library, "dmumps_c");
}

// A matrix that all processes know, of which a symmetric one has the lower triangle here.
inline Entries<double> random_entries(int sym, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> index(1, kOrder);
  std::uniform_real_distribution<double> value(-1, 1);
  Entries<double> entries;
  const auto add = [&](int row, int col, double number) {
    entries.rows.push_back(row);
    entries.cols.push_back(col);
    entries.values.push_back(number);
  };
  for (int i = 1; i <= kOrder; ++i) {
    add(i, i, sym == 1 || i % 3 != 0 ? 6.0 : -6.0);
    for (int k = 0; k < 2; ++k) {
      const int j = index(random);
      if (j != i) {
        add(sym == 0 ? i : std::max(i, j), sym == 0 ? j : std::min(i, j), value(random));
      }
    }
  }
  return entries;
}

// A x, for the columns of X.
inline std::vector<double> product(const Entries<double>& entries, int sym, const std::vector<double>& x) {
  std::vector<double> b(x.size(), 0.0);
  for (std::size_t begin = 0; begin < x.size(); begin += kOrder) {
    for (std::size_t k = 0; k < entries.values.size(); ++k) {
      const std::size_t row = begin + static_cast<std::size_t>(entries.rows[k]) - 1;
      const std::size_t col = begin + static_cast<std::size_t>(entries.cols[k]) - 1;
      b[row] += entries.values[k] * x[col];
      if (sym != 0 && row != col) {
        b[col] += entries.values[k] * x[row];
      }
    }
  }
  return b;
}

inline double solution(int row, int col) { return 1 + row % 7 + 10 * col; }

inline std::vector<double> solutions() {
  std::vector<double> x;
  for (int col = 0; col < kNumSides; ++col) {
    for (int row = 0; row < kOrder; ++row) {
      x.push_back(solution(row, col));
    }
  }
  return x;
}

// A client on all processes, with the arrays of this one.
struct Process {
  Process(void* function, int symmetry, unsigned seed = 1)
      : client(function, symmetry, MPI_Comm_c2f(MPI_COMM_WORLD)), sym(symmetry), whole(random_entries(symmetry, seed)) {}

  [[nodiscard]] bool is_host() const { return number_of_this_process() == kHost; }

  void give_on_host() {
    if (is_host()) {
      client.give(kOrder, whole.rows, whole.cols, whole.values);
    }
  }
  // Each process gets some entries, and halves of others.
  void give_locally() {
    const int size = number_of_processes();
    mine = {};
    for (std::size_t k = 0; k < whole.values.size(); ++k) {
      for (int half = 0; half < 2; ++half) {
        if ((static_cast<int>(k) + half) % size == number_of_this_process()) {
          mine.rows.push_back(whole.rows[k]);
          mine.cols.push_back(whole.cols[k]);
          mine.values.push_back(whole.values[k] / 2);
        }
      }
    }
    client.id.n = kOrder;
    point_to_mine();
  }
  void point_to_mine() {
    client.id.nnz_loc = static_cast<MUMPS_INT8>(mine.values.size());
    client.id.irn_loc = mine.rows.data();
    client.id.jcn_loc = mine.cols.data();
    client.id.a_loc = mine.values.data();
  }
  void give_sides() {
    rhs = product(whole, sym, solutions());
    client.id.nrhs = kNumSides;
    client.id.lrhs = kOrder;
    client.id.rhs = is_host() ? rhs.data() : nullptr;
  }
  // B in rows of any process, the first one on all of them.
  void give_local_sides() {
    const std::vector<double> b = product(whole, sym, solutions());
    const int size = number_of_processes();
    for (int row = 0; row < kOrder; ++row) {
      if (row == 0 || row % size == number_of_this_process()) {
        side_rows.push_back(row + 1);
      }
    }
    side_rows.push_back(kOrder + 5);  // there is none
    for (int col = 0; col < kNumSides; ++col) {
      for (const int row : side_rows) {
        const double value = row > kOrder ? 1 : b[static_cast<std::size_t>(col * kOrder + row - 1)];
        sides.push_back(row == 1 ? value / size : value);
      }
    }
    client.set(20, 10);
    client.id.nrhs = kNumSides;
    client.id.nloc_rhs = client.id.lrhs_loc = static_cast<int>(side_rows.size());
    client.id.irhs_loc = side_rows.data();
    client.id.rhs_loc = sides.data();
  }
  [[nodiscard]] std::string call(int job) {
    client.call(job);
    return fmt::format(" {}:({};{},{})", job, client.info(), std::min(client.id.info[0], 0),
                       client.id.info[0] < 0 ? client.id.info[1] : 0);
  }
  [[nodiscard]] std::string factorized() { return call(1) + call(2); }
  // Whether X on the host is right.
  [[nodiscard]] std::string solved() {
    std::string text = call(3);
    if (!is_host()) {
      return text;
    }
    double error = 0;
    const std::vector<double> x = solutions();
    for (std::size_t k = 0; k < x.size(); ++k) {
      error = std::max(error, std::abs(rhs[k] - x[k]));
    }
    return text << (error < 1e-9 ? " solved" : fmt::format(" error {}", error));
  }
  // Whether X is right where it stays, and has each row once.
  [[nodiscard]] std::string solved_locally() {
    client.set(21, 1);
    const auto room = static_cast<std::size_t>(client.id.info[22]);
    std::vector<int> rows(room);
    std::vector<double> x(room * kNumSides);
    client.id.lsol_loc = static_cast<int>(room);
    client.id.isol_loc = rows.data();
    client.id.sol_loc = x.data();
    std::string text = call(3);
    std::vector<int> counts(kOrder, 0);
    double error = 0;
    for (std::size_t k = 0; k < room; ++k) {
      ++counts.at(static_cast<std::size_t>(rows[k] - 1));
      for (std::size_t col = 0; col < kNumSides; ++col) {
        error = std::max(error, std::abs(x[col * room + k] - solution(rows[k] - 1, static_cast<int>(col))));
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, counts.data(), kOrder, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    text << (counts == std::vector<int>(kOrder, 1) ? " each row once" : " rows are missing");
    return text << (error < 1e-9 ? " solved" : fmt::format(" error {}", error));
  }

  Client<double> client;
  int sym;
  Entries<double> whole;
  Entries<double> mine = {};
  std::vector<double> rhs = {};
  std::vector<int> side_rows = {};
  std::vector<double> sides = {};
};

// What a case returns on this process, by both.
inline void expect_as_in_mumps(const std::function<std::string(void*)>& calls) {
  static void* const kOurs = function_of(FROND_IN_PLACE_OF_MUMPS);
  static void* const kTheirs = function_of(FROND_REAL_MUMPS);
  const std::string theirs = calls(kTheirs);
  EXPECT_EQ(calls(kOurs), theirs) << "on process " << number_of_this_process();
}

}  // namespace frond::testing
