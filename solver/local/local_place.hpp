// SPDX-License-Identifier: BSD-3-Clause
// Factorizes in this process.
#pragma once

#include <memory>

#include "solver/course/place.hpp"

namespace frond {

template <Scalar S>
class LocalBackend;

class CheckpointDirectory;

/// If `checkpoint` is not null, factorizations continue from this opened checkpoint.
[[nodiscard]] std::shared_ptr<const Place> local_place(std::shared_ptr<CheckpointDirectory> checkpoint = {});

/// The course of a system, factorized or not. Its report has a note if the given analysis could not be used.
template <Scalar S>
[[nodiscard]] std::unique_ptr<SystemCourse<S>> local_course(std::unique_ptr<LocalBackend<S>> backend,
                                                            bool is_analysed_again = false);

}  // namespace frond
