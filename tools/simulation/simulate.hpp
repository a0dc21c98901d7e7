// SPDX-License-Identifier: BSD-3-Clause
// A factorization over many ranks in virtual time: the engine, the exchange of loads and the choice of slaves that ship, on fronts
// without entries and a network of SimGrid's (Casanova, Giersch, Legrand, Quinson, Suter 2014, "Versatile, scalable, and accurate
// simulation of distributed applications and platforms").
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "analysis/symbolic.hpp"
#include "factorization/distributed/front_plan.hpp"
#include "factorization/distributed/slave_selection.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "loadinfo/messages/counted_channel.hpp"
#include "tools/simulation/core_slowness.hpp"
#include "tools/simulation/cost_model.hpp"

namespace frond {

/// Hosts joined by a switch: each sends and receives at this rate. Or those of a platform file.
struct SimulatedMachine {
  double latency_seconds = 5e-6;
  double bytes_per_second = 1e9;
  Rank num_hosts = 0;                       ///< 0: one for each rank
  int cores_per_host = 1;                   ///< ranks share them where they are more than cores
  std::string platform_file;                ///< SimGrid's XML, which tells all this and the speed of hosts; empty: there is none
  std::vector<SlowSpell> slow_spells = {};  ///< of ranks whose cores take longer than others
  std::optional<CompetingLoad> competing_load = {};  ///< on the cores of all ranks; none: they have them for themselves
  std::map<Rank, double> delays = {};                ///< seconds by which messages from and to ranks take longer
  std::optional<double> disk_bytes_per_second = {};  ///< of what all ranks write to; none: see make_disk()
};

/// Bytes per second of the disk, where nothing else is said.
inline constexpr double kDiskRate = 5e8;

/// How load messages travel.
enum class LoadTraffic {
  events,  ///< each by its latency and length, whatever else is under way
  flows    ///< as the messages of the factorization, sharing links: a hundred times dearer to simulate
};

struct SimulationOptions {
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;
  Schedule schedule = Schedule::flops;
  WorkSharing sharing = WorkSharing::ring;
  ChunkKind chunks = ChunkKind::fac;
  bool use_load_thread = true;  ///< load messages are served while the rank computes
  int load_period_us = 50;      ///< between two looks of the thread while messages come
  Count memory_limit = 0;       ///< bytes of each rank; 0: none
  CostModel costs;              ///< of the method and the scalar type
  SimulatedMachine machine;
  LoadTraffic load_traffic = LoadTraffic::events;
  bool records_work = false;                ///< SimulatedRankCounts::work
  std::multimap<double, Rank> drains = {};  ///< ranks that are to leave, by the seconds at which they are asked
  bool drains_through_files = false;        ///< what they hold is written and read, rather than sent
  double list_seconds = 0;                  ///< finished fronts are written to disks, and listed so often; 0: they are not
  std::multimap<double, Rank> losses = {};  ///< ranks that are lost, by the seconds at which they are; not all of them
  double detection_seconds = 0.1;           ///< from a loss until the others go on: from what is on disks, or from the beginning
};

/// What a rank's core did from one moment to another.
struct WorkSpan {
  double begin_seconds = 0;
  double end_seconds = 0;
  FrontPart part;
};

struct SimulatedRankCounts {
  double busy_seconds = 0;  ///< with jobs
  double flops = 0;
  Count peak_bytes = 0;         ///< factors and active memory
  Count peak_active_bytes = 0;  ///< contribution blocks, workspaces, rows that have come and are not assembled
  TrafficCounts main_messages;
  LoadMessageCounts load_messages;  ///< sent
  Count num_decisions = 0;
  Count num_slaves = 0;
  Count num_refusals = 0;
  Count num_tasks_taken = 0;  ///< leaf subtrees of others
  Count num_rounds = 0;       ///< of requests for such
  Count num_empty_rounds = 0;
  double snapshot_seconds = 0;  ///< during which the exchange was blocked
  Count num_parts_moved = 0;    ///< of finished fronts, to other ranks, since it was asked to leave
  Count num_bytes_moved = 0;
  bool has_left = false;
  bool is_lost = false;
  double seconds_at_rest = 0;   ///< in which no front began, so that ranks may leave
  double empty_at_seconds = 0;  ///< of a rank that has left: when its last part was on its way
  Count num_bytes_written = 0;  ///< to its log, if there is one
  Count num_bytes_read = 0;     ///< of what was found after a loss
  Count num_blocks_left_out = 0;
  double seconds_waited = 0;   ///< for blocks that were to be given back
  std::vector<WorkSpan> work;  ///< in the order of time, if it was asked for

  /// What the same rank has done in a later attempt.
  SimulatedRankCounts& operator+=(const SimulatedRankCounts& later);
};

/// What a list of finished fronts would be worth if all ended then.
struct SimulatedList {
  double seconds = 0;          ///< when it was made
  double flops_done = 0;       ///< by all ranks
  double flops_resumable = 0;  ///< of the fronts from which a run would go on
};

/// What those who are left begin after a loss.
struct SimulatedRestart {
  std::vector<Rank> lost;   ///< since the beginning before
  double lost_seconds = 0;  ///< when the first of them was
  double begin_seconds = 0;
  Rank num_ranks = 0;  ///< that are left
  Index num_fronts_found = 0;
  double flops_found = 0;
};

struct SimulationResult {
  double seconds = 0;           ///< until the last rank has ended, and all is on the disks that is to be
  double computed_seconds = 0;  ///< until there was nothing left but writing
  double flops = 0;             ///< of all fronts
  std::vector<SimulatedList> lists;
  std::vector<std::string> refused_drains;  ///< why: one sentence each
  std::vector<SimulatedRestart> restarts;
  double competing_seconds = 0;            ///< mean length of intervals with competing load; 0: there is none
  std::vector<SimulatedRankCounts> ranks;  ///< [rank] of those who began, all they have done
};

/// What is to be factorized how, and how its tree is mapped.
struct SimulatedSystem {
  std::shared_ptr<const Symbolic> symbolic;
  Method method = Method::lu;
  Count scalar_bytes = 8;
  Count real_bytes = 8;    ///< of a real number of the same precision
  MappingOptions mapping;  ///< with which it was analysed
};

/// By the mapping of a run with this schedule.
[[nodiscard]] TaskGraph task_graph(const SimulatedSystem& system, Schedule schedule);

/// Simulates once in a process: SimGrid has one engine in each. The same arguments give the same result. Throws MemoryError when
/// the limit does not suffice, InputError for a platform file that cannot be used, and InternalError if ranks do not end.
[[nodiscard]] SimulationResult simulate_factorization(const SimulatedSystem& system, const SimulationOptions& options);

}  // namespace frond
