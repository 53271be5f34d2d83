"""The tensors of each network by name and shape: what a file of weights has to hold."""

from __future__ import annotations

from reckoner.nn.config import SPANS, ControllerConfig, TranscriberConfig

Shapes = dict[str, tuple[int, ...]]


def controller_shapes(config: ControllerConfig) -> Shapes:
    """The tensors of an interactive skill's network."""
    size, width, gates = config.hidden, config.embedding, 3 * config.hidden
    shapes = {"embed.weight": (config.vocabulary, width), **_two_way(width, size)}
    for cell, inputs in (("central", 2 * size), ("decoder", size)):
        shapes |= {f"{cell}.weight_ih": (gates, inputs), f"{cell}.weight_hh": (gates, size)}
        shapes |= {f"{cell}.bias_ih": (gates,), f"{cell}.bias_hh": (gates,)}
    layers = dict.fromkeys(("state", "select", "starts", "ends"), (size, size))
    layers |= {"span": (size, 2 * size), "keys": (size, 2 * size), "value": (1, size)}
    for layer, shape in layers.items():
        shapes |= {f"{layer}.weight": shape, f"{layer}.bias": shape[:1]}
    return shapes | {"modules.weight": (1 + config.modules, size), "roles.weight": (len(SPANS), size)}


def transcriber_shapes(config: TranscriberConfig) -> Shapes:
    """The tensors of a basic skill's network."""
    size, symbols = config.hidden, config.symbols
    shapes: Shapes = {"embed.weight": (symbols, config.embedding), **_two_way(config.embedding, size)}
    shapes |= {"meet.weight": (size, 2 * size), "meet.bias": (size,)}
    return shapes | {"out.weight": (symbols, size), "out.bias": (symbols,)}


def _two_way(inputs: int, hidden: int) -> Shapes:
    """The tensors of a two-way GRU."""
    shapes: Shapes = {}
    for side in ("ahead", "back"):
        shapes |= {f"{side}.weight_ih_l0": (3 * hidden, inputs), f"{side}.weight_hh_l0": (3 * hidden, hidden)}
        shapes |= {f"{side}.bias_ih_l0": (3 * hidden,), f"{side}.bias_hh_l0": (3 * hidden,)}
    return shapes
