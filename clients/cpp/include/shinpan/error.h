#ifndef SHINPAN_ERROR_H
#define SHINPAN_ERROR_H

#include <google/rpc/status.pb.h>
#include <grpcpp/support/status.h>

#include <map>
#include <stdexcept>
#include <string>

namespace shinpan {

// Why a call, or an item of a batch, was refused or failed. what() has the code, the reason and the message.
class Error : public std::runtime_error {
 public:
  // The error of a call.
  static Error of(const grpc::Status &status);
  // The error in an item of a batch.
  explicit Error(google::rpc::Status status);

  grpc::StatusCode code() const { return static_cast<grpc::StatusCode>(status_.code()); }
  // Name of a v1::ErrorReason without its prefix, such as "ILLEGAL_MOVE"; "" when the error does not come from the
  // service, for example because it cannot be reached.
  const std::string &reason() const { return reason_; }
  // What happened, in English.
  const std::string &message() const { return status_.message(); }
  // Everything that varies in the message.
  const std::map<std::string, std::string> &metadata() const { return metadata_; }
  // The whole status, with the fields at fault and when to try again where the service says so.
  const google::rpc::Status &status() const { return status_; }

 private:
  google::rpc::Status status_;
  std::string reason_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace shinpan

#endif
