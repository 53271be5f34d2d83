// The machine at one moment: the skill that asks, above, and the one that is asked, below; the message goes down
// between them and the answer comes back up.

import { capital, count, isStill, make, shorten } from "./dom.js";
import { MemoryRow } from "./cells.js";

const FLIGHT = { duration: 320, easing: "cubic-bezier(.3,.1,.2,1)" };
const SLIDE = { duration: 220, easing: "cubic-bezier(.2,.7,.3,1)" };

export class Machine {
  constructor(element, skills) {
    this.skills = skills;
    this.upper = new Card("asks");
    this.lower = new Card("is-asked");
    this.wire = make("div", { class: "wire" });
    this.element = element;
    this.frames = make("div", { class: "frames" }, this.upper.element, this.wire, this.lower.element);
    element.replaceChildren(this.frames);
    this.last = null; // what was shown before: the frame above and the call below
  }

  show(run, moment, animate) {
    const call = run.get(moment.call);
    const caller = run.parent(call);
    this.showCaller(run, call, caller, moment.done);
    this.showCallee(run, call, moment.done);
    this.showWire(call, caller, moment.done);
    this.element.dataset.at = `${moment.call}${moment.done ? ".answer" : ""}`; // as the address has it
    const before = this.last;
    this.last = { above: caller?.number ?? null, below: call.number };
    // Brackets move within a memory, not from one memory to another.
    this.upper.element.classList.toggle("is-new", before?.above !== this.last.above);
    // To ask where things are makes the browser lay the page out; in the next frame it does so anyway.
    if (animate && !isStill()) requestAnimationFrame(() => this.move(before, call, caller, moment.done));
  }

  showCaller(run, call, caller, done) {
    const card = this.upper;
    if (!caller) {
      card.title("You", !done ? "ask" : run.error ? `get no answer: ${run.error.message}` : "have the answer");
      card.row.show(done ? (run.answer ?? "") : call.y || call.x, null, {});
      card.note(done ? "To see it again, press Play; to look closer, click on a call in the tree." : "Press Play and watch, or go step by step.");
      card.element.classList.add("is-you");
      return;
    }
    card.element.classList.remove("is-you");
    card.title(caller.skill, this.skills.get(caller.skill)?.summary);
    const memory = done ? call.after : call.before;
    const [start] = call.write;
    const marks = done
      ? { fresh: call.refused ? null : [start, start + (call.answer ?? "").length] }
      : { read1: full(call.read1), read2: full(call.read2), write: call.write };
    card.row.show(memory, tokensOf(done ? viewAfter(run, call, caller) : call.view), marks);
    if (done) card.note("What its network sees now; next it decides again.");
    else card.choice("It sees only this much, and chooses to ask ", call.skill, call.probability);
  }

  showCallee(run, call, done) {
    const skill = this.skills.get(call.skill);
    const card = this.lower;
    const isBasic = skill?.kind === "basic";
    card.title(call.skill, skill?.summary);
    const memory = done ? (call.answer ?? call.memory) : call.memory;
    const view = isBasic || call.refused ? null : done ? call.halt?.view : run.view(call, 0);
    card.row.show(memory, tokensOf(view), done && call.answer !== null ? { fresh: [0, memory.length] } : {});
    card.element.classList.toggle("is-basic", isBasic);
    card.element.classList.toggle("is-done", done);
    // A frame that has made all the calls it may halts without being asked: then nothing was chosen.
    if (done && call.halt && call.halt.probability !== null && call.halt.probability < 1) card.choice(`${capital(call.sentence ?? "its memory is its answer.")} It chooses to `, "HALT", call.halt.probability);
    else card.note(noteFor(call, done, isBasic, run.isCut(call)));
  }

  showWire(call, caller, done) {
    if (done) {
      const answer = call.refused ? "refused" : call.answer === "" ? "nothing" : shorten(call.answer ?? "no answer", 40);
      this.wire.replaceChildren(arrow("up"), make("span", { class: "chip answer" }, answer));
    } else {
      const pieces = [call.x, call.y].filter((text) => text !== "");
      const chips = pieces.map((text) => make("span", { class: "chip" }, shorten(text, 24)));
      this.wire.replaceChildren(arrow("down"), ...chips);
    }
  }

  /** The message and the answer fly; the frames slide when one opens or closes. */
  move(before, call, caller, done) {
    if (caller && !call.refused) this.send(call, done); // first, for a sliding frame is not where it will be
    const opened = before && caller && before.below === caller.number && !done;
    const closed = before && done && before.above === call.number;
    if (!opened && !closed) return;
    const shift = opened ? 48 : -48;
    this.frames.animate([{ transform: `translateY(${shift}px)`, opacity: 0.35 }, { transform: "none", opacity: 1 }], SLIDE);
  }

