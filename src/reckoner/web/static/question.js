// The line one types into, the examples beneath it, and errors with their caret.

import { capital, find, make } from "./dom.js";

const HUNDRED = "1234567890".repeat(10);

export const EXAMPLES = [
  { label: "brackets", expression: "12*(3+45)" },
  { label: "a carry chain", expression: "99999999+1" },
  { label: "borrowing", expression: "100000-1" },
  { label: "a long multiplication", expression: "123456*789" },
  { label: "a long division", expression: "98765/43" },
  { label: "a hundred digits", expression: `${HUNDRED}*${HUNDRED}` },
  { label: "a division by zero", expression: "8/(3-3)" },
  { label: "a mistake", expression: "12*(3+" },
];

const WINDOW = 60; // characters of the expression around the caret

export class Question {
  constructor(element, ask) {
    this.element = element;
    this.field = find("#expression", element);
    this.trouble = find(".trouble", element);
    find("form", element).addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.field.value.trim()) ask(this.field.value);
    });
    find(".examples", element).append(
      ...EXAMPLES.map(({ label, expression }) =>
        make("li", {}, make("button", { type: "button", title: expression.length > 40 ? label : expression, on: { click: () => ask(expression) } }, label)),
      ),
    );
  }

  show(expression) {
    this.field.value = expression;
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
