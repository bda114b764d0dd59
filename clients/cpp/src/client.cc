#include <shinpan/client.h>

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

}  // namespace

Client::Client(const std::string &target, Options options)
    : options_(std::move(options)),
      channel_(connect(target, options_)),
      referee_(v1::RefereeService::NewStub(channel_)),
      analysis_(v1::AnalysisService::NewStub(channel_)) {}

void Client::prepare(grpc::ClientContext &context) const {
  context.set_deadline(std::chrono::system_clock::now() + options_.timeout);
  if (!options_.bearer.empty()) {
    context.AddMetadata("authorization", "Bearer " + options_.bearer);
  }
}

}  // namespace shinpan
