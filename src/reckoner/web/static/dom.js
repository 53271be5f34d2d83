// Elements made from text: whatever is shown goes through textContent, so nothing typed can become markup.

export const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; a string child is text, nothing else. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const find = (selector, root = document) => root.querySelector(selector);

/** Whether the person asked their system for less motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A text with its inside left out if it is longer than `width`. */
export function shorten(text, width) {
  if (text.length <= width) return text;
  const side = Math.floor((width - 1) / 2);
  return `${text.slice(0, side)}…${text.slice(-side)}`;
}

/** 1,234 and so on. */
export const count = (number) => number.toLocaleString("en");

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
