// SPDX-License-Identifier: BSD-3-Clause
// Implements what rank 0 does alone, and what each rank does for a checkpoint.
#include "solver/distributed/mpi/rank_checkpoint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "factorization/memory/memory_limit.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/distributed/mpi/saved_ranks.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

// The counts of an archive as plain values, to be sent.
struct SentCounts {
  double flops_found = 0;
  Count num_bytes = 0;
  Count num_left_out = 0;
  double seconds_waited = 0;
  Count most_bytes = 0;
};

constexpr Count kLeastBytesInMemory = Count{1} << 20;  // if nearly everything is found

// The outcome of an attempt, to be sent.
struct SentOutcome {
  enum class Kind { none, gave_up, indefinite };
  Kind kind = Kind::none;
  BudgetError::Figures figures;
  Index variable = 0;
};

}  // namespace

template <Scalar S>
std::shared_ptr<const DistributedSystem<S>> resume_system(const Communicator& ranks, SystemMatrix<S>& matrix,
                                                          const SolverOptions& options) {
  std::shared_ptr<CheckpointDirectory> directory;
  SavedSystem saved;
  SavedSymbolic parts;
  char is_begun = 0;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      if (given_or_null(matrix) == nullptr) {
        throw UsageError("there is no matrix: rank 0 must pass it");
      }
      directory = CheckpointDirectory::open(options.checkpoint.directory);
      if (directory->is_begun()) {
        is_begun = 1;
        SavedFileReader file({directory->system_file()});
        saved = read_system(file);
        check_saved_system<S>(directory->path(), saved, options.method);
        parts = read_symbolic(file);
        file.expect_end();
      }
    }
  });
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&is_begun, 1)));
  std::shared_ptr<DistributedSystem<S>> system;
  if (is_begun != 0) {
    const std::shared_ptr<const Symbolic> symbolic =
        share_system(ranks, options.checkpoint.directory, saved, std::move(parts), matrix);
    system = std::make_shared<DistributedSystem<S>>(ranks, &matrix, options, symbolic, saved.report.method);
  } else {
    system = std::make_shared<DistributedSystem<S>>(ranks, given_or_null(matrix), options);
  }
  system->set_opened_checkpoint(std::move(directory));
  return system;
}

template <Scalar F>
RankAttempt<F>::RankAttempt(const Communicator& ranks, const RankCheckpoint& checkpoint, std::uint64_t key,
                            const AssemblyTree& tree, Method method, const Mapping& mapping, Index min_slave_rows,
                            const LogRoom& predicted)
    : ranks_(ranks), checkpoint_(checkpoint) {
  agree(ranks, [&] {
    folder_ = fmt::format("{}/{:016x}", checkpoint.options.directory, key);
    if (ranks.rank() == 0) {
      folder_ = checkpoint.directory->folder(key, about_factorization<F>(method), tree.num_nodes());
    }
  });
  look_at_outcome(tree.num_variables());
  if (indefinite_at_) {
    return;
  }
  agree(ranks, [&] {
    archive_ = std::make_unique<FrontArchive<F>>(tree, method,
                                                 ArchiveOptions{.directory = folder_,
                                                                .key = key,
                                                                .list_seconds = checkpoint.options.every_seconds,
                                                                .requests = checkpoint.directory.get(),
                                                                .observer = checkpoint.observer.get(),
                                                                .rank = ranks.rank(),
                                                                .mapping = &mapping,
                                                                .min_slave_rows = min_slave_rows});
    if (checkpoint.options.is_in_memory) {
      const Count found = archive_->num_bytes_found() / ranks.num_ranks();
      most_bytes_ = std::max(kLeastBytesInMemory, predicted.num_bytes() - found);
      const Count for_factors = std::clamp(predicted.for_factors - found, Count{0}, most_bytes_);
      archive_->set_room({for_factors, most_bytes_ - for_factors});
    }
  });
  try {
    agree(ranks, [&] {
      if (ranks.rank() == 0) {
        archive_->clear();
      }
    });
    agree(ranks, [&] { archive_->open(); });
    agree(ranks, [&] { archive_->publish(); });
  } catch (const OutputError& error) {
    archive_->stay_closed(error.what());
    most_bytes_ = 0;
  }
}

