// SPDX-License-Identifier: BSD-3-Clause
// Runs forked processes with a pipe each.
#include "tools/simulation/forked_runs.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <system_error>

#include "matrices/log_file.hpp"

namespace frond {
namespace {

struct Run {
  std::size_t number = 0;
  pid_t process = -1;
  int pipe = -1;
  std::string text;  // received so far
};

[[noreturn]] void throw_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// The first letter distinguishes output from error. Exits without destructors: they belong to the process that was copied.
[[noreturn]] void run_in_child(int pipe, std::size_t number, const std::function<std::string(std::size_t)>& run) {
  std::string text;
  try {
    text = run(number);
    text.insert(text.begin(), 'o');
  } catch (const std::exception& error) {
    text = std::string("e") + error.what();
  } catch (...) {
    text = "esomething was thrown that is no exception";
  }
  const bool is_written = write_all(pipe, std::as_bytes(std::span(text))) == text.size();
  _exit(is_written ? 0 : 1);  // 1: the reader is gone
}

Run start(std::size_t number, const std::function<std::string(std::size_t)>& run) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw_errno("a pipe to a simulation");
  }
  std::fflush(nullptr);  // so that buffered output is written once
  const pid_t process = fork();
  if (process < 0) {
    throw_errno("a process for a simulation");
  }
  if (process == 0) {
    close(ends[0]);
    run_in_child(ends[1], number, run);
  }
  close(ends[1]);
  return {number, process, ends[0], {}};
}

// Returns false at the end.
bool read_some(Run& run) {
  std::array<char, 1 << 16> buffer;
  const ssize_t num_read = read(run.pipe, buffer.data(), buffer.size());
  if (num_read > 0) {
    run.text.append(buffer.data(), static_cast<std::size_t>(num_read));
  }
  return num_read > 0 || (num_read < 0 && errno == EINTR);
}

ForkedResult finish(const Run& run) {
  close(run.pipe);
  int status = 0;
  while (waitpid(run.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    return {{}, std::string("it was ended by a signal: ") + strsignal(WTERMSIG(status))};
  }
  if (run.text.empty() || WEXITSTATUS(status) != 0) {
    return {{}, "it ended without a result"};
  }
  return run.text.front() == 'o' ? ForkedResult{run.text.substr(1), {}} : ForkedResult{{}, run.text.substr(1)};
}

void wait_for_text(const std::vector<Run>& runs, std::vector<pollfd>& pipes) {
  pipes.clear();
  std::transform(runs.begin(), runs.end(), std::back_inserter(pipes), [](const Run& run) { return pollfd{run.pipe, POLLIN, 0}; });
  if (poll(pipes.data(), pipes.size(), -1) < 0 && errno != EINTR) {
    throw_errno("waiting for simulations");
  }
}

}  // namespace

std::vector<ForkedResult> run_forked(std::size_t num_runs, int num_at_once, const std::function<std::string(std::size_t)>& run,
                                     const std::function<void()>& on_end) {
  std::vector<ForkedResult> results(num_runs);
  std::vector<Run> running;
  std::vector<pollfd> pipes;
  for (std::size_t next = 0; next < num_runs || !running.empty();) {
    while (next < num_runs && running.size() < static_cast<std::size_t>(num_at_once)) {
      running.push_back(start(next++, run));
    }
    wait_for_text(running, pipes);
    for (std::size_t k = running.size(); k-- > 0;) {
      if (pipes[k].revents != 0 && !read_some(running[k])) {
        results[running[k].number] = finish(running[k]);
        running.erase(running.begin() + k);
        if (on_end) {
          on_end();
        }
      }
    }
  }
  return results;
}

}  // namespace frond
