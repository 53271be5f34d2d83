// The map of skills: who may call whom, with the one at work lit up, the way to it, and whom it may call itself.

import { makeSvg } from "./dom.js";

const ROW = 36;
const LETTER = 6.6; // pixels of a character of a name
const GAP = 10;
const FAR = 3; // rows; longer lines are fainter

export class SkillMap {
  constructor(element) {
    this.element = element;
    this.nodes = new Map();
    this.edges = new Map();
    this.lit = [];
  }

  start(skills) {
    this.skills = skills;
    this.callees = new Map(skills.map((skill) => [skill.name, skill.calls]));
    this.first = null;
  }

  /** The skills that the first one of a run can come to, by others or itself. */
  draw(first) {
    this.first = first;
    for (const known of [this.nodes, this.edges]) known.clear();
    this.lit = [];
    const reach = new Set([first]);
    for (const skill of [...this.skills].reverse()) if (reach.has(skill.name)) for (const callee of skill.calls) reach.add(callee);
    const skills = this.skills.filter((skill) => reach.has(skill.name));
    const places = arrange(skills);
    const width = Math.max(...[...places.values()].map((place) => place.x + place.width / 2)) + GAP;
    const height = Math.max(...[...places.values()].map((place) => place.y)) + ROW;
    const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Map of the skills: who may call whom", class: "map" });
    svg.style.setProperty("--width", `${width}px`);
    for (const skill of skills) {
      for (const callee of skill.calls) if (places.has(callee)) svg.append(this.edge(skill.name, callee, places));
    }
    for (const skill of skills) svg.append(this.node(skill, places.get(skill.name)));
    this.element.replaceChildren(svg);
  }

  edge(caller, callee, places) {
    const [from, to] = [places.get(caller), places.get(callee)];
    const loop = `M ${from.x + from.width / 2 - 4} ${from.y - 4} c 16 -10 16 18 0 8`;
    const curve = `M ${from.x} ${from.y + 11} C ${from.x} ${from.y + 28}, ${to.x} ${to.y - 28}, ${to.x} ${to.y - 11}`;
    const path = makeSvg("path", { d: caller === callee ? loop : curve, class: to.y - from.y > FAR * ROW ? "edge far" : "edge" });
    this.edges.set(`${caller} ${callee}`, path);
    return path;
  }

  node(skill, { x, y, width }) {
    const box = makeSvg("rect", { x: x - width / 2, y: y - 11, width, height: 22, rx: 11 });
    const text = makeSvg("text", { x, y: y + 4, "text-anchor": "middle" }, skill.name);
    const node = makeSvg("g", { class: skill.kind === "basic" ? "node basic" : "node" }, makeSvg("title", {}, `${skill.name}: ${skill.summary ?? ""}`), box, text);
    this.nodes.set(skill.name, node);
    return node;
  }

  /** Light up the skills on the way from the first call to the present one. */
  show(path) {
    const names = path.map((call) => call.skill);
    if (names[0] !== this.first) this.draw(names[0]);
    for (const element of this.lit) element.classList.remove("is-on", "is-now", "is-next");
    this.lit = [];
    for (const callee of this.callees.get(names.at(-1)) ?? []) {
      this.light(this.nodes.get(callee), "is-next");
      this.light(this.edges.get(`${names.at(-1)} ${callee}`), "is-next");
    }
    names.forEach((name, i) => {
      this.light(this.nodes.get(name), "is-on");
      if (i) this.light(this.edges.get(`${names[i - 1]} ${name}`), "is-on");
    });
    this.light(this.nodes.get(names.at(-1)), "is-now");
  }

  light(element, name) {
    if (!element) return;
    element.classList.add(name);
    this.lit.push(element);
  }
}

/** A place for each skill: callers above those they call, each row ordered by where its callers are. */
function arrange(skills) {
  const rank = new Map(skills.map((skill) => [skill.name, 0]));
  // From the newest to the oldest: callers come before callees, so one pass pushes everyone below their callers.
  for (const skill of [...skills].reverse()) {
    for (const callee of skill.calls) {
      if (callee !== skill.name && rank.has(callee)) rank.set(callee, Math.max(rank.get(callee), rank.get(skill.name) + 1));
    }
  }
  const callers = new Map(skills.map((skill) => [skill.name, skills.filter((other) => other !== skill && other.calls.includes(skill.name)).map((other) => other.name)]));
  const rows = [];
  for (const skill of [...skills].reverse()) (rows[rank.get(skill.name)] ??= []).push({ name: skill.name, width: skill.name.length * LETTER + 22 });
  const widest = Math.max(...rows.map(widthOf));
  const places = new Map();
  rows.forEach((row, index) => {
    const wish = ({ name }) => {
      const known = callers.get(name).filter((caller) => places.has(caller)).map((caller) => places.get(caller).x);
      return known.length ? known.reduce((sum, x) => sum + x, 0) / known.length : widest / 2;
    };
    row.sort((one, other) => wish(one) - wish(other));
    spread(row, row.map(wish), widest).forEach((x, i) => places.set(row[i].name, { x, y: index * ROW + 20, width: row[i].width }));
  });
  return places;
}

const widthOf = (row) => row.reduce((sum, { width }) => sum + width + GAP, GAP);

/** Centres as near to the wishes as the row's order and room allow. */
function spread(row, wishes, room) {
  const centres = [];
  let left = GAP;
  row.forEach(({ width }, i) => {
    const rest = widthOf(row.slice(i + 1));
    const centre = Math.max(left + width / 2, Math.min(wishes[i], room - rest - width / 2));
    centres.push(centre);
    left = centre + width / 2 + GAP;
  });
  return centres;
}
