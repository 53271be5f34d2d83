// Where we are in a run, and how that changes: by a step, by a jump, or by itself.

import { END, START, isSame, next, nextInteresting, out, over, previous, previousInteresting } from "./moment.js";

export class Player {
  /** `show(run, moment, animate)` draws a moment; `tell(state)` is told when playing starts or stops, or nothing is left. */
  constructor({ show, tell, fail }) {
    Object.assign(this, { show, tell, fail });
    this.run = null;
    this.moment = START;
    this.isPlaying = false;
    this.perSecond = 1;
    this.isSelective = false; // only the interesting steps
    this.turn = 0; // counts what was asked for, so that an answer that comes late is dropped
    this.round = 0; // counts how often it was played, so that two do not play at once
  }

  start(run, moment) {
    this.stop();
    this.run = run;
    this.moment = START;
    return this.go(moment ?? START, false);
  }

  /** Stay where it is; a step that is still being loaded will not be shown. */
  stop() {
    this.pause();
    this.turn += 1;
  }

  /** There is nothing to watch. */
  leave() {
    this.stop();
    this.run = null;
  }

  go(moment, animate = true) {
    return this.change((run) => ({ ...moment, call: run.nearest(moment.call) }), animate);
  }

  first = () => this.go(START);
  last = () => this.go(END);
  step = () => this.change((run, at) => (this.isSelective ? nextInteresting : next)(run, at));
  back = () => this.change((run, at) => (this.isSelective ? previousInteresting : previous)(run, at));
  into = () => this.change(next);
  over = () => this.change(over);
  out = () => this.change(out);

  /** Move to where `choose` says, once everything that has to be shown there is here. */
  async change(choose, animate = true) {
    if (!this.run) return false;
    const [run, turn] = [this.run, ++this.turn];
    const work = () => {
      const moment = choose(run, this.moment);
      if (moment) gather(run, moment);
      return moment;
    };
    try {
      const begun = performance.now();
      // What is here already is shown at once, within this very event.
      const known = run.ifHere(() => ({ moment: work() }));
      const moment = known ? known.moment : await run.settle(work);
      if (turn !== this.turn) return false;
      if (!moment) {
        this.pause();
        return false;
      }
      const shown = known ? begun : performance.now();
      this.moment = moment;
      this.show(run, moment, animate);
      performance.clearMeasures("step");
      performance.measure("step", { start: shown }); // `reckon bench`-like figures are read from here
    } catch (reason) {
      if (turn !== this.turn) return false;
      this.pause();
      this.fail(reason);
      return false;
    }
    this.ahead(run, this.moment);
    return true;
  }

  /** Load what the next step will need while this one is being looked at. */
  ahead(run, from) {
    const choose = this.isSelective ? nextInteresting : next;
    const work = () => {
      let moment = from;
      for (let steps = 0; moment && steps < 3; steps += 1) {
        moment = choose(run, moment);
        if (moment) gather(run, moment);
      }
    };
    if (run.ifHere(() => work() ?? true) === undefined) run.settle(work).catch(() => {});
  }

  get isAtEnd() {
    return isSame(this.moment, END);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  async play() {
    if (!this.run || this.isPlaying) return;
    if (this.isAtEnd && !(await this.first())) return;
    const round = ++this.round;
    const isOver = () => !this.isPlaying || round !== this.round;
    this.isPlaying = true;
    this.tell();
    const tick = async () => {
      if (isOver()) return;
      const moved = await this.step();
      if (isOver()) return;
      if (moved && !this.isAtEnd) this.timer = setTimeout(tick, 1000 / this.perSecond);
      else this.pause();
    };
    this.timer = setTimeout(tick, Math.min(400, 1000 / this.perSecond));
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.tell();
  }
}

/** Touch everything that showing a moment needs, so that it is loaded. */
function gather(run, { call: number }) {
  const call = run.get(number);
  const caller = run.parent(call);
  run.made(call);
  if (caller) run.made(caller);
  run.path(call);
}
