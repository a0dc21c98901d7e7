// SPDX-License-Identifier: BSD-3-Clause
// Makes the same calls on all processes by both libraries, the one in the place of the parallel MUMPS and MUMPS itself, and
// compares what they return on each process.
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
namespace {

constexpr int kOrder = 120;
constexpr int kNumSides = 3;
constexpr int kHost = 0;

int number_of_processes() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

int number_of_this_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void* function_of(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library == nullptr ? nullptr : dlsym(library, "dmumps_c");
}

// A matrix that all processes know, of which a symmetric one has the lower triangle here.
Entries<double> random_entries(int sym, unsigned seed) {
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
std::vector<double> product(const Entries<double>& entries, int sym, const std::vector<double>& x) {
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

double solution(int row, int col) { return 1 + row % 7 + 10 * col; }

std::vector<double> solutions() {
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
void expect_as_in_mumps(const std::function<std::string(void*)>& calls) {
  static void* const kOurs = function_of(FROND_IN_PLACE_OF_MUMPS);
  static void* const kTheirs = function_of(FROND_REAL_MUMPS);
  const std::string theirs = calls(kTheirs);
  EXPECT_EQ(calls(kOurs), theirs) << "on process " << number_of_this_process();
}

class CallsOnRanks : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Symmetries, CallsOnRanks, ::testing::Values(0, 1, 2));

TEST_P(CallsOnRanks, AMatrixOfTheHost) {
  expect_as_in_mumps([](void* function) {
    Process process(function, GetParam());
    process.give_on_host();
    process.give_sides();
    std::string text = process.factorized();
    text << process.solved();
    for (double& value : process.whole.values) {
      value *= 2;
    }
    process.give_sides();
    text << process.call(2) << process.solved()
         << fmt::format(" negative {}", process.client.id.infog[11] * (GetParam() == 2 ? 1 : 0));
    process.give_sides();
    return text << process.call(6);
  });
}

TEST_P(CallsOnRanks, EntriesOfAnyProcess) {
  for (const bool come_late : {false, true}) {
    expect_as_in_mumps([come_late](void* function) {
      Process process(function, GetParam());
      process.client.set(18, 3);
      process.give_locally();
      if (come_late) {
        process.client.id.a_loc = nullptr;
      }
      process.give_sides();
      std::string text = process.call(1);
      process.client.id.a_loc = process.mine.values.data();
      text << process.call(2) << process.solved();
      return text;
    });
  }
}

TEST_P(CallsOnRanks, APatternOfTheHostAndEntriesOfAnyProcess) {
  for (const int distribution : {1, 2}) {
    expect_as_in_mumps([distribution](void* function) {
      Process process(function, GetParam());
      process.client.set(18, distribution);
      process.give_on_host();
      process.give_sides();
      std::string text = process.call(1);
      const std::size_t num_entries = process.whole.values.size();
      std::vector<int> mapping(num_entries);  // ICNTL(18)=1 says which process is to have which entries
      for (std::size_t k = 0; k < num_entries; ++k) {
        mapping[k] = static_cast<int>(k) % number_of_processes();
      }
      if (distribution == 1 && process.is_host()) {
        std::copy_n(process.client.id.mapping, num_entries, mapping.begin());
      }
      MPI_Bcast(mapping.data(), static_cast<int>(num_entries), MPI_INT, kHost, MPI_COMM_WORLD);
      for (std::size_t k = 0; k < num_entries; ++k) {
        if (mapping[k] == number_of_this_process()) {
          process.mine.rows.push_back(process.whole.rows[k]);
          process.mine.cols.push_back(process.whole.cols[k]);
          process.mine.values.push_back(process.whole.values[k]);
        }
      }
      process.point_to_mine();
      return text << process.call(2) << process.solved();
    });
  }
}

TEST_P(CallsOnRanks, SidesAndSolutionsOfAnyProcess) {
  for (const bool has_local_sides : {false, true}) {
    for (const bool stays_local : {false, true}) {
      expect_as_in_mumps([=](void* function) {
        Process process(function, GetParam());
        process.client.set(18, 3);
        process.give_locally();
        std::string text = process.factorized();
        process.give_sides();
        if (has_local_sides) {
          process.give_local_sides();
        }
        return text << (stays_local ? process.solved_locally() : process.solved());
      });
    }
  }
}

TEST_P(CallsOnRanks, ADistributionOfTheSides) {
  constexpr int kDistribution = 9;
  expect_as_in_mumps([](void* function) {
    Process process(function, GetParam());
    process.give_on_host();
    std::string text = process.factorized();
    process.client.set(20, 10);
    const int num_rows = process.client.id.info[22];
    std::vector<int> rows(static_cast<std::size_t>(num_rows));
    process.client.id.nloc_rhs = num_rows;
    process.client.id.irhs_loc = rows.data();
    text << process.call(kDistribution);
    std::vector<int> counts(kOrder, 0);
    for (const int row : rows) {
      ++counts.at(static_cast<std::size_t>(row - 1));
    }
    MPI_Allreduce(MPI_IN_PLACE, counts.data(), kOrder, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return text << (counts == std::vector<int>(kOrder, 1) ? " each row once" : " not each row once");
  });
}

TEST_P(CallsOnRanks, SchurComplements) {
  for (const int kind : {1, 2, 3}) {
    expect_as_in_mumps([kind](void* function) {
      constexpr int kSize = 5;
      Process process(function, GetParam());
      process.client.set(19, kind);
      process.give_on_host();
      std::vector<int> kept = {3, 117, 20, 21, 50};
      std::vector<double> complement(kSize * kSize, -1.0);
      process.client.id.size_schur = kSize;
      process.client.id.listvar_schur = kept.data();
      process.client.id.schur = complement.data();
      process.client.id.nprow = process.client.id.npcol = 1;
      process.client.id.mblock = process.client.id.nblock = 100;
      std::string text = process.call(1);
      process.client.id.schur_lld = kSize;
      text << process.call(2);
      std::vector<double> reduced(kSize * kNumSides);
      process.give_sides();
      process.client.id.redrhs = reduced.data();
      process.client.id.lredrhs = kSize;
      process.client.set(26, 1);
      text << process.call(3) << (process.is_host() ? text_of(reduced) : "");
      process.client.set(26, 2);
      text << process.call(3) << (process.is_host() ? text_of(process.rhs) : "");
      if (process.is_host()) {
        for (int k = 0; k < kSize * kSize; ++k) {
          if (kind != 2 || GetParam() == 0 || k % kSize >= k / kSize) {
            text << text_of(complement[static_cast<std::size_t>(k)]);
          }
        }
      }
      return text;
    });
  }
}

TEST(SchurOnAGrid, HasTheLayoutOfScaLapack) {
  if (number_of_processes() < 2) {
    GTEST_SKIP() << "one process has no grid";
  }
  expect_as_in_mumps([](void* function) {
    constexpr int kSize = 9;
    Process process(function, 0);
    process.client.set(19, 3);
    process.give_on_host();
    std::vector<int> kept = {3, 117, 20, 21, 50, 1, 2, 99, 100};
    process.client.id.size_schur = kSize;
    process.client.id.listvar_schur = kept.data();
    process.client.id.nprow = 2;
    process.client.id.npcol = number_of_processes() / 2;
    process.client.id.mblock = process.client.id.nblock = 2;
    std::string text = process.call(1);
    text << fmt::format(" {} x {}", process.client.id.schur_mloc, process.client.id.schur_nloc);
    std::vector<double> part(static_cast<std::size_t>(kSize * kSize), 0.0);
    process.client.id.schur = part.data();
    process.client.id.schur_lld = std::max(process.client.id.schur_mloc, 1);
    return text << process.call(2) << text_of(part);
  });
}

TEST(SpecialSolvesOnRanks, NullPivotsInverseEntriesAndDeterminants) {
  expect_as_in_mumps([](void* function) {
    Process process(function, 2);
    process.whole = diagonal({2, 0, 3, 4});
    process.whole.rows.push_back(3);
    process.whole.cols.push_back(1);
    process.whole.values.push_back(1);
    if (process.is_host()) {
      process.client.give(4, process.whole.rows, process.whole.cols, process.whole.values);
    }
    process.client.set(24, 1);
    std::string text = process.call(4);
    text << fmt::format(" null {} negative {}", process.client.id.infog[27], process.client.id.infog[11]);
    std::vector<double> x(4, 7.0);
    process.client.id.nrhs = 1;
    process.client.id.lrhs = 4;
    process.client.id.rhs = process.is_host() ? x.data() : nullptr;
    process.client.set(25, -1);
    text << process.call(3);
    if (process.is_host()) {
      text << text_of(std::abs(x[1]) / (std::abs(x[0]) + std::abs(x[1])));
    }
    process.whole.values[1] = -5;
    process.client.set(25, 0);
    process.client.set(24, 0);
    process.client.set(33, 1);
    text << process.call(4) << text_of(std::ldexp(process.client.id.rinfog[11], process.client.id.infog[33]));
    std::vector<int> offsets = {1, 2, 3, 5, 5};
    std::vector<int> rows = {1, 2, 1, 3};
    std::vector<double> values(4);
    process.client.set(30, 1);
    process.client.id.nrhs = 4;
    if (process.is_host()) {
      process.client.id.nz_rhs = 4;
      process.client.id.irhs_ptr = offsets.data();
      process.client.id.irhs_sparse = rows.data();
      process.client.id.rhs_sparse = values.data();
    }
    text << process.call(3);
    return text << (process.is_host() ? text_of(values) : "");
  });
}

TEST(FailuresOnRanks, AreKnownToAll) {
  const auto last = number_of_processes() - 1;
  expect_as_in_mumps([](void* function) {  // no order
    Process process(function, 0);
    process.give_on_host();
    process.client.id.n = 0;
    return process.call(1) + process.call(2);
  });
  expect_as_in_mumps([last](void* function) {  // one process has no array of columns
    Process process(function, 0);
    process.client.set(18, 3);
    process.give_locally();
    if (number_of_this_process() == last) {
      process.client.id.jcn_loc = nullptr;
    }
    return process.call(1);
  });
  expect_as_in_mumps([](void* function) {  // no right-hand side
    Process process(function, 0);
    process.give_on_host();
    std::string text = process.factorized();
    process.client.id.rhs = nullptr;
    return text << process.call(3);
  });
  expect_as_in_mumps([](void* function) {  // an index that does not exist
    Process process(function, 2);
    process.whole.rows[5] = kOrder + 1;
    process.give_on_host();
    process.client.call(1);
    return fmt::format("{} {}", process.client.info(), process.is_host() ? process.client.id.info[0] : 0);
  });
  expect_as_in_mumps([](void* function) {  // a row of zeros
    Process process(function, 0);
    for (std::size_t k = 0; k < process.whole.values.size(); ++k) {
      if (process.whole.rows[k] == 7) {
        process.whole.values[k] = 0;
      }
    }
    process.client.set(6, 0);
    process.give_on_host();
    process.client.call(1);
    process.client.call(2);
    return std::to_string(process.client.id.infog[0]);
  });
}

TEST(InstancesOnRanks, StandNextToEachOtherAndAreCopied) {
  expect_as_in_mumps([](void* function) {
    Process one(function, 0, 1);
    Process other(function, 2, 2);
    one.give_on_host();
    other.client.set(18, 3);
    other.give_locally();
    std::string text = one.call(1) + other.call(1);
    text << other.call(2) << one.call(2);
    one.give_sides();
    other.give_sides();
    return text << one.solved() << other.solved();
  });
}

}  // namespace
}  // namespace frond::testing
