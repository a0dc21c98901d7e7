// SPDX-License-Identifier: BSD-3-Clause
// Catches the error that a call ends with, for tests that look at more than its type.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace frond::testing {

/// Returns the error of this type that call() throws; the test fails and ends if there is none.
template <class E, class Call>
[[nodiscard]] E error_of(const Call& call) {
  try {
    call();
  } catch (const E& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  throw std::logic_error("a call that must fail returned");
}

/// Expects call() to throw an error of this type whose text contains `part`.
template <class E, class Call>
void expect_error(const std::string& part, const Call& call) {
  const E error = error_of<E>(call);
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

/// Returns the text of the error of this type that call() throws; empty if there is none.
template <class E, class Call>
[[nodiscard]] std::string complaint_of(const Call& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace frond::testing
