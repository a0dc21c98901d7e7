// SPDX-License-Identifier: BSD-3-Clause
// Factorizing in this process.
#pragma once

#include <memory>

#include "solver/course/place.hpp"

namespace frond {

template <Scalar S>
class LocalBackend;

class CheckpointDirectory;

/// Factorizations go on from a checkpoint that was opened, if it is not null.
[[nodiscard]] std::shared_ptr<const Place> local_place(std::shared_ptr<CheckpointDirectory> checkpoint = {});

/// The course of a system that is factorized already, or not yet. Its report has a note if the analysis that was given did not
/// serve.
template <Scalar S>
[[nodiscard]] std::unique_ptr<SystemCourse<S>> local_course(std::unique_ptr<LocalBackend<S>> backend,
                                                            bool is_analysed_again = false);

}  // namespace frond
