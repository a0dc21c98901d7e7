// SPDX-License-Identifier: BSD-3-Clause
// Makes the course of a system in this process.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/course/system_course.hpp"
#include "solver/local/local_backend.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"

namespace frond {

/// The course of a system, factorized or not. Its report has a note if the given analysis could not be used.
template <Scalar S>
[[nodiscard]] std::unique_ptr<SystemCourse<S>> local_course(std::unique_ptr<LocalBackend<S>> backend,
                                                            bool is_analysed_again = false) {
  std::vector<std::string> notes = notes_of_values(backend->matrix().stored, backend->options());
  if (is_analysed_again) {
    notes.emplace_back(kOtherSymmetryNote);
  }
  note_missing_entries(backend->num_missing(), notes);
  return std::make_unique<SystemCourse<S>>(std::move(backend), std::move(notes));
}

}  // namespace frond
