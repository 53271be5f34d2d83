// The expression and its rewritings, as `reckon --trace` prints them: a click on a line goes to where it was made.

import { count, make, shorten } from "./dom.js";

const MOST = 60; // lines that are shown; of a longer rewriting the first and last, and those around the present one
const WIDEST = 400; // characters of a line

export class Lines {
  constructor(element, go) {
    this.element = element;
    this.go = go;
  }

  start(run) {
    this.run = run;
    this.count();
    this.shown = null;
  }

  /** Which call made each line. */
  count() {
    // A line stands as soon as the last of its calls has been answered.
    let begun = 0;
    this.reached = this.run.lines.map(({ calls }) => {
      if (calls.length) begun = calls.at(-1);
      return begun;
    });
  }

  /** Mark the line that stands at this moment; `path` leads from the first call to the present one. */
  show(moment, path) {
    const present = this.lineAt(moment, new Set(path.map((call) => call.number)));
    const known = this.run.lines.length;
    if (present > known - 5 && known < this.run.linesTotal) this.more(moment, path);
    if (present === this.shown && known === this.known) return;
    [this.shown, this.known] = [present, known];
    const rows = this.pick(present).map((index) => (index < 0 ? this.gap(-index) : this.row(index, present)));
    this.element.replaceChildren(...rows);
    const current = this.element.querySelector("[aria-current]");
    if (current) {
      const [top, height] = [current.offsetTop - this.element.offsetTop, this.element.clientHeight];
      if (top < this.element.scrollTop || top + current.offsetHeight > this.element.scrollTop + height) this.element.scrollTop = top - height / 2;
    }
  }

  /** More lines, if they come while this run is still the one that is watched. */
  more(...place) {
    const run = this.run;
    const next = () => {
      if (run !== this.run) return;
      this.count();
      this.show(...place);
    };
    run.loadLines().then(next, () => {});
  }

  lineAt({ call, done }, path) {
    if (call === 0) return done ? this.run.lines.length - 1 : 0;
    let present = 0;
    for (const [index, last] of this.reached.entries()) {
      if (last > call) break;
      const isUnderWay = path.has(last) && !(last === call && done);
      if (index && !isUnderWay) present = index;
    }
    return present;
  }

  /** Which lines to show; a negative number stands for that many left out. */
  pick(present) {
    const all = this.run.lines.length;
    const unknown = this.run.linesTotal - all;
    if (all <= MOST && !unknown) return Array.from({ length: all }, (_, i) => i);
    const wanted = [...new Set([0, 1, ...Array.from({ length: 9 }, (_, i) => present - 4 + i), all - 2, all - 1])];
    const kept = wanted.filter((i) => i >= 0 && i < all).sort((a, b) => a - b);
    const shown = kept.flatMap((index, i) => (i && index > kept[i - 1] + 1 ? [-(index - kept[i - 1] - 1), index] : [index]));
    return unknown ? [...shown, -unknown] : shown;
  }

  gap(number) {
    return make("li", { class: "left-out" }, `… ${count(number)} more …`);
  }

  row(index, present) {
    const line = this.run.lines[index];
    const state = index === present ? "is-now" : index > present ? "is-later" : "is-past";
    const content = changed(line.text, this.run.lines[index + 1]?.text, index === present);
    const press = () => this.go(line.calls.length ? { call: line.calls.at(-1), done: true } : { call: 0, done: false });
    const button = make("button", { type: "button", on: { click: press }, title: "Go to this moment" }, ...content);
    return make("li", { class: state, "aria-current": index === present ? "step" : null }, make("span", { class: "equals", "aria-hidden": "true" }, index ? "=" : ""), button);
  }
}

/** A line in which the part that is worked on next is marked. */
function changed(text, following, isNow) {
  if (!isNow || following === undefined) return [shorten(text, WIDEST)];
  let left = 0;
  while (left < text.length && left < following.length && text[left] === following[left]) left += 1;
  let right = 0;
  const most = Math.min(text.length, following.length) - left;
  while (right < most && text.at(-1 - right) === following.at(-1 - right)) right += 1;
  // Whole numbers, not parts of them, even where a digit happens to stay, in this line or in the next.
  const isOfNumber = (character = "") => /[0-9.]/.test(character);
  while (left > 0 && isOfNumber(text[left - 1]) && (isOfNumber(text[left]) || isOfNumber(following[left]))) left -= 1;
  while (right > 0 && isOfNumber(text.at(-right)) && (isOfNumber(text.at(-right - 1)) || isOfNumber(following.at(-right - 1)))) right -= 1;
  const end = text.length - right;
  if (end <= left || text.length > WIDEST) return [shorten(text, WIDEST)];
  return [text.slice(0, left), make("mark", {}, text.slice(left, end)), text.slice(end)];
}
