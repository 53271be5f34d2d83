// The call stack: who waits for whom. A skill that called itself many times over takes one line.

import { count, make, shorten } from "./dom.js";

const MOST = 14; // lines; of a deeper stack the first few and the last

export class Stack {
  constructor(element, go) {
    this.element = element;
    this.go = go;
  }

  /** `path` leads from the first call to the present one. */
  show(path) {
    const groups = merge(path);
    const rows = groups.map((group, index) => this.row(group, index === groups.length - 1));
    if (rows.length > MOST) {
      const left = rows.length - MOST + 1;
      rows.splice(3, left, make("li", { class: "left-out" }, `… ${count(left)} more …`));
    }
    this.element.replaceChildren(...rows);
  }

  row({ last, times }, isTop) {
    const message = [last.x, last.y].filter((text) => text !== "").map((text) => shorten(text, 14)).join(", ");
    const content = [make("b", { class: "skill" }, last.skill), make("span", { class: "message" }, `(${message})`)];
    if (times > 1) content.push(make("span", { class: "times", title: "it called itself, on shorter and shorter messages" }, `${count(times)} deep`));
    const press = () => this.go({ call: last.number, done: false });
    return make("li", { class: isTop ? "is-now" : null }, make("button", { type: "button", title: "Go to where this was asked", on: { click: press } }, ...content));
  }
}

/** Calls of one skill within one another as one; of a very deep stack the middle is not here, but depths tell. */
function merge(path) {
  const groups = [];
  for (const call of path) {
    const top = groups.at(-1);
    if (top?.last.skill === call.skill) top.last = call;
    else groups.push({ first: call, last: call });
  }
  return groups.map(({ first, last }) => ({ last, times: last.depth - first.depth + 1 }));
}
