"""How far single precision can be from exact arithmetic, decision by decision: a bound, not a measurement.

Every quantity of a network is worked out in double precision, together with a bound of how far from it single precision
can come out: whatever the order in which sums are added up, hence for every batch size, library and processor.
One operation moves its result by at most the share UNIT of it, a sum of n products by n such shares of their amounts.
What was wrong before is carried on by the derivatives, and what these leave out (second order) is bounded as well.

Along a view, step by step, errors would grow without need if only their amounts were carried on: there, the error is
kept as a sum of directions, each with a factor between -1 and 1 (a zonotope), and only at the end of a view as amounts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from reckoner.nn.config import HALT, SPANS
from reckoner.program.decision import History
from reckoner.skills.base import Choice
from reckoner.skills.interactive import InteractiveSkill, upper

Doubles = NDArray[np.float64]

UNIT = 2.0**-24  # half the distance of 1 from the next number in single precision
EXP = 8 * UNIT  # exp and tanh in single precision are at most this share off: four units in the last place
BEND = 0.0963  # the most that the second derivative of the logistic function is
TANH_BEND = 0.77  # … of tanh
TINY = 1e-30  # more than what is lost where numbers become too small for single precision
SLACK = 1.01  # for the double precision in which all this is calculated, and products of UNITs


def sum_of(terms: int) -> float:
    """The share by which a sum of so many products can be off, in any order."""
    return terms * UNIT / (1 - terms * UNIT)


class Known(NamedTuple):
    """Values, and the amounts by which single precision can be off."""

    value: Doubles
    wrong: Doubles


@final
class Layer:
    """A linear layer from n to m numbers; its weights may themselves have been worked out in single precision."""

    def __init__(self, weight: Doubles, bias: Doubles, wrong: Doubles | None = None) -> None:
        self.weight, self.bias = weight, bias  # m, n and m
        self.turned = weight.T
        self.amounts = np.abs(weight).T
        self.bias_amounts = np.abs(bias)
        self.share = sum_of(weight.shape[1])
        self.wrong = None if wrong is None else wrong.T

    def rounding(self, x: Known, value: Doubles) -> Doubles:
        """What rounding in this layer adds. Up to two terms (the bias) are added to the sum of products."""
        most = np.abs(x.value) + x.wrong
        amounts = most @ self.amounts
        own = self.share * amounts + 4 * UNIT * (np.abs(value) + self.bias_amounts + amounts * UNIT)
        return own if self.wrong is None else own + (1 + self.share) * (most @ self.wrong)

    def __call__(self, x: Known) -> Known:
        value = x.value @ self.turned + self.bias
        return Known(value, SLACK * (x.wrong @ self.amounts + self.rounding(x, value)) + TINY)


class Step(NamedTuple):
    """A GRU's new state, and how errors of the old one and of the inputs come through."""

    state: Doubles  # H
    from_state: Doubles  # H, H: derivatives
    from_inputs: Doubles  # 3, H: by the reset, update and new inputs of the same unit
    added: Doubles  # H: what rounding adds in this step, and what the derivatives leave out


