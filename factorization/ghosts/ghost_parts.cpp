// SPDX-License-Identifier: BSD-3-Clause
// Who says what when, as master_work.cpp and slave_work.cpp, with costs from analysis/tree/front_cost.hpp.
#include "factorization/ghosts/ghost_parts.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "factorization/distributed/part_message.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "matrices/error.hpp"

namespace frond {
namespace {

// Columns of the next panel, behind `num_eliminated` others.
Index panel_width(const FrontSize& size, Index num_eliminated) {
  return std::min(kPanelWidth, size.num_fully_summed - num_eliminated);
}

double master_flops(const GhostFront& front, Index begin, Index width) {
  const auto left = [&](Index eliminated) {
    return master_cost(front.size.order - eliminated, front.size.num_fully_summed - eliminated, front.method).flops;
  };
  return left(begin) - left(begin + width);
}

// Of a slave, with what rows from above bring.
double slave_flops(const GhostFront& front, const RowShare& share, Index begin, Index width) {
  const auto left = [&](Index eliminated) {
    return slave_cost(front.size.order - eliminated, front.size.num_fully_summed - eliminated, share.row_begin, share.row_end,
                      front.method)
        .flops;
  };
  return left(begin) - left(begin + width);
}

Index num_rows(const RowShare& share) { return share.row_end - share.row_begin; }

class GhostMaster : public GhostPart {
 public:
  explicit GhostMaster(const GhostFront& front) : front_(front) {}

 protected:
  [[nodiscard]] bool done() const { return num_eliminated_ == front_.size.num_fully_summed; }
  [[nodiscard]] Index num_panels() const { return num_panels_; }
  [[nodiscard]] const GhostFront& front() const { return front_; }

  // Rows from the panel on, as the kernels' panels have: those of the master, and for LU all columns of A that it holds.
  void send_panel(GhostStep& made) {
    const Index width = panel_width(front_.size, num_eliminated_);
    const Index rows = (front_.method == Method::lu ? front_.size.order : front_.size.num_fully_summed) - num_eliminated_;
    send_to_all(encode_number(PartMessageKind::panel, width), static_cast<Count>(rows) * width * front_.scalar_bytes, made.step);
    made.flops += master_flops(front_, num_eliminated_, width);
  }
  // Returns the width of the panel that is over.
  Index finish_panel() {
    const Index width = panel_width(front_.size, num_eliminated_);
    num_eliminated_ += width;
    ++num_panels_;
    return width;
  }
  void send_to_all(const PartBody& body, Count num_ghost_bytes, PartStep& step) const {
    step.messages.push_back({ranks_of(front_.shares), PartRole::slave, body, num_ghost_bytes});
  }
  void send_end(PartStep& step) const { send_to_all(encode_end({num_eliminated_, num_panels_}), 0, step); }

 private:
  GhostFront front_;
  Index num_eliminated_ = 0;
  Index num_panels_ = 0;
};

// LU and Cholesky.
class GhostPanelMaster final : public GhostMaster {
 public:
  explicit GhostPanelMaster(const GhostFront& front) : GhostMaster(front) {
    for (const RowShare& share : front.shares) {
      num_applied_[share.rank] = 0;
    }
  }

  GhostStep begin() override { return go_on(); }

  GhostStep go_on() override {
    GhostStep made;
    if (!done()) {
      send_panel(made);
      finish_panel();
      if (done()) {
        send_end(made.step);
      }
    }
    return judge(std::move(made));
  }

  GhostStep receive(Rank from, std::span<const std::byte> body) override {
    ByteReader reader(body);
    static_cast<void>(reader.value<PartMessageKind>());
    num_applied_.at(from) = reader.value<Index>();
    return judge({});
  }

 private:
  [[nodiscard]] GhostStep judge(GhostStep made) const {
    Index least = num_panels();
    for (const auto& [slave, num_applied] : num_applied_) {
      least = std::min(least, num_applied);
    }
    const Index behind = num_panels() - least;
    made.step.goes_on = !done() && behind < PartWork::kPanelsAhead;
    made.step.finished = done() && behind == 0;
    return made;
  }

  std::map<Rank, Index> num_applied_;  // [slave] = panels
};

// LDLT and LDLH.
class GhostVerifiedMaster final : public GhostMaster {
 public:
  explicit GhostVerifiedMaster(const GhostFront& front) : GhostMaster(front), answers_left_(front.shares.size()) {}

  GhostStep begin() override { return {}; }
  GhostStep go_on() override { throw InternalError("the master of an indefinite front waits for its slaves"); }

  GhostStep receive(Rank /*from*/, std::span<const std::byte> body) override {
    ByteReader reader(body);
    const auto kind = reader.value<PartMessageKind>();
    GhostStep made;
    if (--answers_left_ > 0) {
      return made;
    }
    answers_left_ = front().shares.size();
    if (kind == PartMessageKind::maxima) {
      send_panel(made);
      return made;
    }
    const Index width = finish_panel();
    send_to_all(encode_number(PartMessageKind::commit, CommitOfPanel{width, !done()}), 0, made.step);
    if (done()) {
      send_end(made.step);
      made.step.finished = true;
    }
    return made;
  }

 private:
  std::size_t answers_left_;
};

class GhostSlave : public GhostPart {
 public:
  GhostSlave(const GhostFront& front, Rank slave) : front_(front), share_(share_of(front.shares, slave)) {}

  GhostStep go_on() override { throw InternalError("a slave waits for its master"); }

 protected:
  [[nodiscard]] const GhostFront& front() const { return front_; }
  [[nodiscard]] const RowShare& share() const { return share_; }
  void send_to_master(PartBody body, Count num_ghost_bytes, PartStep& step) const {
    step.messages.push_back({{front_.master}, PartRole::master, std::move(body), num_ghost_bytes});
  }

