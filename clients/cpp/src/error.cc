#include <google/rpc/code.pb.h>
#include <google/rpc/error_details.pb.h>
#include <shinpan/error.h>

#include <utility>

namespace shinpan {
namespace {

google::rpc::ErrorInfo info_of(const google::rpc::Status &status) {
  google::rpc::ErrorInfo info;
  for (const auto &detail : status.details()) {
    // What is between may add an ErrorInfo of its own.
    if (detail.UnpackTo(&info) && info.domain() == "shinpan") {
      return info;
    }
  }
  return {};
}

std::string text_of(const google::rpc::Status &status) {
  std::string text = google::rpc::Code_Name(static_cast<google::rpc::Code>(status.code())) + ": ";
  if (const auto info = info_of(status); !info.reason().empty()) {
    text += info.reason() + ": ";
  }
  return text + status.message();
}

}  // namespace

Error Error::of(const grpc::Status &status) {
  google::rpc::Status whole;
  if (!whole.ParseFromString(status.error_details())) {
    whole.clear_details();
  }
  whole.set_code(status.error_code());
  whole.set_message(status.error_message());
  return Error(std::move(whole));
}

Error::Error(google::rpc::Status status) : std::runtime_error(text_of(status)), status_(std::move(status)) {
  const auto info = info_of(status_);
  reason_ = info.reason();
  metadata_ = {info.metadata().begin(), info.metadata().end()};
}

}  // namespace shinpan
