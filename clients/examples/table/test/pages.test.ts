/** Every test with a browser: in one process, for to start everything costs more than most of them. */
import { after, afterEach } from "node:test";
import { missing, theSetting } from "./setting.js";
import "./lobby.js";
import "./two_seats.js";
import "./four_seats.js";
import "./interruptions.js";
import "./once.js";
import "./clocks.js";
import "./draws.js";
import "./last_move.js";
import "./bots.js";
import "./every_game.js";

if (missing === false) {
  afterEach(async () => (await theSetting()).leave());
  after(async () => (await theSetting()).stop());
}
