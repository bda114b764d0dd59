/** Elements of the page, made in one expression. */

type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;
type Child = Node | string | null;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Functions are listeners of the event that they are named after; true and false switch attributes. */
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element, likewise. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS(SVG, name) as SVGElementTagNameMap[Name], attributes, children);
}

/** A button with its own id, by which tests and people who script the page find it. */
export function button(id: string, text: string, onClick: () => void, more: Attributes = {}): HTMLButtonElement {
  return html("button", { id, type: "button", click: onClick, ...more }, text);
}

/** A button that copies an address, and says so. */
export function copyButton(id: string, label: string, address: string): HTMLButtonElement {
  const copying = button(id, "Copy", () => {
    void navigator.clipboard.writeText(address).then(
      () => copying.replaceChildren("Copied"),
      () => copying.replaceChildren("Not allowed"),
    );
  });
  copying.setAttribute("aria-label", label);
  return copying;
}

/**
 * Show elements in a place. What looks like what is there stays, with its focus and a press under way; words that are
 * announced change where they are, for a new announcer says nothing.
 */
export function show(place: Element, elements: Iterable<Element>): void {
  const focused = document.activeElement?.id ?? "";
  renew(place, [...elements]);
  if (focused !== "" && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

function renew(place: Element, elements: Element[]): void {
  for (const [index, element] of elements.entries()) {
    const there = place.children[index];
    if (there === undefined) place.append(element);
    else if (there === element || there.outerHTML === element.outerHTML) continue;
    else if (there.id !== element.id || there.tagName !== element.tagName) there.replaceWith(element);
    else if (element.tagName === "SECTION") renew(there, [...element.children]);
    else if (element.role === "status") there.textContent = element.textContent;
    else there.replaceWith(element);
  }
  while (place.children.length > elements.length) place.lastElementChild?.remove();
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (typeof value !== "boolean") element.setAttribute(name, String(value));
    else if (value) element.setAttribute(name, "");
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}
