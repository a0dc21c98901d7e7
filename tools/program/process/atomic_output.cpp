// SPDX-License-Identifier: BSD-3-Clause
// Writes texts to files and to standard output.
#include "tools/program/process/atomic_output.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "frond/error.hpp"

namespace frond {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& cause) {
  throw OutputError(fmt::format("{}: {}", path, cause));
}

void write_stream(std::FILE* stream, const std::string& name, std::string_view text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!is_written || std::fflush(stream) != 0) {
    refuse(name, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
}

void write_file(const std::string& path, std::string_view text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) {
    refuse(path, fmt::format("cannot be created: {}", std::strerror(errno)));
  }
  write_stream(file.get(), path, text);
}

}  // namespace

void write_text(const std::string& path, std::string_view text) {
  if (path == "-") {
    write_stream(stdout, "standard output", text);
  } else {
    write_atomically(path, [text](const std::string& name) { write_file(name, text); });
  }
}

void write_text_if_asked(const std::string& path, const std::function<std::string()>& make_text) {
  if (!path.empty()) {
    write_text(path, make_text());
  }
}

}  // namespace frond
