#include <gtest/gtest.h>
#include <shinpan/client.h>
#include <shinpan/game.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "environment.h"

namespace {

namespace v1 = shinpan::v1;
using shinpan::Piece;
using shinpan::Referee;

// The game on seven by seven squares in which each side has six guards and a leader on its first rank.
shinpan::Game hasami() {
  v1::GetGameRequest request;
  request.set_game("hidden-hasami");
  return shinpan::Game(shinpan::Client(environment("SHINPAN_PLAIN")).call(&Referee::GetGame, request).game());
}

// The leader on one file of a rank, guards on the others.
v1::Arrangement leader_on(char leader, char rank) {
  v1::Arrangement arrangement;
  for (char file = 'a'; file <= 'g'; ++file) {
    auto &placement = *arrangement.add_placements();
    placement.set_square({file, rank});
    placement.set_kind(file == leader ? "leader" : "guard");
  }
  return arrangement;
}

// A view of 49 squares with one piece on a1.
v1::View one_piece(char seat, char kind, char origin, char flags) {
  const auto column = [](char first) { return first + std::string(48, '\0'); };
  v1::View view;
  view.set_seats(column(seat));
  view.set_kinds(column(kind));
  view.set_origins(column(origin));
  view.set_flags(column(flags));
  return view;
}

TEST(Moves, TextAndNumber) {
  const auto game = hasami();
  for (const auto &[text, move] : std::map<std::string, std::uint32_t>{
           {"a1a1", 0}, {"b1b5", 1 << 8 | 29}, {"g7a1", 48 << 8}}) {
    EXPECT_EQ(game.move(text), move);
    EXPECT_EQ(game.move_text(move), text);
  }
}

TEST(Moves, ThatAreNone) {
  const auto game = hasami();
  for (const char *text : {"", "a1", "a1a8", "a1b2c3", "a1 b1", "A1B1"}) {
    EXPECT_THROW(game.move(text), std::invalid_argument) << text;
  }
  for (const std::uint32_t move : {49U, 49U << 8, 1U << 16}) {
    EXPECT_THROW(game.move_text(move), std::invalid_argument) << move;
  }
}

TEST(Moves, OnRanksOfTwoDigits) {
  v1::Game message;
  for (const char *name : {"a1", "a10", "b1", "b10"}) {
    message.mutable_board()->add_squares()->set_name(name);
  }
  const shinpan::Game game(message);
  EXPECT_EQ(game.move("a1b10"), 0U << 8 | 3U);
  EXPECT_EQ(game.move("a10b1"), 1U << 8 | 2U);
  EXPECT_EQ(game.move("a10b10"), 1U << 8 | 3U);
}

TEST(Pieces, AsASeatMayKnowThem) {
  const auto game = hasami();
  v1::ReplayMatchRequest request;
  request.mutable_setup()->set_game("hidden-hasami");
  auto &arrangements = *request.mutable_setup()->mutable_arrangements();
  arrangements[1] = leader_on('a', '1');
  arrangements[2] = leader_on('g', '7');
  auto &action = *request.add_actions();
  action.set_seat(1);
  action.mutable_move()->set_packed(game.move("b1b5"));
  request.add_viewers(v1::VIEWER_SEAT_1);
  const auto answer = shinpan::Client(environment("SHINPAN_PLAIN")).call(&Referee::ReplayMatch, request);

  std::vector<Piece> expected{{.square = "a1", .seat = 1, .kind = "leader", .origin = "a1"}};
  for (const std::string square : {"c1", "d1", "e1", "f1", "g1"}) {
    expected.push_back({.square = square, .seat = 1, .kind = "guard", .origin = square});
  }
  expected.push_back({.square = "b5", .seat = 1, .kind = "guard", .origin = "b1", .moved = true});
  for (const std::string square : {"a7", "b7", "c7", "d7", "e7", "f7", "g7"}) {
    expected.push_back({.square = square, .seat = 2, .origin = square});
  }
  EXPECT_EQ(game.pieces(answer.updates(0).view()), expected);
}

TEST(Pieces, ShownAndClaiming) {
  const auto pieces = hasami().pieces(one_piece(2, static_cast<char>(255), 49, 2 | 8 | 16));
  const Piece expected{.square = "a1", .seat = 2, .origin = "g7", .shown = true, .claims = true};
  EXPECT_EQ(pieces, std::vector{expected});
}

TEST(Pieces, OfAnotherGame) {
  const auto game = hasami();
  auto short_column = one_piece(1, 1, 1, 0);
  short_column.mutable_flags()->pop_back();
  EXPECT_THROW(game.pieces(short_column), std::invalid_argument);
  EXPECT_NO_THROW(game.pieces(one_piece(1, 2, 49, 0)));
  EXPECT_THROW(game.pieces(one_piece(1, 0, 1, 0)), std::invalid_argument);
  EXPECT_THROW(game.pieces(one_piece(1, 3, 1, 0)), std::invalid_argument);
  EXPECT_THROW(game.pieces(one_piece(1, 1, 0, 0)), std::invalid_argument);
  EXPECT_THROW(game.pieces(one_piece(1, 1, 50, 0)), std::invalid_argument);
}

}  // namespace
