// SPDX-License-Identifier: BSD-3-Clause
// Defines TYPED_TEST and TYPED_TEST_SUITE anew: what GoogleTest generates to register each test for each type is a third of the
// code of such tests, and takes the compiler as long.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace frond::test {

/// Registers a test for one type, by the name that GoogleTest would give it.
inline bool register_typed_test(const std::string& suite, int position, const char* test, const std::string& type, const char* file,
                                int line, ::testing::Test* (*make)()) {
  const std::string of_type = suite + "/" + std::to_string(position);
  return ::testing::RegisterTest(of_type.c_str(), test, type.c_str(), nullptr, file, line, make) != nullptr;
}

template <template <class> class TestOf, class... Types>
bool register_typed_tests(::testing::Types<Types...> /*types*/, const char* suite, const char* test, const char* file, int line) {
  static_assert((... && (&TestOf<Types>::SetUpTestSuite == &::testing::Test::SetUpTestSuite)), "a suite is not set up here");
  int position = 0;
  return (register_typed_test(suite, position++, test, ::testing::internal::GetTypeName<Types>(), file, line,
                              []() -> ::testing::Test* { return new TestOf<Types>; }) &&
          ...);
}

}  // namespace frond::test

#undef TYPED_TEST_SUITE
#define TYPED_TEST_SUITE(Suite, ...) using Suite##_Types = __VA_ARGS__

#undef TYPED_TEST
#define TYPED_TEST(Suite, Name)                                                                                       \
  template <class GivenType>                                                                                          \
  class Suite##_##Name##_Test : public Suite<GivenType> {                                                             \
    using TestFixture = Suite<GivenType>;                                                                             \
    using TypeParam = GivenType;                                                                                      \
    void TestBody() override;                                                                                         \
  };                                                                                                                  \
  [[maybe_unused]] const bool k##Suite##_##Name##_IsRegistered =                                                      \
      ::frond::test::register_typed_tests<Suite##_##Name##_Test>(Suite##_Types(), #Suite, #Name, __FILE__, __LINE__); \
  template <class GivenType>                                                                                          \
  void Suite##_##Name##_Test<GivenType>::TestBody()
