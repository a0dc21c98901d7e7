// SPDX-License-Identifier: BSD-3-Clause
// Assembles the charts of a run.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "frond/report.hpp"
#include "tools/program/page/human_figures.hpp"
#include "tools/program/page/page_parts.hpp"
#include "tools/program/page/timeline_chart.hpp"
#include "tools/program/page/tree_chart.hpp"
#include "tools/program/records/run_picture.hpp"

namespace frond {
namespace {

/// The logs of all ranks from the first work to the end of the last.
struct Window {
  double begin = 0;
  double end = 0;

  [[nodiscard]] double seconds() const { return end - begin; }
};

Window window_of(const std::vector<RankLog>& ranks) {
  Window window;
  bool is_first = true;
  for (const RankLog& rank : ranks) {
    for (const LoggedSpan& span : rank.spans) {
      window.begin = is_first ? span.begin_seconds : std::min(window.begin, span.begin_seconds);
      window.end = is_first ? span.end_seconds : std::max(window.end, span.end_seconds);
      is_first = false;
    }
  }
  return window;
}

struct Rows {
  Timeline timeline;
  TimelineRows named;
};

// Returns a row for each thread of each rank that has worked.
Rows rows_of(const std::vector<RankLog>& ranks, const Window& window) {
  Rows rows;
  bool has_threads = ranks.size() == 1;
  for (const RankLog& rank : ranks) {
    has_threads |= std::any_of(rank.spans.begin(), rank.spans.end(), [](const LoggedSpan& span) { return span.thread > 0; });
  }
  rows.named.kind = has_threads ? "thread" : "rank";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    int thread = -1;
    for (const LoggedSpan& span : ranks[rank].spans) {
      if (span.thread != thread) {
        thread = span.thread;
        rows.timeline.emplace_back();
        rows.named.names.push_back(ranks.size() == 1 ? fmt::format("thread {}", thread)
                                   : has_threads     ? fmt::format("rank {}, thread {}", rank, thread)
                                                     : fmt::format("rank {}", rank));
      }
      rows.timeline.back().push_back(
          {span.begin_seconds - window.begin, span.end_seconds - window.begin, span.work.node, span.work.role});
    }
  }
  return rows;
}

std::string headline(const RunRecord& record, const RunPicture& picture) {
  return page_header(
      "frond solve: a run", record.matrix.file,
      {"order " + format_count(record.matrix.order), format_count(static_cast<double>(record.matrix.num_entries)) + " entries",
       to_string(record.factorization.report.method), plural(static_cast<double>(picture.ranks.size()), "process"),
       plural(std::max(record.analysis.num_threads, 1), "thread") + " each"});
}

double predicted_bytes(const RunRecord& record) {
  double most = static_cast<double>(record.analysis.memory.peak_bytes());
  if (record.distribution.mapping.num_ranks > 1) {
    most = 0;
    for (const RankEstimate& rank : record.distribution.mapping.estimate.ranks) {
      most = std::max(most, static_cast<double>(rank.factor_bytes + rank.peak_active_bytes));
    }
  }
  return most;
}

std::string cards(const RunRecord& record, const RunPicture& picture) {
  const double seconds = picture.phases.empty() ? 0 : picture.phases.back().end;
  std::string cards = card("time", "Time", format_duration(seconds), "in all",
                           fmt::format("The factorization took {}.", format_duration(record.factorization.seconds)));
  Count peak = 0;
  for (const RankRunCounts& rank : record.distribution.counts) {
    peak = std::max(peak, rank.peak_bytes);
  }
  cards += card("memory", picture.ranks.size() == 1 ? "Memory of the factorization" : "Memory on a process",
                format_scaled(static_cast<double>(peak), "B"), "at the peak",
                fmt::format("{} were predicted.", format_scaled(predicted_bytes(record), "B")));
  const SolveReport& solve = record.solve.report;
  return "<div class=\"cards\">\n" + cards + card("", "Answer", to_string(solve.verdict), "", solve.describe()) + "</div>\n";
}

std::string phase_section(const RunPicture& picture) {
  const double seconds = picture.phases.empty() ? 0 : picture.phases.back().end;
  return seconds > 0 ? section("phases", "Phases", "On process 0.",
                               phase_legend(picture.phases) + wide_chart(phase_chart(picture.phases, seconds)))
                     : "";
}

std::string timeline_section(const Rows& rows, const Window& window) {
  return section(
      "timeline", fmt::format("What the {}s do when", rows.named.kind),
      fmt::format("The factorization, from its first front on: {}, a row for each.",
                  plural(static_cast<double>(rows.timeline.size()), rows.named.kind)),
      timeline_legend(rows.timeline, window.seconds()) + wide_chart(timeline_chart(rows.timeline, window.seconds(), rows.named)));
}

std::string memory_section(const RunRecord& record, const RunPicture& picture, const Window& window) {
  MemoryCurves curves;
  for (const RankLog& rank : picture.ranks) {
    std::vector<MemoryPoint>& points = curves.emplace_back();
    for (const LoggedBytes& point : rank.memory) {
      points.push_back({point.seconds - window.begin, static_cast<double>(point.bytes)});
    }
  }
  return section("memory", "Memory",
                 "Factors and active memory of each process, as the factorization counts them; dashed: predicted for the process "
                 "that needs most, as long as no pivot is delayed.",
                 wide_chart(memory_chart(curves, window.seconds(), predicted_bytes(record))));
}

double busy_seconds(const RankLog& log) {
  double seconds = 0;
  for (const LoggedSpan& span : log.spans) {
    seconds += span.end_seconds - span.begin_seconds;
  }
  return seconds;
}

std::string rank_table(const RunRecord& record, const RunPicture& picture) {
  std::string lines;
  for (std::size_t rank = 0; rank < picture.ranks.size() && rank < record.distribution.counts.size(); ++rank) {
    const RankRunCounts& counts = record.distribution.counts[rank];
    fmt::format_to(
        std::back_inserter(lines), "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", rank,
        format_scaled(counts.flops_done, "flop"), format_duration(busy_seconds(picture.ranks[rank])),
        format_scaled(static_cast<double>(counts.peak_bytes), "B"), format_count(static_cast<double>(counts.main.sent.messages)),
        format_scaled(static_cast<double>(counts.main.sent.bytes), "B"),
        format_count(static_cast<double>(counts.load_sent.total_messages())));
  }
  return section("ranks", "Process by process", "Busy seconds are those of all threads of a process.",
                 "<div class=\"wide\"><table><thead><tr><th>rank</th><th>work</th><th>busy</th><th>peak memory</th><th>messages "
                 "sent</th><th>in all</th><th>load messages</th></tr></thead><tbody>\n" +
                     lines + "</tbody></table></div>\n");
}

}  // namespace

std::string run_page(const RunRecord& record, const RunPicture& picture) {
  const Window window = window_of(picture.ranks);
  std::string content = headline(record, picture) + cards(record, picture) + phase_section(picture);
  if (window.seconds() > 0) {
    content += timeline_section(rows_of(picture.ranks, window), window) + memory_section(record, picture, window);
  }
  if (!picture.tree.empty()) {
    content += tree_section("The assembly tree", picture.tree);
  }
  if (picture.ranks.size() > 1) {
    content += rank_table(record, picture);
  }
  return whole_page(record.matrix.file + ": frond solve", content);
}

}  // namespace frond
