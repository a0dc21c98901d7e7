// SPDX-License-Identifier: BSD-3-Clause
// The parts of a row-distributed front with right-hand sides that are eliminated with it: one more question to the slaves, and
// their answers.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "factorization/distributed/front_watcher.hpp"
#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"

namespace frond {

/// What both kinds of parts have in common: `work` without the watcher's turn.
template <Scalar S>
class WatchedPart : public PartWork {
 public:
  explicit WatchedPart(std::unique_ptr<PartWork> work) : work_(std::move(work)) {}

  [[nodiscard]] PartOutcome outcome() const override { return work_->outcome(); }

 protected:
  // Returns nothing for a message of another kind.
  static std::optional<std::span<const S>> sides_in(PartMessageKind kind, std::span<const std::byte> body) {
    ByteReader reader(body);
    if (reader.value<PartMessageKind>() != kind) {
      return std::nullopt;
    }
    const auto sides = decoded<std::span<const S>>(reader);
    reader.expect_end();
    return sides;
  }
  [[nodiscard]] PartWork& work() { return *work_; }

 private:
  std::unique_ptr<PartWork> work_;
};

/// A master's part. When all slaves have followed its panels, it sends them the watcher's numbers, and has finished with the last
/// of their answers. The arguments outlive it.
template <Scalar S>
class WatchedMaster final : public WatchedPart<S> {
 public:
  WatchedMaster(std::unique_ptr<PartWork> work, NodeId node, const FrontFactor<S>& front, const std::vector<RowShare>& shares,
                RankFrontWatcher<S>& watcher)
      : WatchedPart<S>(std::move(work)),
        node_(node),
        front_(front),
        shares_(shares),
        watcher_(watcher),
        num_missing_(shares.size()) {}

  PartStep begin() override { return ask_in_the_end(this->work().begin()); }
  PartStep go_on() override { return ask_in_the_end(this->work().go_on()); }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    const auto product = this->sides_in(PartMessageKind::product, body);
    if (!product) {
      return ask_in_the_end(this->work().receive(from, body));
    }
    watcher_.add_product(node_, share_of(shares_, from), *product);
    PartStep step;
    step.finished = --num_missing_ == 0;
    return step;
  }

 private:
  PartStep ask_in_the_end(PartStep step) {
    if (step.finished) {
      const std::vector<S> sides = watcher_.on_rows_eliminated(node_, front_);
      if (num_missing_ > 0) {
        step.messages.push_back({ranks_of(shares_), PartRole::slave, encode_part(PartMessageKind::right_sides, sides)});
        step.finished = false;
      }
    }
    return step;
  }

  NodeId node_;
  const FrontFactor<S>& front_;
  const std::vector<RowShare>& shares_;
  RankFrontWatcher<S>& watcher_;
  std::size_t num_missing_;  // slaves that have not answered
};

/// A slave's part, whose rows must stay until it has finished.
template <Scalar S>
class WatchedSlave final : public WatchedPart<S> {
 public:
  WatchedSlave(std::unique_ptr<PartWork> work, const SlaveRows<S>& rows, Rank master, const RankFrontWatcher<S>& watcher)
      : WatchedPart<S>(std::move(work)), rows_(rows), master_(master), watcher_(watcher) {}

  PartStep begin() override { return wait_for_master(this->work().begin()); }
  PartStep go_on() override { return wait_for_master(this->work().go_on()); }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    const auto sides = this->sides_in(PartMessageKind::right_sides, body);
    if (!sides) {
      return wait_for_master(this->work().receive(from, body));
    }
    const std::vector<S> product = watcher_.product_of_rows({rows_.row_begin, rows_.num_eliminated, rows_.summed_view()}, *sides);
    PartStep step;
    step.messages.push_back({{master_}, PartRole::master, encode_part(PartMessageKind::product, product)});
    step.finished = true;
    return step;
  }

 private:
  // The master asks when all slaves have followed it.
  static PartStep wait_for_master(PartStep step) {
    step.finished = false;
    return step;
  }

  const SlaveRows<S>& rows_;
  Rank master_;
  const RankFrontWatcher<S>& watcher_;
};

}  // namespace frond
