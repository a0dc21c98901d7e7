// SPDX-License-Identifier: BSD-3-Clause
// Sockets, addresses, and heads of messages.
#include "loadinfo/mesh/mesh.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <sstream>
#include <thread>
#include <utility>

#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

// Messages of a pair that wait, on either side, and those of all pairs together: pieces of contribution blocks have a MiB.
constexpr int kMostWaitingOfPair = 64;
constexpr int kMostWaiting = 512;
constexpr int kMostAtOnce = 64;  // that are let in: what is not handled slows down those who send

int most_waiting(Rank num_ranks) { return std::clamp(kMostWaiting / num_ranks, 4, kMostWaitingOfPair); }

struct Head {
  std::uint64_t token = 0;
  std::uint64_t context = 0;
  std::int64_t from = 0;
};

[[noreturn]] void fail(const std::string& what) {
  throw CommunicationError(fmt::format("{}: {}", what, zmq_strerror(zmq_errno())));
}

void set(void* socket, int option, int value) {
  if (zmq_setsockopt(socket, option, &value, sizeof(value)) != 0) {
    fail("an option of a socket");
  }
}

std::string last_endpoint(void* socket) {
  std::array<char, 512> text{};
  std::size_t length = text.size();
  if (zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, text.data(), &length) != 0) {
    fail("the address of a socket");
  }
  return text.data();
}

}  // namespace

void Mesh::CloseSocket::operator()(void* socket) const { zmq_close(socket); }
void Mesh::EndContext::operator()(void* context) const { zmq_ctx_term(context); }

Mesh::Mesh(const MeshOptions& options) : options_(options), arbiter_(options.directory), context_(zmq_ctx_new()) {
  constexpr int kSocketsPerRank = 2;
  zmq_ctx_set(context_.get(), ZMQ_MAX_SOCKETS, std::max(1023, kSocketsPerRank * (options.num_ranks + 8)));
  if (rank() == 0) {
    std::random_device device;
    token_ = std::uint64_t{device()} << 32U | device();
  }
  const std::string signs = open(signs_, "signs");
  const std::string work = open(work_, "work");
  publish(fmt::format("{:016x}\n{}\n{}\n", token_, signs, work));
  for (Rank other = 0; other < num_ranks(); ++other) {
    std::istringstream lines(address_of(other));
    std::string token;
    std::string of_signs;
    std::string of_work;
    std::getline(lines, token);
    std::getline(lines, of_signs);
    std::getline(lines, of_work);
    if (other == 0 && !token.empty()) {
      token_ = std::stoull(token, nullptr, 16);
    }
    connect(signs_, other, of_signs);
    connect(work_, other, of_work);
  }
}

Mesh::~Mesh() = default;

// Returns what the lane is reached by: "NAME", on this machine, or "NAME MACHINE PORT".
std::string Mesh::open(Lane& lane, const std::string& name) {
  lane.inbound.socket.reset(zmq_socket(context_.get(), ZMQ_PULL));
  void* socket = lane.inbound.socket.get();
  set(socket, ZMQ_LINGER, 0);
  set(socket, ZMQ_RCVHWM, most_waiting(num_ranks()));
  // In the abstract name space of the machine: who is killed leaves nothing behind.
  std::string local = fmt::format("@frond-{}-{}-{}", getpid(), rank(), name);
  if (zmq_bind(socket, ("ipc://" + local).c_str()) != 0) {
    fail("a socket");
  }
  if (options_.machine.empty()) {
    return local;
  }
  if (zmq_bind(socket, "tcp://*:*") != 0) {
    fail("a socket");
  }
  const std::string endpoint = last_endpoint(socket);
  return fmt::format("{} {} {}", local, options_.machine, endpoint.substr(endpoint.rfind(':') + 1));
}

// The file is there as a whole or not at all.
void Mesh::publish(const std::string& text) const {
  const std::string path = fmt::format("{}/address.{}", options_.directory, rank());
  {
    std::ofstream file(path + ".tmp");
    file << text;
    if (!file.flush()) {
      throw OutputError(path + ": cannot be written");
    }
  }
  if (std::rename((path + ".tmp").c_str(), path.c_str()) != 0) {
    throw OutputError(fmt::format("{}: cannot be named: {}", path, std::strerror(errno)));
  }
}

