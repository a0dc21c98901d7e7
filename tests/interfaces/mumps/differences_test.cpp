// SPDX-License-Identifier: BSD-3-Clause
// What comes out in another way than in MUMPS, on purpose, and calls that MUMPS does not survive.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/interfaces/mumps/systems.hpp"

namespace frond::testing {
namespace {

std::string outcome(const std::function<std::string(void*)>& calls) {
  return with_library(FROND_IN_PLACE_OF_MUMPS, "dmumps_c", calls);
}

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
  EXPECT_EQ(outcome(calls), " 4:(-10,49)");
}

TEST(MumpsCallsThatDiffer, SaysThatAMatrixIsStructurallySingularWhateverItsValues) {  // MUMPS solves it, without an error
  const auto calls = [](void* function) {
    Client<double> client(function, 0);
    return solved(client, 3, {{1, 2, 3, 1, 1}, {1, 1, 1, 2, 3}, {1, 2, 3, 4, 5}}, {1, 2});
  };
  EXPECT_EQ(outcome(calls), " 1:(-6,2) 2:(-3,2)");
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
  const std::string text = outcome(calls);
  EXPECT_NE(text.find(" 0 0 -3 3:(0,0)"), std::string::npos) << text;
}

TEST(MumpsCallsThatDiffer, RefusesValuesThatAreNotFinite) {
  const auto calls = [](void* function) {
    Client<double> client(function, 2);
    return solved(client, 2, diagonal({1, std::nan("")}), {1, 2, 3});
  };
  EXPECT_EQ(outcome(calls), " 1:(0,0) 2:(-10,0) 3:(-3,3)");
}

TEST(MumpsCallsThatDiffer, RefusesScalesThatAreNotPositiveAsOftenAsTheyAreGiven) {
  const auto calls = [](void* function) {
    Client<double> client(function, 0);
    std::vector<double> rows = {1, 0, 1, 1};
    std::vector<double> cols = {1, 1, 1, 1};
    client.set(8, -1);
    client.id.rowsca = rows.data();
    client.id.colsca = cols.data();
    std::string text = solved(client, 4, example(0), {1, 2, 2});
    client.set(8, 77);
    return text << solved(client, 4, diagonal({1, 2, 3, 4}), {6});
  };
  EXPECT_EQ(outcome(calls), " 1:(0,0) 2:(-10,0) 2:(-10,0) 6:(0,0) x 1 1 1 1");
}

TEST(MumpsCallsThatDiffer, RefusesElementsThatDoNotCountUp) {
  const auto calls = [](void* function) {
    Client<double> client(function, 0);
    std::vector<int> variables = {1, 2, 1, 2};
    std::vector<double> values = {1, 0, 0, 1, 1, 0, 0, 1};
    client.set(5, 1);
    client.id.n = 2;
    client.id.nelt = 2;
    client.id.eltvar = variables.data();
    client.id.a_elt = values.data();
    std::string text;
    for (std::vector<int> offsets : {std::vector{-5, 3, 5}, {3, 3, 5}, {1, 5, 3}}) {
      client.id.eltptr = offsets.data();
      text << call_all(client, {1});
    }
    return text;
  };
  EXPECT_EQ(outcome(calls), " 1:(-24,1) 1:(-24,1) 1:(-24,2)");
}

TEST(MumpsCallsThatDiffer, HasNoInverseOfASingularMatrix) {
  const auto calls = [](void* function) {
    Client<double> client(function, 2);
    client.set(24, 1);
    client.set(30, 1);
    std::vector<int> offsets = {1, 2, 2, 2};
    std::vector<int> rows = {1};
    std::vector<double> values = {0};
    client.id.irhs_ptr = offsets.data();
    client.id.irhs_sparse = rows.data();
    client.id.rhs_sparse = values.data();
    client.id.nz_rhs = 1;
    client.id.nrhs = 3;
    return solved(client, 3, diagonal({1, 0, 3}), {4, 3});
  };
  EXPECT_EQ(outcome(calls), " 4:(0,0) 3:(-10,2)");
}

TEST(MumpsCallsThatDiffer, FindsAPairOfPivotsWhereDefinitenessIsPromised) {
  const auto calls = [](void* function) {
    Client<double> client(function, 1);
    std::string text = solved(client, 2, {{2}, {1}, {1}}, {6});
    return text << fmt::format(" {}", client.id.infog[11]);
  };
  EXPECT_EQ(outcome(calls), " 6:(0,0) x 2 1 1");
}

TEST(MumpsCallsThatDiffer, NeedsARestOfTheSchurComplementThatIsNotSingular) {
  const auto calls = [](void* function) {
    Client<double> client(function, 2);
    std::vector<int> list = {3};
    std::vector<double> complement = {0};
    client.set(19, 1);
    client.id.size_schur = 1;
    client.id.listvar_schur = list.data();
    client.id.schur = complement.data();
    return solved(client, 3, diagonal({1, 0, 3}), {4, 3});
  };
  EXPECT_EQ(outcome(calls), " 4:(-10,1) 3:(-3,3)");
}

TEST(MumpsCallsThatDiffer, GivesNullVectorsThatAreOrthonormal) {
  const auto calls = [](void* function) {
    constexpr std::size_t kOrder = 3;
    Client<double> client(function, 2);
    Entries<double> entries{{1, 2, 3, 2, 3, 3}, {1, 2, 3, 1, 1, 2}, {1, 4, 9, 2, 3, 6}};  // v v^T, v = (1, 2, 3)
    std::vector<double> z(2 * kOrder);
    client.give(kOrder, entries.rows, entries.cols, entries.values);
    client.set(24, 1);
    client.set(25, -1);
    client.id.rhs = z.data();
    client.id.nrhs = 2;
    client.id.lrhs = kOrder;
    std::string text = call_all(client, {4, 3});
    const auto product = [&z](std::size_t j, std::size_t k) {
      double sum = 0;
      for (std::size_t i = 0; i < kOrder; ++i) {
        sum += z[kOrder * j + i] * z[kOrder * k + i];
      }
      return sum;
    };
    const auto along_v = [&z](std::size_t j) { return z[kOrder * j] + 2 * z[kOrder * j + 1] + 3 * z[kOrder * j + 2]; };
    return text << text_of(std::vector{product(0, 0), product(1, 1), product(0, 1), along_v(0), along_v(1)});
  };
  EXPECT_EQ(outcome(calls), " 4:(0,0) 3:(0,0) 1 1 0 0 0");
}

TEST(MumpsCallsThatDiffer, KeepsAMemoryLimitWithoutWorkspaces) {
  const std::string text = outcome([](void* function) {
    constexpr int kSide = 60;
    Client<double> client(function, 2);
    Entries<double> entries;
    for (int i = 1; i <= kSide * kSide; ++i) {
      entries.rows.push_back(i);
      entries.cols.push_back(i);
      entries.values.push_back(4);
      for (const int distance : {1, kSide}) {
        if (i > distance) {
          entries.rows.push_back(i);
          entries.cols.push_back(i - distance);
          entries.values.push_back(-0.9);
        }
      }
    }
    client.give(kSide * kSide, entries.rows, entries.cols, entries.values);
    client.set(14, -90);
    client.set(23, 1);
    std::string calls = call_all(client, {4});
    client.set(23, 0);
    return calls << call_all(client, {2});
  });
  EXPECT_TRUE(text.starts_with(" 4:(-19,")) << text;
  EXPECT_TRUE(text.ends_with(" 2:(0,0)")) << text;
}

// The largest |b - A x|_i / (|A| |x| + |b|)_i, in long double.
double componentwise_error(const Entries<double>& entries, const std::vector<double>& b, const std::vector<double>& x) {
  std::vector<long double> residual(b.begin(), b.end());
  std::vector<long double> size(b.begin(), b.end());
  for (std::size_t k = 0; k < entries.rows.size(); ++k) {
    const auto row = static_cast<std::size_t>(entries.rows[k]) - 1;
    const long double term = static_cast<long double>(entries.values[k]) * x[static_cast<std::size_t>(entries.cols[k]) - 1];
    residual[row] -= term;
    size[row] += std::abs(term);
  }
  long double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    largest = std::max(largest, std::abs(residual[i]) / size[i]);
  }
  return static_cast<double>(largest);
}

