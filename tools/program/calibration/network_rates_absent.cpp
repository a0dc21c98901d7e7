// SPDX-License-Identifier: BSD-3-Clause
// Replaces network_rates.cpp if Frond is built without MPI.
#include "frond/error.hpp"
#include "tools/program/calibration/network_rates.hpp"

namespace frond {

std::optional<NetworkRates> measure_network(const Launch& /*launch*/, const CalibrationEffort& /*effort*/, Farewell& /*farewell*/) {
  throw UsageError(
      "mpiexec has started this process, but Frond was built without MPI: call frond calibrate by itself, or build it with "
      "-DFROND_MPI=ON");
}

}  // namespace frond
