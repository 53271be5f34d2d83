"""A word that nobody knows: which known one may have been meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from reckoner.errors import UnknownSkill


def suggest(word: str, known: Iterable[str]) -> str | None:
    """`did you mean …?`, if a known word is close; capitals are no difference."""
    from difflib import get_close_matches

    spelled = {each.lower(): each for each in known}
    alike = get_close_matches(word.lower(), spelled, 1)
    return f"did you mean {spelled[alike[0]]}?" if alike else None


def check_skills(names: Iterable[str], known: Collection[str]) -> None:
    """Refuse the first name that is no skill's."""
    for name in names:
        if name not in known:
            hint = suggest(name, known) or f"there are {', '.join(known)}"
            raise UnknownSkill(f"there is no skill {name!r}; {hint}")
