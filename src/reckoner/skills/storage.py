"""The weights of one skill: a file of tensors in half precision, and an entry in the library's manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from reckoner.errors import LibraryError
from reckoner.nn.config import ControllerConfig, TranscriberConfig
from reckoner.nn.forward import Floats
from reckoner.nn.shapes import Shapes, controller_shapes, transcriber_shapes
from reckoner.skills.base import Skill
from reckoner.skills.basic import BasicSkill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import (
    NONSENSE,
    Library,
    nonsense,
    read_weights,
    repair,
    spec_of,
    write_atomically,
)

_MOST = 4096  # units of a layer: no network here comes near


def save_skill(skill: Skill, file: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """Write one skill's weights; returns its manifest entry."""
    from safetensors.numpy import save

    data = save({name: np.ascontiguousarray(t.astype(np.float16)) for name, t in skill.tensors.items()})
    write_atomically(file, data)
    entry = {**skill.spec.to_json(), "file": file.name, "sha256": hashlib.sha256(data).hexdigest()}
    if isinstance(skill, InteractiveSkill):
        entry["network"] = asdict(skill.config)
    return {**entry, "record": dict(record)}


def load_skill(folder: Path, entry: Mapping[str, Any], library: Library) -> Skill:
    """One skill from its manifest entry, which may call those of the library and itself.

    Anything about it that does not fit is a LibraryError.
    """
    spec = spec_of(folder, entry)
    try:
        tensors = _read_tensors(folder, entry)
        if not isinstance(entry.get("record", {}), dict):
            raise ValueError("its record is no object")
        if spec.is_basic:
            _check_shapes(tensors, transcriber_shapes(replace(_guess_sizes(tensors), symbols=spec.symbols)))
            return BasicSkill(spec, tensors)
        config = ControllerConfig(**entry["network"])
        _check_sizes(config)
        if (config.vocabulary, config.modules) != (spec.perception.vocabulary, len(spec.calls)):
            raise ValueError("its network was made for another perception or list of callable skills")
        _check_shapes(tensors, controller_shapes(config))
        return InteractiveSkill(spec, config, tensors, library.callees(spec))
    except NONSENSE as error:
        raise nonsense(folder, error) from None


def _check_sizes(config: ControllerConfig) -> None:
    """All sizes are numbers of a kind that a network can have."""
    for name in ("vocabulary", "modules", "hidden", "embedding"):
        size = getattr(config, name)
        if type(size) is not int or not 1 <= size <= _MOST:
            raise ValueError(f"a network of {name} {size!r}")
    if type(config.positional) is not bool or (config.positional and config.embedding % 2):
        raise ValueError("positions need an embedding of even size")


def _check_shapes(tensors: Mapping[str, Floats], expected: Shapes) -> None:
    """The tensors are those of a network of this size, and all numbers."""
    if tensors.keys() != expected.keys():
        odd = min(tensors.keys() ^ expected.keys())
        raise ValueError(f"the weights {'lack' if odd in expected else 'have a superfluous'} {odd}")
    for name, shape in expected.items():
        if tensors[name].shape != shape:
            raise ValueError(f"{name} has shape {tensors[name].shape} and not {shape}")
        if not np.isfinite(tensors[name]).all():
            raise ValueError(f"{name} holds what is no number")


def _guess_sizes(tensors: Mapping[str, Floats]) -> TranscriberConfig:
    """The sizes of a basic skill's network, which the manifest does not say."""
    return TranscriberConfig(
        hidden=tensors["meet.bias"].shape[0], embedding=tensors["embed.weight"].shape[-1]
    )


def round_to_half(tensors: Mapping[str, Floats]) -> dict[str, Floats]:
    """Weights as they will be once stored."""
    return {name: t.astype(np.float16).astype(np.float32) for name, t in tensors.items()}


def _read_tensors(folder: Path, entry: Mapping[str, Any]) -> dict[str, Floats]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    data, file = read_weights(folder, entry), folder / entry["file"]
    try:
        stored = load(data)
    except (
        SafetensorError,
        KeyError,
        TypeError,
        ValueError,
    ) as error:  # the last three: of a kind numpy has not
        raise LibraryError(
            f"weights file {file} is not a safetensors file ({error}); {repair(folder)}"
        ) from None
    if any(t.dtype != np.float16 for t in stored.values()):
        raise ValueError(f"{file.name} is not in half precision")
    return {name: t.astype(np.float32) for name, t in stored.items()}
