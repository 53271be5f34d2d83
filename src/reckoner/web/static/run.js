// One run: the calls of a trace (docs/trace.schema.json), loaded as they are looked at.
//
// A call's number is its place in the whole run. `below` counts the calls under it, so the first call it makes is
// number + 1, and whoever is called after it by the same skill is number + 1 + below.

/** Thrown by whatever needs something that is not here yet; `settle` fetches it and tries again. */
class Missing {
  constructor(fetch) {
    this.fetch = fetch;
  }
}

export class Run {
  /** `opening` is an answer of /api/trace or the bundle of a single file; `source` fetches more, null: there is none. */
  constructor(opening, source = null) {
    this.expression = opening.expression;
    this.scale = opening.scale; // decimals of quotients
    this.answer = opening.answer;
    this.error = opening.error;
    this.total = opening.trace.total;
    this.lines = opening.trace.lines;
    this.linesTotal = opening.linesTotal ?? this.lines.length;
    this.interesting = opening.interesting ?? [];
    this.moreInteresting = opening.moreInteresting ?? false;
    this.source = source;
    this.calls = new Map(); // whole entries, by number
    this.stubs = new Map(); // ancestors: who they are, without their memories
    this.under = new Map(); // loads under way
    this.keep(opening.trace);
  }

  get question() {
    return { expression: this.expression, scale: this.scale };
  }

  keep({ calls, ancestors }) {
    // The server leaves out the middle of a very deep stack; for us the next one above it is then the parent.
    ancestors.forEach((stub, i) => this.stubs.set(stub.number, { ...stub, parent: ancestors[i - 1]?.number ?? null }));
    // An entry whose steps are listed stays, also when it comes again without them.
    for (const call of calls) if (!(this.calls.get(call.number)?.hidden < call.hidden)) this.calls.set(call.number, call);
  }

  get(number) {
    const call = this.calls.get(number);
    if (!call) throw this.missing(number);
    return call;
  }

  /** A call that can be shown: this one, or in a file that leaves it out the last one before it. */
  nearest(number) {
    const known = Math.min(number, this.total - 1);
    if (this.source || this.calls.has(known)) return known;
    return [...this.calls.keys()].filter((other) => other <= known).reduce((most, other) => Math.max(most, other), 0);
  }

  /** Who a call is: enough for the stack. */
  glance(number) {
    return this.calls.get(number) ?? this.stubs.get(number) ?? this.get(number);
  }

  parent(call) {
    return call.parent === null ? null : this.get(call.parent);
  }

  /** Whether the calls below this one are left out of the file for good. */
  isCut(call) {
    return call.hidden > 0 && !this.source;
  }

  /** The calls that a call made, in order. */
  made(call) {
    if (call.below === 0 || this.isCut(call)) return [];
    if (call.hidden > 0) throw this.missing(call.number);
    const calls = [];
    for (let number = call.number + 1; number <= call.number + call.below; ) {
      const child = this.get(number);
      calls.push(child);
      number += 1 + child.below;
    }
    return calls;
  }

  /** From the first call down to this one; of a very deep stack the middle may be missing. */
  path(call) {
    const path = [call];
    for (let at = call.parent; at !== null; at = path.at(-1).parent) path.push(this.glance(at));
    return path.reverse();
  }

  /** What a frame's network sees after its first `k` calls, and null if that is not known. */
  view(call, k) {
    const made = this.made(call);
    if (this.isCut(call)) return null;
    return (k < made.length ? made[k].view : call.halt?.view) ?? null;
  }

  missing(number) {
    return new Missing(() => this.load(number));
  }

  /** Fetch the frame in which a call happens, and a few generations below the call. */
  load(number) {
    if (!this.source) return Promise.reject(new Error(`call ${number} is not in this file`));
    return this.once(`call ${number}`, async () => this.keep((await this.source.part(this.question, number)).trace));
  }

  once(key, work) {
    if (!this.under.has(key)) this.under.set(key, work().finally(() => this.under.delete(key)));
    return this.under.get(key);
  }

  /** The first step worth stopping at whose number is above `after`; undefined if there is none. */
  interestingAfter(after) {
    const found = this.interesting.find((number) => number > after);
    if (found === undefined && this.moreInteresting) throw new Missing(() => this.loadInteresting());
    return found;
  }

  /** … and the last one up to `until`. */
  interestingUntil(until) {
    if (this.moreInteresting && until > (this.interesting.at(-1) ?? -1)) throw new Missing(() => this.loadInteresting());
    return this.interesting.findLast((number) => number <= until);
  }

  loadInteresting() {
    return this.once("interesting", async () => {
      const { steps, more } = await this.source.interesting(this.question, this.interesting.length);
      this.interesting.push(...steps);
      this.moreInteresting = more;
    });
  }

  loadLines() {
    return this.once("lines", async () => {
      this.lines.push(...(await this.source.lines(this.question, this.lines.length)).lines);
    });
  }

  /** What `work` gives, after loading whatever it lacks. */
  async settle(work) {
    for (;;) {
      try {
        return work();
      } catch (reason) {
        if (!(reason instanceof Missing)) throw reason;
        await reason.fetch();
      }
    }
  }

  /** What `work` gives if all of it is here, otherwise undefined. */
  ifHere(work) {
    try {
      return work();
    } catch (reason) {
      if (reason instanceof Missing) return undefined;
      throw reason;
    }
  }
}
