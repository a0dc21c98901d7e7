// SPDX-License-Identifier: BSD-3-Clause
// Exchanges signs of life, declares silent processes lost, and agrees on records.
#include "loadinfo/messages/mesh/survivors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "loadinfo/messages/mesh/mesh_communicator.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr std::uint64_t kSigns = 0;         // the context of signs of life
constexpr double kMostSecondsToLook = 0.1;  // between looks into the directory

bool is_lost(const RankLosses& losses) {
  try {
    losses.check();
    return false;
  } catch (const LossError&) {
    return true;
  }
}

}  // namespace

Survivors::Survivors(const MeshOptions& mesh, double limit_seconds)
    : mesh_(mesh), arbiter_(mesh.directory), heartbeat_(mesh.rank, mesh.num_ranks, limit_seconds, steady_seconds()) {
  record_.members.resize(static_cast<std::size_t>(mesh.num_ranks));
  std::iota(record_.members.begin(), record_.members.end(), 0);
  losses_.begin(record_.number, record_.members);
  thread_ = std::thread([this] { watch(); });
}

Survivors::~Survivors() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

Communicator Survivors::communicator() {
  // Contexts of a record follow that of the signs of life.
  return mesh_communicator(mesh_, losses_, record_.members, kContextsPerEpoch * static_cast<std::uint64_t>(record_.number) + 1);
}

// An exception ends the watch and is thrown where this process waits for others; they notice its silence.
void Survivors::watch() {
  try {
    std::unique_lock lock(mutex_);
    while (!is_over_) {
      lock.unlock();
      look_around();
      lock.lock();
      wake_.wait_for(lock, std::chrono::duration<double>(std::min(heartbeat_.interval(), kMostSecondsToLook)),
                     [this] { return is_over_; });
    }
  } catch (const std::exception&) {
    losses_.fail();
  }
}

void Survivors::look_around() {
  hear();
  if (heartbeat_.look(steady_seconds())) {
    tell();
  }
  while (const std::optional<Rank> lost = heartbeat_.lost_rank()) {
    losses_.declare(*lost);
    heartbeat_.said_goodbye(*lost);  // stop watching it
  }
  for (Rank other = 0; other < mesh_.num_ranks(); ++other) {
    if (other != rank() && arbiter_.is_gone(other)) {
      losses_.declare(other);
      heartbeat_.said_goodbye(other);
    }
  }
  // The directory is authoritative, whatever was heard. Records that cannot be read now are read again later.
  try {
    for (Index next = record_number_ + 1; arbiter_.find(next).has_value(); ++next) {
      losses_.hear_of(next);
    }
  } catch (const Error&) {
  }
}

void Survivors::hear() {
  while (const std::optional<ReceivedMessage> message = mesh_.take(MeshLane::signs, kSigns)) {
    heartbeat_.heard_from(message->from());
  }
}

void Survivors::tell() {
  for (Rank to = 0; to < mesh_.num_ranks(); ++to) {
    if (to != rank()) {
      (void)mesh_.send(to, MeshLane::signs, kSigns, {});  // there is room, or that process has been silent for long
    }
  }
}

std::optional<int> Survivors::go_on() {
  std::optional<SurvivalRecord> next = arbiter_.find(record_.number + 1);
  if (!next) {
    next = arbiter_.seal({record_.number + 1, losses_.living(record_.members)});
  }
  if (!std::binary_search(next->members.begin(), next->members.end(), rank())) {
    throw LossError(fmt::format("process {} was silent for longer than the others wait, and they have gone on without it", rank()));
  }
  if (!next->end_code) {
    adopt(*next);
  }
  return next->end_code;
}

void Survivors::wait_for_fenced(double most_seconds) const {
  const double begin = steady_seconds();
  for (Rank other = 0; other < mesh_.num_ranks(); ++other) {
    while (!std::binary_search(record_.members.begin(), record_.members.end(), other) && !arbiter_.is_gone(other) &&
           steady_seconds() - begin < most_seconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

void Survivors::adopt(const SurvivalRecord& record) {
  record_ = record;
  mesh_.forget_before(kContextsPerEpoch * static_cast<std::uint64_t>(record.number));
  losses_.begin(record.number, record.members);
  record_number_ = record.number;
}

int Survivors::end(int code) {
  const SurvivalRecord wanted{record_.number + 1, record_.members, code};
  std::optional<SurvivalRecord> next = leads() ? arbiter_.seal(wanted) : std::optional<SurvivalRecord>();
  while (!next) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool is_hopeless = is_lost(losses_);  // checked before the last look
    next = arbiter_.find(record_.number + 1);
    if (!next && is_hopeless) {
      losses_.check();
    }
  }
  if (!next->end_code) {
    throw LossError("others have gone on without a process");
  }
  return *next->end_code;
}

}  // namespace frond