@final
class ExactCell:
    """The hidden side of a GRU (`forward.Cell`) in double precision."""

    def __init__(self, weight: Doubles, bias: Doubles) -> None:
        self.weight, self.bias = weight, bias  # 3H, H and 3H: reset, update, new
        self.amounts = np.abs(weight)
        self.size = weight.shape[1]
        self.diagonal = np.arange(self.size)

    def step(self, inputs: Doubles, h: Doubles, wrong_inputs: Doubles, wrong_h: Doubles) -> Step:
        """One step from state h; `wrong_` are the amounts by which what comes in can be off."""
        size = self.size
        gates = self.weight @ h + self.bias
        amounts = self.amounts @ (np.abs(h) + wrong_h)
        rounding = sum_of(size) * amounts + 2 * UNIT * (np.abs(gates) + amounts * UNIT)  # of the gates
        off = self.amounts @ wrong_h + rounding  # … in all
        before = (inputs + gates)[: 2 * size]
        r, z = _logistic(before[:size]), _logistic(before[size:])
        g, rest = gates[2 * size :], inputs[2 * size :]
        n = np.tanh(rest + r * g)
        slope_r, slope_z, slope_n = r * (1 - r), z * (1 - z), 1 - n * n
        # derivatives of h' = n + z (h - n)
        way = h - n
        to_z, to_n = way * slope_z, (1 - z) * slope_n
        to_r = to_n * g * slope_r
        w_r, w_z, w_n = self.weight[:size], self.weight[size : 2 * size], self.weight[2 * size :]
        from_state = to_z[:, None] * w_z + to_r[:, None] * w_r + (to_n * r)[:, None] * w_n
        from_state[self.diagonal, self.diagonal] += z
        # rounding in this step
        sums = 2 * UNIT * np.abs(before)
        at_r, at_z = rounding[:size] + sums[:size], rounding[size : 2 * size] + sums[size:]
        wrong_r, wrong_z = (EXP + 3 * UNIT) * r + TINY, (EXP + 3 * UNIT) * z + TINY
        at_n = rounding[2 * size :] * r + 2 * UNIT * (np.abs(g * r) + np.abs(rest + r * g))
        wrong_n = (EXP + 4 * UNIT) * (1 - n) + UNIT * np.abs(n)
        state, far = n + z * way, np.abs(way)
        added = (
            np.abs(to_r) * at_r + np.abs(to_z) * at_z + np.abs(to_n) * (at_n + np.abs(g) * wrong_r)
            + far * wrong_z + (1 - z) * wrong_n + UNIT * (4 * far + 2 * np.abs(state))
        )  # fmt: skip
        # what is of second order
        off_r = off[:size] + wrong_inputs[:size] + sums[:size]
        off_z = off[size : 2 * size] + wrong_inputs[size : 2 * size] + sums[size:]
        all_r = slope_r * off_r + BEND / 2 * off_r**2 + wrong_r
        all_z = slope_z * off_z + BEND / 2 * off_z**2 + wrong_z
        off_g = off[2 * size :]
        off_n = wrong_inputs[2 * size :] + np.abs(g) * all_r + (r + all_r) * off_g + at_n
        all_n = slope_n * off_n + TANH_BEND / 2 * off_n**2 + wrong_n
        second = (
            (1 - z) * TANH_BEND / 2 * off_n**2
            + np.abs(to_n) * (np.abs(g) * BEND / 2 * off_r**2 + all_r * off_g)
            + far * BEND / 2 * off_z**2 + all_z * (wrong_h + all_n)
        )  # fmt: skip
        return Step(state, from_state, np.stack([to_r, to_z, to_n]), SLACK * (added + second))

    def advance(self, layer: Layer, x: Known, h: Known) -> Known:
        """A step whose inputs are a linear layer of x: errors of x come through both at once."""
        inputs = layer(x)
        step = self.step(inputs.value, h.value, inputs.wrong, h.wrong)
        size, by = self.size, step.from_inputs
        through = sum(by[i][:, None] * layer.weight[i * size : (i + 1) * size] for i in range(3))
        rounding = layer.rounding(x, inputs.value).reshape(3, size)
        wrong = np.abs(step.from_state) @ h.wrong + np.abs(through) @ x.wrong + (np.abs(by) * rounding).sum(0)
        return Known(step.state, SLACK * wrong + step.added)


def _logistic(a: Doubles) -> Doubles:
    value: Doubles = 0.5 * (1 + np.tanh(0.5 * a))
    return value


class Reading(NamedTuple):
    """A state behind some tokens, the directions of its error (H, K), and what these come to in a key."""

    state: Known
    ways: Doubles
    to_key: Doubles


class Encoded(NamedTuple):
    """What a view becomes: a key per gap (G, H), and a summary (2H)."""

    keys: Known
    summary: Known


class Bound(NamedTuple):
    """How clear a decision is."""

    lead: float  # of the best choice over the next, in double precision
    error: float  # the most that a lead can be off
    room: float  # the least that is left of a lead after its error


