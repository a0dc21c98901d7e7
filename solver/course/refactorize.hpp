// SPDX-License-Identifier: BSD-3-Clause
// Factorizes other values of a pattern whose factors exist.
#pragma once

#include <memory>
#include <span>

#include "solver/course/system_course.hpp"

namespace frond {

/// See Factorization::refactorize(). Another course replaces this one; if it throws after the values have been accepted, this one
/// stays, released.
template <Scalar S>
void refactorize(std::unique_ptr<SystemCourse<S>>& course, std::span<const S> values);

}  // namespace frond
