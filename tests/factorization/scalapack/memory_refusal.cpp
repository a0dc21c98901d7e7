// SPDX-License-Identifier: BSD-3-Clause
// Replaces the program's operator new.
#include "tests/factorization/scalapack/memory_refusal.hpp"

#include <cstdlib>
#include <new>

namespace frond::test {

thread_local bool refuses_memory = false;

}  // namespace frond::test

void* operator new(std::size_t size) {
  void* memory = frond::test::refuses_memory ? nullptr : std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
