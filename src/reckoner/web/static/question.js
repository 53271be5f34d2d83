// The line one types into, the decimals, the examples beneath it, and errors with their caret.

import { capital, find, make } from "./dom.js";

const HUNDRED = "1234567890".repeat(10);

export const EXAMPLES = [
  { label: "brackets", expression: "12*(3+45)" },
  { label: "a carry chain", expression: "99999999+1" },
  { label: "borrowing", expression: "100000-1" },
  { label: "multiplication", expression: "123456*789" },
  { label: "division", expression: "98765/43" },
  { label: "decimals", expression: "22/7", scale: 6 },
  { label: "a power", expression: "2^16" },
  { label: "100 digits", expression: `${HUNDRED}*${HUNDRED}` },
  { label: "a division by zero", expression: "8/(3-3)" },
  { label: "a mistake", expression: "12*(3+" },
];

const REST = 400; // milliseconds without another change of the decimals after which they are asked for
const WINDOW = 60; // characters of the expression around the caret

export class Question {
  /** `ask(question, isLeft)` gets {expression, scale}, and whether the person is done with the field. */
  constructor(element, ask) {
    this.element = element;
    this.ask = ask;
    this.field = find("#expression", element);
    this.scale = find("#scale", element);
    this.trouble = find(".trouble", element);
    find("form", element).addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.timer);
      if (this.field.value.trim()) ask(this.typed, true);
    });
    this.scale.addEventListener("input", () => {
      clearTimeout(this.timer);
      if (this.scale.value && this.scale.validity.valid && this.field.value.trim()) this.timer = setTimeout(() => ask(this.typed, false), REST);
    });
    find(".examples", element).append(
      ...EXAMPLES.map(({ label, expression, scale = 0 }) => {
        const title = expression.length > 40 ? label : `${expression}${scale ? `, ${scale} decimals` : ""}`;
        return make("li", {}, make("button", { type: "button", title, on: { click: () => ask({ expression, scale }, true) } }, label));
      }),
    );
  }

  get typed() {
    return { expression: this.field.value, scale: Number(this.scale.value) };
  }

  show({ expression, scale }) {
    clearTimeout(this.timer);
    this.field.value = expression;
    if (Number(this.scale.value) !== scale || !this.scale.value) this.scale.value = scale;
    this.field.removeAttribute("aria-invalid");
    this.trouble.replaceChildren();
  }

  /** The error's sentence, and the place with a caret under it, as on the command line. */
  fail({ message, position }, expression) {
    this.field.setAttribute("aria-invalid", "true");
    const sentence = make("p", {}, `${capital(message)}.`);
    this.trouble.replaceChildren(sentence);
    if (position === null || position === undefined || !expression) return;
    const { shown, column } = excerpt(expression, position);
    this.trouble.append(make("pre", { "aria-hidden": "true" }, `${shown}\n${" ".repeat(column)}^`));
  }
}

/** The part of a text around a position, which counts characters as Python does, and the caret's column in it. */
export function excerpt(text, position) {
  const characters = Array.from(text);
  const start = Math.max(0, Math.min(position - WINDOW / 2, characters.length - WINDOW));
  const part = characters.slice(start, start + WINDOW).join("");
  const left = start > 0 ? "…" : "";
  return { shown: left + part + (start + WINDOW < characters.length ? "…" : ""), column: position - start + left.length };
}
