#include <shinpan/client.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace shinpan {
namespace {

// Answers have at most 4 MiB; there is some room for what is around them.
constexpr int kMaxAnswerBytes = 5 * 1024 * 1024;

std::shared_ptr<grpc::Channel> connect(const std::string &target, const Options &options) {
  grpc::ChannelArguments arguments;
  arguments.SetServiceConfigJSON(kServiceConfig);
  arguments.SetMaxReceiveMessageSize(kMaxAnswerBytes);
  const auto credentials = options.credentials ? options.credentials : grpc::InsecureChannelCredentials();
  return grpc::CreateCustomChannel(target, credentials, arguments);
}

// gRPC ends the process over a header that it cannot send.
Options checked(Options options) {
  if (!std::all_of(options.bearer.begin(), options.bearer.end(), [](char c) { return c > ' ' && c <= '~'; })) {
    throw std::invalid_argument("the bearer token has a character that no header can carry");
  }
  return options;
}

}  // namespace

Client::Client(const std::string &target, Options options)
    : options_(checked(std::move(options))),
      channel_(connect(target, options_)),
      referee_(v1::RefereeService::NewStub(channel_)),
      analysis_(v1::AnalysisService::NewStub(channel_)) {}

void Client::prepare(grpc::ClientContext &context, std::chrono::system_clock::time_point deadline) const {
  context.set_deadline(deadline);
  if (!options_.bearer.empty()) {
    context.AddMetadata("authorization", "Bearer " + options_.bearer);
  }
}

bool Client::broke_off(const grpc::Status &status) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::UNAVAILABLE:
      return Error::of(status).reason().empty();
    default:
      return false;
  }
}

}  // namespace shinpan
