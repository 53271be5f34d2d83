"""Which units make up a set of records."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from reckoner.reproduction.ablations import own_units, sampling_units
from reckoner.reproduction.contest import baseline_units, ours_units, soundness_units
from reckoner.reproduction.continual import continual_units
from reckoner.reproduction.curves import curriculum_units
from reckoner.reproduction.hierarchy import hierarchy_units
from reckoner.reproduction.records import RecordsError, Unit
from reckoner.reproduction.session import Session, label


def make_units(name: str, session: Session) -> Sequence[Unit]:
    """The units of a set, in the order in which they are run."""
    torch.set_num_threads(
        1
    )  # processor seconds then mean one core, and results do not depend on how many there are
    budget = session.budget
    match name:
        case "soundness":
            return list(soundness_units(budget))
        case "baselines":
            return list(baseline_units(budget))
        case "ours":
            return list(ours_units(budget, session.libraries))
        case "curriculum":
            return list(
                curriculum_units(budget, {label(folder): folder for folder in session.runs}, session.home)
            )
        case "continual":
            return list(continual_units(budget, session.library))
        case "sampling":
            return list(sampling_units(budget, session.library))
        case "own":
            return list(own_units(budget, session.library))
        case "hierarchy":
            return list(hierarchy_units(budget, session.library))
        case _:
            raise RecordsError(f"there is no set of records {name!r}")
