// SPDX-License-Identifier: BSD-3-Clause
// A batch in several processes: the first one has the pool of systems, and works, too.
#include <utility>

#include "frond/mpi.hpp"
#include "solver/batch/batch_parts.hpp"
#include "solver/batch/desk_server.hpp"
#include "solver/batch/remote_desk.hpp"
#include "solver/local/local_place.hpp"
#include "solver/mpi/field_exchange.hpp"
#include "solver/saved/saved_system.hpp"

namespace frond {
namespace {

// Of messages under way to all ranks. Results are a line each; an analysis is longer, and goes when there is nothing else.
constexpr Count kBufferBytes = Count{1} << 20;

/// What is sent of an analysis. Scales of the values that were analysed stay where these are.
struct SentAnalysis {
  Method method = Method::lu;
  SavedSymbolic symbolic;
};

void visit(FieldStream& fields, SentAnalysis& analysis) {
  fields.value(analysis.method);
  visit(fields, analysis.symbolic);
}

std::vector<std::byte> bytes_of(const Analysis& analysis) {
  const Symbolic& symbolic = *analysis.parts().symbolic;
  SentAnalysis sent{analysis.method(), parts_of(symbolic, symbolic.ordering())};
  return to_bytes([&sent](FieldStream& fields) { visit(fields, sent); });
}

Analysis analysis_of(std::span<const std::byte> bytes, const SolverOptions& options) {
  SentAnalysis sent;
  from_bytes(bytes, [&sent](FieldStream& fields) { visit(fields, sent); });
  AnalysisParts parts;
  parts.place = local_place();
  parts.symbolic = joined(std::move(sent.symbolic));
  parts.method = sent.method;
  parts.options = options;
  return Analysis(std::move(parts));
}

// When serving throws, what is under way is of no use any more.
template <class Serve>
void run_desk(TaskDesk& desk, const std::function<std::string(Count)>& work, Serve serve) {
  const DeskWorkers workers(desk, work, 0);
  try {
    serve();
  } catch (...) {
    desk.abandon();
    throw;
  }
}

}  // namespace

void Batch::run(const Ranks& ranks, const std::vector<Count>& systems, const std::function<std::string(Count)>& work,
                const std::function<void(Count, const std::string&)>& done) const {
  Parts& parts = *parts_;
  const BatchOptions& options = parts.options;
  const Communicator& communicator = ranks.communicator();
  const std::unique_ptr<Channel> channel = communicator.make_channel(kBufferBytes);
  if (communicator.rank() > 0) {
    RemoteDesk desk(communicator.rank(), options.num_workers, parts.between_systems());
    parts.fetch = [&]() -> std::optional<Analysis> {
      const std::vector<std::byte> bytes = desk.fetch_shared();
      return bytes.empty() ? std::nullopt : std::optional(analysis_of(bytes, options.solver));
    };
    const std::shared_ptr<Parts> fetching(&parts, [](Parts* with) { with->fetch = nullptr; });
    run_desk(desk, work, [&] { desk.serve(*channel); });
    return;
  }
  PoolDesk desk({.tasks = systems,
                 .chunks = options.chunks,
                 .gives_copies = options.reissues,
                 .workers_per_place = options.num_workers,
                 .num_places = communicator.num_ranks(),
                 .stop_requested = parts.between_systems()},
                [&done](Count system, std::string&& result) { done(system, result); });
  DeskServerPort port;
  port.is_gone = [&](Rank rank) { return communicator.carrier().is_gone(rank); };
  port.must_meet = communicator.carrier().is_mpi();
  port.shared = [&parts] {
    const std::optional<Analysis> analysis = parts.find_analysis();
    return analysis ? bytes_of(*analysis) : std::vector<std::byte>();
  };
  run_desk(desk, work, [&] {
    DeskServer(desk, *channel, std::move(port)).run();
    if (desk.failure() == nullptr) {
      desk.abandon();  // copies of what others have done
    }
  });
  if (const std::exception_ptr failure = desk.failure()) {
    std::rethrow_exception(failure);
  }
}

}  // namespace frond
