// SPDX-License-Identifier: BSD-3-Clause
// Options for dealing out the systems of a batch, in real runs and in simulations.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace frond {

struct DealingArguments {
  std::string chunks = "ss";
  std::string reissue = "on";
};

void add_chunks_option(CLI::App& command, DealingArguments& arguments);
void add_reissue_option(CLI::App& command, const std::string& group, DealingArguments& arguments);

}  // namespace frond
