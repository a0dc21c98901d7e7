// SPDX-License-Identifier: BSD-3-Clause
// Simulates a factorization over many ranks in virtual time: the production engine, load exchange and choice of slaves, on fronts
// without entries and a SimGrid network (Casanova, Giersch, Legrand, Quinson, Suter 2014, "Versatile, scalable, and accurate
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
#include "factorization/ranks/rank_report.hpp"
#include "factorization/scheduling/task_graph.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "tools/simulation/core_slowness.hpp"
#include "tools/simulation/cost_model.hpp"

namespace frond {

/// Hosts joined by a switch, each with this rate for sending and receiving, or those of a platform file.
struct SimulatedMachine {
  double latency_seconds = 5e-6;
  double bytes_per_second = 1e9;
  Rank num_hosts = 0;                                ///< 0: one for each rank
  int cores_per_host = 1;                            ///< shared if there are more ranks than cores
  std::string platform_file;                         ///< SimGrid's XML, which defines all this and the speed of hosts; empty: none
  std::vector<SlowSpell> slow_spells = {};           ///< of ranks whose cores are slower
  std::optional<CompetingLoad> competing_load = {};  ///< on the cores of all ranks; none: nothing competes
  std::map<Rank, double> delays = {};                ///< seconds added to messages from and to ranks
  std::optional<double> disk_bytes_per_second = {};  ///< of the disk that all ranks share; none: see make_disk()
};

/// Default rate of the disk, in bytes per second.
inline constexpr double kDiskRate = 5e8;

/// How load messages travel.
enum class LoadTraffic {
  events,  ///< each by its latency and length, independent of other traffic
  flows    ///< like the messages of the factorization, sharing links: a hundred times more expensive to simulate
};

struct SimulationOptions {
  LoadMechanism load_exchange = LoadMechanism::partial_snapshot;
  Schedule schedule = Schedule::flops;
  WorkSharing sharing = WorkSharing::ring;
  ChunkKind chunks = ChunkKind::fac;
  bool use_load_thread = true;  ///< load messages are served while the rank computes
  int load_period_us = 50;      ///< between two polls of the thread while messages arrive
  Count memory_limit = 0;       ///< bytes per rank; 0: none
  CostModel costs;              ///< of the method and the scalar type
  SimulatedMachine machine;
  LoadTraffic load_traffic = LoadTraffic::events;
  bool records_work = false;                ///< SimulatedRankCounts::work
  std::multimap<double, Rank> drains = {};  ///< ranks that have to leave, by the seconds at which they are asked
  bool drains_through_files = false;        ///< their data is written and read rather than sent
  double list_seconds = 0;                  ///< finished fronts are written to disks, and listed at this interval; 0: they are not
  std::multimap<double, Rank> losses = {};  ///< lost ranks by the seconds of their loss; not all of them
  double detection_seconds = 0.1;           ///< from a loss until the others continue, from the disks or from the beginning
};

/// The work of a rank's core in a time interval.
struct WorkSpan {
  double begin_seconds = 0;
  double end_seconds = 0;
  FrontPart part;
};

/// Those of a real rank, and what only simulations know.
struct SimulatedRankCounts : RankRunCounts {
  double busy_seconds = 0;  ///< running jobs
  bool is_lost = false;
  double empty_at_seconds = 0;  ///< of a rank that has left: when its last part was sent
  Count num_bytes_written = 0;  ///< to its log, if there is one
  Count num_bytes_read = 0;     ///< of data found after a loss
  Count num_blocks_left_out = 0;
  double seconds_waited = 0;   ///< for blocks that had to be given back
  std::vector<WorkSpan> work;  ///< in order of time, if requested

  /// Adds the work of another rank, or of the same one in a later attempt.
  SimulatedRankCounts& operator+=(const SimulatedRankCounts& later);
};

/// The value of a list of finished fronts if the run ended then.
struct SimulatedList {
  double seconds = 0;          ///< when it was made
  double flops_done = 0;       ///< by all ranks
  double flops_resumable = 0;  ///< of the fronts from which a run could continue
};

/// What the remaining ranks start after a loss.
struct SimulatedRestart {
  std::vector<Rank> lost;   ///< since the previous start
  double lost_seconds = 0;  ///< of the first loss
  double begin_seconds = 0;
  Rank num_ranks = 0;  ///< that remain
  Index num_fronts_found = 0;
  double flops_found = 0;
};

struct SimulationResult {
  double seconds = 0;           ///< until the last rank has ended and all data is on disk
  double computed_seconds = 0;  ///< until only writing was left
  double flops = 0;             ///< of all fronts
  std::vector<SimulatedList> lists;
  std::vector<std::string> refused_drains;  ///< the reason: one sentence each
  std::vector<SimulatedRestart> restarts;
  double competing_seconds = 0;            ///< mean length of intervals with competing load; 0: there is no load
  std::vector<SimulatedRankCounts> ranks;  ///< [rank] of those at the start, for all their work
};

/// The system to factorize, the method, and the mapping options of its tree.
struct SimulatedSystem {
  std::shared_ptr<const Symbolic> symbolic;
  Method method = Method::lu;
  Count scalar_bytes = 8;
  Count real_bytes = 8;    ///< of a real number of the same precision
  MappingOptions mapping;  ///< those of its analysis
};

/// Returns the task graph from the mapping of a run with this schedule.
[[nodiscard]] TaskGraph task_graph(const SimulatedSystem& system, Schedule schedule);

/// Call it once per process: SimGrid has one engine per process. The same arguments give the same result. Throws MemoryError if the
/// limit is too low, InputError for an unusable platform file, and InternalError if ranks do not end.
[[nodiscard]] SimulationResult simulate_factorization(const SimulatedSystem& system, const SimulationOptions& options);

}  // namespace frond
