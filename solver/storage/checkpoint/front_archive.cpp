// SPDX-License-Identifier: BSD-3-Clause
// Finds stored fronts, and lists added ones.
#include "solver/storage/checkpoint/front_archive.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/tree/front_cost.hpp"
#include "frond/error.hpp"
#include "matrices/folder_paths.hpp"
#include "matrices/steady_clock.hpp"
#include "solver/storage/checkpoint/stored_rows.hpp"
#include "solver/storage/saved/saved_parts.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr double kLongestTickSeconds = 1;
constexpr double kLeastIntervalPerCost = 20;  // between lists

}  // namespace

template <Scalar F>
FrontArchive<F>::FrontArchive(const AssemblyTree& tree, Method method, ArchiveOptions options)
    : tree_(tree),
      method_(method),
      options_(std::move(options)),
      found_(tree, options_.directory, options_.key),
      is_released_(static_cast<std::size_t>(tree.num_nodes()), 0) {
  counts_.num_fronts_found = found_.num_fronts();
  counts_.num_fronts_lost = found_.num_lost();
  verify_lists();
  lay_out_found();
  verify_blocks();
}

template <Scalar F>
FrontArchive<F>::~FrontArchive() {
  finish(0);
}

// A found front comes with all fronts below it.
template <Scalar F>
void FrontArchive<F>::verify_lists() const {
  VariablePlaces rows(tree_);
  VariablePlaces columns(tree_);
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (!has(node)) {
      continue;
    }
    const Index num_eliminated = found_.version(node).described.num_eliminated;
    const DescribedPivots<F> pivots = pivots_of(node);
    if (!rows.take(node, pivots.row_variables, num_eliminated) ||
        (method_ == Method::lu && !columns.take(node, pivots.col_variables, num_eliminated))) {
      throw InputError(options_.directory, 0, fmt::format("is damaged: front {} has the variables of another one", node));
    }
  }
}

// Shares are unchanged if their ranks exist and the mapping has the same master; otherwise rows are dealt anew.
template <Scalar F>
void FrontArchive<F>::lay_out_found() {
  std::vector<Count> held(static_cast<std::size_t>(options_.num_ranks()), 0);
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (!has(node)) {
      continue;
    }
    const DescribedFront& described = found_.version(node).described;
    StoredLayout layout{0, described.size, {}};
    if (options_.mapping != nullptr) {
      layout.master = options_.mapping->master(node);
      const bool is_shared = options_.mapping->type(node) == NodeType::row_distributed && described.size.cb_order() > 0;
      const bool stays = layout.master == described.master &&
                         std::all_of(described.shares.begin(), described.shares.end(),
                                     [this](const RowShare& share) { return share.rank < options_.num_ranks(); });
      if (is_shared && stays) {
        layout.shares = described.shares;
      } else if (is_shared) {
        const SavedFront sizes{described.size.order, described.size.num_fully_summed, described.num_eliminated, 0};
        layout.shares = deal_rows(sizes, options_.mapping->candidates(node), layout.master, options_.min_slave_rows, held);
      }
    }
    layouts_[node] = std::move(layout);
  }
}

// Runs before anything is computed from the blocks; each is verified on one rank.
template <Scalar F>
void FrontArchive<F>::verify_blocks() const {
  for (NodeId node = options_.rank; node < tree_.num_nodes(); node += options_.num_ranks()) {
    if (found_.needs_block(node)) {
      for (const Piece& piece : found_.version(node).block_pieces()) {
        piece.log->verify(*piece.piece);
      }
    }
  }
}

template <Scalar F>
std::string FrontArchive<F>::stem_of(Rank rank) const {
  return fmt::format("run-{}.rank-{}", found_.list().run + 1, rank);
}

// A run that ended before its first list has left nothing useful.
template <Scalar F>
void FrontArchive<F>::clear() const {
  const std::vector<ListedLog>& listed = found_.logs();
  std::error_code error;
  for (const fs::path& file : paths_in(options_.directory, error)) {
    const std::string stem = file.stem().string();
    const bool is_log = stem.starts_with("run-");
    if (is_log && std::none_of(listed.begin(), listed.end(), [&stem](const ListedLog& log) { return log.stem == stem; })) {
      std::error_code ignored;
      fs::remove(file, ignored);
    }
  }
  if (error) {
    throw OutputError(fmt::format("{}: cannot be read: {}", options_.directory, error.message()));
  }
}

template <Scalar F>
void FrontArchive<F>::open() {
  writer_ = std::make_unique<FrontLogWriter>(options_.directory + "/" + stem_of(options_.rank), options_.key);
  list_ = {found_.list().run + 1, 0, options_.key, found_.logs()};
  for (Rank rank = 0; rank < options_.num_ranks(); ++rank) {
    list_.logs.push_back({stem_of(rank), list_.run, writer_->num_index_bytes(), true});
  }
  writer_->set_room(room_);
  last_list_seconds_ = steady_seconds();
  threads_ = std::make_unique<LogThreads>(
      *writer_, std::min(kLongestTickSeconds, options_.list_seconds),
      [this](const std::vector<StoredPiece>& pieces, bool wants_room) { on_committed(pieces, wants_room); },
      [this](const std::string& what) { report_failure(what); });
}