TEST(MumpsErrorAnalysis, IsThatOfTheSolution) {
  const auto calls = [](void* function) {
    Client<double> client(function, 0);
    Entries<double> entries = example(0);
    const std::vector<double> b = {1, 2, 3, 4};
    std::vector<double> x = b;
    client.give(4, entries.rows, entries.cols, entries.values);
    client.id.rhs = x.data();
    client.set(11, 1);
    std::string text = call_all(client, {6});
    const double error = componentwise_error(entries, b, x);
    const bool is_true = std::abs(client.id.rinfog[6] - error) <= 0.5 * error + 1e-17;
    const bool is_bound = client.id.rinfog[8] >= 0 && client.id.rinfog[8] < 1e-12;
    return text << (is_true ? " true" : fmt::format(" {} for {}", client.id.rinfog[6], error))
                << (is_bound ? " bound" : fmt::format(" {}", client.id.rinfog[8]));
  };
  EXPECT_EQ(outcome(calls), " 6:(0,0) true bound");
}

// At the second analysis the values of the first matrix are gone, and those of the second not there yet.
TEST(MumpsValuesThatComeLate, AreNotLookedForWhereTheyWere) {
  const auto calls = [](void* function) {
    Client<double> client(function, 2);
    std::string text = solved(client, 2, diagonal({1, 2}));
    constexpr std::size_t kBytes = 4096;
    void* const gone = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    client.id.a = static_cast<double*>(gone);
    client.call(99);
    Entries<double> entries = diagonal({1, 2, 4});
    std::vector<double> rhs = {1, 2, 4};
    client.give(3, entries.rows, entries.cols, entries.values);
    client.id.a = nullptr;
    client.id.rhs = rhs.data();
    text << call_all(client, {1});
    client.id.a = entries.values.data();
    return text << call_all(client, {5}) << text_of(rhs);
  };
  EXPECT_EQ(outcome(calls), " 6:(0,0) x 1 1 1:(0,0) 5:(0,0) 1 1 1");
}

TEST(MumpsLibrary, MayBeUnloadedWhileItsThreadsWait) {
  const std::string path = FROND_IN_PLACE_OF_MUMPS;
  const auto calls = [&path](void* function) {
    constexpr int kOrder = 3000;
    {
      Client<double> client(function, 2);
      Entries<double> entries = diagonal(std::vector<double>(kOrder, 4.0));
      for (const int distance : {1, 7, 40, 41}) {
        for (int i = 1 + distance; i <= kOrder; ++i) {
          entries.rows.push_back(i);
          entries.cols.push_back(i - distance);
          entries.values.push_back(-0.9);
        }
      }
      client.set(16, 2);
      solved(client, kOrder, entries);
    }
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    dlclose(library);
    dlclose(library);  // the one that loaded it
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return std::string("goes on");
  };
  EXPECT_EQ(outcome(calls), "goes on");
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
  EXPECT_EQ(outcome(calls), "same same same same ");
}

}  // namespace
}  // namespace frond::testing