std::string Mesh::address_of(Rank rank) const {
  const std::string path = fmt::format("{}/address.{}", options_.directory, rank);
  const double begin = steady_seconds();
  while (steady_seconds() - begin < options_.limit_seconds) {
    const bool has_ended = is_gone(rank);  // before the look
    if (std::ifstream file(path); file.is_open()) {
      return {std::istreambuf_iterator<char>(file), {}};
    }
    if (has_ended) {
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw CommunicationError(fmt::format("process {} has not come to {} within {:g} s: do all processes see that directory?", rank,
                                       options_.directory, options_.limit_seconds));
}

void Mesh::connect(Lane& lane, Rank to, const std::string& address) {
  lane.outbound.push_back(std::make_unique<Guarded>());
  if (to == rank() || address.empty()) {
    return;
  }
  std::istringstream words(address);
  std::string name;
  std::string machine;
  std::string port;
  words >> name >> machine >> port;
  lane.outbound.back()->socket.reset(zmq_socket(context_.get(), ZMQ_PUSH));
  void* socket = lane.outbound.back()->socket.get();
  set(socket, ZMQ_LINGER, 0);
  set(socket, ZMQ_SNDHWM, most_waiting(num_ranks()));
  const std::string endpoint =
      machine == options_.machine ? fmt::format("ipc://{}", name) : fmt::format("tcp://{}:{}", machine, port);
  if (zmq_connect(socket, endpoint.c_str()) != 0) {
    fail("a connection to process " + std::to_string(to));
  }
}

bool Mesh::send(Rank to, MeshLane which, std::uint64_t context, std::span<const std::byte> bytes) {
  Guarded& out = *lane(which).outbound[static_cast<std::size_t>(to)];
  const std::lock_guard lock(out.mutex);
  if (to == rank()) {
    throw InternalError("a process sends itself a message");
  }
  if (out.socket == nullptr) {
    return true;
  }
  zmq_msg_t message;
  if (zmq_msg_init_size(&message, sizeof(Head) + bytes.size()) != 0) {
    throw std::bad_alloc();
  }
  const Head head{token_, context, rank()};
  auto* data = static_cast<std::byte*>(zmq_msg_data(&message));
  std::memcpy(data, &head, sizeof(Head));
  std::copy(bytes.begin(), bytes.end(), data + sizeof(Head));
  if (zmq_msg_send(&message, out.socket.get(), ZMQ_DONTWAIT) >= 0) {
    return true;
  }
  const int error = zmq_errno();
  zmq_msg_close(&message);
  if (error != EAGAIN && error != EINTR) {
    fail("sending to process " + std::to_string(to));
  }
  return false;
}

bool Mesh::has_room(Rank to, MeshLane which) {
  Guarded& out = *lane(which).outbound[static_cast<std::size_t>(to)];
  const std::lock_guard lock(out.mutex);
  int events = 0;
  std::size_t length = sizeof(events);
  return out.socket == nullptr ||
         (zmq_getsockopt(out.socket.get(), ZMQ_EVENTS, &events, &length) == 0 && (events & ZMQ_POLLOUT) != 0);
}

// Some of what has come. The lane is locked.
void Mesh::let_in(Lane& lane) const {
  for (int k = 0; k < kMostAtOnce; ++k) {
    zmq_msg_t message;
    zmq_msg_init(&message);
    if (zmq_msg_recv(&message, lane.inbound.socket.get(), ZMQ_DONTWAIT) < 0) {
      const int error = zmq_errno();
      zmq_msg_close(&message);
      if (error != EAGAIN && error != EINTR) {
        fail("receiving");
      }
      return;
    }
    const std::size_t size = zmq_msg_size(&message);
    const auto* data = static_cast<const std::byte*>(zmq_msg_data(&message));
    Head head;
    if (size >= sizeof(Head)) {
      std::memcpy(&head, data, sizeof(Head));
    }
    const bool counts = size >= sizeof(Head) && head.token == token_ && head.from >= 0 && head.from < num_ranks() &&
                        (head.context == 0 || head.context >= first_context_);
    if (counts) {
      lane.come[head.context].emplace_back(static_cast<Rank>(head.from),
                                           MessageBody(std::span(data + sizeof(Head), size - sizeof(Head))));
    }
    zmq_msg_close(&message);
  }
}

std::optional<ReceivedMessage> Mesh::take(MeshLane which, std::uint64_t context) {
  Lane& from = lane(which);
  const std::lock_guard lock(from.inbound.mutex);
  std::deque<ReceivedMessage>& come = from.come[context];
  if (come.empty()) {
    let_in(from);
  }
  if (come.empty()) {
    return std::nullopt;
  }
  std::optional<ReceivedMessage> message(std::move(come.front()));
  come.pop_front();
  return message;
}

void Mesh::forget_before(std::uint64_t context) {
  const std::scoped_lock lock(signs_.inbound.mutex, work_.inbound.mutex);
  first_context_ = context;
  for (Lane* lane : {&signs_, &work_}) {
    std::erase_if(lane->come, [context](const auto& entry) { return entry.first != 0 && entry.first < context; });
  }
}

}  // namespace frond
