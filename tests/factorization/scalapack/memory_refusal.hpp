// SPDX-License-Identifier: BSD-3-Clause
// Lack of memory at will.
#pragma once

namespace frond::test {

/// While true, operator new throws std::bad_alloc on this thread.
extern thread_local bool refuses_memory;

}  // namespace frond::test
