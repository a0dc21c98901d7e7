// SPDX-License-Identifier: BSD-3-Clause
// Implements an actor that writes, and ranks that wait for it.
#include "tools/simulation/simulated_log.hpp"

#include <algorithm>
#include <utility>

#include "analysis/tree/front_cost.hpp"
#include "factorization/recovery/census.hpp"

namespace frond {

namespace sg = simgrid::s4u;

SimulatedCensus::SimulatedCensus(const AssemblyTree& tree) : tree_(tree), stored_(static_cast<std::size_t>(tree.num_nodes())) {}

void SimulatedCensus::expect_slaves(NodeId node, Rank num_slaves) { stored_[node].num_slaves = num_slaves; }

void SimulatedCensus::add(const LogKey& piece) {
  Stored& stored = stored_[piece.node];
  switch (piece.kind) {
    case StoredKind::factor:
      stored.has_master = true;
      break;
    case StoredKind::factor_rows:
      ++stored.num_factor_rows;
      break;
    case StoredKind::block:
      stored.has_block = true;
      break;
    case StoredKind::block_rows:
      ++stored.num_block_rows;
      break;
  }
}

std::vector<char> SimulatedCensus::resumable() const {
  std::vector<char> has_factor(stored_.size());
  std::vector<char> has_block(stored_.size());
  std::transform(stored_.begin(), stored_.end(), has_factor.begin(),
                 [](const Stored& stored) { return stored.has_master && stored.num_factor_rows == stored.num_slaves ? 1 : 0; });
  std::transform(stored_.begin(), stored_.end(), has_block.begin(), [](const Stored& stored) {
    return stored.num_slaves > 0 ? stored.num_block_rows == stored.num_slaves : stored.has_block;
  });
  return resumable_fronts(tree_, has_factor, has_block);
}

void SimulatedCensus::begin_from(const std::vector<char>& found) {
  for (std::size_t node = 0; node < stored_.size(); ++node) {
    stored_[node] = found[node] != 0 ? stored_[node] : Stored();
  }
}

double SimulatedCensus::resumable_flops(Method method) const {
  const std::vector<char> resumable = this->resumable();
  double flops = 0;
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (resumable[node] != 0) {
      flops += front_cost(tree_, node, method).flops;
    }
  }
  return flops;
}

SimulatedLog::SimulatedLog(sg::Disk* disk, sg::Host* host, SimulatedCensus& census)
    : disk_(disk), census_(census), pushed_(sg::Semaphore::create(0)), ended_(sg::Semaphore::create(0)) {
  sg::Actor::create("log", host, [this] { run(); })->daemonize();
}

void SimulatedLog::push(const Piece& piece) {
  queue_.push(piece);
  pushed_->release();
}

// Waits until the writer has finished a piece, or the time is over.
void SimulatedLog::wait_for_end(std::optional<double> most_seconds) {
  does_rank_wait_ = true;
  if (most_seconds) {
    static_cast<void>(ended_->acquire_timeout(*most_seconds));
  } else {
    ended_->acquire();
  }
  does_rank_wait_ = false;
}

void SimulatedLog::take_factor(NodeId node, PartRole role, Count num_bytes, Rank num_slaves) {
  if (role == PartRole::master) {
    census_.expect_slaves(node, num_slaves);
  }
  push({{role == PartRole::slave ? StoredKind::factor_rows : StoredKind::factor, node}, num_bytes});
}

void SimulatedLog::take_block(NodeId node, PartRole role, Count num_bytes) {
  push({{role == PartRole::slave ? StoredKind::block_rows : StoredKind::block, node}, num_bytes});
}

void SimulatedLog::let_go(NodeId node, PartRole role) {
  const LogKey block{role == PartRole::slave ? StoredKind::block_rows : StoredKind::block, node};
  if (!queue_.is_pending(block)) {
    return;
  }
  const double begin = sg::Engine::get_clock();
  const auto waited = [begin] { return sg::Engine::get_clock() - begin; };
  while (queue_.is_pending(block) && queue_.may_wait(waited(), sg::Engine::get_clock())) {
    wait_for_end(0.002);
  }
  queue_.drop(block);  // its part being written is in the system's memory, no longer in the front's
  queue_.count_wait(waited());
}

void SimulatedLog::settle() {
  while (!queue_.is_idle()) {
    wait_for_end();
  }
}

// Returns true if the piece was still wanted at the end. Factors always are: they need only one event.
bool SimulatedLog::write(const Piece& piece) {
  const Count at_a_time = is_block(piece.key.kind) ? kLogBytesAtATime : piece.num_bytes;
  for (Count done = 0; done < piece.num_bytes && !queue_.is_dropped(); done += at_a_time) {
    disk_->write(static_cast<sg_size_t>(std::min(at_a_time, piece.num_bytes - done)));
  }
  return !queue_.is_dropped();
}

void SimulatedLog::run() {
  while (true) {
    pushed_->acquire();
    if (queue_.empty()) {
      continue;  // it was dropped
    }
    const Piece piece = queue_.begin();
    const bool is_written = write(piece);
    if (is_written) {
      num_bytes_ += piece.num_bytes;
      census_.add(piece.key);
    }
    queue_.end(is_written);
    if (std::exchange(does_rank_wait_, false)) {
      ended_->release();
    }
  }
}

}  // namespace frond
