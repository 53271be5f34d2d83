// Buttons, keys and touch. Every way to move has a button with a name and a key.

import { find, make, makeSvg } from "./dom.js";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M15 5l-9 7 9 7z", play: "M7 4l13 8-13 8z", pause: "M7 5v14M17 5v14",
  step: "M9 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z", into: "M5 4h14M12 8v12M7 15l5 5 5-5",
  over: "M4 16c2-9 14-9 16 0M20 9v7h-7", out: "M5 20h14M12 16V4M7 9l5-5 5 5",
};

const MOVES = [
  { name: "first", label: "Start", key: "Home", hint: "to the beginning" },
  { name: "back", label: "Back", key: "←", hint: "one step back" },
  { name: "play", label: "Play", key: "Space", hint: "play or pause" },
  { name: "step", label: "Step", key: "→", hint: "one step on" },
  { name: "last", label: "End", key: "End", hint: "to the answer" },
  { name: "into", label: "Into", key: "↓", hint: "into the call: the next step of all" },
  { name: "over", label: "Over", key: "Shift →", hint: "over the call: to its answer" },
  { name: "out", label: "Out", key: "↑", hint: "out of the skill at work: to its own answer" },
];

const KEYS = {
  " ": "play", k: "play", ArrowRight: "step", l: "step", ArrowLeft: "back", j: "back", ArrowDown: "into", ArrowUp: "out",
  "Shift+ArrowRight": "over", o: "over", Home: "first", End: "last",
};

export const SPEEDS = [0.4, 0.7, 1.2, 2.5, 6, 15]; // moments per second

const icon = (name) => makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, makeSvg("path", { d: ICONS[name] }));

export class Controls {
  constructor(player, element) {
    this.player = player;
    this.buttons = {};
    const act = (name) => (name === "play" ? player.toggle() : this.move(name));
    for (const { name, label, key, hint } of MOVES) {
      const button = make(
        "button",
        { type: "button", class: `move ${name}`, title: `${hint} (key: ${key})`, "aria-keyshortcuts": key.replace("←", "ArrowLeft").replace("→", "ArrowRight").replace("↓", "ArrowDown").replace("↑", "ArrowUp").replace("Shift ", "Shift+"), on: { click: () => act(name) } },
        icon(name), make("span", {}, label),
      );
      this.buttons[name] = button;
    }
    find(".moves", element).replaceChildren(...Object.values(this.buttons));
    this.slider = find("#where", element);
    this.slider.addEventListener("input", () => this.jump({ call: Number(this.slider.value), done: false }));
    this.speed = find("#speed", element);
    this.speed.addEventListener("input", () => this.setSpeed());
    this.selective = find("#selective", element);
    this.selective.addEventListener("change", () => {
      this.isChosen = true; // from now on the person decides, not the run's length
      player.isSelective = this.selective.checked;
    });
    document.addEventListener("keydown", (event) => this.press(event, act));
    this.setSpeed();
  }

  /** After a question: the keys are for moving now, and Space plays. */
  focus() {
    if (this.player.run) this.buttons.play.focus({ preventScroll: true });
  }

  move(name) {
    this.player.pause();
    this.player[name]();
  }

  jump(moment) {
    this.player.pause();
    this.player.go(moment);
  }

  setSpeed() {
    this.player.perSecond = SPEEDS[Number(this.speed.value)];
    const names = ["very slow", "slow", "normal", "quick", "fast", "very fast"];
    this.speed.setAttribute("aria-valuetext", names[Number(this.speed.value)]);
  }

  press(event, act) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.closest?.("input, select, textarea, summary, [role=tree]");
    if (inField && !(inField.type === "checkbox" && event.key !== " ")) return;
    if (event.key === " " && event.target.closest?.("button")) return; // the button's own
    const name = KEYS[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
    if (name) {
      event.preventDefault();
      act(name);
    } else if (event.key === "i") this.selective.click();
    else if (event.key === "+" || event.key === "-") {
      this.speed.value = Number(this.speed.value) + (event.key === "+" ? 1 : -1);
      this.setSpeed();
    }
  }

  /** A swipe to the left is a step, to the right a step back; over a memory that is wider than the screen it scrolls. */
  listenToSwipes(element) {
    let start = null;
    const begin = ({ touches: [touch, ...others], target }) => (start = others.length || target.closest(".is-long") ? null : touch);
    const end = (event) => {
      if (!start) return;
      const { clientX, clientY } = event.changedTouches[0];
      const [right, down] = [clientX - start.clientX, clientY - start.clientY];
      if (Math.abs(right) > 45 && Math.abs(right) > 2 * Math.abs(down)) this.move(right < 0 ? "step" : "back");
      start = null;
    };
    element.addEventListener("touchstart", begin, { passive: true });
    element.addEventListener("touchend", end, { passive: true });
    element.addEventListener("touchcancel", () => (start = null), { passive: true });
  }

  /** For a new run: a long one is easier to follow by its interesting steps. */
  start(run, isLong) {
    this.slider.max = run.total - 1;
    if (!this.isChosen) this.player.isSelective = this.selective.checked = isLong;
  }

  show(run, moment, sentence) {
    const call = run.get(moment.call);
    this.slider.value = moment.done ? call.number + call.below : call.number;
    this.slider.setAttribute("aria-valuetext", `call ${call.number} of ${run.total - 1}. ${sentence}`);
    const isFirst = moment.call === 0 && !moment.done;
    this.setOff("first", isFirst);
    this.setOff("back", isFirst);
    for (const name of ["step", "into", "over", "out", "last"]) this.setOff(name, this.player.isAtEnd);
  }

  /** A button that can do nothing keeps the focus, so that keys go on working. */
  setOff(name, isOff) {
    this.buttons[name].setAttribute("aria-disabled", String(isOff));
  }

  tell() {
    const { play } = this.buttons;
    play.replaceChildren(icon(this.player.isPlaying ? "pause" : "play"), make("span", {}, this.player.isPlaying ? "Pause" : "Play"));
    play.classList.toggle("is-playing", this.player.isPlaying);
  }
}
