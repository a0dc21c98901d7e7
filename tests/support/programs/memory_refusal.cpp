// SPDX-License-Identifier: BSD-3-Clause
// Replaces the program's operator new.
#include "tests/support/programs/memory_refusal.hpp"

#include <cstdlib>
#include <new>

namespace frond::test {

thread_local bool refuses_memory = false;
thread_local int allocations_until_refusal = 0;

}  // namespace frond::test

namespace {

bool is_refused() {
  using frond::test::allocations_until_refusal;
  return frond::test::refuses_memory || (allocations_until_refusal > 0 && --allocations_until_refusal == 0);
}

}  // namespace

void* operator new(std::size_t size) {
  void* memory = is_refused() ? nullptr : std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
