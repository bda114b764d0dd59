#include <google/rpc/error_details.pb.h>
#include <gtest/gtest.h>
#include <shinpan/client.h>

#include <stdexcept>
#include <string>

#include "environment.h"

namespace {

namespace v1 = shinpan::v1;
using shinpan::Client;
using shinpan::Referee;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What listing the games fails with, in time.
shinpan::Error failure(const std::string &target, milliseconds timeout) {
  const Client client(target, {.timeout = timeout});
  const auto begin = steady_clock::now();
  auto error = refusal([&] { client.call(&Referee::ListGames, {}); });
  EXPECT_LT(steady_clock::now() - begin, kPatience) << target;
  EXPECT_EQ(error.reason(), "") << target;
  return error;
}

TEST(Calls, ServerIsAway) {
  const auto error = failure(environment("SHINPAN_AWAY"), std::chrono::hours(1));
  EXPECT_EQ(error.code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_NE(error.message(), "");
}

TEST(Calls, WrongAddress) {
  for (const char *address : {"127.0.0.1:no-port", "nowhere.invalid:50051", "no:such:address"}) {
    EXPECT_EQ(failure(address, std::chrono::hours(1)).code(), grpc::StatusCode::UNAVAILABLE) << address;
  }
  EXPECT_EQ(failure("dns:///", std::chrono::hours(1)).code(), grpc::StatusCode::UNKNOWN);
}

TEST(Calls, DeadlineCanBeAsLateAsNever) {
  const auto error = failure(environment("SHINPAN_AWAY"), milliseconds::max());
  EXPECT_EQ(error.code(), grpc::StatusCode::UNAVAILABLE);
}

TEST(Calls, SilentServerMeetsTheDeadline) {
  const auto error = failure(environment("SHINPAN_SILENT"), milliseconds(200));
  EXPECT_EQ(error.code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

TEST(Calls, AnswerThatBreaksOffIsAskedForOnceMore) {
  const Client client(environment("SHINPAN_BREAKING"), {.timeout = kPatience});
  EXPECT_EQ(client.call(&Referee::ListGames, {}).games_size(), 0);
  EXPECT_EQ(client.call(&Referee::ListGames, {}).games_size(), 0);
  EXPECT_EQ(refusal([&] { client.call(&Referee::ListGames, {}); }).reason(), "");
}

TEST(Calls, WhatTheServiceSaysIsNotAskedAgain) {
  const Client client(environment("SHINPAN_SCRIPTED"), {.timeout = kPatience});
  const auto ask = [&] { client.call(&Referee::ListGames, {}); };
  EXPECT_EQ(refusal(ask).reason(), "SERVER_FAULT");
  EXPECT_NO_THROW(ask());
  const auto foreign = refusal(ask);
  EXPECT_EQ(foreign.code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(foreign.reason(), "");
  EXPECT_EQ(foreign.message(), "no route");
  const auto overload = refusal(ask);
  EXPECT_EQ(overload.reason(), "OVERLOADED");
  google::rpc::RetryInfo retry;
  for (const auto &detail : overload.status().details()) {
    detail.UnpackTo(&retry);
  }
  EXPECT_EQ(retry.retry_delay().nanos(), 250'000'000);
}

TEST(Calls, Bearer) {
  const auto games = [](const std::string &bearer) {
    const Client client(environment("SHINPAN_GUARDED"), {.bearer = bearer});
    return client.call(&Referee::ListGames, {}).games_size();
  };
  EXPECT_GT(games(environment("SHINPAN_BEARER")), 0);
  EXPECT_EQ(refusal([&] { games(""); }).reason(), "BEARER_MISSING");
  EXPECT_THROW(games("two\nlines"), std::invalid_argument);
  const auto unknown = refusal([&] { games("of-nobody"); });
  EXPECT_EQ(unknown.reason(), "BEARER_UNKNOWN");
  EXPECT_EQ(unknown.code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST(Errors, HaveEverythingThatTheServiceSays) {
  const Client client(environment("SHINPAN_PLAIN"));
  v1::GetGameRequest request;
  request.set_game("chess");
  const auto error = refusal([&] { client.call(&Referee::GetGame, request); });
  EXPECT_EQ(error.code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(error.reason(), "UNKNOWN_GAME");
  EXPECT_NE(error.message().find("'chess'"), std::string::npos) << error.message();
  EXPECT_EQ(error.metadata().at("game"), "chess");
  EXPECT_EQ(error.what(), "INVALID_ARGUMENT: UNKNOWN_GAME: " + error.message());
  google::rpc::BadRequest fields;
  for (const auto &detail : error.status().details()) {
    detail.UnpackTo(&fields);
  }
  ASSERT_EQ(fields.field_violations_size(), 1);
  EXPECT_EQ(fields.field_violations(0).field(), "game");
}

TEST(Errors, ReasonsOfOthersAreNotOurs) {
  google::rpc::Status status;
  status.set_code(grpc::StatusCode::UNAVAILABLE);
  google::rpc::ErrorInfo foreign;
  foreign.set_reason("NO_CAPACITY");
  foreign.set_domain("proxy.example");
  status.add_details()->PackFrom(foreign);
  EXPECT_EQ(shinpan::Error(status).reason(), "");
}

TEST(Errors, OfAnItem) {
  const Client client(environment("SHINPAN_PLAIN"));
  v1::BatchListLegalActionsRequest request;
  request.add_items()->mutable_state()->set_token("nonsense");
  const shinpan::Error error(client.call(&Referee::BatchListLegalActions, request).items(0).error());
  EXPECT_EQ(error.reason(), "STATE_FORMAT");
  EXPECT_EQ(error.code(), grpc::StatusCode::INVALID_ARGUMENT);
}

}  // namespace
