// SPDX-License-Identifier: BSD-3-Clause
// Adds one more question to the slaves, and their answers.
#include "factorization/distributed/watched_work.hpp"

#include <utility>

#include "factorization/distributed/part_message.hpp"

namespace frond {
namespace {

bool is_of_kind(PartMessageKind kind, std::span<const std::byte> body) { return ByteReader(body).value<PartMessageKind>() == kind; }

template <Scalar S>
std::span<const S> sides_in(std::span<const std::byte> body) {
  ByteReader reader(body);
  static_cast<void>(reader.value<PartMessageKind>());
  const std::span<const S> sides = decoded<std::span<const S>>(reader);
  reader.expect_end();
  return sides;
}

template <Scalar S>
class WatchedMaster final : public MasterWork<S> {
 public:
  WatchedMaster(std::unique_ptr<MasterWork<S>> work, NodeId node, const FrontFactor<S>& front, const std::vector<RowShare>& shares,
                RankFrontWatcher<S>& watcher)
      : work_(std::move(work)), node_(node), front_(front), shares_(shares), watcher_(watcher), num_missing_(shares.size()) {}

  PartStep begin() override { return ask_in_the_end(work_->begin()); }
  PartStep go_on() override { return ask_in_the_end(work_->go_on()); }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    if (!is_of_kind(PartMessageKind::product, body)) {
      return ask_in_the_end(work_->receive(from, body));
    }
    watcher_.add_product(node_, share_of(shares_, from), sides_in<S>(body));
    PartStep step;
    step.finished = --num_missing_ == 0;
    return step;
  }

  [[nodiscard]] const PivotCounts& counts() const override { return work_->counts(); }
  [[nodiscard]] Count num_panels_undone() const override { return work_->num_panels_undone(); }

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

  std::unique_ptr<MasterWork<S>> work_;
  NodeId node_;
  const FrontFactor<S>& front_;
  const std::vector<RowShare>& shares_;
  RankFrontWatcher<S>& watcher_;
  std::size_t num_missing_;  // slaves that have not answered
};

template <Scalar S>
class WatchedSlave final : public PartWork {
 public:
  WatchedSlave(std::unique_ptr<PartWork> work, const SlaveRows<S>& rows, Rank master, const RankFrontWatcher<S>& watcher)
      : work_(std::move(work)), rows_(rows), master_(master), watcher_(watcher) {}

  PartStep begin() override { return wait_for_master(work_->begin()); }
  PartStep go_on() override { return wait_for_master(work_->go_on()); }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    if (!is_of_kind(PartMessageKind::right_sides, body)) {
      return wait_for_master(work_->receive(from, body));
    }
    const std::vector<S> product =
        watcher_.product_of_rows({rows_.row_begin, rows_.num_eliminated, rows_.summed_view()}, sides_in<S>(body));
    PartStep step;
    step.messages.push_back({{master_}, PartRole::master, encode_part(PartMessageKind::product, product)});
    step.finished = true;
    return step;
  }

  [[nodiscard]] double largest_entry() const override { return work_->largest_entry(); }

 private:
  // The master asks when all slaves have followed it.
  static PartStep wait_for_master(PartStep step) {
    step.finished = false;
    return step;
  }

  std::unique_ptr<PartWork> work_;
  const SlaveRows<S>& rows_;
  Rank master_;
  const RankFrontWatcher<S>& watcher_;
};

}  // namespace

template <Scalar S>
std::unique_ptr<MasterWork<S>> make_watched_master_work(std::unique_ptr<MasterWork<S>> work, NodeId node,
                                                        const FrontFactor<S>& front, const std::vector<RowShare>& shares,
                                                        RankFrontWatcher<S>& watcher) {
  return std::make_unique<WatchedMaster<S>>(std::move(work), node, front, shares, watcher);
}

template <Scalar S>
std::unique_ptr<PartWork> make_watched_slave_work(std::unique_ptr<PartWork> work, const SlaveRows<S>& rows, Rank master,
                                                  const RankFrontWatcher<S>& watcher) {
  return std::make_unique<WatchedSlave<S>>(std::move(work), rows, master, watcher);
}

#define FROND_INSTANTIATE(S)                                                                                                      \
  template std::unique_ptr<MasterWork<S>> make_watched_master_work(std::unique_ptr<MasterWork<S>>, NodeId, const FrontFactor<S>&, \
                                                                   const std::vector<RowShare>&, RankFrontWatcher<S>&);           \
  template std::unique_ptr<PartWork> make_watched_slave_work(std::unique_ptr<PartWork>, const SlaveRows<S>&, Rank,                \
                                                             const RankFrontWatcher<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
