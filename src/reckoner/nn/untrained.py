"""Weights that nobody has trained, for tests and for measuring speed."""

from __future__ import annotations

import numpy as np

from reckoner.nn.config import ControllerConfig
from reckoner.nn.forward import Floats
from reckoner.nn.shapes import Shapes, controller_shapes


def random_controller(
    config: ControllerConfig, rng: np.random.Generator, scale: float = 0.5
) -> dict[str, Floats]:
    """The tensors of a controller, drawn from a normal distribution."""
    return draw(controller_shapes(config), rng, scale)


def draw(shapes: Shapes, rng: np.random.Generator, scale: float) -> dict[str, Floats]:
    """Random tensors of these shapes."""
    return {name: rng.normal(0, scale, shape).astype(np.float32) for name, shape in shapes.items()}
