#ifndef SHINPAN_CLIENT_H
#define SHINPAN_CLIENT_H

#include <grpcpp/grpcpp.h>
#include <shinpan/error.h>
#include <shinpan/v1/analysis_service.grpc.pb.h>
#include <shinpan/v1/referee_service.grpc.pb.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <type_traits>

namespace shinpan {

// The methods of a match and of analysis, for Client::call: &Referee::StartMatch, &Analysis::DrawArrangement.
using Referee = v1::RefereeService::Stub;
using Analysis = v1::AnalysisService::Stub;

// How a channel treats several servers under one name: calls take turns, and what one does not answer another gets.
extern const char *const kServiceConfig;

// How a client connects.
struct Options {
  // How long a call takes at most.
  std::chrono::milliseconds timeout{10'000};
  // The token of a caller whom the server knows; sent with every call unless it is empty. Printable ASCII without
  // spaces, or the client throws std::invalid_argument.
  std::string bearer{};
  // Of grpc::SslCredentials, for example; plain text without.
  std::shared_ptr<grpc::ChannelCredentials> credentials{};
};

// A connection to one server, or to several under one name. Safe to use from several threads.
//
// Every call may be repeated, for the service keeps nothing. One whose answer breaks off is made once more.
class Client {
 public:
  // The target is an address such as "127.0.0.1:50051" or, for all that a name has, "dns:///shinpan-headless:50051".
  // This does not wait for a server: that nobody answers is the error of the first call.
  explicit Client(const std::string &target, Options options = {});

  // Calls a method, such as &Referee::StartMatch; throws Error when the call is refused or fails.
  template <typename Stub, typename Request, typename Response>
  Response call(grpc::Status (Stub::*method)(grpc::ClientContext *, const Request &, Response *),
                const std::type_identity_t<Request> &request) const {
    static_assert(std::is_same_v<Stub, Referee> || std::is_same_v<Stub, Analysis>);
    Stub *stub;
    if constexpr (std::is_same_v<Stub, Referee>) {
      stub = referee_.get();
    } else {
      stub = analysis_.get();
    }
    // Clocks cannot count on for ever.
    const auto limit = std::min<std::chrono::milliseconds>(options_.timeout, std::chrono::hours(24));
    const auto deadline = std::chrono::system_clock::now() + limit;
    Response response;
    const auto attempt = [&] {
      grpc::ClientContext context;
      prepare(context, deadline);
      return (stub->*method)(&context, request, &response);
    };
    auto status = attempt();
    if (broke_off(status)) {
      status = attempt();
    }
    if (!status.ok()) {
      throw Error::of(status);
    }
    return response;
  }

  // What the calls go through, for services besides those of Shinpan.
  const std::shared_ptr<grpc::Channel> &channel() const { return channel_; }

 private:
  void prepare(grpc::ClientContext &context, std::chrono::system_clock::time_point deadline) const;
  // Whether an answer may have broken off after its beginning, as when a server is killed: a channel repeats no such call
  // by itself. Which code it has depends on what is between; errors of the service have a reason.
  static bool broke_off(const grpc::Status &status);

  Options options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<Referee> referee_;
  std::unique_ptr<Analysis> analysis_;
};

}  // namespace shinpan

#endif
