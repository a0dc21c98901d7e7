// SPDX-License-Identifier: BSD-3-Clause
// Makes the same calls on all processes by both libraries, the one in the place of the parallel MUMPS and MUMPS itself, and
// compares what they return on each process.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/interfaces/mumps/ranks/process.hpp"

namespace frond::testing {
namespace {

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

TEST(InstancesOnRanks, TakeTheWorldByItsNumber) {
  expect_as_in_mumps([](void* function) {
    std::vector<int> one = {1, 2};
    std::vector<double> values = {2, 4};
    std::vector<double> x = {1, 1};
    Client<double> client(function, 0);
    client.give(2, one, one, values);
    client.id.rhs = x.data();
    client.call(6);
    return client.info() + (number_of_this_process() == kHost ? text_of(x) : "");
  });
}

TEST(InstancesOnRanks, AreRefusedWithoutACommunicator) {
  const auto dmumps = reinterpret_cast<void (*)(DMUMPS_STRUC_C*)>(function_of(FROND_IN_PLACE_OF_MUMPS));
  DMUMPS_STRUC_C id{};
  id.job = -1;
  id.par = 1;
  id.comm_fortran = MPI_Comm_c2f(MPI_COMM_NULL);
  dmumps(&id);
  EXPECT_EQ(id.infog[0], -800);
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
