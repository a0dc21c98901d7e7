// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads the addresses of processes: words on one line, the last of which shows that the line is complete.
#include "loadinfo/messages/mesh/mesh_address.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ios>
#include <sstream>

#include "frond/error.hpp"

namespace frond {
namespace {

constexpr char kNone[] = "-";

std::string word(const std::string& text) { return text.empty() ? kNone : text; }

void read_word(std::istream& words, std::string& text) {
  words >> text;
  if (text == kNone) {
    text.clear();
  }
}

bool is_whole(const MeshAddress& address) {
  const auto has_port = [](const MeshAddress::Lane& lane) { return lane.port > 0 && lane.port <= 65535; };
  return !address.signs.name.empty() && !address.work.name.empty() &&
         (address.machine.empty() || (has_port(address.signs) && has_port(address.work)));
}

}  // namespace

void write_address(const std::string& path, const MeshAddress& address) {
  const std::string text = fmt::format("{:x} {} {} {} {} {} {} end\n", address.token, word(address.key), word(address.machine),
                                       address.signs.name, address.signs.port, address.work.name, address.work.port);
  const std::string temporary = path + ".tmp";
  const int file = open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const bool is_written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool is_closed = file >= 0 && close(file) == 0;
  if (!is_written || !is_closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    throw OutputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
}

MeshAddress parse_address(const std::string& text, const std::string& path) {
  MeshAddress address;
  std::istringstream words(text);
  std::string end;
  words >> std::hex >> address.token >> std::dec;
  read_word(words, address.key);
  read_word(words, address.machine);
  words >> address.signs.name >> address.signs.port >> address.work.name >> address.work.port >> end;
  if (end != "end" || !is_whole(address)) {
    throw CommunicationError(path + ": does not hold the address of a process: leave the directory alone while the processes work");
  }
  return address;
}

}  // namespace frond
