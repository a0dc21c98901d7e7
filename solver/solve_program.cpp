// SPDX-License-Identifier: BSD-3-Clause
// Blocks of right-hand sides one after the other.
#include "solver/solve_program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>

#include "matrices/error.hpp"
#include "solver/solve.hpp"

namespace frond {

template <Scalar S>
SolveProgram<S>::SolveProgram(const RankSystem<S>& system, Operation operation, DenseView<S> x, std::span<ColumnReport> reports,
                              SolutionPlace place, Channel& channel)
    : outbox_(channel),
      end_(outbox_, {static_cast<std::uint8_t>(SolveMessage::done), static_cast<std::uint8_t>(SolveMessage::failure)}),
      sweeps_(system, outbox_),
      operation_(operation),
      x_(x),
      reports_(reports),
      place_(place) {}

// Handles an event. What is thrown meanwhile is a failure of all ranks.
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
      sweeps_.abandon(kind);
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
  if (kind == SolveMessage::columns) {
    take_columns(reader);
  } else if (kind == SolveMessage::result) {
    take_result(reader);
  } else if (!sweeps_.receive(kind, from, reader) && !receive(kind, from, reader)) {
    throw InternalError(fmt::format("a message between ranks is of the unknown kind {}; do all processes run the same Frond?",
                                    static_cast<int>(kind)));
  }
}

template <Scalar S>
void SolveProgram<S>::on_room() {
  handle([this] {
    outbox_.pump();
    if (!failure()) {
      sweeps_.on_room();
    }
  });
}

template <Scalar S>
void SolveProgram<S>::fail(const std::exception_ptr& exception) {
  handle([&] { std::rethrow_exception(exception); });
}

template <Scalar S>
void SolveProgram<S>::next_block() {
  block_begin_ = block_end_;
  block_end_ = std::min(x_.cols, block_begin_ + kSolveBlock);
  if (block_begin_ < block_end_) {
    solve_block(block_begin_, block_end_);
    return;
  }
  ByteWriter message = begin_message(SolveMessage::result);
  message.list(std::span<const ColumnReport>(reports_));
  send_down_the_tree(outbox_, message.take());
  end_.finish();
}

template <Scalar S>
void SolveProgram<S>::end_block() {
  if (place_ == SolutionPlace::all_ranks) {
    send_columns(block_begin_, block_end_);
  }
  next_block();
}

template <Scalar S>
void SolveProgram<S>::send_columns(Index begin, Index end) {
  ByteWriter message = begin_message(SolveMessage::columns);
  message.value(begin);
  message.value(end);
  for (Index j = begin; j < end; ++j) {
    message.list(std::span<const S>(x_.column(j), static_cast<std::size_t>(x_.rows)));
  }
  send_down_the_tree(outbox_, message.take());
}

template <Scalar S>
void SolveProgram<S>::take_columns(ByteReader& reader) {
  const auto begin = reader.value<Index>();
  const auto end = reader.value<Index>();
  for (Index j = begin; j < end; ++j) {
    const std::vector<S> column = reader.list<S>();
    if (j < 0 || j >= x_.cols || column.size() != static_cast<std::size_t>(x_.rows)) {
      throw InternalError(
          fmt::format("column {} of the solution has {} entries, but this rank expects {} columns of {}; do all "
                      "processes solve for the same right-hand sides?",
                      j, column.size(), x_.cols, x_.rows));
    }
    std::copy(column.begin(), column.end(), x_.column(j));
  }
  reader.expect_end();
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

template class SolveProgram<float>;
template class SolveProgram<double>;
template class SolveProgram<std::complex<float>>;
template class SolveProgram<std::complex<double>>;

}  // namespace frond