template <Scalar F>
void FrontArchive<F>::report_failure(const std::string& what) const {
  if (options_.observer != nullptr) {
    options_.observer->checkpoint_failed(what);
  }
}

template <Scalar F>
void FrontArchive<F>::stay_closed(const std::string& why) {
  threads_.reset();
  writer_.reset();
  counts_.log.error = why;
  report_failure(why);
}

template <Scalar F>
DelayedVariables FrontArchive<F>::delayed(NodeId node) const {
  const Index num_eliminated = found_.version(node).described.num_eliminated;
  const DescribedPivots<F> pivots = pivots_of(node);
  DelayedVariables delayed;
  delayed.rows.assign(pivots.row_variables.begin() + num_eliminated, pivots.row_variables.end());
  if (method_ == Method::lu) {
    delayed.columns.assign(pivots.col_variables.begin() + num_eliminated, pivots.col_variables.end());
  }
  return delayed;
}

template <Scalar F>
DescribedPivots<F> FrontArchive<F>::pivots_of(NodeId node) const {
  try {
    const FoundFronts::Version& version = found_.version(node);
    return described_pivots<F>(*version.factor.piece, version.described, tree_, method_);
  } catch (const InternalError& error) {
    throw InputError(options_.directory, 0, fmt::format("is damaged: {}", error.what()));
  }
}

template <Scalar F>
PivotCounts FrontArchive<F>::read_factor(NodeId node, FrontFactor<F>& front) {
  const FoundFronts::Version& version = found_.version(node);
  const DescribedFront& described = version.described;
  if (described.size.num_fully_summed != front.num_fully_summed) {
    throw InputError(options_.directory, 0, fmt::format("is damaged: front {} has another size than its children leave it", node));
  }
  version.factor.log->verify(*version.factor.piece);
  const DescribedPivots<F> pivots = pivots_of(node);
  read_columns(*version.factor.log, *version.factor.piece, described, pivots, method_, front);
  if (layouts_.at(node).shares.empty()) {
    read_held_rows(node, 0, described.size.cb_order(), [&](Index begin, Index end, const F* entries) {
      copy_piece(front, method_, FrontPiece{node, PieceKind::rows, begin, end}, entries);
    });
  }
  counts_.flops_found += elimination_cost(described.size.order, described.num_eliminated, method_).flops;
  return pivots.counts;
}

template <Scalar F>
void FrontArchive<F>::read_factor_rows(NodeId node, SlaveRows<F>& rows) {
  rows.num_eliminated = found_.version(node).described.num_eliminated;
  const RowFactor<F> factor{rows.row_begin, rows.num_eliminated, rows.summed_view()};
  read_held_rows(node, rows.row_begin, rows.row_begin + rows.num_rows, [&](Index begin, Index end, const F* entries) {
    copy_piece(factor, FrontPiece{node, PieceKind::rows, begin, end}, entries);
  });
}

// Reads rows of a factor, whatever pieces they are in.
template <Scalar F>
void FrontArchive<F>::read_held_rows(NodeId node, Index begin, Index end,
                                     const std::function<void(Index, Index, const F*)>& write) const {
  const FoundFronts::Version& version = found_.version(node);
  const std::vector<Piece> pieces = version.described.shares.empty() ? std::vector<Piece>{version.factor} : version.factor_rows;
  for (const Piece& piece : pieces) {
    const Index first = std::max(begin, piece.piece->rows.begin);
    const Index last = std::min(end, piece.piece->rows.end);
    if (first < last && version.described.num_eliminated > 0) {
      if (piece.piece->kind == StoredKind::factor_rows) {
        piece.log->verify(*piece.piece);
      }
      read_some_rows<F>(*piece.log, *piece.piece, version.described, method_, first, last, write);
    }
  }
}

template <Scalar F>
void FrontArchive<F>::read_rows(const RowStream& stream, std::span<std::byte> image) const {
  for (const Piece& piece : found_.version(stream.child).block_pieces()) {
    read_runs(piece, stream, image);
  }
}

template <Scalar F>
void FrontArchive<F>::read_runs(const Piece& block, const RowStream& stream, std::span<std::byte> image) const {
  const DescribedFront& described = found_.version(stream.child).described;
  const Index cb_order = described.size.cb_order();
  const RowStream stored = stored_stream(*block.piece, described);
  if (stream_entries(stored, cb_order, method_) * static_cast<Count>(sizeof(F)) != block.piece->num_bytes) {
    throw InputError(options_.directory, 0, fmt::format("is damaged: the block of front {} has another size", stream.child));
  }
  for (const StoredRun& run : stored_runs(stored, stream, cb_order, method_)) {
    block.log->read(
        *block.piece, run.stored * static_cast<Count>(sizeof(F)),
        image.subspan(static_cast<std::size_t>(run.wanted) * sizeof(F), static_cast<std::size_t>(run.length) * sizeof(F)));
  }
}