@final
class Rounding:
    """A controller's network in double precision, with bounds."""

    def __init__(self, skill: InteractiveSkill) -> None:
        self.skill = skill
        t = self.t = {name: tensor.astype(np.float64) for name, tensor in skill.tensors.items()}
        self.cells = {
            name: ExactCell(t[f"{name}.weight_hh{end}"], t[f"{name}.bias_hh{end}"])
            for name, end in (("ahead", "_l0"), ("back", "_l0"), ("central", ""), ("decoder", ""))
        }
        self.layers = {
            name: Layer(t[f"{name}.weight"], t[f"{name}.bias"])
            for name in ("keys", "state", "select", "starts", "ends")
        }
        tokens = Known(t["embed.weight"], np.zeros_like(t["embed.weight"]))
        self.tables = {
            side: Layer(t[f"{side}.weight_ih_l0"], t[f"{side}.bias_ih_l0"])(tokens)
            for side in ("ahead", "back")
        }
        self.layers["central"] = Layer(t["central.weight_ih"], t["central.bias_ih"])
        self._decoder_layers()
        self._readings: dict[tuple[str, bytes], Reading] = {}
        self._encoded: dict[bytes, Encoded] = {}
        self._hidden: dict[History, Known] = {}

    def _decoder_layers(self) -> None:
        """From what was chosen to the decoder's inputs: tables that were multiplied out in single precision."""
        t, weight = self.t, self.t["decoder.weight_ih"]
        share, amounts = sum_of(weight.shape[1]), np.abs(weight)
        wrong = share * (amounts @ np.abs(t["span.weight"]))
        for part in range(len(SPANS)):
            bias = weight @ t["roles.weight"][part] + t["decoder.bias_ih"]
            off = (share + 2 * UNIT) * (
                amounts @ np.abs(t["roles.weight"][part]) + np.abs(t["decoder.bias_ih"])
            )
            if part == 0:
                layer = Layer(weight, bias)
            else:
                bias = bias + weight @ t["span.bias"]
                off = off + share * (amounts @ np.abs(t["span.bias"]))
                layer = Layer(weight @ t["span.weight"], bias, wrong)
            # what is off in the biases is at most this many roundings of them
            layer.bias_amounts = np.abs(bias) + off / UNIT
            self.layers[SPANS[part]] = layer

    # --- views ---

    def encode(self, view: bytes) -> Encoded:
        """Keys and summary of a view."""
        if view not in self._encoded:
            gaps, layer = len(view) - 1, self.layers["keys"]
            values, wrongs = [], []
            for i in range(gaps):
                sides = self._read("ahead", view[: i + 1]), self._read("back", view[:i:-1])
                pair = _join(*(side.state for side in sides))
                value = pair.value @ layer.turned + layer.bias
                carried = sides[0].to_key + sides[1].to_key
                values.append(value)
                wrongs.append(SLACK * (carried + layer.rounding(pair, value)) + TINY)
            summary = _join(self._read("ahead", view).state, self._read("back", view[::-1]).state)
            self._encoded[view] = Encoded(Known(np.array(values), np.array(wrongs)), summary)
        return self._encoded[view]

    def _read(self, side: str, tokens: bytes) -> Reading:
        """What one direction makes of tokens; views that begin alike share that."""
        cell, table = self.cells[side], self.tables[side]
        if not tokens:
            nothing = np.zeros(cell.size)
            return Reading(Known(nothing, nothing), np.zeros((cell.size, 0)), nothing)
        if (side, tokens) not in self._readings:
            before, token = self._read(side, tokens[:-1]), tokens[-1]
            wrong = table.wrong[token]
            step = cell.step(table.value[token], before.state.value, wrong, before.state.wrong)
            new = (np.abs(step.from_inputs) * wrong.reshape(3, -1)).sum(0) + step.added
            ways = np.hstack([step.from_state @ before.ways, np.diag(SLACK * new)])
            start = 0 if side == "ahead" else cell.size
            weight = self.layers["keys"].weight[:, start : start + cell.size]
            reading = Reading(Known(step.state, _amount(ways)), ways, _amount(weight @ ways))
            self._readings[side, tokens] = reading
        return self._readings[side, tokens]

    # --- decisions ---

    def hidden(self, history: History) -> Known:
        """The central state behind a sequence of views."""
        if not history:
            nothing = np.zeros(self.cells["central"].size)
            return Known(nothing, nothing)
        if history not in self._hidden:
            before, summary = self.hidden(history[:-1]), self.encode(history[-1]).summary
            self._hidden[history] = self.cells["central"].advance(self.layers["central"], summary, before)
        return self._hidden[history]

    def bound(self, history: History, choice: Choice) -> Bound:
        """How clear a decision is, the module first, then span by span."""
        view, keys = history[-1], self.encode(history[-1]).keys
        before = self.layers["state"](self.hidden(history))
        value = np.tanh(before.value)
        wrong = (1 - value**2) * before.wrong + TANH_BEND / 2 * before.wrong**2 + EXP * np.abs(value) + TINY
        state = Known(value, SLACK * wrong)
        found = [self._modules(state, view, choice.module)]
        module = self.t["modules.weight"][choice.module]
        chosen = Known(module, np.zeros_like(module))
        for part, name in enumerate(SPANS if choice.module != HALT else ()):
            state = self.cells["decoder"].advance(self.layers[name], chosen, state)
            a, b = choice[1 + 2 * part], choice[2 + 2 * part]
            found.append(self._spans(state, keys, self._allowed(view, choice.module, part), a, b))
            chosen = _join(*(Known(keys.value[i], keys.wrong[i]) for i in (a, b)))
        leads, errors, rooms = zip(*found, strict=True)
        return Bound(min(leads), max(errors), min(rooms))

    def _modules(self, state: Known, view: bytes, best: int) -> Bound:
        layer, modules = self.layers["select"], self.t["modules.weight"]
        before = layer(state)
        amounts = np.abs(modules)
        rounding = amounts @ layer.rounding(state, before.value) + sum_of(modules.shape[1]) * (
            amounts @ (np.abs(before.value) + before.wrong)
        )
        through = modules @ layer.weight  # M, H
        error = np.abs(through[best] - through) @ state.wrong + rounding + rounding[best]
        return _judge(modules @ before.value, SLACK * error, self.skill.forms.is_callable(view), best)

    def _allowed(self, view: bytes, module: int, part: int) -> NDArray[np.bool_]:
        masks = self.skill.forms.masks(view)
        count = masks.shape[2]
        allowed: NDArray[np.bool_] = masks[module, part] if part < 2 else upper(count)
        return allowed

    def _spans(self, state: Known, keys: Known, allowed: NDArray[np.bool_], a: int, b: int) -> Bound:
        sides = []
        for name in ("starts", "ends"):
            layer = self.layers[name]
            pointer = layer(state)
            most = np.abs(pointer.value) + pointer.wrong
            rounding = np.abs(keys.value) @ layer.rounding(state, pointer.value)
            rounding += sum_of(layer.weight.shape[0]) * ((np.abs(keys.value) + keys.wrong) @ most)
            own = keys.wrong @ most + rounding  # G
            sides.append((keys.value @ pointer.value, keys.value @ layer.weight, own))
        (first, first_way, first_own), (last, last_way, last_own) = sides
        scores = first[:, None] + last[None, :]
        ways = first_way[:, None, :] + last_way[None, :, :]  # G, G, H
        own = first_own[:, None] + last_own[None, :] + 2 * UNIT * np.abs(scores)
        error = np.abs(ways[a, b] - ways) @ state.wrong + own + own[a, b]
        return _judge(scores.ravel(), SLACK * error.ravel(), allowed.ravel(), a * len(first) + b)


def _join(a: Known, b: Known) -> Known:
    """Two side by side."""
    return Known(np.concatenate([a.value, b.value]), np.concatenate([a.wrong, b.wrong]))


def _amount(ways: Doubles) -> Doubles:
    """The most that a sum of directions can come to, per coordinate."""
    amount: Doubles = np.abs(ways).sum(axis=1)
    return amount


def _judge(scores: Doubles, error: Doubles, allowed: NDArray[np.bool_], best: int) -> Bound:
    rivals = allowed.copy()
    rivals[best] = False
    if not rivals.any():
        return Bound(np.inf, 0.0, np.inf)
    leads, off = (scores[best] - scores)[rivals], error[rivals]
    return Bound(float(leads.min()), float(off.max()), float((leads - off).min()))


def bound_decisions(skill: InteractiveSkill, visits: Mapping[History, Choice]) -> dict[History, Bound]:
    """Bounds of all decisions of a program that its network makes: behind its last call a frame halts by itself."""
    rounding = Rounding(skill)
    return {
        history: rounding.bound(history, choice)
        for history, choice in visits.items()
        if len(history) <= skill.config.calls
    }
