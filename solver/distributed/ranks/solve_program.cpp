// SPDX-License-Identifier: BSD-3-Clause
// Solves blocks of right-hand sides one after the other.
#include "solver/distributed/ranks/solve_program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/sweeps/solve.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {

template <Scalar S>
SolveProgram<S>::SolveProgram(const SolvableSystem<S>& system, Operation operation, const RankSides<S>& sides,
                              std::span<ColumnReport> reports, Channel& channel)
    : outbox_(channel),
      end_(outbox_, {static_cast<std::uint8_t>(SolveMessage::done), static_cast<std::uint8_t>(SolveMessage::failure)}),
      sweeps_(system.make_sweeps(outbox_)),
      operation_(operation),
      order_(system.order),
      sides_(sides),
      reports_(reports) {}

// Handles an event. An exception in it is a failure of all ranks.
template <Scalar S>
template <class Handler>
void SolveProgram<S>::handle(Handler handler) {
  try {
    handler();
    while (!failure() && proceed()) {
    }
  } catch (const std::bad_alloc&) {
    end_.fail(std::make_exception_ptr(
        MemoryError("the system refuses memory for right-hand sides and messages about them: solve fewer at a time, free some "
                    "memory, or raise the limit of the process",
                    0, 0)));
  } catch (...) {
    end_.fail(std::current_exception());
  }
}

template <Scalar S>
void SolveProgram<S>::start() {
  handle([this] {
    if (outbox_.rank() == 0 && !failure()) {
      next_block();
    }
  });
}

template <Scalar S>
void SolveProgram<S>::on_message(const ReceivedMessage& message) {
  handle([&] {
    ByteReader reader(message.bytes());
    const auto kind = reader.value<SolveMessage>();
    const bool is_about_end = end_.receive(static_cast<std::uint8_t>(kind), message.from(), reader);
    if (failure()) {
      sweeps_->abandon(kind);
    }
    if (failure() || is_about_end) {
      return;
    }
    if (goes_down_the_tree(kind)) {
      send_down_the_tree(outbox_, message.bytes());
    }
    take(kind, message.from(), reader);
  });
}

template <Scalar S>
void SolveProgram<S>::take(SolveMessage kind, Rank from, ByteReader& reader) {
  if (kind == SolveMessage::next_block) {
    const Block block = read_block(reader);
    reader.expect_end();
    give_rows(block);
  } else if (kind == SolveMessage::given_rows) {
    take_given_rows(from, reader);
  } else if (kind == SolveMessage::columns) {
    take_columns(reader);
  } else if (kind == SolveMessage::result) {
    take_result(reader);
  } else if (!sweeps_->receive(kind, from, reader) && !receive(kind, from, reader)) {
    throw InternalError(fmt::format("a message between ranks is of the unknown kind {}; do all processes run the same Frond?",
                                    static_cast<int>(kind)));
  }
}

template <Scalar S>
void SolveProgram<S>::on_room() {
  handle([this] {
    outbox_.pump();
    if (!failure()) {
      sweeps_->on_room();
    }
  });
}

template <Scalar S>
void SolveProgram<S>::fail(const std::exception_ptr& exception) {
  handle([&] { std::rethrow_exception(exception); });
}

template <Scalar S>
void SolveProgram<S>::next_block() {
  block_ = {block_.end, std::min(sides_.num_columns, block_.end + kSolveBlock)};
  if (block_.begin == block_.end) {
    send_result();
    end_.finish();
    return;
  }
  send_down_the_tree(outbox_, encoded(SolveMessage::next_block, block_));
  given_.resize(static_cast<std::size_t>(outbox_.num_ranks()));
  num_missing_ = outbox_.num_ranks() - 1;
  others_ask_ = false;
  if (num_missing_ == 0) {
    begin_block();
  }
}

template <Scalar S>
auto SolveProgram<S>::read_block(ByteReader& reader) const -> Block {
  const auto block = reader.value<Block>();
  if (block.begin < 0 || block.begin > block.end || block.end > sides_.num_columns) {
    throw InternalError(fmt::format(
        "columns {} to {} are solved for, but this rank knows of {}; do all processes solve for the same right-hand sides?",
        block.begin, block.end, sides_.num_columns));
  }
  return block;
}