template <Scalar F>
void FrontArchive<F>::take_factor(NodeId node, const NumericFront<F>& front, const FrontSize& size,
                                  const std::vector<RowShare>& shares, const PivotCounts& counts) {
  if (threads_ == nullptr) {
    return;
  }
  DescribedFront described{{}, options_.rank, size, front.factor.num_eliminated, shares};
  for (const NodeId child : tree_.children(node)) {
    described.born_children.push_back(has(child) ? found_.version(child).run : list_.run);
  }
  threads_->push(factor_to_write(node, front, method_, described, counts));
}

template <Scalar F>
void FrontArchive<F>::take_block(NodeId node, const NumericFront<F>& front, bool is_row_distributed) {
  if (threads_ != nullptr && tree_.parent(node) != kNoParent && !(is_row_distributed && front.factor.num_delayed() == 0)) {
    threads_->push(block_to_write(node, front, method_, is_row_distributed));
  }
}

template <Scalar F>
void FrontArchive<F>::take_rows(NodeId node, const SlaveRows<F>& rows) {
  if (threads_ != nullptr) {
    threads_->push(factor_rows_to_write(node, rows));
    threads_->push(block_rows_to_write(node, rows, method_));
  }
}

template <Scalar F>
void FrontArchive<F>::let_go(NodeId node, PartRole role) {
  if (threads_ == nullptr) {
    return;
  }
  threads_->let_go({role == PartRole::slave ? StoredKind::block_rows : StoredKind::block, node});
}

template <Scalar F>
void FrontArchive<F>::settle() {
  if (threads_ != nullptr) {
    threads_->settle();
  }
}

template <Scalar F>
void FrontArchive<F>::on_committed(const std::vector<StoredPiece>& pieces, bool wants_room) {
  for (const StoredPiece& piece : pieces) {
    has_changed_ = true;
    if (is_block(piece.kind)) {
      own_blocks_.push_back(piece);
    }
  }
  const bool is_asked = (options_.requests != nullptr && options_.requests->take_request()) ||
                        (options_.observer != nullptr && options_.observer->list_requested());
  const double interval = std::max(options_.list_seconds, kLeastIntervalPerCost * list_cost_seconds_);
  if (has_changed_ && (is_asked || wants_room || steady_seconds() - last_list_seconds_ >= interval)) {
    make_list();
  } else if (wants_room) {
    release_blocks();
  }
}

template <Scalar F>
void FrontArchive<F>::seal_list() const {
  if (options_.rank == 0 && !seal(options_.directory, list_)) {
    throw OutputError(fmt::format("{}: another process has gone on with this checkpoint", options_.directory));
  }
}

template <Scalar F>
void FrontArchive<F>::make_list() {
  const double begin = steady_seconds();
  ++list_.number;
  list_.logs[found_.logs().size()].num_index_bytes = writer_->num_index_bytes();
  seal_list();
  ++counts_.num_lists;
  has_changed_ = false;
  release_blocks();
  last_list_seconds_ = steady_seconds();
  list_cost_seconds_ = last_list_seconds_ - begin;
}

// Entries of blocks whose parents are finished according to the logs of all ranks are not needed again: neither by this run, which
// has assembled them, nor by a later one.
template <Scalar F>
void FrontArchive<F>::release_blocks() {
  const FoundFronts now(tree_, options_.directory, options_.key);
  const auto is_spent = [&](NodeId node) {
    const NodeId parent = tree_.parent(node);
    return parent != kNoParent && now.has(node) && now.has(parent);
  };
  std::erase_if(own_blocks_, [&](const StoredPiece& block) {
    const bool is_over = is_spent(block.node) && now.version(block.node).run == list_.run;
    if (is_over) {
      writer_->release(block);
    }
    return is_over;
  });
  for (NodeId node = options_.rank; node < tree_.num_nodes(); node += options_.num_ranks()) {
    char& is_released = is_released_[node];
    if (is_released == 0 && has(node) && is_spent(node)) {
      for (const Piece& piece : found_.version(node).block_pieces()) {
        piece.log->release(*piece.piece);
      }
      is_released = 1;
    }
  }
}

template <Scalar F>
void FrontArchive<F>::finish(Count free_bytes) noexcept {
  if (threads_ == nullptr) {
    return;  // the archive is closed
  }
  writer_->add_room(free_bytes);
  threads_->finish();
  if (has_changed_ && !threads_->progress().error) {
    try {
      make_list();
    } catch (const std::exception& error) {
      counts_.log.error = error.what();
    }
  }
}

template <Scalar F>
ArchiveCounts FrontArchive<F>::counts() const {
  ArchiveCounts counts = counts_;
  if (threads_ != nullptr) {
    counts.log = threads_->progress();
  }
  if (counts_.log.error) {
    counts.log.error = counts_.log.error;
  }
  return counts;
}

FROND_INSTANTIATE_CLASS(FrontArchive)

}  // namespace frond
