// The address holds expression, scale and position: #e=12*(3+45)&at=17 is call 17 being asked, &at=17.answer its answer;
// #e=7/2&scale=3 has quotients with three decimals, and a scale of 0 is left out.

/** What the address says; null where it says nothing. */
export function readAddress(hash = location.hash) {
  const fields = new Map(
    hash.replace(/^#/, "").split("&").map((field) => {
      const [name, ...rest] = field.split("=");
      return [name, decode(rest.join("="))];
    }),
  );
  const at = /^([0-9]{1,12})(\.answer)?$/.exec(fields.get("at") ?? "");
  const scale = /^[0-9]{1,9}$/.test(fields.get("scale") ?? "") ? Number(fields.get("scale")) : 0;
  return {
    question: fields.has("e") ? { expression: fields.get("e"), scale } : null,
    moment: at ? { call: Number(at[1]), done: Boolean(at[2]) } : null,
  };
}

export function writeAddress({ expression, scale }, { call, done }) {
  // A plus stays a plus, so that a link can be read and typed.
  const text = encodeURIComponent(expression).replaceAll("%2B", "+").replaceAll("%2F", "/");
  return `#e=${text}${scale ? `&scale=${scale}` : ""}&at=${call}${done ? ".answer" : ""}`;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is the operator
  }
}
