// The page: puts the parts together.

import { readAddress, writeAddress } from "./address.js";
import { Controls } from "./controls.js";
import { count, find, make, shorten } from "./dom.js";
import { Lines } from "./lines.js";
import { Machine } from "./machine.js";
import { SkillMap } from "./map.js";
import { Player } from "./player.js";
import { EXAMPLES, Question } from "./question.js";
import { describe, toText } from "./sentence.js";
import { Inside, Refused, Server } from "./source.js";
import { Stack } from "./stack.js";
import { listenToTheme } from "./theme.js";
import { Tree } from "./tree.js";

const LONG = 60; // calls from which on only the interesting steps are played, unless the person says otherwise
const SETTLED = 300; // milliseconds of rest after which the address follows

class Page {
  constructor(source) {
    this.source = source;
    this.skills = new Map(); // by name, as soon as they are here
    this.turn = 0; // counts the questions: whatever an older one still brings is dropped
    this.player = new Player({
      show: (run, moment, animate) => this.show(run, moment, animate),
      tell: () => this.tell(),
      fail: (reason) => this.fail(reason),
    });
    const jump = (moment) => this.controls.jump(moment);
    this.controls = new Controls(this.player, find(".work"));
    this.question = new Question(find(".question"), (question, isLeft) => this.ask(question).then((isShown) => isShown && isLeft && this.controls.focus()));
    this.machine = new Machine(find(".machine"), this.skills);
    this.lines = new Lines(find(".lines"), jump);
    this.stack = new Stack(find(".stack"), jump);
    this.tree = new Tree(find(".tree"), jump);
    this.map = new SkillMap(find(".skills"));
    this.sentence = find(".sentence");
    this.controls.listenToSwipes(find(".machine"));
    window.addEventListener("hashchange", () => this.follow());
    find("#copy").addEventListener("click", () => this.copy());
  }

  /** Calculate a question, {expression, scale}, and show it from its beginning, or from a moment of it; gives whether it is shown now. */
  async ask(question, moment = null) {
    const turn = ++this.turn;
    this.player.stop();
    document.body.classList.add("is-busy");
    try {
      this.question.show(question);
      const [run] = await Promise.all([this.source.open(question), this.learnSkills()]);
      return turn === this.turn && (await this.player.start(run, moment));
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      if (turn === this.turn) await this.refuse(reason, question, turn);
      return false;
    } finally {
      if (turn === this.turn) document.body.classList.remove("is-busy");
    }
  }

  get isBusy() {
    return document.body.classList.contains("is-busy");
  }

  /** Once; if they do not come, the next question asks for them again. */
  learnSkills() {
    this.learned ??= this.source.skills().then(
      ({ skills }) => {
        for (const skill of skills) this.skills.set(skill.name, skill);
        this.map.start(skills);
      },
      (reason) => {
        this.learned = null;
        throw reason;
      },
    );
    return this.learned;
  }

  /** An expression without a run to watch: say why; where it is only too long for a trace, with the answer. */
  async refuse(reason, question, turn) {
    this.question.fail(reason.error, question.expression);
    this.player.leave();
    document.body.classList.add("is-empty");
    this.setAddress(writeAddress(question, { call: 0, done: false }));
    if (reason.error.kind !== "text-limit" || !this.source.calculate) return;
    const result = await this.source.calculate(question).catch(() => null);
    if (result?.answer && turn === this.turn) this.question.trouble.append(make("p", { class: "long-answer" }, `The answer: ${result.answer}`));
  }

  /** A run that was not shown before takes the place of the last one, all of it at once. */
  open(run) {
    this.run = run;
    document.body.classList.remove("is-empty");
    this.lines.start(run);
    this.tree.start(run);
    this.controls.start(run, run.total > LONG);
    find(".calls").textContent = run.error ? "" : `${count(run.total - 1)} calls between networks`;
    this.tellCut(run);
    if (run.error) this.question.fail(run.error, run.expression);
    document.title = `${shorten(run.expression, 40)} · Reckoner`;
  }

  /** That a quotient was cut, as the command line tells it, and what it would be with decimals. */
  async tellCut(run) {
    const place = find(".cut");
    place.replaceChildren();
    const cut = await this.source.cut(run.question).catch(() => null);
    if (!cut || run !== this.run) return;
    place.append(`${cut.told}`);
    if (cut.answer === null) return;
    const again = () => this.question.ask({ expression: run.expression, scale: cut.scale }, true);
    place.append(": ", make("button", { type: "button", class: "quiet", on: { click: again } }, `${cut.scale} decimals give ${shorten(cut.answer, 24)}`));
  }

  show(run, moment, animate) {
    if (run !== this.run) this.open(run);
    const path = run.path(run.get(moment.call));
    const parts = describe(run, moment);
    const text = toText(parts);
    // Many steps a second would only be a babble; whoever plays that fast hears the rest when it stops.
    this.sentence.setAttribute("aria-live", this.player.isPlaying && this.player.perSecond > 2 ? "off" : "polite");
    this.sentence.replaceChildren(...parts.map(asElement));
    this.machine.show(run, moment, animate && !(this.player.isPlaying && this.player.perSecond > 4));
    this.lines.show(moment, path);
    this.stack.show(path);
    this.tree.show(moment, path);
    this.map.show(path);
    this.controls.show(run, moment, text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), SETTLED);
  }

  write() {
    const { run, moment } = this.player;
    const address = run && writeAddress(run.question, moment);
    if (address && address !== location.hash) this.setAddress(address);
  }

  setAddress(address) {
    try {
      history.replaceState(null, "", address);
    } catch {
      // a notebook's frame has no address of its own
    }
  }

  /** The address was changed by hand or by a link on this page. */
  follow() {
    const { question, moment } = readAddress();
    if (!question) return;
    const { run } = this.player;
    const isSame = run && question.expression === run.expression && question.scale === run.scale;
    if (isSame && !this.isBusy) this.controls.jump(moment ?? { call: 0, done: false });
    else this.ask(question, moment);
  }

  tell() {
    this.controls.tell();
  }

  fail(reason) {
    const error = reason instanceof Refused ? reason.error : { message: "something went wrong on this page", position: null };
    this.question.fail(error, null);
    if (!(reason instanceof Refused)) console.error(reason);
  }

  async copy() {
    this.write();
    const button = find("#copy");
    const { run, moment } = this.player;
    const link = run ? location.href.split("#")[0] + writeAddress(run.question, moment) : location.href;
    const isDone = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    button.textContent = isDone ? "Copied" : "See the address";
    setTimeout(() => (button.textContent = "Copy link"), 1500);
  }
}

function asElement(part) {
  if (part.skill) return make("b", { class: "skill" }, part.skill);
  return part.value ? make("code", {}, part.value) : part;
}

async function begin() {
  listenToTheme(find("#theme"));
  for (const panel of document.querySelectorAll("details[data-wide]")) panel.open = innerWidth >= 1000;
  const bundle = document.getElementById("bundle");
  const source = bundle ? new Inside(JSON.parse(bundle.textContent)) : new Server();
  document.body.classList.toggle("is-single", Boolean(bundle));
  const page = new Page(source);
  const { question, moment } = readAddress();
  await page.ask(question ?? source.question ?? { expression: EXAMPLES[0].expression, scale: 0 }, moment);
}

begin();
