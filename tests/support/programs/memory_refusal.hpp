// SPDX-License-Identifier: BSD-3-Clause
// Lets memory allocations fail on request.
#pragma once

namespace frond::test {

/// While true, operator new throws std::bad_alloc on this thread.
extern thread_local bool refuses_memory;

/// While above 0, operator new counts it down on this thread, and throws std::bad_alloc where it comes to 0.
extern thread_local int allocations_until_refusal;

}  // namespace frond::test
