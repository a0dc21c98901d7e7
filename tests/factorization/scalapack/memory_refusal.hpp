// SPDX-License-Identifier: BSD-3-Clause
// Lets memory allocations fail on request.
#pragma once

namespace frond::test {

/// While true, operator new throws std::bad_alloc on this thread.
extern thread_local bool refuses_memory;

}  // namespace frond::test
