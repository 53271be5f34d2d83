// The tree of all calls, to jump in. Only the open part of it is loaded, and only the rows in sight are drawn.

import { count, make, shorten } from "./dom.js";

const ROW = 30; // pixels; the style sheet says the same
const DEEPEST = 9; // levels that are indented; deeper ones keep that place

export class Tree {
  constructor(element, go) {
    this.go = go;
    this.space = make("div", { class: "space" });
    this.element = element;
    element.replaceChildren(this.space);
    // Where the list stands is kept here: to ask the element for it would make the browser lay the page out first.
    this.top = 0;
    this.height = 240;
    new ResizeObserver(([{ contentRect }]) => {
      this.height = contentRect.height || this.height;
      if (this.run && this.moment) this.draw();
    }).observe(element);
    element.addEventListener("scroll", () => {
      this.top = element.scrollTop;
      this.draw();
    }, { passive: true });
    element.addEventListener("keydown", (event) => this.press(event));
    this.opened = new Set(); // by the person
    this.rows = [];
  }

  start(run) {
    this.run = run;
    this.opened.clear();
    this.moment = null;
  }

  show(moment, path) {
    this.moment = moment;
    this.way = path;
    this.path = new Map(path.slice(0, -1).map((call, i) => [call.number, path[i + 1]]));
    this.focus = moment.call;
    this.list();
    this.reveal(moment.call);
    this.draw();
  }

  isOpen(call) {
    return this.path.has(call.number) || this.opened.has(call.number);
  }

  /** All rows of the open part of the tree. */
  list() {
    const rows = [];
    const stack = [[this.way[0], 0]];
    while (stack.length) {
      const [call, depth] = stack.pop();
      rows.push({ call, depth });
      if (call.below && this.isOpen(call)) for (const child of this.children(call).reverse()) stack.push([child, depth + 1]);
    }
    this.rows = rows;
    this.space.style.setProperty("--rows", rows.length);
  }

  /** The calls below an open one; on the way to the present call, where they are not here, the next on the way alone. */
  children(call) {
    const made = this.run.ifHere(() => this.run.made(this.run.get(call.number)));
    if (made) return [...made];
    if (this.opened.has(call.number)) this.fetch(call);
    return this.path.has(call.number) ? [this.path.get(call.number)] : [];
  }

  fetch(call) {
    const run = this.run;
    run.settle(() => run.made(run.get(call.number))).then(() => run === this.run && this.refresh(), () => {});
  }

  refresh() {
    this.list();
    this.draw();
  }

  reveal(number) {
    const index = this.rows.findIndex(({ call }) => call.number === number);
    if (index * ROW >= this.top && (index + 1) * ROW <= this.top + this.height) return;
    this.top = Math.max(0, index * ROW - this.height / 2);
    requestAnimationFrame(() => (this.element.scrollTop = this.top));
  }

  draw() {
    const first = Math.max(0, Math.floor(this.top / ROW) - 2);
    const last = Math.min(this.rows.length, first + Math.ceil(this.height / ROW) + 4);
    const rows = this.rows.slice(first, last);
    this.space.replaceChildren(...rows.map((row, i) => this.row(row, first + i)));
    if (rows.some(({ call }) => call.number === this.focus)) this.element.setAttribute("aria-activedescendant", `call-${this.focus}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  row({ call, depth }, index) {
    const isLeaf = call.below === 0 || this.run.isCut(call);
    const isNow = call.number === this.moment.call;
    const message = [call.x, call.y].filter((text) => text !== "").map((text) => shorten(text, 12)).join(", ");
    const answer = call.answer === undefined ? "…" : call.answer === null ? "refused" : call.answer === "" ? "nothing" : shorten(call.answer, 12);
    const toggle = make("span", { class: isLeaf ? "toggle leaf" : "toggle", "aria-hidden": "true" }, isLeaf ? "·" : this.isOpen(call) ? "▾" : "▸");
    const inside = call.below && !this.isOpen(call) ? make("small", {}, `+${count(call.below)}`) : null;
    const element = make(
      "div",
      {
        class: isNow ? "row is-now" : "row", role: "treeitem", id: `call-${call.number}`, "aria-level": depth + 1,
        "aria-expanded": isLeaf ? null : String(this.isOpen(call)), "aria-selected": String(isNow), "data-focus": call.number === this.focus ? "" : null,
        on: { click: (event) => (event.target === toggle && !isLeaf ? this.toggle(call) : this.go({ call: call.number, done: false })) },
      },
      toggle, make("b", { class: "skill" }, call.skill), `(${message}) = ${answer} `, inside,
    );
    element.style.setProperty("--depth", Math.min(depth, DEEPEST));
    element.style.setProperty("--index", index);
    return element;
  }

  toggle(call, open = !this.isOpen(call)) {
    if (open) this.opened.add(call.number);
    else {
      this.opened.delete(call.number);
      this.path.delete(call.number);
    }
    this.refresh();
  }

  press(event) {
    const index = this.rows.findIndex(({ call }) => call.number === this.focus);
    const call = this.rows[index]?.call;
    if (!call) return;
    const moves = {
      ArrowDown: () => this.focusRow(index + 1),
      ArrowUp: () => this.focusRow(index - 1),
      ArrowRight: () => (this.isOpen(call) || call.below === 0 ? this.focusRow(index + 1) : this.toggle(call, true)),
      ArrowLeft: () => (call.below && this.isOpen(call) ? this.toggle(call, false) : this.focusRow(this.rows.findIndex((row) => row.call.number === call.parent))),
      Home: () => this.focusRow(0),
      End: () => this.focusRow(this.rows.length - 1),
      Enter: () => this.go({ call: call.number, done: false }),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  }

  focusRow(index) {
    if (index < 0 || index >= this.rows.length) return;
    this.focus = this.rows[index].call.number;
    this.reveal(this.focus);
    this.draw();
  }
}
