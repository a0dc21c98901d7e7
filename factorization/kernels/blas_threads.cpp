// SPDX-License-Identifier: BSD-3-Clause
// Counts guards and buffers under a lock, since OpenBLAS's number of threads and its buffers belong to the whole process.
#include "factorization/kernels/blas_threads.hpp"

#include <cblas.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

#include "factorization/machine/memory_bounds.hpp"
#include "frond/error.hpp"

// Exported by OpenBLAS, though not declared in its headers: takes a buffer that is mapped and free, or else maps one.
extern "C" void* blas_memory_alloc(int procpos);
extern "C" void blas_memory_free(void* buffer);

namespace frond {
namespace {

struct BlasState {
  std::mutex mutex;
  int num_guards = 0;
  int threads_before = 1;   // set by the program
  int num_reserved = 0;     // threads of all guards
  std::set<void*> buffers;  // mapped by OpenBLAS, which keeps them
};

BlasState& blas_state() {
  static BlasState state;
  return state;
}

constexpr Count kBufferBytes =
    (Count{128} << 20) + (Count{1} << 16);  // of OpenBLAS on x86-64, and the header of the block that contains it

constexpr Count kThreadBytes = Count{136} << 20;  // a thread's stack, and the address space that malloc reserves for it

bool can_map(Count bytes) {
  void* memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  munmap(memory, static_cast<std::size_t>(bytes));
  return true;
}

// Holds buffers for a moment, since OpenBLAS maps a new one only while all others are taken.
class HeldBuffers {
 public:
  HeldBuffers() = default;
  ~HeldBuffers() {
    for (void* buffer : held_) {
      blas_memory_free(buffer);
    }
  }
  HeldBuffers(const HeldBuffers&) = delete;
  HeldBuffers& operator=(const HeldBuffers&) = delete;

  // Adds to `known` a buffer that it did not have, mapped if need be; false if OpenBLAS has no room in its tables for one more.
  bool add_another_to(std::set<void*>& known) {
    for (;;) {
      void* buffer = blas_memory_alloc(0);
      if (buffer == nullptr) {
        return false;
      }
      held_.push_back(buffer);
      if (known.insert(buffer).second) {
        return true;
      }
    }
  }

 private:
  std::vector<void*> held_;
};

// OpenBLAS's own threads take a buffer each when they start, possibly one of those that were mapped for others, and possibly late.
// It starts them when it is loaded, and again in a child process after a fork. Without a limit more buffers can be mapped.
std::size_t num_buffers_of_openblas() {
  const ProcessLimits limits = process_limits();
  if (limits.address_space == kNoBound && limits.data == kNoBound) {
    return 0;
  }
  return static_cast<std::size_t>(std::max(openblas_get_num_procs(), openblas_get_num_threads()) - 1);
}

// Returns for how many threads, at most `wanted`, there is room in addition to those of the other guards; their buffers are mapped
// on return.
int make_room(BlasState& state, int wanted, Count other_bytes) {
  HeldBuffers held;
  const std::size_t num_others = static_cast<std::size_t>(state.num_reserved) + num_buffers_of_openblas();
  int room = 0;
  while (room < wanted) {
    const std::size_t num_buffers = num_others + static_cast<std::size_t>(room) + 1;
    const Count num_missing = state.buffers.size() < num_buffers ? static_cast<Count>(num_buffers - state.buffers.size()) : 0;
    const Count threads_bytes = room == 0 ? 0 : room * kThreadBytes + other_bytes;  // one thread exists already
    const Count bytes = num_missing * kBufferBytes + threads_bytes;
    if (bytes > 0 && !can_map(bytes)) {
      break;
    }
    while (state.buffers.size() < num_buffers && held.add_another_to(state.buffers)) {
    }
    if (state.buffers.size() < num_buffers) {
      break;
    }
    ++room;
  }
  if (room == 0) {
    const Count bytes = static_cast<Count>(num_others + 1 - std::min(num_others, state.buffers.size())) * kBufferBytes;
    throw MemoryError(
        "OpenBLAS needs " + std::to_string(bytes) +
            " bytes of address space for its threads, which the system refuses: raise the limit (ulimit -v, ulimit -d)",
        bytes, 0);
  }
  return room;
}

constexpr int kOpenBlasSequential = 0;  // openblas_get_parallel(): 0 no threads, 1 pthreads, 2 OpenMP

}  // namespace

BlasThreadsGuard::BlasThreadsGuard(int wanted, Count other_bytes) {
  if (openblas_get_parallel() == kOpenBlasSequential) {
    throw UsageError(
        "the OpenBLAS that is loaded was built without threads and must not be called from several: install libopenblas0-pthread "
        "and make it the "
        "system's choice (update-alternatives --config libopenblas.so.0-x86_64-linux-gnu)");
  }
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  num_threads_ = make_room(state, wanted, other_bytes);
  state.num_reserved += num_threads_;
  if (state.num_guards++ == 0) {
    state.threads_before = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

BlasThreadsGuard::~BlasThreadsGuard() {
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  state.num_reserved -= num_threads_;
  if (--state.num_guards == 0) {
    openblas_set_num_threads(state.threads_before);
  }
}

Count unmapped_thread_bytes(int num_threads) {
  BlasState& state = blas_state();
  const std::lock_guard lock(state.mutex);
  const std::size_t num_buffers = static_cast<std::size_t>(num_threads) + num_buffers_of_openblas();
  const auto num_missing = static_cast<Count>(num_buffers - std::min(num_buffers, state.buffers.size()));
  return num_missing * kBufferBytes + (num_threads - 1) * kThreadBytes;  // one thread exists already
}

std::string blas_core_name() { return openblas_get_corename(); }

std::optional<std::string> blas_warning() {
  const char* forced = std::getenv("OPENBLAS_CORETYPE");
  if (forced == nullptr || *forced == '\0') {
    return std::nullopt;
  }
  __builtin_cpu_init();
  const bool has_avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  const std::string core = blas_core_name();
  const bool uses_avx512 = core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids";
  const bool uses_avx2 = uses_avx512 || core == "Haswell" || core == "Zen" || core == "Excavator";
  if ((has_avx512 && !uses_avx512) || (has_avx2 && !uses_avx2)) {
    return "the environment variable OPENBLAS_CORETYPE=" + std::string(forced) + " makes OpenBLAS use its " + core +
           " kernels, below what this processor can do: unset it for full speed";
  }
  return std::nullopt;
}

}  // namespace frond
