// SPDX-License-Identifier: BSD-3-Clause
// Watches the other processes of an MPI program.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "frond/error.hpp"
#include "frond/types.hpp"
#include "loadinfo/messages/rank_watch.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// A RankWatch with a channel of its own. Making and destroying one is collective; it must be destroyed before MPI ends. For
/// programs whose launcher keeps the other processes alive when one dies; under MPICH these get a SIGUSR1 then, which they must
/// survive.
///
/// A process must send its signs of life even during a long MPI call, so MPI_THREAD_MULTIPLE is needed.
class MpiRankWatch {
 public:
  /// Throws UsageError below MPI_THREAD_MULTIPLE.
  MpiRankWatch(const Communicator& ranks, double limit_seconds, std::function<void(Rank)> rank_lost)
      : channel_(for_threads(ranks).make_channel(kBufferBytesPerRank * ranks.num_ranks())),
        watch_(std::make_unique<RankWatch>(*channel_, limit_seconds, [this, told = std::move(rank_lost)](Rank rank) {
          has_lost_ = true;
          told(rank);
        })) {}
  /// After a loss the channel is not freed: signs of life from processes that have not noticed may still arrive, and MPI would
  /// deliver them to the next communicator with the same number.
  ~MpiRankWatch() {
    watch_.reset();
    if (has_lost_) {
      static_cast<void>(channel_.release());
    }
  }
  MpiRankWatch(const MpiRankWatch&) = delete;
  MpiRankWatch& operator=(const MpiRankWatch&) = delete;

 private:
  static constexpr Count kBufferBytesPerRank = 4096;  // dozens of signs of life

  static const Communicator& for_threads(const Communicator& ranks) {
    if (ranks.gate().level() != MpiThreadLevel::multiple) {
      throw UsageError("watching other processes takes a thread that calls MPI at any time: start MPI with MPI_THREAD_MULTIPLE");
    }
    return ranks;
  }

  std::unique_ptr<Channel> channel_;
  std::atomic<bool> has_lost_{false};
  std::unique_ptr<RankWatch> watch_;
};

}  // namespace frond
