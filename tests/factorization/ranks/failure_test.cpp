// SPDX-License-Identifier: BSD-3-Clause
// Tests that exceptions sent as values keep their type, numbers and text.
#include "factorization/ranks/failure.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "factorization/kernels/cholesky.hpp"
#include "frond/error.hpp"
#include "tests/support/errors.hpp"

namespace frond::test {
namespace {

template <class Exception>
Failure failure_of(const Exception& exception) {
  return make_failure(6, std::make_exception_ptr(exception));
}

// Returns what the failure of an exception is thrown as.
template <class Exception>
Exception thrown_again(const Exception& exception) {
  return testing::error_of<Exception>([&] { throw_failure(failure_of(exception)); });
}

TEST(Failure, OfMemoryNamesRankAndBytes) {
  const auto error = thrown_again(MemoryError("too little", 123, 45));
  EXPECT_STREQ(error.what(), "rank 6: too little");
  EXPECT_EQ(error.needed_bytes(), 123);
  EXPECT_EQ(error.limit_bytes(), 45);
  EXPECT_THROW(throw_failure(failure_of(std::bad_alloc())), MemoryError);
}

TEST(Failure, OfABudgetKeepsItsFigures) {
  const BudgetError::Figures figures{1e5, 3e6, 2e6, 12, 34, 56};
  const auto error = thrown_again(BudgetError("too dear", figures));
  EXPECT_STREQ(error.what(), "rank 6: too dear");
  EXPECT_EQ(error.figures(), figures);
}

TEST(Failure, OfCholeskyNamesTheVariable) { EXPECT_EQ(thrown_again(NotPositiveDefinite{17}).variable, 17); }

TEST(Failure, OfTheCallerIsAUsageError) {
  const Failure failure = failure_of(UsageError("planted"));
  EXPECT_EQ(failure.kind, Failure::Kind::usage);
  EXPECT_THROW(throw_failure(failure), UsageError);
}

TEST(Failure, OfAFileSaysWhatOneProcessWouldSay) {
  for (const Count line : {0, 7}) {
    const InputError thrown("A.mtx", line, "planted");
    const auto error = thrown_again(thrown);
    EXPECT_EQ(error.file(), "A.mtx");
    EXPECT_EQ(error.line(), line);
    EXPECT_STREQ(error.what(), thrown.what());
  }
  EXPECT_STREQ(thrown_again(OutputError("x.mtx: no space left")).what(), "x.mtx: no space left");
}

TEST(Failure, OfAnythingElseIsInternal) {
  EXPECT_THROW(throw_failure(failure_of(std::runtime_error("odd"))), InternalError);
  EXPECT_EQ(failure_of(std::runtime_error("odd")).text, "odd");
}

TEST(Failure, TravelsInAMessage) {
  for (const Failure& failure :
       {failure_of(MemoryError("too little", 123, 45)), failure_of(BudgetError("too dear", {1e5, 3e6, 2e6, 12, 34, 56})),
        failure_of(NotPositiveDefinite{17}), failure_of(InputError("A.mtx", 3, "odd")), failure_of(std::runtime_error(""))}) {
    const std::vector<std::byte> bytes = encoded(failure);
    ByteReader reader(bytes);
    EXPECT_EQ(decoded<Failure>(reader), failure);
    ByteReader cut{std::span(bytes).first(3)};
    EXPECT_THROW(static_cast<void>(decoded<Failure>(cut)), InternalError);
  }
}

}  // namespace
}  // namespace frond::test
