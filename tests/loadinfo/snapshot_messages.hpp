// SPDX-License-Identifier: BSD-3-Clause
// Makes the messages of whole and partial snapshots. A ticket is the round of the former, and the clock of the latter.
#pragma once

#include "loadinfo/mechanisms/load_message.hpp"

namespace frond::test {

inline LoadMessage start(Count ticket) { return {.kind = LoadMessageKind::start, .ticket = ticket}; }
inline LoadMessage answer(Count ticket, const Load& load) {
  return {.kind = LoadMessageKind::answer, .ticket = ticket, .load = load};
}
inline LoadMessage reservation(const Load& load) { return {.kind = LoadMessageKind::reservation, .load = load}; }
inline LoadMessage end(Count ticket) { return {.kind = LoadMessageKind::end, .ticket = ticket}; }

}  // namespace frond::test
