// A memory as a row of cells, with brackets over what is read and under what is written, and beneath it the view.
//
// All cells of a row are equally wide, so everything is placed by column. A memory that is too long for the row is
// cut inside of tokens only: the network reads and writes between tokens, so a bracket never ends in a cut.

import { make } from "./dom.js";

const NARROWEST = 23; // pixels of a cell; the style sheet says the same
const WIDE_ENOUGH = 4; // columns of a bracket that hold its label
const LEAST = 3; // columns of a token that was cut: its first character, a gap, its last

/** Columns for a memory: {text, start, end} each; `capacity` is how many fit. */
export function columnsOf(memory, tokens, capacity) {
  const parts = tokens ?? [{ start: 0, end: memory.length }];
  const widest = parts.reduce((most, part) => Math.max(most, part.end - part.start), 0);
  let width = widest;
  const total = () => parts.reduce((sum, part) => sum + Math.min(part.end - part.start, width), 0);
  while (width > LEAST && total() > capacity) width -= width > 60 ? Math.ceil(width / 10) : 1;
  width = Math.max(width, LEAST);
  return parts.flatMap(({ start, end }) => cut(memory, start, end, width));
}

function cut(memory, start, end, width) {
  const single = (at) => ({ text: memory[at], start: at, end: at + 1 });
  const range = (from, to) => Array.from({ length: to - from }, (_, i) => single(from + i));
  if (end - start <= width) return range(start, end);
  const left = Math.ceil((width - 1) / 2);
  const right = width - 1 - left;
  const gap = { text: "⋯", start: start + left, end: end - right, isCut: true };
  return [...range(start, start + left), gap, ...range(end - right, end)];
}

/** The column at which a place of the memory lies; within a cut, the cut's beginning. */
export function columnAt(columns, place) {
  const index = columns.findIndex((column) => place < column.end);
  return index < 0 ? columns.length : index;
}

const spanOf = (columns, [start, end]) => [columnAt(columns, start), start === end ? columnAt(columns, start) : columnAt(columns, end - 1) + 1];

/** A row that keeps its brackets, so that they can move from one moment to the next. */
export class MemoryRow {
  constructor() {
    this.cells = make("div", { class: "cells" });
    this.seen = make("div", { class: "seen" });
    this.brackets = {
      read1: bracket("read", "reads"),
      read2: bracket("read", "reads"),
      write: bracket("write", "answer goes here"),
    };
    this.grid = make("div", { class: "memory", role: "img" }, ...Object.values(this.brackets), this.cells, this.seen);
    this.element = make("div", { class: "memory-scroll" }, this.grid);
    this.columns = [];
    this.capacity = 30; // columns that fit at the smallest cell size
    this.last = null;
    new ResizeObserver(([{ contentRect }]) => this.fit(contentRect.width)).observe(this.element);
  }

  fit(width) {
    const capacity = Math.max(12, Math.floor(width / NARROWEST));
    if (!width || capacity === this.capacity) return;
    this.capacity = capacity;
    if (this.last) this.show(...this.last);
  }

  /** Show a memory; `marks` may have read1, read2, write (spans of it) and fresh (what was just written). */
  show(memory, tokens, marks) {
    this.last = [memory, tokens, marks];
    this.columns = columnsOf(memory, tokens, this.capacity);
    const columns = this.columns;
    this.element.classList.toggle("is-long", columns.length > this.capacity);
    this.grid.style.setProperty("--columns", Math.max(1, columns.length));
    this.grid.setAttribute("aria-label", memory === "" ? "empty memory" : `memory ${memory.length > 200 ? `of ${memory.length} characters` : memory}`);
    const fresh = marks.fresh ? spanOf(columns, marks.fresh) : null;
    const reads = ["read1", "read2"].filter((name) => marks[name]).map((name) => spanOf(columns, marks[name]));
    const inside = (spans, i) => spans.some(([from, to]) => from <= i && i < to);
    this.cells.replaceChildren(
      ...columns.map((column, i) => {
        const names = ["cell"];
        if (column.isCut) names.push("cut");
        if (fresh && inside([fresh], i)) names.push("fresh");
        if (inside(reads, i)) names.push("is-read");
        const title = column.isCut ? `${column.end - column.start} characters not shown` : null;
        return make("span", { class: names.join(" "), title }, column.text);
      }),
    );
    if (!columns.length) this.cells.append(make("span", { class: "cell empty", title: "the memory is empty" }, "∅"));
    for (const [name, element] of Object.entries(this.brackets)) this.place(element, marks[name]);
    this.tellApart(marks);
    this.look(tokens);
  }

  place(element, span) {
    element.classList.toggle("is-shown", Boolean(span));
    if (!span) return;
    const [from, to] = spanOf(this.columns, span);
    element.style.setProperty("--from", from);
    element.style.setProperty("--to", to);
    element.classList.toggle("is-point", from === to);
    // A label that is wider than its bracket stays inside of the row.
    const isNarrow = to - from < WIDE_ENOUGH;
    element.classList.toggle("at-start", isNarrow && from < 2);
    element.classList.toggle("at-end", isNarrow && from >= 2 && to > this.columns.length - 2);
  }

  /** An empty second read is no read; two reads get numbers. */
  tellApart({ read1, read2 }) {
    const both = read1 && read2;
    this.brackets.read1.firstChild.textContent = both ? "1st" : "reads";
    this.brackets.read2.firstChild.textContent = both ? "2nd" : "reads";
    const meets = both && read1[0] < read2[1] && read2[0] < read1[1];
    this.grid.classList.toggle("reads-meet", Boolean(meets));
  }

  /** The view below the cells, token by token. */
  look(tokens) {
    this.seen.hidden = !tokens;
    if (!tokens) return;
    const named = { digit: "a digit", elided: "more digits, however many", number: "a number", rest: "the rest, unread" };
    this.seen.replaceChildren(
      ...tokens.map((token) => {
        const [from, to] = spanOf(this.columns, [token.start, token.end]);
        const element = make("span", { class: `token ${token.kind}`, title: named[token.kind] ?? `the sign ${token.text}` }, tokenText(token, to - from));
        element.style.setProperty("--from", from);
        element.style.setProperty("--to", to);
        return element;
      }),
    );
  }

  /** Where a span is on the screen, for what flies from here to there. */
  rectangle(span) {
    const [from, to] = spanOf(this.columns, span);
    const box = this.cells.getBoundingClientRect();
    const width = box.width / Math.max(1, this.columns.length);
    return { left: box.left + from * width, top: box.top, width: Math.max(to - from, 0.6) * width, height: box.height };
  }
}

function tokenText({ kind, text }, width) {
  if (kind === "number") return width < 3 ? "N" : "number";
  if (kind === "rest") return width < 2 ? "…" : "the rest";
  return kind === "sign" ? text : "";
}

function bracket(kind, label) {
  return make("div", { class: `bracket ${kind}`, "aria-hidden": "true" }, make("span", {}, label));
}
