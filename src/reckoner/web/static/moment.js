// Moments, and how one moves between them.
//
// Each call has two: it is asked (`done` false), and its answer is written (`done` true). In between lie the moments
// of the calls it makes itself.

export const START = { call: 0, done: false };
export const END = { call: 0, done: true };

export const isSame = (one, other) => one.call === other.call && one.done === other.done;

const asked = (number) => ({ call: number, done: false });
const answered = (number) => ({ call: number, done: true });

export function next(run, { call: number, done }) {
  const call = run.get(number);
  if (!done) return run.made(call).length ? asked(number + 1) : answered(number);
  const parent = run.parent(call);
  if (!parent) return null;
  const sibling = number + 1 + call.below;
  return sibling <= parent.number + parent.below ? asked(sibling) : answered(parent.number);
}

export function previous(run, { call: number, done }) {
  const call = run.get(number);
  if (done) {
    const made = run.made(call);
    return made.length ? answered(made.at(-1).number) : asked(number);
  }
  const parent = run.parent(call);
  if (!parent) return null;
  const before = run.made(parent).filter((other) => other.number < number);
  return before.length ? answered(before.at(-1).number) : asked(parent.number);
}

/** The answer of the call that is being asked; from an answer on, the next moment. */
export function over(run, moment) {
  return moment.done ? next(run, moment) : answered(moment.call);
}

/** Until the skill at work has finished. */
export function out(run, { call: number }) {
  const parent = run.get(number).parent;
  return answered(parent ?? 0);
}

// --- only the interesting steps: the columns and digits of sums on paper, as the run lists them ---

/** Which of the listed calls a call lies in, itself included, outermost first. */
function listedAround(run, number) {
  const listed = new Set(run.interesting);
  return run.path(run.get(number)).filter((call) => call.number === 0 || listed.has(call.number));
}

export function nextInteresting(run, { call: number, done }) {
  if (number === 0 && done) return null;
  const call = run.get(number);
  const following = run.interestingAfter(done ? number + call.below : number);
  const around = listedAround(run, number).filter((other) => !(done && other.number === number)).at(-1);
  return following !== undefined && following <= around.number + around.below ? asked(following) : answered(around.number);
}

export function previousInteresting(run, { call: number, done }) {
  if (number === 0 && !done) return null;
  const call = run.get(number);
  const last = run.interestingUntil(done ? number + call.below : number - 1) ?? 0;
  if (last === number) return asked(number);
  const holdsMe = (other) => other.number <= number && number <= other.number + other.below;
  const outermost = listedAround(run, last).find((other) => !holdsMe(other));
  return outermost ? answered(outermost.number) : asked(last);
}
