// SPDX-License-Identifier: BSD-3-Clause
// Runs collective MPI operations without spinning: MPI's own waits keep a core busy that others on the machine could use.
#pragma once

#include <chrono>
#include <thread>

#include "loadinfo/messages/mpi/mpi_call.hpp"
#include "loadinfo/messages/ranks/mpi_gate.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {

/// Starts a non-blocking operation with start(request), then sleeps and polls until it is finished. `status` receives its final
/// status.
template <class Start>
void run_request(MpiGate& gate, Start start, MPI_Status* status = MPI_STATUS_IGNORE) {
  MPI_Request request = MPI_REQUEST_NULL;
  {
    const auto inside = gate.enter();
    start(&request);
  }
  const auto is_finished = [&] {
    const auto inside = gate.enter();
    int flag = 0;
    check_mpi(MPI_Test(&request, &flag, status), "MPI_Test");
    return flag != 0;
  };
  WakePeriod period(std::chrono::microseconds(10), std::chrono::milliseconds(5));
  while (!is_finished()) {
    std::this_thread::sleep_for(period.after(false));
  }
}

}  // namespace frond
