// SPDX-License-Identifier: BSD-3-Clause
// Which options of `frond solve` exclude each other.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

class NamedArguments;

/// Throws CLI::ExcludesError if one option that the command line gives takes from the run what another one needs. `named` are the
/// options of the table that it gives.
void check_exclusions(const CLI::App& command, const NamedArguments& named);

}  // namespace frond
