// SPDX-License-Identifier: BSD-3-Clause
// Takes chunks from a counter that all workers share.
#include "factorization/scheduling/run_in_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>

namespace frond {
namespace {

// Several per worker, since workers are not equally fast.
constexpr Index kChunksPerWorker = 2;

class ChunkLoop {
 public:
  ChunkLoop(Index size, Index num_chunks, const ChunkBody& body)
      : size_(size), width_((size + num_chunks - 1) / num_chunks), num_chunks_((size + width_ - 1) / width_), body_(body) {}

  // Takes chunks until there are none. The body is gone when the caller has returned; by then no chunk is left.
  void work() {
    for (Index chunk = next_.fetch_add(1); chunk < num_chunks_; chunk = next_.fetch_add(1)) {
      run(chunk);
      if (num_done_.fetch_add(1) + 1 == num_chunks_) {
        num_done_.notify_all();
      }
    }
  }

  void wait() {
    for (Index done = num_done_.load(); done < num_chunks_; done = num_done_.load()) {
      num_done_.wait(done);
    }
    if (exception_) {
      std::rethrow_exception(exception_);
    }
  }

 private:
  void run(Index chunk) {
    try {
      body_(chunk * width_, std::min(size_, (chunk + 1) * width_));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!exception_) {
        exception_ = std::current_exception();
      }
    }
  }

  Index size_;
  Index width_;
  Index num_chunks_;
  const ChunkBody& body_;
  std::atomic<Index> next_{0};
  std::atomic<Index> num_done_{0};
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace

void run_in_chunks(TaskPool& pool, Index priority, Index size, const ChunkBody& body) {
  const Index num_chunks = std::min(kChunksPerWorker * static_cast<Index>(pool.num_workers()), size / kLeastChunk);
  if (pool.num_workers() == 1 || num_chunks < 2) {
    body(0, size);
    return;
  }
  const auto loop = std::make_shared<ChunkLoop>(size, num_chunks, body);
  try {
    for (int helper = 1; helper < std::min<int>(pool.num_workers(), num_chunks); ++helper) {
      pool.submit(priority, [loop] { loop->work(); });
    }
  } catch (const std::bad_alloc&) {  // helpers that were asked must not find the body gone: fewer of them suffice
  }
  loop->work();
  loop->wait();
}

}  // namespace frond
