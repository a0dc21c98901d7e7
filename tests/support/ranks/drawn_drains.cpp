// SPDX-License-Identifier: BSD-3-Clause
// Draws which ranks leave, and when.
#include "tests/support/ranks/drawn_drains.hpp"

#include <algorithm>

namespace frond::test {

void DrawnDrains::draw(std::mt19937& random, Rank num_ranks, Count num_messages, const std::string& folder, VirtualRun& run) {
  const auto below = [&random](std::size_t end) { return random() % end; };
  for (std::size_t left = 1 + below(3); left > 0; --left) {
    VirtualDrain drain;
    drain.leaving = {static_cast<Rank>(below(static_cast<std::size_t>(num_ranks)))};
    if (const auto other = static_cast<Rank>(below(static_cast<std::size_t>(num_ranks)));
        below(4) == 0 && other > drain.leaving[0]) {
      drain.leaving.push_back(other);
    }
    drain.folder = below(3) == 0 ? folder : "";
    drain.after_messages = static_cast<Count>(below(static_cast<std::size_t>(num_messages + 1)));
    run.drains.push_back(drain);
  }
  std::sort(run.drains.begin(), run.drains.end(),
            [](const VirtualDrain& a, const VirtualDrain& b) { return a.after_messages < b.after_messages; });
  if (below(2) == 0) {
    run.drains.resize(1);
    run.drains[0].after_messages = 0;
    phase_ = kPhases[below(kPhases.size() - 1)];
    times_left_ = 1 + below(std::size_t{1} << below(6));
    run.drains[0].is_due = [this] { return times_left_ == 0; };
  }
}

void DrawnDrains::before(Phase phase) {
  if (phase_ == phase && times_left_ > 0) {
    --times_left_;
  }
}

}  // namespace frond::test
