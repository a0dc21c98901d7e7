// SPDX-License-Identifier: BSD-3-Clause
// What comes out in another way than in MUMPS, on purpose, and calls that MUMPS does not survive.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/interfaces/mumps/systems.hpp"

namespace frond::testing {
namespace {

TEST(MumpsCallsThatDiffer, SaysThatAMatrixIsSingularWherePivotsAreRounding) {
  const auto calls = [](void* function) {  // a Laplacian of rank n - 1, whose last pivot is rounding errors
    constexpr int kOrder = 50;
    Client<double> client(function, 2);
    Entries<double> entries;
    for (int i = 1; i <= kOrder; ++i) {
      entries.rows.push_back(i);
      entries.cols.push_back(i);
      entries.values.push_back(i == 1 || i == kOrder ? 1.1 : 2.2);
      if (i > 1) {
        entries.rows.push_back(i);
        entries.cols.push_back(i - 1);
        entries.values.push_back(-1.1);
      }
    }
    client.give(kOrder, entries.rows, entries.cols, entries.values);
    return call_all(client, {4});
  };
  EXPECT_EQ(with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", calls), " 4:(-10,49)");
}

TEST(MumpsCallsThatDiffer, SaysThatAMatrixIsStructurallySingularWhateverItsValues) {  // MUMPS solves it, without an error
  const auto calls = [](void* function) {
    Client<double> client(function, 0);
    return solved(client, 3, {{1, 2, 3, 1, 1}, {1, 1, 1, 2, 3}, {1, 2, 3, 4, 5}}, {1, 2});
  };
  EXPECT_EQ(with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", calls), " 1:(-6,2) 2:(-3,2)");
}

TEST(MumpsCallsThatDiffer, EndsAnInstanceOnceHoweverOftenItIsAsked) {
  const auto calls = [](void* function) {
    const auto call = reinterpret_cast<void (*)(DMUMPS_STRUC_C*)>(function);
    auto first = std::make_unique<Client<double>>(function, 0);
    std::string text = solved(*first, 4, example(0));
    DMUMPS_STRUC_C copy = first->id;
    first.reset();
    Client<double> second(function, 0);  // must outlive the copy of the first
    text += solved(second, 4, example(0), {4});
    for (const int job : {-2, -2, 3}) {
      copy.job = job;
      call(&copy);
      text += fmt::format(" {}", copy.info[0]);
    }
    return text << solved(second, 4, example(0), {3});
  };
  const std::string outcome = with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", calls);
  EXPECT_NE(outcome.find(" 0 0 -3 3:(0,0)"), std::string::npos) << outcome;
}

TEST(MumpsCallsThatDiffer, RefusesValuesThatAreNotFinite) {
  const auto calls = [](void* function) {
    Client<double> client(function, 2);
    return solved(client, 2, diagonal({1, std::nan("")}), {1, 2, 3});
  };
  EXPECT_EQ(with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", calls), " 1:(0,0) 2:(-10,0) 3:(-3,3)");
}

TEST(MumpsCallsAtTheSameTime, AreIndependent) {
  const auto calls = [](void* function) {
    constexpr int kThreads = 4;
    constexpr int kInstances = 25;
    std::array<std::string, kThreads> texts;
    std::vector<std::thread> threads;
    for (std::string& text : texts) {
      threads.emplace_back([function, &text] {
        std::vector<std::unique_ptr<Client<double>>> clients;
        for (int k = 0; k < kInstances; ++k) {
          clients.push_back(std::make_unique<Client<double>>(function, 0));
          text += solved(*clients.back(), 4, example(0));
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    std::string all;
    for (const std::string& text : texts) {
      all += text == texts[0] ? "same " : "other ";
    }
    return all;
  };
  EXPECT_EQ(with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", calls), "same same same same ");
}

}  // namespace
}  // namespace frond::testing
