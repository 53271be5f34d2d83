"""Perception: how many digits are seen at each end of a number, and the paper's every character."""

from __future__ import annotations

from reckoner.reproduction.ablation import CHARACTERS, Variant, ablation, what_matters

VARIANTS = (
    Variant("as trained"),
    *(Variant(f"C = {digits}", fovea=digits) for digits in range(4)),
    Variant("characters", perception=CHARACTERS),
)

EXPERIMENT = ablation(
    "perception",
    VARIANTS,
    heading="Perception: what a controller sees",
    claim="""
The paper's controllers see every character. Ours see C digits at each end of a number, and of longer numbers only
that there is more between (foveal perception). How much of what is learned hangs on that choice?
""",
    remark="""
"As trained" is the C that the curriculum's row gives the skill. With C = 0 a number is one token, so a skill that
has to take a number apart cannot point inside it: that it fails is no surprise. With more digits visible there are
more views to learn. **A reader may conclude** how much perception has to do with the speed of learning here;
**not** that characters could not be learned from with another network or more time: see *The paper's configuration*
for its own chance.
""",
    caps=what_matters,
)
