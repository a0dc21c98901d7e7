// SPDX-License-Identifier: BSD-3-Clause
// Maps exceptions to exit codes and messages.
#pragma once

#include <exception>
#include <string>

#include "tools/program/process/exit_code.hpp"

namespace frond {

struct ToldFailure {
  ExitCode code = ExitCode::internal_error;
  std::string text;
};

[[nodiscard]] ToldFailure failure_of(const std::exception_ptr& exception);

}  // namespace frond
