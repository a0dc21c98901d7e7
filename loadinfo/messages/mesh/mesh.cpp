// SPDX-License-Identifier: BSD-3-Clause
// Opens and connects sockets, exchanges addresses, and sends and receives messages with heads.
#include "loadinfo/messages/mesh/mesh.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <thread>
#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/mesh/mesh_head.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

// Limits on waiting messages of one pair, on either side, and of all pairs together: pieces of contribution blocks have 1 MiB.
constexpr int kMostWaitingOfPair = 64;
constexpr int kMostWaiting = 512;
constexpr int kMostAtOnce = 64;  // messages let in; unhandled messages slow down their senders

// The longest messages list the rows of a front; no front has 2^28 of them.
constexpr std::size_t kMostBytesOfWork = std::size_t{1} << 30;
constexpr std::size_t kMostBytesAround = 1024;  // for ZeroMQ's greeting and the encryption overhead

int most_waiting(Rank num_ranks) { return std::clamp(kMostWaiting / num_ranks, 4, kMostWaitingOfPair); }

[[noreturn]] void fail(const std::string& what) {
  throw CommunicationError(fmt::format("{}: {}", what, zmq_strerror(zmq_errno())));
}

template <class T>
void set(void* socket, int option, const T& value) {
  if (zmq_setsockopt(socket, option, &value, sizeof(value)) != 0) {
    fail("an option of a socket");
  }
}

void set_key(void* socket, int option, const std::string& key) {
  if (zmq_setsockopt(socket, option, key.c_str(), key.size() + 1) != 0) {
    fail("a key of a socket");
  }
}

