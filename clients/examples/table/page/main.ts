/** The page: a match under /match/ID, whose address may hold the secret of a seat behind #, and the lobby elsewhere. */
import { html } from "./dom.js";
import { Lobby } from "./lobby.js";
import type { Game, GameSummary } from "./messages.js";
import { ask } from "./requests.js";
import { Table } from "./table.js";

async function start(): Promise<HTMLElement> {
  const [, section, id] = location.pathname.split("/");
  if (section !== "match" || id === undefined) {
    return new Lobby((await ask<{ games: GameSummary[] }>("/api/games")).games).element;
  }
  const game = await ask<Game>(`/api/matches/${id}/game`);
  return new Table(game, id, location.hash.slice(1)).element;
}

window.addEventListener("hashchange", () => location.reload());
start().then(
  (page) => document.body.replaceChildren(page),
  (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    document.body.replaceChildren(
      html("main", {}, html("p", { id: "message", role: "alert" }, text), html("a", { href: "/" }, "Lobby")),
    );
  },
);
