/** The pieces that are still to be placed, and what a seat can do with its arrangement. */
import type { Arranging } from "./arranging.js";
import { button, html } from "./dom.js";
import type { Kind } from "./messages.js";
import { tilePicture } from "./tile.js";

export interface TrayEvents {
  choose: (kind: Kind) => void;
  /** A piece was dragged from the tray to a point of the window. */
  drop: (kind: Kind, x: number, y: number) => void;
  /** The piece on the selected square goes back. */
  takeBack: () => void;
  random: () => void;
  clear: () => void;
  ready: () => void;
}

/** The tray of an arrangement; `chosen` is the kind in hand, `onBoard` that it stands on the board. */
export function tray(arranging: Arranging, chosen: Kind | null, onBoard: boolean, events: TrayEvents): HTMLElement {
  const left = arranging.game.kinds.reduce((sum, kind) => sum + arranging.left(kind), 0);
  const hint = chosen
    ? arranging.constraint(chosen)
    : left > 0
      ? `${String(left)} pieces are to be placed. Choose one, then a square; or draw a random arrangement and change it.`
      : "Every piece is placed. Once you are ready the arrangement is final.";
  return html(
    "section",
    { id: "tray", class: "card", "aria-label": "Your arrangement" },
    html("h2", {}, "Arrange your pieces"),
    html("p", { id: "arrange-hint", role: "status" }, hint),
    html("div", { class: "kinds", role: "group", "aria-label": "Pieces to place" }, ...arranging.game.kinds.map(item)),
    html(
      "div",
      { class: "actions" },
      button("ready", "Ready", events.ready, { class: "primary", disabled: !arranging.complete() }),
      button("random", "Random", events.random),
      button("take-back", "Take back", events.takeBack, { disabled: !onBoard }),
      button("clear", "Clear", events.clear),
    ),
  );

  function item(kind: Kind): HTMLElement {
    const count = arranging.left(kind);
    const made = button(`tray-${kind.id}`, "", () => events.choose(kind), {
      class: "kind",
      disabled: count === 0,
      "aria-pressed": String(chosen === kind && !onBoard),
      title: arranging.constraint(kind),
      pointerdown: (event: PointerEvent) => drag(event, kind, made, events),
    });
    made.append(
      tilePicture({ seat: arranging.seat, kind, shown: false, claims: false }),
      html("span", {}, kind.name),
      html("b", {}, `×${String(count)}`),
    );
    return made;
  }
}

/** Follow a pointer from the tray to wherever it lets go; a short press stays a click. */
function drag(start: PointerEvent, kind: Kind, from: HTMLElement, events: TrayEvents): void {
  if (start.button !== 0) return;
  const picture = from.querySelector("svg")?.cloneNode(true) as SVGElement;
  picture.classList.add("dragged");
  let moved = false;
  const move = (event: PointerEvent) => {
    if (!moved && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < 8) return;
    if (!moved) {
      moved = true;
      events.choose(kind);
      document.body.append(picture);
    }
    picture.style.left = `${String(event.clientX)}px`;
    picture.style.top = `${String(event.clientY)}px`;
  };
  const end = (event: PointerEvent) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    picture.remove();
    if (moved && event.type === "pointerup") events.drop(kind, event.clientX, event.clientY);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
}
