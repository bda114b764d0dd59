/** Where a piece may go, the last move and its battle, as every page shows them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { squareName } from "shinpan";
import { Playing } from "./playing.js";
import { theSetting, WITH_PAGES } from "./setting.js";

interface Moved {
  ply: string | number;
  seat: number;
  move: number;
  captured: number[];
}

test("targets, the last move and its battle are shown", WITH_PAGES, async () => {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-mini", 13);
  await playing.arrange();

  // What can be chosen is what is legal, and a piece can be dragged there.
  const mover = playing.player(playing.status.toMove);
  const moves = mover.update.legalActions?.moves ?? [];
  const [from, to] = playing.squares(moves[0] ?? 0);
  const legal = moves.map((move) => playing.squares(move)).filter(([source]) => source === from);
  await mover.page.locator(`#square-${from}`).click({ force: true });
  assert.deepEqual(await mover.squaresWith(".target"), legal.map(([, target]) => target).sort());
  await mover.page.keyboard.press("Escape");
  assert.deepEqual(await mover.squaresWith(".target"), []);
  const dragged = await playing.act(1, ({ page }) =>
    page.locator(`#square-${from}`).dragTo(page.locator(`#square-${to}`), { force: true }),
  );
  assert.deepEqual(dragged, { move: { packed: moves[0] } });
  await assertShown(playing);

  const outcomes = new Set<string>();
  for (let plies = 0; plies < 60 && outcomes.size < 2 && playing.status.phase === "PHASE_PLAY"; plies++) {
    await playing.move(await playing.choose([]));
    const { captured, move } = lastMoved(playing);
    const [, target] = playing.squares(move);
    if (captured.length > 0) {
      outcomes.add(
        battle(
          captured.map((square) => squareName(playing.game, square)),
          target,
        ),
      );
      await assertShown(playing);
    }
  }
  assert.ok(outcomes.size > 0, "there was a battle");
});

function lastMoved({ players }: Playing): Moved {
  const moved = players.at(-1)?.update.events.find((event) => event.moved)?.moved;
  assert.ok(moved);
  return moved as unknown as Moved;
}

/** Every page marks the squares of the last move and of the pieces that fell, and its log tells of both. */
async function assertShown(playing: Playing): Promise<void> {
  const { ply, seat, move, captured } = lastMoved(playing);
  const [from, to] = playing.squares(move);
  const fallen = captured.map((square) => squareName(playing.game, square)).sort();
  const line = `${String(ply)}. Seat ${String(seat)}: ${from} to ${to}${battle(fallen, to)}.`;
  for (const player of playing.players) {
    await player.page.locator("#log li", { hasText: line }).first().waitFor();
    assert.deepEqual(await player.squaresWith(".came-from"), [from]);
    assert.deepEqual(await player.squaresWith(".went-to"), [to]);
    assert.deepEqual(await player.squaresWith(".fallen"), fallen);
  }
}

function battle(fallen: readonly string[], target: string): string {
  if (fallen.length === 0) return "";
  if (fallen.length === 2) return ", a battle: both are removed";
  return `, a battle: the ${fallen[0] === target ? "attacker" : "defender"} wins`;
}
