#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <google/rpc/code.pb.h>
#include <gtest/gtest.h>
#include <shinpan/client.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "environment.h"
#include "vector.pb.h"

namespace {

namespace v1 = shinpan::v1;
using conformance::Vector;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using shinpan::Analysis;
using shinpan::Client;
using shinpan::Referee;

// Calls the method of a vector; the answer beside the expected one, which is empty where the vector has an error.
struct Answers {
  std::unique_ptr<Message> got;
  std::unique_ptr<Message> expected;
};
using Caller = std::function<Answers(const Client &, const Vector &)>;

template <typename Stub, typename Request, typename Response>
Caller caller(grpc::Status (Stub::*method)(grpc::ClientContext *, const Request &, Response *)) {
  return [method](const Client &client, const Vector &vector) {
    Request request;
    auto expected = std::make_unique<Response>();
    if (!request.ParseFromString(vector.request()) || !expected->ParseFromString(vector.response())) {
      throw std::invalid_argument("it has bytes that are not its messages");
    }
    return Answers{std::make_unique<Response>(client.call(method, request)), std::move(expected)};
  };
}

const std::map<std::string, Caller> kMethods{
    {"shinpan.v1.RefereeService/ListGames", caller(&Referee::ListGames)},
    {"shinpan.v1.RefereeService/GetGame", caller(&Referee::GetGame)},
    {"shinpan.v1.RefereeService/StartMatch", caller(&Referee::StartMatch)},
    {"shinpan.v1.RefereeService/ApplyAction", caller(&Referee::ApplyAction)},
    {"shinpan.v1.RefereeService/GetUpdate", caller(&Referee::GetUpdate)},
    {"shinpan.v1.RefereeService/ListLegalActions", caller(&Referee::ListLegalActions)},
    {"shinpan.v1.RefereeService/DescribeState", caller(&Referee::DescribeState)},
    {"shinpan.v1.RefereeService/ResealState", caller(&Referee::ResealState)},
    {"shinpan.v1.RefereeService/ReplayMatch", caller(&Referee::ReplayMatch)},
    {"shinpan.v1.RefereeService/BatchApplyActions", caller(&Referee::BatchApplyActions)},
    {"shinpan.v1.RefereeService/BatchListLegalActions", caller(&Referee::BatchListLegalActions)},
    {"shinpan.v1.RefereeService/BatchGetUpdates", caller(&Referee::BatchGetUpdates)},
    {"shinpan.v1.AnalysisService/DrawArrangement", caller(&Analysis::DrawArrangement)},
    {"shinpan.v1.AnalysisService/Deduce", caller(&Analysis::Deduce)},
    {"shinpan.v1.AnalysisService/SampleStates", caller(&Analysis::SampleStates)},
    {"shinpan.v1.AnalysisService/Playout", caller(&Analysis::Playout)},
    {"shinpan.v1.AnalysisService/BatchPlayouts", caller(&Analysis::BatchPlayouts)},
    {"shinpan.v1.AnalysisService/Perft", caller(&Analysis::Perft)},
};

// A client of each server with each bearer token.
class Clients {
 public:
  const Client &of(const Vector &vector) {
    const std::string address = environment("SHINPAN_" + upper(vector.server()));
    std::string bearer;
    if (vector.has_bearer()) {
      bearer = environment("SHINPAN_BEARER") + (vector.bearer().bool_value() ? "" : "-of-nobody");
    }
    auto &client = clients_[{address, bearer}];
    if (!client) {
      client = std::make_unique<Client>(address, shinpan::Options{.bearer = bearer});
    }
    return *client;
  }

 private:
  static std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::toupper(letter); });
    return text;
  }

  std::map<std::pair<std::string, std::string>, std::unique_ptr<Client>> clients_;
};

// Leaves out games that came after the vector.
void keep_games(Message &got, const Message &expected) {
  auto *list = dynamic_cast<v1::ListGamesResponse *>(&got);
  if (list == nullptr) {
    return;
  }
  std::set<std::string> known;
  for (const auto &game : dynamic_cast<const v1::ListGamesResponse &>(expected).games()) {
    known.insert(game.id());
  }
  auto &games = *list->mutable_games();
  games.erase(std::remove_if(games.begin(), games.end(), [&](const auto &game) { return !known.contains(game.id()); }),
              games.end());
}

void check(const Client &client, const Vector &vector) {
  const auto &call = kMethods.at(vector.method());
  if (vector.has_error()) {
    const auto error = refusal([&] { call(client, vector); });
    EXPECT_EQ(google::rpc::Code_Name(static_cast<google::rpc::Code>(error.code())), vector.error().code());
    EXPECT_EQ(error.reason(), vector.error().reason());
    return;
  }
  const auto [got, expected] = call(client, vector);
  keep_games(*got, *expected);
  std::string difference;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  EXPECT_TRUE(differencer.Compare(*expected, *got)) << difference;
}

TEST(Conformance, EveryMethodIsKnown) {
  for (const auto *file : {v1::ListGamesRequest::descriptor()->file(), v1::PerftRequest::descriptor()->file()}) {
    for (int index = 0; index < file->service(0)->method_count(); ++index) {
      const auto *method = file->service(0)->method(index);
      EXPECT_TRUE(kMethods.contains(method->service()->full_name() + "/" + method->name())) << method->full_name();
    }
  }
}

TEST(Conformance, EveryVectorIsAnsweredAsItSays) {
  Clients clients;
  int count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(environment("SHINPAN_VECTORS"))) {
    if (entry.path().extension() != ".jsonl") {
      continue;
    }
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line); ++count) {
      Vector vector;
      const auto status = google::protobuf::util::JsonStringToMessage(line, &vector);
      ASSERT_TRUE(status.ok()) << entry.path() << ": " << status.ToString();
      SCOPED_TRACE(entry.path().filename().string() + ": " + vector.name());
      ASSERT_NE(vector.outcome_case(), Vector::OUTCOME_NOT_SET);
      ASSERT_NO_THROW(check(clients.of(vector), vector));
    }
  }
  EXPECT_GT(count, 0) << "there are no vectors";
}

}  // namespace
