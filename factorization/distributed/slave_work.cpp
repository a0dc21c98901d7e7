// SPDX-License-Identifier: BSD-3-Clause
// The slaves of a row-distributed front.
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "factorization/distributed/part_message.hpp"
#include "factorization/distributed/part_work.hpp"
#include "factorization/kernels/cholesky_rows.hpp"
#include "factorization/kernels/ldlt_rows.hpp"
#include "factorization/kernels/lu_rows.hpp"
#include "factorization/kernels/magnitude.hpp"

namespace frond {
namespace {

// The last rows of a slave, as far as they are those of a Schur complement.
template <Scalar S>
Index num_untested_rows(const SlaveRows<S>& rows) {
  const Index schur_begin = rows.size.cb_order() - rows.size.num_schur_rows;
  return std::clamp(rows.row_begin + rows.num_rows - schur_begin, Index{0}, rows.num_rows);
}

[[noreturn]] void fail_on_kind() { throw InternalError("a slave of a front was told something that is not said to slaves"); }

template <Scalar S>
class LuSlave final : public PartWork {
 public:
  LuSlave(SlaveRows<S>& rows, Rank master, RunChunks run_chunks)
      : rows_(rows), master_(master), run_chunks_(std::move(run_chunks)) {}

  PartStep begin() override { return {}; }
  PartStep go_on() override { throw InternalError("a slave waits for its master"); }

  PartStep receive(Rank /*from*/, std::span<const std::byte> body) override {
    ByteReader reader(body);
    PartStep step;
    switch (reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        apply(decode_lu_panel<S>(reader));
        ++num_applied_;
        step.messages.push_back({{master_}, PartRole::master, encode_number(PartMessageKind::done, num_applied_)});
        break;
      case PartMessageKind::end:
        rows_.num_eliminated = decode_end(reader).num_eliminated;
        step.finished = true;
        break;
      default:
        fail_on_kind();
    }
    reader.expect_end();
    return step;
  }

  [[nodiscard]] double largest_entry() const override {
    const DenseView<S> n = rows_.summed_view().columns(0, rows_.num_eliminated);  // N^T, without gaps
    RealOf<S> largest = 0;
    for (Index k = 0; k < n.cols; ++k) {
      largest = std::max(largest, max_magnitude(n.rows, n.column(k)));
    }
    return largest;
  }

 private:
  void apply(const LuPanel<S>& panel) {
    run_chunks_(rows_.num_rows, [&](Index begin, Index end) { apply_panel(panel, rows_.lu().rows(begin, end)); });
  }

  SlaveRows<S>& rows_;
  Rank master_;
  RunChunks run_chunks_;
  Index num_applied_ = 0;  // panels
};

// What slaves of the symmetric methods have in common: rows of L that go down and come from above. Rows from above wait until this
// slave has its own rows of the same panel.
template <Scalar S>
class SymmetricSlave : public PartWork {
 public:
  SymmetricSlave(SlaveRows<S>& rows, Rank master, const std::vector<RowShare>& shares, RunChunks run_chunks)
      : rows_(rows), master_(master), run_chunks_(std::move(run_chunks)) {
    for (const RowShare& share : shares) {
      if (share.row_begin < rows.row_begin) {
        above_[share.rank] = {};
      } else if (share.row_begin > rows.row_begin) {
        below_.push_back(share.rank);
      }
    }
  }

  PartStep go_on() override { throw InternalError("a slave waits for its master"); }

 protected:
  [[nodiscard]] SlaveRows<S>& rows() const { return rows_; }
  void run_chunks(const ChunkBody& body) const { run_chunks_(rows_.num_rows, body); }
  void send_to_master(PartBody body, PartStep& step) const {
    step.messages.push_back({{master_}, PartRole::master, std::move(body)});
  }

  // The slave's own rows in the columns of a panel that stays.
  void finish_panel(const RowsOfL<S>& own, PartStep& step) {
    if (!below_.empty()) {
      step.messages.push_back({below_, PartRole::slave, encode_rows(own)});
    }
    apply_rows_of(own);
    ++num_panels_;
    apply_from_above();
  }