// Returns the endpoint that listens for other machines, at any port: the address of this machine's name. If the name has no
// address, or one of the loopback interface (Debian's 127.0.1.1), the socket listens at all addresses.
std::string tcp_endpoint(const std::string& machine) {
  constexpr const char* kAll = "tcp://*:*";
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  if (getaddrinfo(machine.c_str(), nullptr, &hints, &first) != 0) {
    return kAll;
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(first, &freeaddrinfo);
  std::array<char, NI_MAXHOST> text{};
  if (getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
    return kAll;
  }
  const std::string address = text.data();
  const bool is_meant = machine == address || machine == "localhost";
  return address.starts_with("127.") && !is_meant ? kAll : fmt::format("tcp://{}:*", address);
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
  if (!options_.machine.empty()) {
    make_keys();
  }
  MeshAddress mine{.token = token_, .key = public_key_, .machine = options_.machine};
  mine.signs = open(signs_, "signs", 0);
  mine.work = open(work_, "work", kMostBytesOfWork);
  write_address(path_of(rank()), mine);
  for (Rank other = 0; other < num_ranks(); ++other) {
    const std::optional<MeshAddress> address = address_of(other);
    if (other == 0 && address) {
      token_ = address->token;
    }
    signs_.outbound.push_back(std::make_unique<Guarded>());
    work_.outbound.push_back(std::make_unique<Guarded>());
    if (other != rank() && address) {
      connect(signs_, other, *address, address->signs);
      connect(work_, other, *address, address->work);
    }
  }
}

Mesh::~Mesh() = default;

// A peer needs the public key of this process, which only the directory holds, to get past the handshake.
void Mesh::make_keys() {
  constexpr std::size_t kKeyLength = 41;  // with the terminating zero
  std::array<char, kKeyLength> of_all{};
  std::array<char, kKeyLength> own{};
  if (zmq_curve_keypair(of_all.data(), own.data()) != 0) {
    throw CommunicationError(
        "messages between machines are encrypted, which the library of ZeroMQ here cannot do: install one that has CURVE");
  }
  public_key_ = of_all.data();
  secret_key_ = own.data();
}

MeshAddress::Lane Mesh::open(Lane& lane, const std::string& name, std::size_t most_bytes) {
  lane.inbound.socket.reset(zmq_socket(context_.get(), ZMQ_PULL));
  lane.most_bytes = most_bytes;
  void* socket = lane.inbound.socket.get();
  set(socket, ZMQ_LINGER, 0);
  set(socket, ZMQ_RCVHWM, most_waiting(num_ranks()));
  set(socket, ZMQ_MAXMSGSIZE, static_cast<std::int64_t>(kMostBytesAround + sizeof(MeshHead) + most_bytes));
  if (!secret_key_.empty()) {
    set(socket, ZMQ_CURVE_SERVER, 1);
    set_key(socket, ZMQ_CURVE_SECRETKEY, secret_key_);
  }
  // In the abstract namespace of the machine: a killed process leaves nothing behind.
  const std::string local = fmt::format("@frond-{}-{}-{}", getpid(), rank(), name);
  if (zmq_bind(socket, ("ipc://" + local).c_str()) != 0) {
    fail("a socket");
  }
  if (options_.machine.empty()) {
    return {local};
  }
  const std::string wanted = tcp_endpoint(options_.machine);
  if (zmq_bind(socket, wanted.c_str()) != 0) {
    fail(fmt::format("a socket at {}, which is {}", wanted, options_.machine));
  }
  const std::string endpoint = last_endpoint(socket);
  return {local, std::atoi(endpoint.c_str() + endpoint.rfind(':') + 1)};
}

std::string Mesh::path_of(Rank rank) const { return fmt::format("{}/address.{}", options_.directory, rank); }

// Returns nothing if the process ended before it arrived.
std::optional<MeshAddress> Mesh::address_of(Rank rank) const {
  const std::string path = path_of(rank);
  const double begin = steady_seconds();
  while (steady_seconds() - begin < options_.limit_seconds) {
    const bool has_ended = is_gone(rank);  // checked before the file
    if (std::ifstream file(path); file.is_open()) {
      return parse_address({std::istreambuf_iterator<char>(file), {}}, path);
    }
    if (has_ended) {
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw CommunicationError(fmt::format("process {} has not come to {} within {:g} s: do all processes see that directory?", rank,
                                       options_.directory, options_.limit_seconds));
}

void Mesh::connect(Lane& lane, Rank to, const MeshAddress& address, const MeshAddress::Lane& place) {
  Guarded& out = *lane.outbound.back();
  out.socket.reset(zmq_socket(context_.get(), ZMQ_PUSH));
  void* socket = out.socket.get();
  set(socket, ZMQ_LINGER, 0);
  set(socket, ZMQ_SNDHWM, most_waiting(num_ranks()));
  if (!address.key.empty()) {
    set_key(socket, ZMQ_CURVE_SERVERKEY, address.key);
    set_key(socket, ZMQ_CURVE_PUBLICKEY, public_key_);
    set_key(socket, ZMQ_CURVE_SECRETKEY, secret_key_);
  }
  const std::string endpoint = address.machine == options_.machine ? fmt::format("ipc://{}", place.name)
                                                                   : fmt::format("tcp://{}:{}", address.machine, place.port);
  if (zmq_connect(socket, endpoint.c_str()) != 0) {
    fail("a connection to process " + std::to_string(to));
  }
}

bool Mesh::send(Rank to, MeshLane which, std::uint64_t context, std::span<const std::byte> bytes) {
  Guarded& out = *lane(which).outbound[to];
  const std::lock_guard lock(out.mutex);
  if (to == rank()) {
    throw InternalError("a process sends itself a message");
  }
  if (bytes.size() > lane(which).most_bytes) {
    throw InternalError(
        fmt::format("a message of {} bytes, of which no more than {} are received", bytes.size(), lane(which).most_bytes));
  }
  if (out.socket == nullptr) {
    return true;
  }
  zmq_msg_t message;
  if (zmq_msg_init_size(&message, sizeof(MeshHead) + bytes.size()) != 0) {
    throw std::bad_alloc();
  }
  const MeshHead head{token_, context, rank()};
  auto* data = static_cast<std::byte*>(zmq_msg_data(&message));
  std::memcpy(data, &head, sizeof(MeshHead));
  std::copy(bytes.begin(), bytes.end(), data + sizeof(MeshHead));
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
  Guarded& out = *lane(which).outbound[to];
  const std::lock_guard lock(out.mutex);
  int events = 0;
  std::size_t length = sizeof(events);
  return out.socket == nullptr ||
         (zmq_getsockopt(out.socket.get(), ZMQ_EVENTS, &events, &length) == 0 && (events & ZMQ_POLLOUT) != 0);
}

// Lets in some of the messages that have arrived. The lane must be locked.
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
    const std::span bytes(static_cast<const std::byte*>(zmq_msg_data(&message)), zmq_msg_size(&message));
    const std::optional<MeshHead> head = read_head(bytes, token_, num_ranks());
    if (head && (head->context == 0 || head->context >= first_context_)) {
      lane.come[head->context].emplace_back(static_cast<Rank>(head->from), MessageBody(bytes.subspan(sizeof(MeshHead))));
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
