#include <gtest/gtest.h>
#include <shinpan/state.h>

#include <sstream>
#include <string>

namespace {

TEST(State, WrittenToAStreamShowsOnlyItsLength) {
  std::ostringstream out;
  out << shinpan::State("a token that nobody may read") << shinpan::State();
  EXPECT_EQ(out.str(), "State(28 bytes)State(0 bytes)");
  EXPECT_EQ(testing::PrintToString(shinpan::State("a token that nobody may read")), "State(28 bytes)");
}

TEST(State, KeepsItsToken) {
  const std::string bytes("\0\xff token", 8);
  const shinpan::State state(bytes);
  EXPECT_EQ(state.bytes(), bytes);
  EXPECT_EQ(state.message().token(), bytes);
  EXPECT_TRUE(state == shinpan::State(state.message()));
  EXPECT_FALSE(state == shinpan::State());
}

}  // namespace