  void take_from_above(Rank from, std::span<const std::byte> body) {
    above_.at(from).waiting.emplace_back(body.begin(), body.end());
    apply_from_above();
  }

  void end(const EndOfPanels& end) {
    rows_.num_eliminated = end.num_eliminated;
    panels_in_all_ = end.num_panels;
  }

  [[nodiscard]] Index num_panels() const { return num_panels_; }
  [[nodiscard]] bool is_finished() const { return panels_in_all_ >= 0 && num_done_from_above() >= panels_in_all_; }

  // The number of panels of which this slave has done its own rows and, for those before the last, the rows from above.
  [[nodiscard]] Index num_panels_done() const { return std::min(num_panels_, num_done_from_above() + 1); }

 private:
  struct Above {
    std::deque<std::vector<std::byte>> waiting;
    Index num_applied = 0;
  };

  // To the rows [begin, end) of this slave. `above` is either wholly above them, or these very rows.
  virtual void apply_rows_to(Index begin, Index end, const RowsOfL<S>& above) = 0;

  void apply_rows_of(const RowsOfL<S>& above) {
    const bool is_own = above.row_begin == rows_.row_begin;
    run_chunks_(rows_.num_rows, [&](Index begin, Index end) {
      if (!is_own) {
        apply_rows_to(begin, end, above);
        return;
      }
      if (begin > 0) {
        apply_rows_to(begin, end, above.rows(0, begin));
      }
      apply_rows_to(begin, end, above.rows(begin, end));
    });
  }

  [[nodiscard]] Index num_done_from_above() const {
    Index done = num_panels_;
    for (const auto& [rank, above] : above_) {
      done = std::min(done, above.num_applied);
    }
    return done;
  }

  void apply_from_above() {
    for (auto& [rank, above] : above_) {
      for (; !above.waiting.empty() && above.num_applied < num_panels_; ++above.num_applied) {
        ByteReader reader(above.waiting.front());
        static_cast<void>(reader.value<PartMessageKind>());
        const RowsOfL<S> rows = decode_rows<S>(reader);
        reader.expect_end();
        apply_rows_of(rows);
        above.waiting.pop_front();
      }
    }
  }

  SlaveRows<S>& rows_;
  Rank master_;
  RunChunks run_chunks_;
  std::map<Rank, Above> above_;
  std::vector<Rank> below_;
  Index num_panels_ = 0;      // that stayed and are done here, rows from above apart
  Index panels_in_all_ = -1;  // as the master says in the end
};

template <Scalar S>
class CholeskySlave final : public SymmetricSlave<S> {
 public:
  using SymmetricSlave<S>::SymmetricSlave;

  PartStep begin() override { return {}; }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    ByteReader reader(body);
    PartStep step;
    switch (reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        this->finish_panel(apply(decode_cholesky_panel<S>(reader)), step);
        break;
      case PartMessageKind::rows:
        this->take_from_above(from, body);
        break;
      case PartMessageKind::end:
        this->end(decode_end(reader));
        break;
      default:
        fail_on_kind();
    }
    if (this->num_panels_done() > num_told_) {
      num_told_ = this->num_panels_done();
      this->send_to_master(encode_number(PartMessageKind::done, num_told_), step);
    }
    step.finished = this->is_finished();
    return step;
  }

 private:
  RowsOfL<S> apply(const CholeskyPanel<S>& panel) {
    const SymmetricRowBlock<S> rows = this->rows().symmetric();
    this->run_chunks([&](Index begin, Index end) { apply_panel(panel, rows.rows(begin, end)); });
    return {panel.begin, rows.row_begin, rows.lower.columns(panel.begin, panel.begin + panel.l.cols)};
  }

  void apply_rows_to(Index begin, Index end, const RowsOfL<S>& above) override {
    apply_rows(above, this->rows().symmetric().rows(begin, end));
  }

