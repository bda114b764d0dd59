/** Questions that are asked before something that cannot be taken back. */
import { button, html } from "./dom.js";

export function askToResign(resign: () => void): void {
  const dialog = html(
    "dialog",
    { id: "resign-dialog", "aria-labelledby": "resign-question" },
    html("p", { id: "resign-question" }, "Give this match up?"),
    html(
      "div",
      { class: "actions" },
      button(
        "resign-confirm",
        "Resign",
        () => {
          dialog.close();
          resign();
        },
        { class: "primary" },
      ),
      button("resign-cancel", "Play on", () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
