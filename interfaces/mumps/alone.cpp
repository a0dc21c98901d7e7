// SPDX-License-Identifier: BSD-3-Clause
// The libraries without MPI.
#include "interfaces/mumps/processes.hpp"

namespace frond::mumps {

Place place_of(int /*communicator*/) { return {}; }

}  // namespace frond::mumps