template <Scalar F>
RankFactorizationOptions RankAttempt<F>::options_beside(RankFactorizationOptions options) const {
  if (options.memory_limit > 0 && most_bytes_ > 0) {
    const std::string& reason = options.memory_limit_reason;
    options.memory_limit_reason = fmt::format("{} with {} bytes, less {} bytes for copies of what is finished,",
                                              reason.empty() ? "the limit" : reason, options.memory_limit, most_bytes_);
    options.memory_limit = std::max(kNoMemoryIsLeft, options.memory_limit - most_bytes_);
  }
  return options;
}

template <Scalar F>
void RankAttempt<F>::look_at_outcome(Index order) {
  SentOutcome sent;
  std::string text;
  agree(ranks_, [&] {
    const std::optional<AttemptOutcome> outcome = ranks_.rank() == 0 ? read_outcome(folder_, order) : std::nullopt;
    if (outcome && outcome->gave_up) {
      sent = {SentOutcome::Kind::gave_up, outcome->gave_up->figures(), 0};
      text = outcome->gave_up->what();
    } else if (outcome) {
      sent = {SentOutcome::Kind::indefinite, {}, *outcome->indefinite_at};
    }
  });
  broadcast_fields(ranks_, sent, text);
  if (sent.kind == SentOutcome::Kind::gave_up) {
    throw BudgetError(text, sent.figures);
  }
  if (sent.kind == SentOutcome::Kind::indefinite) {
    indefinite_at_ = sent.variable;
  }
}

template <Scalar F>
RankFactorizationResult<F> RankAttempt<F>::run(CheckpointReport& report,
                                               const std::function<RankFactorizationResult<F>(FrontStore<F>*)>& work) {
  RankFactorizationResult<F> result;
  if (indefinite_at_) {
    result.report.status = FactorizationStatus::not_positive_definite;
    result.report.null_pivots = {*indefinite_at_};
    return result;
  }
  try {
    result = work(archive_.get());
  } catch (const BudgetError& error) {
    end(report);
    note({.gave_up = error});
    throw;
  } catch (const CommunicationError&) {
    throw;  // the ranks do not communicate any more
  } catch (const Error&) {
    end(report);
    throw;
  }
  end(report);
  if (result.report.status == FactorizationStatus::not_positive_definite) {
    note({.indefinite_at = result.report.null_pivots.front()});
  }
  return result;
}

// Called on all ranks, however the factorization ended.
template <Scalar F>
void RankAttempt<F>::end(CheckpointReport& report) {
  archive_->finish(0);
  const ArchiveCounts mine = archive_->counts();
  report.directory = checkpoint_.options.directory;
  report.is_in_memory = checkpoint_.options.is_in_memory;
  report.num_fronts_found += mine.num_fronts_found;
  report.num_fronts_lost += mine.num_fronts_lost;
  for (const SentCounts& counts : all_gather_values(
           ranks_,
           SentCounts{mine.flops_found, mine.log.num_bytes, mine.log.num_blocks_let_go, mine.log.seconds_waited, most_bytes_})) {
    report.flops_found += counts.flops_found;
    report.bytes_written += counts.num_bytes;
    report.num_blocks_left_out += counts.num_left_out;
    report.seconds_waited += counts.seconds_waited;
    report.most_bytes += counts.most_bytes;
  }
  Index num_lists = mine.num_lists;
  std::string error = mine.log.error.value_or("");
  broadcast_fields(ranks_, num_lists);
  report.num_lists += num_lists;
  if (checkpoint_.directory != nullptr) {
    report.left_behind = checkpoint_.directory->left_behind();
  }
  broadcast_fields(ranks_, report.left_behind);
  for (const std::vector<std::byte>& text : all_gather(ranks_, std::as_bytes(std::span(error)))) {
    if (!text.empty() && report.error.empty()) {
      report.error.assign(reinterpret_cast<const char*>(text.data()), text.size());
    }
  }
}

template <Scalar F>
void RankAttempt<F>::note(const AttemptOutcome& outcome) const {
  agree(ranks_, [&] {
    if (ranks_.rank() == 0) {
      set_outcome(folder_, outcome);
    }
  });
}

#define FROND_INSTANTIATE(S)     \
  template class RankAttempt<S>; \
  template std::shared_ptr<const DistributedSystem<S>> resume_system(const Communicator&, SystemMatrix<S>&, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
