// Where runs come from: the server, or the one that is inside of a single file.

import { Run } from "./run.js";

const TRIES = 4; // of a request that a busy server turned away

/** An error to show a person: {kind, message, position}. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

export class Server {
  async skills() {
    return this.ask("api/skills");
  }

  /** The run of a question, {expression, scale}: what is needed to begin. What is worth stopping at is asked for when it is needed. */
  async open(question) {
    const opening = await this.ask("api/trace", { ...question, call: 0, depth: 3 });
    const { lines, lines_total: linesTotal } = await this.lines(question, 0);
    return new Run({ ...opening, linesTotal, moreInteresting: true, trace: { ...opening.trace, lines } }, this);
  }

  /** The answer alone, where there is no trace. */
  calculate(question) {
    const body = JSON.stringify(question);
    return this.ask("api/calculate", {}, { method: "POST", body, headers: { "content-type": "application/json" } });
  }

  /** The frame in which a call happens, and what is near below the call. */
  part(question, call) {
    return this.ask("api/trace", { ...question, call, depth: 3, parent: 1 });
  }

  lines(question, from) {
    return this.ask("api/trace/lines", { ...question, from });
  }

  async interesting(question, from) {
    const { steps, more } = await this.ask("api/trace/interesting", { ...question, from });
    return { steps: steps.map((step) => step.call), more };
  }

  /** Which quotient was cut in an answer: {told, scale, answer}, or null. */
  async cut(question) {
    if (question.scale || !/[/÷]/.test(question.expression)) return null;
    return (await this.ask("api/cut", question)).cut;
  }

  async ask(path, parameters = {}, options = {}) {
    const query = new URLSearchParams(parameters).toString();
    for (let left = TRIES; ; left -= 1) {
      const reply = await fetch(query ? `${path}?${query}` : path, options).catch(() => null);
      if (!reply) throw new Refused({ kind: "unreachable", message: "the server does not answer; is `reckon serve` still running?", position: null });
      if (reply.status === 503 && left > 1) {
        await new Promise((go) => setTimeout(go, 1000 * Number(reply.headers.get("Retry-After") ?? 1)));
        continue;
      }
      const answer = await reply.json().catch(() => null);
      if (reply.ok && answer) return answer;
      throw new Refused(answer?.error ?? { kind: "internal", message: "the server answered with something that is not JSON", position: null });
    }
  }
}

/** The run inside of a single file: `bundle` is what `reckon --html` put there. */
export class Inside {
  constructor(bundle) {
    this.bundle = bundle;
    this.question = { expression: bundle.expression, scale: bundle.scale };
  }

  async skills() {
    return this.bundle.skills;
  }

  async open({ expression, scale }) {
    if (expression !== this.question.expression || scale !== this.question.scale) {
      const decimals = this.question.scale ? ` at scale ${this.question.scale}` : "";
      throw new Refused({ kind: "single-file", message: `this file holds one run, that of ${this.question.expression}${decimals}; \`reckon serve\` calculates others`, position: null });
    }
    // Of a long run only the calls nearest to the question are in the file.
    const inside = new Set(this.bundle.trace.calls.map((call) => call.number));
    const interesting = this.bundle.interesting.map((step) => step.call).filter((number) => inside.has(number));
    return new Run({ ...this.bundle, interesting });
  }

  async cut() {
    return this.bundle.cut;
  }
}