  send(call, done) {
    const [upper, lower] = [this.upper.row, this.lower.row];
    if (done) {
      const { answer, write: [start] } = call;
      if (answer) this.fly(answer, lower, [0, answer.length], upper, [start, start + answer.length]);
      return;
    }
    const layout = this.skills.get(call.skill)?.layout ?? "{x},{y}";
    const start = layout.indexOf("{x}");
    const gap = layout.replace("{x}", "").indexOf("{y}") - start;
    const second = start + call.x.length + Math.max(0, gap);
    if (call.x) this.fly(call.x, upper, call.read1, lower, [start, start + call.x.length]);
    if (call.y) this.fly(call.y, upper, call.read2, lower, [second, second + call.y.length]);
  }

  fly(text, from, span, to, target) {
    const frame = this.element.getBoundingClientRect();
    const [start, end] = [from.rectangle(span), to.rectangle(target)];
    const ghost = make("span", { class: "ghost", "aria-hidden": "true" }, shorten(text, 16));
    this.element.append(ghost);
    const at = (box) => `translate(${box.left - frame.left + box.width / 2}px, ${box.top - frame.top + box.height / 2}px) translate(-50%, -50%)`;
    const flight = ghost.animate([{ transform: at(start), opacity: 0.9 }, { transform: at(end), opacity: 0.9, offset: 0.85 }, { transform: at(end), opacity: 0 }], FLIGHT);
    flight.onfinish = flight.oncancel = () => ghost.remove();
  }
}

/** A read of nothing is not shown. */
const full = (span) => (span[0] === span[1] ? null : span);

function noteFor(call, done, isBasic, isCut) {
  if (call.refused) return "It does not accept this message.";
  if (isCut) return `${count(call.hidden)} calls of its own and below are not in this file.`;
  if (isBasic && done) return capital(call.sentence ?? "it knew that by heart.");
  if (isBasic) return "A basic skill: it sees the digits and knows the answer by heart.";
  if (done) return `${capital(call.sentence ?? "")} It halts: what stands in its memory now is its answer.`.trim();
  return "It begins with the message in a memory of its own.";
}

const arrow = (way) => make("span", { class: `arrow ${way}`, "aria-hidden": "true" }, way === "up" ? "↑" : "↓");

/** A skill at work: its name, what it does, its memory, and a line below. */
class Card {
  constructor(role) {
    this.name = make("b", { class: "skill" });
    this.does = make("span", { class: "does" });
    this.row = new MemoryRow();
    this.foot = make("p", { class: "foot" });
    this.element = make("article", { class: `card ${role}` }, make("header", {}, this.name, " ", this.does), this.row.element, this.foot);
  }

  title(name, summary) {
    this.name.textContent = name;
    this.does.textContent = this.does.title = (summary ?? "").replaceAll("`", "");
  }

  note(text) {
    this.foot.replaceChildren(text);
  }

  /** What the network chose, and how sure it was. */
  choice(text, choice, probability) {
    const parts = [text, make("b", {}, choice)];
    if (probability !== null) {
      const title = "how likely its network found this, among all that it could do";
      const meter = make("span", { class: "sure", title }, make("i"), `${percent(probability)} sure`);
      meter.firstChild.style.setProperty("--share", probability);
      parts.push(" ", meter);
    }
    this.foot.replaceChildren(...parts);
  }
}

const KINDS = { d: "digit", N: "number", "~": "elided", "…": "rest" };

/** The tokens of a view: what the network sees, and which part of the memory each of them covers. */
function tokensOf(view) {
  if (!view) return null;
  return Array.from(view.text, (text, i) => ({ kind: KINDS[text] ?? "sign", text, start: view.gaps[i], end: view.gaps[i + 1] }));
}

/** What a caller sees once a call of its has been answered. */
function viewAfter(run, call, caller) {
  const place = run.made(caller).findIndex((other) => other.number === call.number);
  return run.view(caller, place + 1);
}

/** 99.97 % is not 100 %: more places for what is nearly certain. */
export function percent(probability) {
  if (probability === 1) return "100 %";
  const places = probability > 0.9995 ? 2 : probability > 0.95 ? 1 : 0;
  return `${(Math.floor(probability * 100 * 10 ** places) / 10 ** places).toFixed(places)} %`;
}