template <Scalar S>
void SolveProgram<S>::give_rows(const Block& block) {
  const DenseRows<const S> given = sides_.b.columns(block.begin, block.end);
  ByteWriter message;
  message.value(SolveMessage::given_rows);
  message.value(!sides_.x.rows.empty());
  message.list(given.rows);
  message.value(static_cast<Count>(given.rows.size()) * given.values.cols);
  message.align();
  for (Index j = 0; j < given.values.cols; ++j) {
    message.more(std::span<const S>(given.values.column(j), given.rows.size()));
  }
  outbox_.send(0, message.take());
}

template <Scalar S>
void SolveProgram<S>::take_given_rows(Rank from, ByteReader& reader) {
  others_ask_ = decoded<bool>(reader) || others_ask_;
  GivenRows& given = given_.at(static_cast<std::size_t>(from));
  given.rows = reader.list<Index>();
  given.values = reader.list<S>();
  reader.expect_end();
  if (given.values.size() != given.rows.size() * static_cast<std::size_t>(block_.end - block_.begin) ||
      std::any_of(given.rows.begin(), given.rows.end(), [this](Index row) { return row < 0 || row >= order_; })) {
    throw InternalError(
        fmt::format("what rank {} gives is not {} rows of {} right-hand sides of a system of order {}; do all "
                    "processes solve the same system?",
                    from, given.rows.size(), block_.end - block_.begin, order_));
  }
  if (--num_missing_ == 0) {
    begin_block();
  }
}

// Called when all rows have arrived.
template <Scalar S>
void SolveProgram<S>::begin_block() {
  const Index width = block_.end - block_.begin;
  const Index ld = std::max(order_, Index{1});
  b_ = DenseMatrix<S>(order_, width);
  x_ = DenseMatrix<S>(order_, width);
  const DenseView<S> b{b_.values.data(), order_, width, ld};
  add_rows(sides_.b.columns(block_.begin, block_.end), b);
  for (const GivenRows& given : given_) {
    const auto num_rows = static_cast<Index>(given.rows.size());
    add_rows({given.rows, DenseView<const S>{given.values.data(), num_rows, width, num_rows}}, b);
  }
  given_.clear();
  solve_block(
      b, {x_.values.data(), order_, width, ld},
      reports_.empty() ? reports_ : reports_.subspan(static_cast<std::size_t>(block_.begin), static_cast<std::size_t>(width)));
}

template <Scalar S>
void SolveProgram<S>::end_block() {
  if (others_ask_) {
    send_columns();
  }
  copy_rows(view_of(std::as_const(x_)), sides_.x.columns(block_.begin, block_.end));
  next_block();
}

template <Scalar S>
void SolveProgram<S>::send_columns() {
  send_down_the_tree(outbox_, encoded(SolveMessage::columns, block_, x_.values));
}

template <Scalar S>
void SolveProgram<S>::take_columns(ByteReader& reader) {
  const Block block = read_block(reader);
  const Index width = block.end - block.begin;
  const auto length = reader.value<Count>();
  const std::span<const S> x = reader.array<S>(length);
  reader.expect_end();
  if (length != static_cast<Count>(order_) * width) {
    throw InternalError(fmt::format("{} numbers are no {} columns of a solution of {}; do all processes solve the same system?",
                                    length, width, order_));
  }
  copy_rows<S>({x.data(), order_, width, std::max(order_, Index{1})}, sides_.x.columns(block.begin, block.end));
}

template <Scalar S>
void SolveProgram<S>::send_result() {
  send_down_the_tree(outbox_, encoded(SolveMessage::result, std::span<const ColumnReport>(reports_)));
}

template <Scalar S>
void SolveProgram<S>::take_result(ByteReader& reader) {
  const std::vector<ColumnReport> reports = reader.list<ColumnReport>();
  reader.expect_end();
  if (reports.size() != reports_.size()) {
    throw InternalError(
        fmt::format("there are reports of {} columns, but this rank expects {}; do all processes solve for the "
                    "same right-hand sides?",
                    reports.size(), reports_.size()));
  }
  std::copy(reports.begin(), reports.end(), reports_.begin());
  end_.finish();
}

FROND_INSTANTIATE_CLASS(SolveProgram)

}  // namespace frond
