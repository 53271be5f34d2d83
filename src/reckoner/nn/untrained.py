"""Weights that nobody has trained, for tests and for measuring speed."""

from __future__ import annotations

import numpy as np

from reckoner.nn.config import ACTION, ControllerConfig
from reckoner.nn.forward import Floats


def random_controller(
    config: ControllerConfig, rng: np.random.Generator, scale: float = 0.5
) -> dict[str, Floats]:
    """The tensors of a controller, drawn from a normal distribution."""
    size, width, gates = config.hidden, config.embedding, 3 * config.hidden
    shapes = {"embed.weight": (config.vocabulary, width), **gru_shapes(width, size)}
    for cell, inputs in (("central", 2 * size), ("decoder", size)):
        shapes |= {f"{cell}.weight_ih": (gates, inputs), f"{cell}.weight_hh": (gates, size)}
        shapes |= {f"{cell}.bias_ih": (gates,), f"{cell}.bias_hh": (gates,)}
    layers = {"state": (size, size), "select": (size, size), "keys": (size, 2 * size), "value": (1, size)}
    for layer, shape in layers.items():
        shapes |= {f"{layer}.weight": shape, f"{layer}.bias": shape[:1]}
    shapes |= {"modules.weight": (1 + config.modules, size), "roles.weight": (ACTION - 1, size)}
    return draw(shapes, rng, scale)


def gru_shapes(inputs: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """The tensors of a two-way GRU."""
    shapes: dict[str, tuple[int, ...]] = {}
    for side in ("ahead", "back"):
        shapes |= {f"{side}.weight_ih_l0": (3 * hidden, inputs), f"{side}.weight_hh_l0": (3 * hidden, hidden)}
        shapes |= {f"{side}.bias_ih_l0": (3 * hidden,), f"{side}.bias_hh_l0": (3 * hidden,)}
    return shapes


def draw(shapes: dict[str, tuple[int, ...]], rng: np.random.Generator, scale: float) -> dict[str, Floats]:
    """Random tensors of these shapes."""
    return {name: rng.normal(0, scale, shape).astype(np.float32) for name, shape in shapes.items()}