  Index num_told_ = 0;
};

template <Scalar S>
class LdltSlave final : public SymmetricSlave<S> {
 public:
  LdltSlave(SlaveRows<S>& rows, Rank master, const std::vector<RowShare>& shares, bool hermitian,
            PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks)
      : SymmetricSlave<S>(rows, master, shares, run_chunks),
        part_(rows.symmetric(), hermitian, tolerances, run_chunks, num_untested_rows(rows)) {}

  PartStep begin() override {
    PartStep step;
    this->send_to_master(encode_maxima(part_.column_maxima()), step);
    return step;
  }

  PartStep receive(Rank from, std::span<const std::byte> body) override {
    ByteReader reader(body);
    PartStep step;
    switch (reader.value<PartMessageKind>()) {
      case PartMessageKind::panel:
        panel_.assign(body.begin(), body.end());
        this->send_to_master(encode_number(PartMessageKind::verdict, part_.verify(panel())), step);
        break;
      case PartMessageKind::commit:
        commit(reader.value<CommitOfPanel>(), step);
        break;
      case PartMessageKind::rows:
        this->take_from_above(from, body);
        break;
      case PartMessageKind::end: {
        const EndOfPanels end = decode_end(reader);
        part_.exchange(end.exchanges);
        this->end(end);
        break;
      }
      default:
        fail_on_kind();
    }
    step.finished = this->is_finished();
    return step;
  }

  [[nodiscard]] double largest_entry() const override { return part_.largest_entry(); }

 private:
  void apply_rows_to(Index begin, Index end, const RowsOfL<S>& above) override { part_.apply_rows(above, begin, end); }

  [[nodiscard]] LdltPanel<S> panel() const {
    ByteReader reader(panel_);
    static_cast<void>(reader.value<PartMessageKind>());
    return decode_ldlt_panel<S>(reader);
  }

  void commit(const CommitOfPanel& commit, PartStep& step) {
    RowsOfL<S> own = part_.commit(panel(), commit.num_pivots);
    own.l.cols = commit.num_pivots;
    if (commit.num_pivots > 0) {
      this->finish_panel(own, step);
    }
    if (commit.wants_maxima) {
      this->send_to_master(encode_maxima(part_.column_maxima()), step);
    }
  }

  LdltRows<S> part_;
  std::vector<std::byte> panel_;  // the one that is being verified
};

}  // namespace

template <Scalar S>
std::unique_ptr<PartWork> make_slave_work(Method method, SlaveRows<S>& rows, Rank master, const std::vector<RowShare>& shares,
                                          PivotTolerances<RealOf<S>> tolerances, const RunChunks& run_chunks) {
  switch (method) {
    case Method::cholesky:
      return std::make_unique<CholeskySlave<S>>(rows, master, shares, run_chunks);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<LdltSlave<S>>(rows, master, shares, method == Method::ldlh, tolerances, run_chunks);
    case Method::lu:
      return std::make_unique<LuSlave<S>>(rows, master, run_chunks);
  }
  throw InternalError("a factorization method without row-distributed fronts");
}

template std::unique_ptr<PartWork> make_slave_work(Method, SlaveRows<float>&, Rank, const std::vector<RowShare>&,
                                                   PivotTolerances<float>, const RunChunks&);
template std::unique_ptr<PartWork> make_slave_work(Method, SlaveRows<double>&, Rank, const std::vector<RowShare>&,
                                                   PivotTolerances<double>, const RunChunks&);
template std::unique_ptr<PartWork> make_slave_work(Method, SlaveRows<std::complex<float>>&, Rank, const std::vector<RowShare>&,
                                                   PivotTolerances<float>, const RunChunks&);
template std::unique_ptr<PartWork> make_slave_work(Method, SlaveRows<std::complex<double>>&, Rank, const std::vector<RowShare>&,
                                                   PivotTolerances<double>, const RunChunks&);

}  // namespace frond
