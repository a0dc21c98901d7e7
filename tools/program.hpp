// SPDX-License-Identifier: BSD-3-Clause
// The command line as a whole.
#pragma once

namespace frond {

/// Runs the frond program. Errors become one line on standard error and an exit code, see ExitCode.
[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace frond
