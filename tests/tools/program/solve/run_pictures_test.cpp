// SPDX-License-Identifier: BSD-3-Clause
// Opens the page and the trace of real runs, in one process and in four, in a browser.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/programs/browser.hpp"
#include "tests/support/programs/json_values.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond::testing {
namespace {

using Json = nlohmann::json;

// Checks the events of a trace inside the page: spans of one thread must not overlap, and memory must be counted.
constexpr const char* kTraceChecks = R"(
"use strict";
const threads = new Map();
const found = {spans: 0, phases: [], overlaps: 0, strange: 0, processes: new Set(), peaks: {}, names: 0};
for (const event of trace.traceEvents) {
  if (event.ph === "M") { found.names += 1; continue; }
  if (!Number.isFinite(event.ts) || event.ts < 0) { found.strange += 1; }
  if (event.ph === "C") { found.peaks[event.pid] = Math.max(found.peaks[event.pid] || 0, event.args.bytes); continue; }
  if (event.ph !== "X" || !Number.isFinite(event.dur) || event.dur < 0) { found.strange += 1; continue; }
  const key = event.pid + "/" + event.tid;
  if (!threads.has(key)) { threads.set(key, []); }
  threads.get(key).push(event);
  if (event.cat === "phase") { found.phases.push(event.name); } else { found.spans += 1; found.processes.add(event.pid); }
}
for (const events of threads.values()) {
  events.sort((left, right) => left.ts - right.ts);
  events.slice(1).forEach((event, k) => { if (event.ts + 0.01 < events[k].ts + events[k].dur) { found.overlaps += 1; } });
}
found.processes = found.processes.size;
found.peaks = Object.values(found.peaks);
const output = document.createElement("pre");
output.id = "measured";
output.textContent = JSON.stringify(found);
document.body.append(output);
)";

class RunPictures : public testing::PageInBrowser {
 protected:
  void SetUp() override {
    PageInBrowser::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    matrix_ = folder_.path("A.mtx");
    const ChildResult made = run_child({FROND_PROGRAM, "generate", "laplacian3d7", "16", "-o", matrix_}, 60);
    ASSERT_EQ(made.exit_code, 0) << made.errors;
  }

  void run(std::vector<std::string> command) {
    command.insert(command.end(),
                   {FROND_PROGRAM, "solve", matrix_, "--html", folder_.path("run.html"), "--trace", folder_.path("run.json")});
    command.insert(command.end(), more_.begin(), more_.end());
    const ChildResult result = run_child(command, 120);
    ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  }

  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ifstream file(folder_.path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] Json checked_trace() const {
    return opened("<!DOCTYPE html><html><head><meta charset=\"utf-8\"/></head><body><script>const trace = " + text_of("run.json") +
                  ";" + kTraceChecks + "</script></body></html>");
  }

  static void expect_trace(const Json& trace, int num_processes) {
    expect_values(trace, {{"strange", 0}, {"overlaps", 0}, {"processes", num_processes}});
    EXPECT_GE(trace["spans"], num_processes);
    EXPECT_GE(trace["names"], 2 * num_processes);
    EXPECT_EQ(trace["phases"], Json::array({"read", "analyze", "factorize", "solve"}));
    EXPECT_EQ(trace["peaks"].size(), static_cast<std::size_t>(num_processes));
    for (const Json& peak : trace["peaks"]) {
      EXPECT_GT(peak, 0);
    }
  }

  std::string matrix_;
  std::vector<std::string> more_;
};

TEST_F(RunPictures, OfOneProcess) {
  more_ = {"--threads", "2"};
  run({});
  for (const Screen& screen : {Screen{1200, false}, Screen{600, true}}) {
    const Json page = measure(text_of("run.html"), screen);
    expect_no_fault(page);
    expect_values(page, {{"sections", 4}, {"charts", 4}});
    EXPECT_GT(page["spans"], 0);
    EXPECT_GT(page["nodes"], 0);
  }
  expect_trace(checked_trace(), 1);
}

TEST_F(RunPictures, OfFourProcesses) {
  if (std::string(FROND_MPIEXEC).empty()) {
    GTEST_SKIP() << "there is no MPI";
  }
  run({"env", "ASAN_OPTIONS=detect_leaks=0", FROND_MPIEXEC, "-n", "4"});
  const Json page = measure(text_of("run.html"));
  expect_no_fault(page);
  expect_values(page, {{"sections", 5}, {"charts", 4}});
  expect_trace(checked_trace(), 4);
}

// Without a factorization, only phases are shown.
TEST_F(RunPictures, OfLoadedFactors) {
  const std::string factors = folder_.path("A.factors");
  ASSERT_EQ(run_child({FROND_PROGRAM, "solve", matrix_, "--save-factors", factors}, 60).exit_code, 0);
  more_ = {"--load-factors", factors};
  run({});
  const Json page = measure(text_of("run.html"));
  expect_no_fault(page);
  EXPECT_EQ(page["sections"], 1);
  EXPECT_EQ(checked_trace()["phases"], Json::array({"read", "load", "solve"}));
}

TEST_F(RunPictures, AreRefusedWhereTheyCannotBeWritten) {
  const ChildResult result = run_child({FROND_PROGRAM, "solve", matrix_, "--html", folder_.path("none/run.html")}, 60);
  EXPECT_EQ(result.exit_code, 10) << result.errors;
  EXPECT_NE(result.errors.find("--html"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace frond::testing
