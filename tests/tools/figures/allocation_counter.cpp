// SPDX-License-Identifier: BSD-3-Clause
// Counts the memory that frond allocates while it factorizes, by replacing the allocation functions (LD_PRELOAD). Counting begins
// when frond resets the system's peak through /proc/self/clear_refs. From then on, whenever frond reads /proc/self/status, the
// counts since the beginning are written to the file $ALLOCATION_COUNTS:
//
//   MAPPED_PEAK MAPPED HEAP_PEAK
//
// Counts the touched pages of the program's own anonymous mappings, since untouched pages take no memory; they are counted before
// any mapping is released, so that no peak is missed. Also counts the usable bytes of every heap block.
#include <dlfcn.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <string_view>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of glibc
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* piece, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* piece);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

using Bytes = std::int64_t;

struct Mapping {
  char* begin = nullptr;
  char* end = nullptr;  // equal to begin: unused
};

std::atomic<Bytes> heap_now{0};
std::atomic<Bytes> heap_highest{0};

std::mutex mutex;  // guards everything below
std::array<Mapping, 4096> mappings;
bool has_begun = false;
Bytes heap_before = 0;
Bytes mapped_before = 0;
Bytes mapped_highest = 0;

std::ptrdiff_t page_bytes() { return sysconf(_SC_PAGESIZE); }

void raise_to(std::atomic<Bytes>& peak, Bytes now) {
  Bytes before = peak.load(std::memory_order_relaxed);
  while (now > before && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}

void* counted(void* piece) {
  if (piece != nullptr) {
    const auto size = static_cast<Bytes>(malloc_usable_size(piece));
    raise_to(heap_highest, heap_now.fetch_add(size, std::memory_order_relaxed) + size);
  }
  return piece;
}

void uncount(void* piece) {
  if (piece != nullptr) {
    heap_now.fetch_sub(static_cast<Bytes>(malloc_usable_size(piece)), std::memory_order_relaxed);
  }
}

Bytes touched_bytes(const Mapping& mapping) {
  std::array<unsigned char, 1 << 14> is_present{};
  constexpr std::ptrdiff_t kMostPages = is_present.size();
  Bytes touched = 0;
  const std::ptrdiff_t num_pages = (mapping.end - mapping.begin) / page_bytes();
  for (std::ptrdiff_t first = 0; first < num_pages; first += kMostPages) {
    const std::ptrdiff_t count = std::min(num_pages - first, kMostPages);
    if (mincore(mapping.begin + first * page_bytes(), static_cast<std::size_t>(count * page_bytes()), is_present.data()) == 0) {
      touched += page_bytes() * std::count_if(is_present.begin(), is_present.begin() + count,
                                              [](unsigned char flags) { return (flags & 1) != 0; });
    }
  }
  return touched;
}

/// Counts the touched pages of all mappings and updates the peak. The mutex must be held, as for all functions below.
Bytes count_mapped() {
  const Bytes now = std::accumulate(mappings.begin(), mappings.end(), Bytes{0},
                                    [](Bytes sum, const Mapping& mapping) { return sum + touched_bytes(mapping); });
  mapped_highest = std::max(mapped_highest, now);
  return now;
}

void add(Mapping added) {
  const auto free = std::find_if(mappings.begin(), mappings.end(), [](const Mapping& one) { return one.begin == one.end; });
  if (free == mappings.end()) {
    std::abort();
  }
  *free = added;
}

void remove(Mapping removed) {
  for (Mapping& one : mappings) {
    const Mapping before = one;
    if (before.begin < removed.end && removed.begin < before.end) {
      one.end = std::max(before.begin, removed.begin);
      if (removed.end < before.end) {
        add({removed.end, before.end});
      }
    }
  }
}

Mapping pages_of(void* memory, std::size_t length) {
  auto* const begin = static_cast<char*>(memory);
  const std::ptrdiff_t num_pages = (static_cast<std::ptrdiff_t>(length) + page_bytes() - 1) / page_bytes();
  return {begin, begin + num_pages * page_bytes()};
}

/// True if the code belongs to the program: buffers of libraries do not count.
bool is_of_program(const void* code) {
  static const void* const kProgram = [] {
    Dl_info entry{};
    dladdr(reinterpret_cast<void*>(getauxval(AT_ENTRY)), &entry);  // NOLINT(performance-no-int-to-ptr): so the system gives it
    return entry.dli_fbase;
  }();
  Dl_info info{};
  return dladdr(code, &info) != 0 && info.dli_fbase == kProgram;
}

void begin() {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // touching one byte of a huge page would count all of it
  const std::lock_guard lock(mutex);
  mapped_before = mapped_highest = count_mapped();
  heap_before = heap_now;
  heap_highest = heap_before;
  has_begun = true;
}

using Open = std::FILE*(const char* path, const char* mode);

Open* open_of_system() {
  static auto* const kNext = reinterpret_cast<Open*>(dlsym(RTLD_NEXT, "fopen64"));
  return kNext;
}

void write_counts() {
  const std::lock_guard lock(mutex);
  const char* path = std::getenv("ALLOCATION_COUNTS");
  if (!has_begun || path == nullptr) {
    return;
  }
  const Bytes heap_peak = heap_highest - heap_before;
  const Bytes mapped = count_mapped() - mapped_before;
  std::FILE* file = open_of_system()(path, "w");
  std::fprintf(file, "%" PRId64 " %" PRId64 " %" PRId64 "\n", mapped_highest - mapped_before, mapped, heap_peak);
  std::fclose(file);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }

void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }

void* realloc(void* piece, std::size_t size) {
  const std::size_t before = malloc_usable_size(piece);
  void* grown = __libc_realloc(piece, size);
  if (grown != nullptr || size == 0) {
    heap_now.fetch_sub(static_cast<Bytes>(before), std::memory_order_relaxed);
  }
  return counted(grown);
}

void* memalign(std::size_t alignment, std::size_t size) { return counted(__libc_memalign(alignment, size)); }

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** piece, std::size_t alignment, std::size_t size) {
  *piece = memalign(alignment, size);
  return *piece == nullptr ? ENOMEM : 0;
}

void free(void* piece) {
  uncount(piece);
  __libc_free(piece);
}

void* mmap(void* where, std::size_t length, int protection, int flags, int file, off_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): what the system answers
  auto* const memory = reinterpret_cast<void*>(syscall(SYS_mmap, where, length, protection, flags, file, offset));
  if (memory != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 && is_of_program(__builtin_return_address(0))) {
    const std::lock_guard lock(mutex);
    add(pages_of(memory, length));
  }
  return memory;
}

int munmap(void* memory, std::size_t length) {
  const std::lock_guard lock(mutex);
  count_mapped();
  remove(pages_of(memory, length));
  return static_cast<int>(syscall(SYS_munmap, memory, length));
}

int madvise(void* memory, std::size_t length, int advice) {
  const std::lock_guard lock(mutex);
  count_mapped();
  return static_cast<int>(syscall(SYS_madvise, memory, length, advice));
}

std::FILE* fopen64(const char* path, const char* mode) {
  std::FILE* file = open_of_system()(path, mode);
  if (path == std::string_view("/proc/self/clear_refs")) {
    begin();
  } else if (path == std::string_view("/proc/self/status")) {
    write_counts();
  }
  return file;
}

}  // extern "C"
