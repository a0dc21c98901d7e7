// SPDX-License-Identifier: BSD-3-Clause
// Makes up a machine whose rates are easy to calculate with.
#pragma once

#include "tools/program/calibration/machine_profile.hpp"

namespace frond::testing {

inline MachineProfile small_machine() {
  MachineProfile machine;
  machine.processor = "abacus";
  machine.date = "2026-01-31";
  machine.fresh_bytes_per_second = 4e9;
  machine.copied_bytes_per_second = 8e9;
  machine.wake_seconds = 5e-5;
  machine.seconds_per_message = 2e-6;
  std::map<Method, CoreProfile>& core = machine.cores["double"];
  const RateTable assembly({{16, 2e8}, {64, 4e8}});
  const PartRates parts{RateTable({{16, 2e8}, {64, 8e8}}), RateTable({{16, 3e8}})};
  core.emplace(Method::cholesky,
               CoreProfile{{RateTable({{8, 1e8}, {32, 4e8}}), RateTable({{8, 1e8}, {32, 1e8}})}, parts, assembly, 3e-6, 1e7});
  core.emplace(Method::ldlt,
               CoreProfile{{RateTable({{8, 1e8}, {32, 2e8}, {64, 3e8}}), RateTable({{8, 1e8}})}, parts, assembly, 4e-6, 1e7});
  core.emplace(Method::lu, CoreProfile{{RateTable({{10, 5e8}}), RateTable({{10, 4e8}})}, parts, assembly, 5e-6, 1e7});
  return machine;
}

}  // namespace frond::testing