 private:
  GhostFront front_;
  RowShare share_;
};

class GhostLuSlave final : public GhostSlave {
 public:
  using GhostSlave::GhostSlave;

  GhostStep begin() override { return {}; }

  GhostStep receive(Rank /*from*/, std::span<const std::byte> body) override {
    ByteReader reader(body);
    GhostStep made;
    if (reader.value<PartMessageKind>() == PartMessageKind::end) {
      made.step.finished = true;
      return made;
    }
    const auto width = reader.value<Index>();
    made.flops = slave_flops(front(), share(), num_eliminated_, width);
    num_eliminated_ += width;
    send_to_master(encode_number(PartMessageKind::done, ++num_panels_), 0, made.step);
    return made;
  }

 private:
  Index num_eliminated_ = 0;
  Index num_panels_ = 0;
};

// Rows of L go down; those from above wait until this slave has its own rows of the same panel.
class GhostSymmetricSlave final : public GhostSlave {
 public:
  GhostSymmetricSlave(const GhostFront& front, Rank slave) : GhostSlave(front, slave) {
    for (const RowShare& other : front.shares) {
      if (other.row_begin < share().row_begin) {
        above_[other.rank] = {};
      } else if (other.row_begin > share().row_begin) {
        below_.push_back(other.rank);
      }
    }
  }

  GhostStep begin() override {
    GhostStep made;
    if (verifies()) {
      send_maxima(made.step);
    }
    return made;
  }

  GhostStep receive(Rank from, std::span<const std::byte> body) override {
    ByteReader reader(body);
    GhostStep made;
    switch (reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        panel_width_ = reader.value<Index>();
        if (verifies()) {
          made.flops += static_cast<double>(num_rows(share())) * panel_width_ * panel_width_;
          send_to_master(encode_number(PartMessageKind::verdict, panel_width_), 0, made.step);
        } else {
          finish_panel(made);
        }
        break;
      case PartMessageKind::commit:
        finish_panel(made);
        made.flops -= static_cast<double>(num_rows(share())) * panel_width_ * panel_width_;  // done before its verdict
        if (reader.value<CommitOfPanel>().wants_maxima) {
          send_maxima(made.step);
        }
        break;
      case PartMessageKind::rows:
        ++above_.at(from).num_waiting;
        apply_from_above(made);
        break;
      case PartMessageKind::end:
        panels_in_all_ = decode_end(reader).num_panels;
        break;
      default:
        throw InternalError("a slave of a front was told something that is not said to slaves");
    }
    if (!verifies() && num_panels_done() > num_told_) {
      num_told_ = num_panels_done();
      send_to_master(encode_number(PartMessageKind::done, num_told_), 0, made.step);
    }
    made.step.finished = panels_in_all_ >= 0 && num_done_from_above() >= panels_in_all_;
    return made;
  }

 private:
  struct Above {
    Index num_waiting = 0;  // panels whose rows have come
    Index num_applied = 0;
  };

  [[nodiscard]] bool verifies() const { return front().method != Method::cholesky; }
  [[nodiscard]] Index columns_left() const { return front().size.num_fully_summed - num_eliminated_; }

  void send_maxima(PartStep& step) const {
    send_to_master(encode_number(PartMessageKind::maxima, columns_left()), front().real_bytes * columns_left(), step);
  }

  // Of the panel's flops, those that rows of another slave bring.
  [[nodiscard]] double flops_with(Rank other, Index width) const {
    return 2.0 * num_rows(share_of(front().shares, other)) * num_rows(share()) * width;
  }

  void finish_panel(GhostStep& made) {
    made.flops += slave_flops(front(), share(), num_eliminated_, panel_width_);
    for (const auto& [rank, above] : above_) {
      made.flops -= flops_with(rank, panel_width_);
    }
    const Count bytes = static_cast<Count>(num_rows(share())) * panel_width_ * front().scalar_bytes;
    const PartBody body = encode_number(PartMessageKind::rows, panel_width_);
    if (!below_.empty()) {
      made.step.messages.push_back({below_, PartRole::slave, body, bytes});
    }
    num_eliminated_ += panel_width_;
    ++num_panels_;
    apply_from_above(made);
  }

  void apply_from_above(GhostStep& made) {
    for (auto& [rank, above] : above_) {
      for (; above.num_waiting > 0 && above.num_applied < num_panels_; --above.num_waiting, ++above.num_applied) {
        made.flops += flops_with(rank, panel_width(front().size, above.num_applied * kPanelWidth));
      }
    }
  }

  [[nodiscard]] Index num_done_from_above() const {
    Index done = num_panels_;
    for (const auto& [rank, above] : above_) {
      done = std::min(done, above.num_applied);
    }
    return done;
  }
  [[nodiscard]] Index num_panels_done() const { return std::min(num_panels_, num_done_from_above() + 1); }

  std::map<Rank, Above> above_;
  std::vector<Rank> below_;
  Index panel_width_ = 0;  // of the last one that came
  Index num_eliminated_ = 0;
  Index num_panels_ = 0;  // own rows of them are done
  Index panels_in_all_ = -1;
  Index num_told_ = 0;
};

}  // namespace

std::unique_ptr<GhostPart> make_ghost_master(const GhostFront& front) {
  if (front.method == Method::ldlt || front.method == Method::ldlh) {
    return std::make_unique<GhostVerifiedMaster>(front);
  }
  return std::make_unique<GhostPanelMaster>(front);
}

std::unique_ptr<GhostPart> make_ghost_slave(const GhostFront& front, Rank slave) {
  if (front.method == Method::lu) {
    return std::make_unique<GhostLuSlave>(front, slave);
  }
  return std::make_unique<GhostSymmetricSlave>(front, slave);
}

}  // namespace frond
