// Each moment as a sentence: shown below the machine, and read out by a screen reader.
//
// A sentence is a list of parts: a plain string, {skill}, or {value} for a piece of memory.

import { capital, count, shorten } from "./dom.js";

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const LONGEST = 24; // characters of a piece of memory within a sentence

const word = (number) => WORDS[number] ?? count(number);
const cellCount = (number) => (number === 1 ? "cell" : `${word(number)} cells`);

/** Which cells of a memory a span is, in words: "over the last two cells". */
export function place([start, end], length) {
  if (start === end) {
    if (length === 0) return "into the empty memory";
    if (start === 0) return "in front of the first cell";
    return start === length ? "behind the last cell" : `between cells ${start} and ${start + 1}`;
  }
  if (start === 0 && end === length) return "over the whole memory";
  if (start === 0) return `over the first ${cellCount(end)}`;
  if (end === length) return `over the last ${cellCount(end - start)}`;
  return end - start === 1 ? `over cell ${end}` : `over cells ${start + 1} to ${end}`;
}

function value(text) {
  if (text === "") return "nothing";
  return { value: shorten(text, LONGEST) };
}

function message({ x, y }) {
  if (x === "" || y === "") return [value(x || y)];
  return [value(x), " and ", value(y)];
}

/** What happens at a moment. */
export function describe(run, { call: number, done }) {
  const call = run.get(number);
  const caller = run.parent(call);
  if (!caller) return done ? theEnd(run) : theBeginning(call);
  const [who, whom] = [{ skill: caller.skill }, call.skill === caller.skill ? "itself" : { skill: call.skill }];
  const where = place(call.write, call.before.length);
  if (!done) {
    const ask = [who, " asks ", whom, ", handing over ", ...message(call), "."];
    return call.refused ? ask : [...ask, ` The answer will go ${where}.`];
  }
  if (call.refused) return [{ skill: call.skill }, " does not accept ", ...message(call), ": nothing is written."];
  if (call.answer === null) return [{ skill: call.skill }, " fails."];
  const answer = [{ skill: call.skill }, " answers ", value(call.answer), ". "];
  if (call.skill === caller.skill) return [...answer, "Its caller, the same skill, ", ...writing(call, where)];
  return [...answer, who, " ", ...writing(call, where)];
}

/** What the caller does with an answer. */
function writing({ answer, write: [start, end], before, after }, where) {
  if (answer === "" && start === end) return ["writes nothing."];
  if (answer === "") return [`writes nothing ${where}, so what was there is gone.`];
  return [before === after ? `writes it ${where}, which changes nothing.` : `writes it ${where}.`];
}

/** With decimals the first skill also gets the scale: a zero with as many decimals as quotients shall have. */
function theBeginning({ skill, x, y }) {
  if (!y) return [{ skill }, " gets the whole expression: ", value(x), "."];
  if (x === "0") return [{ skill }, " gets the whole expression, ", value(y), ", and ", value(x), ": quotients shall have no decimals."];
  return [{ skill }, " gets the whole expression, ", value(y), ", and a zero with as many decimals as quotients shall have: ", value(x), "."];
}

function theEnd(run) {
  const calls = `after ${count(run.total - 1)} ${run.total === 2 ? "call" : "calls"}`;
  if (run.error) return [`${capital(run.error.message)}, found ${calls}.`];
  return ["Finished: ", { value: shorten(run.expression, 60) }, " is ", { value: shorten(run.answer, 60) }, `, ${calls}.`];
}

/** A sentence as plain text. */
export const toText = (parts) => parts.map((part) => part.skill ?? part.value ?? part).join("");
