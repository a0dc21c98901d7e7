// SPDX-License-Identifier: BSD-3-Clause
// Writes spans as complete events, in microseconds.
#include <fmt/core.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/program/records/run_picture.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPhaseThread = 0;  // in rank 0; worker threads come after it
constexpr double kMicroseconds = 1e6;

int trace_thread(int thread) { return thread + 1; }

Json name_event(const char* kind, std::size_t rank, int thread, const std::string& name) {
  return {{"name", kind}, {"ph", "M"}, {"pid", rank}, {"tid", thread}, {"args", {{"name", name}}}};
}

Json span_event(const std::string& name, std::string_view category, std::size_t rank, int thread, double begin, double end) {
  return {{"name", name},
          {"cat", category},
          {"ph", "X"},
          {"pid", rank},
          {"tid", thread},
          {"ts", begin * kMicroseconds},
          {"dur", (end - begin) * kMicroseconds}};
}

void add_rank(std::size_t rank, const RankLog& log, Json& events) {
  events.push_back(name_event("process_name", rank, kPhaseThread, fmt::format("rank {}", rank)));
  std::set<int> threads;
  for (const LoggedSpan& span : log.spans) {
    if (threads.insert(span.thread).second) {
      events.push_back(name_event("thread_name", rank, trace_thread(span.thread), fmt::format("thread {}", span.thread)));
    }
    Json event = span_event(fmt::format("node {}", span.work.node), to_string(span.work.role), rank, trace_thread(span.thread),
                            span.begin_seconds, span.end_seconds);
    event["args"] = {{"node", span.work.node}, {"role", describe(span.work.role)}};
    events.push_back(std::move(event));
  }
  for (const LoggedBytes& point : log.memory) {
    events.push_back({{"name", "memory"},
                      {"ph", "C"},
                      {"pid", rank},
                      {"tid", kPhaseThread},
                      {"ts", point.seconds * kMicroseconds},
                      {"args", {{"bytes", point.bytes}}}});
  }
}

}  // namespace

std::string run_trace(const RunRecord& record, const RunPicture& picture) {
  Json events = Json::array();
  events.push_back(name_event("thread_name", 0, kPhaseThread, "phases"));
  for (const PagePhase& phase : picture.phases) {
    events.push_back(span_event(phase.name, "phase", 0, kPhaseThread, phase.begin, phase.end));
  }
  for (std::size_t rank = 0; rank < picture.ranks.size(); ++rank) {
    add_rank(rank, picture.ranks[rank], events);
  }
  const Json trace = {{"displayTimeUnit", "ms"},
                      {"otherData",
                       {{"program", "frond solve"},
                        {"matrix", record.matrix.file},
                        {"order", record.matrix.order},
                        {"ranks", picture.ranks.size()}}},
                      {"traceEvents", std::move(events)}};
  return trace.dump() + "\n";
}

}  // namespace frond
