// SPDX-License-Identifier: BSD-3-Clause
// Tests what is kept free, and how the rest is divided.
#include "factorization/memory/memory_limit.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "factorization/factorize.hpp"

namespace frond::test {
namespace {

constexpr Count kGiB = Count{1} << 30;

MemoryBound bound(Count bytes, const std::string& source, MemoryKind kind = MemoryKind::resident) {
  return {bytes, "the keeper of " + source, "its file", source, kind};
}

std::vector<Count> shares(const std::vector<MemoryClaim>& claims) {
  std::vector<Count> bytes;
  for (std::size_t mine = 0; mine < claims.size(); ++mine) {
    bytes.push_back(share_memory(claims, mine).bytes);
  }
  return bytes;
}

TEST(MemoryLimit, IsTheLeastBoundAndNamesIt) {
  const std::vector<MemoryClaim> claims = {{0, 0, 0, {bound(64 * kGiB, "a"), bound(32 * kGiB, "b"), bound(40 * kGiB, "c")}}};
  const MemoryLimit limit = share_memory(claims, 0);
  EXPECT_EQ(limit.bytes, 31 * kGiB - (Count{128} << 20));  // a 32nd and 128 MiB are kept free
  EXPECT_EQ(limit.reason, "the keeper of b (its file, 1152 MiB kept free)");
  EXPECT_EQ(limit.whose(), limit.reason + " leaves only");
}

TEST(MemoryLimit, KeepsFreeWhatIsTakenBesideTheFactorization) {
  const Count only = share_memory(std::vector<MemoryClaim>{{0, 0, 0, {bound(32 * kGiB, "a")}}}, 0).bytes;
  const MemoryClaim resident{0, kGiB, 3 * kGiB, {bound(32 * kGiB, "a")}};
  EXPECT_EQ(share_memory(std::span(&resident, 1), 0).bytes, only - kGiB);
  const MemoryClaim mapped{0, kGiB, 3 * kGiB, {bound(32 * kGiB, "a", MemoryKind::mapped)}};
  EXPECT_EQ(share_memory(std::span(&mapped, 1), 0).bytes, only - 3 * kGiB + 3 * kGiB / 32);
}

TEST(MemoryLimit, LeavesHalfOfALittle) {
  for (const Count bytes : {Count{0}, Count{1}, Count{1000}, Count{100} << 20}) {
    const MemoryClaim claim{0, kGiB, kGiB, {bound(bytes, "a")}};
    EXPECT_EQ(share_memory(std::span(&claim, 1), 0).bytes, std::max<Count>(1, (bytes + 1) / 2)) << "0 would be no limit at all";
  }
}

TEST(MemoryLimit, LeavesHalfOfWhatIsNotMappedForCertain) {
  const MemoryClaim claim{0, 0, kGiB, {bound(kGiB + 1000, "a", MemoryKind::mapped)}};
  EXPECT_EQ(share_memory(std::span(&claim, 1), 0).bytes, 500);
  const MemoryClaim too_much{0, 0, kGiB, {bound(kGiB / 2, "a", MemoryKind::mapped)}};
  EXPECT_EQ(share_memory(std::span(&too_much, 1), 0).bytes, 1);
}

TEST(MemoryLimit, IsThereWithoutAnyBound) {
  const MemoryClaim claim;
  EXPECT_GT(share_memory(std::span(&claim, 1), 0).bytes, Count{1} << 60);
}

TEST(MemoryLimit, IsSharedByWhatIsPredicted) {
  const std::vector<MemoryClaim> claims = {{3 * kGiB, 0, 0, {bound(32 * kGiB, "a")}}, {kGiB, 0, 0, {bound(32 * kGiB, "a")}}};
  const Count free = 31 * kGiB - (Count{128} << 20) - 2 * kLeastShareBytes;
  EXPECT_EQ(shares(claims), (std::vector{kLeastShareBytes + free / 4 * 3, kLeastShareBytes + free / 4}));
  EXPECT_EQ(share_memory(claims, 1).reason, "this process's share of the keeper of a (its file, 1152 MiB kept free)");
}

TEST(MemoryLimit, LeavesProcessesThatNeedNothingTheirLeastShare) {
  const std::vector<MemoryClaim> claims = {{kGiB, 0, 0, {bound(32 * kGiB, "a")}}, {0, 0, 0, {bound(32 * kGiB, "a")}}};
  EXPECT_EQ(shares(claims)[1], kLeastShareBytes);
  const std::vector<MemoryClaim> nothing = {{0, 0, 0, {bound(32 * kGiB, "a")}}, {0, 0, 0, {bound(32 * kGiB, "a")}}};
  EXPECT_EQ(shares(nothing)[0], shares(nothing)[1]);
  EXPECT_GT(shares(nothing)[0], 15 * kGiB);
  const std::vector<MemoryClaim> little = {{kGiB, 0, 0, {bound(2000, "a")}}, {0, 0, 0, {bound(2000, "a")}}};
  EXPECT_EQ(shares(little), (std::vector<Count>{500, 500}));
}

TEST(MemoryLimit, OfAllThatShareIsNeverMoreThanThereIs) {
  std::vector<MemoryClaim> claims;
  for (Count rank = 0; rank < 37; ++rank) {
    claims.push_back({rank * rank * 1234567, Count{32} << 20, 0, {bound(64 * kGiB, "a")}});
  }
  const std::vector<Count> bytes = shares(claims);
  const Count sum = std::accumulate(bytes.begin(), bytes.end(), Count{0});
  EXPECT_LE(sum, 64 * kGiB - kGiB * 2 - (Count{128} << 20) - 37 * (Count{32} << 20));
  EXPECT_GE(sum, 60 * kGiB);
}

TEST(MemoryLimit, TakesTheFirstOnesWordForWhatIsShared) {
  const std::vector<MemoryClaim> claims = {{1, 0, 0, {bound(32 * kGiB, "a")}}, {1, 0, 0, {bound(20 * kGiB, "a")}}};
  EXPECT_EQ(shares(claims)[0], shares(claims)[1]);
  EXPECT_GT(shares(claims)[1], 15 * kGiB);
}

TEST(MemoryLimit, IsSharedOnlyByThoseWhoTakeFromTheSame) {
  const std::vector<MemoryClaim> claims = {{kGiB, 0, 0, {bound(64 * kGiB, "machine"), bound(16 * kGiB, "group")}},
                                           {kGiB, 0, 0, {bound(64 * kGiB, "machine"), bound(90 * kGiB, "")}},
                                           {kGiB, 0, 0, {bound(64 * kGiB, "other"), bound(90 * kGiB, "")}}};
  EXPECT_EQ(share_memory(claims, 0).reason.find("the keeper of group"), 0U) << "nobody else takes from it";
  EXPECT_EQ(share_memory(claims, 1).reason.find("this process's share of the keeper of machine"), 0U);
  EXPECT_EQ(share_memory(claims, 2).reason.find("the keeper of other"), 0U);
  EXPECT_GT(shares(claims)[2], shares(claims)[1] * 19 / 10);
}

TEST(MemoryLimit, OfThisProcessCanBeFound) {
  const MemoryLimit limit = find_memory_limit(2);
  EXPECT_GT(limit.bytes, 0);
  EXPECT_LT(limit.bytes, Count{1} << 60);
  EXPECT_NE(limit.reason.find("kept free"), std::string::npos) << limit.reason;
}

TEST(MemoryLimit, IsTheUsersIfThereIsOne) {
  FactorizationOptions options{.memory_limit = 1000};
  EXPECT_EQ(memory_limit(options, 1).bytes, 1000);
  EXPECT_EQ(memory_limit(options, 1).whose(), "the limit is");
  options.memory_limit_reason = "the machine";
  EXPECT_EQ(memory_limit(options, 1).whose(), "the machine leaves only");
  options.memory_limit = 0;
  EXPECT_EQ(memory_limit(options, 1).reason.find("the machine leaves"), std::string::npos);
  EXPECT_GT(memory_limit(options, 1).bytes, 1000);
}

}  // namespace
}  // namespace frond::test
