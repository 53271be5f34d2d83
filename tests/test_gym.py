"""The environments: Gymnasium's own check, the rules of an attempt, masks, and that no answer is shown."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from reckoner.alphabet import Perception  # noqa: E402
from reckoner.curriculum.problems import Problem  # noqa: E402
from reckoner.curriculum.tasks import INTERACTIVE, TASKS  # noqa: E402
from reckoner.errors import UnknownSkill  # noqa: E402
from reckoner.gym import SkillAgent, SkillEnv, env_id, make_world  # noqa: E402
from reckoner.gym.space import count_spans, decode, encode, observe, views_of  # noqa: E402
from reckoner.skills.library import Library  # noqa: E402
from reckoner.training.reward import IDLE, reward  # noqa: E402
from tests.scripted import STOP, addition, call, decider, library_of  # noqa: E402

PAGE = Path(__file__).parent.parent / "docs" / "gym.md"
HALT = np.zeros(4, np.int64)
ADD = [Problem("7", "35", "42"), Problem("90", "9", "99")]  # 7,350 and 90,90 in memory


def scripted() -> Library:
    """Scripted skills under the curriculum's M+M; strip takes an empty second read there."""
    below = [skill for skill in addition() if skill.name != "M+M"]
    return library_of(*below)


def plus(**fields: Any) -> SkillEnv:
    return SkillEnv("M+M", scripted(), **fields)


def act(module: int, read1: tuple[int, int], read2: tuple[int, int], write: tuple[int, int]) -> np.ndarray:
    return encode(call(module, read1, read2, write))


ADD_ALL, STRIP_ALL = act(1, (0, 1), (2, 3), (0, 3)), act(2, (0, 1), (0, 0), (0, 1))


def ends(env: SkillEnv, *actions: np.ndarray, problem: int = 0) -> tuple[float, bool]:
    """The reward and outcome of an attempt that these actions end."""
    env.reset(options={"problem": problem})
    for number, action in enumerate(actions, start=1):
        _, gain, is_over, is_cut, info = env.step(action)
        assert is_over == (number == len(actions))
        assert not is_cut
        assert ("is_success" in info) == is_over
        if not is_over:
            assert gain == 0.0
    return gain, info["is_success"]


def test_gymnasium_finds_nothing_to_object_to():
    env = plus()
    check_env(env, skip_render_check=True)
    made = gymnasium.make("reckoner/MplusM-v0", library=scripted())
    assert made.observation_space == env.observation_space
    assert made.action_space == env.action_space


def test_every_interactive_skill_is_registered():
    registered = {name for name in gymnasium.registry if name.startswith("reckoner/")}
    assert registered == {env_id(name) for name in INTERACTIVE}
    assert {"reckoner/M-M-v0", "reckoner/MoverM-v0", "reckoner/expression-modulo-v0"} <= registered
    with pytest.raises(UnknownSkill, match="no interactive skill 'add-column'"):
        make_world("add-column", scripted())


# --- the rules of an attempt ---


def test_two_calls_and_the_memory_is_the_answer():
    assert ends(plus(problems=ADD), ADD_ALL, STRIP_ALL) == (1.0, True)


def test_halting_answers_with_the_memory():
    env = plus(problems=ADD)
    assert ends(env, HALT) == (reward(b"7,350", b"42"), False)
    assert ends(env, ADD_ALL, HALT) == (reward(b"042", b"42"), False)
    assert -1 < reward(b"042", b"42") < 0


def test_halting_ignores_the_other_parts():
    assert ends(plus(problems=ADD), np.array([0, 3, 1, 2])) == ends(plus(problems=ADD), HALT)


def test_refused_calls_end_an_attempt():
    env = plus(problems=ADD)
    assert ends(env, act(1, (0, 3), (2, 3), (0, 3))) == (
        -1.0,
        False,
    )  # a comma where only digits are accepted
    assert ends(env, ADD_ALL, act(2, (0, 1), (0, 1), (0, 1))) == (-1.0, False)
    far = env.action_space.nvec[1] - 1
    assert ends(env, np.array([1, far, far, far])) == (-1.0, False)  # there is no such gap


def test_a_second_call_for_nothing_costs():
    same = decider("strip", ("drop-zero", "strip"), lambda depth, text: STOP, layout="{x}{y}")
    library = library_of(*(s for s in scripted() if s.name != "strip"), same)
    env = SkillEnv("M+M", library, problems=[Problem("7", "35", "042")])
    assert ends(env, ADD_ALL, HALT) == (1.0, True)
    assert ends(env, ADD_ALL, STRIP_ALL) == (1.0 - IDLE, True)


def test_nothing_happens_before_a_reset():
    env = plus()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(HALT)
    ends(env, HALT)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(HALT)


def test_self_calls_go_to_the_library_or_are_refused():
    spec = INTERACTIVE["strip"].spec
    assert spec.calls == ("drop-zero", "strip")
    drop = [skill for skill in scripted() if skill.name == "drop-zero"]
    own = decider("strip", spec.calls, lambda depth, text: STOP, layout="{x}{y}")
    itself = act(2, (0, 1), (0, 0), (0, 1))  # its first digit alone, which own gives back
    problems = [Problem("077", "", "77")]
    assert ends(SkillEnv("strip", library_of(*drop), problems=problems), itself) == (-1.0, False)
    env = SkillEnv("strip", library_of(*drop, own), problems=problems)
    assert ends(env, itself, HALT) == (reward(b"077", b"77"), False)
    whole = act(2, (0, 3), (0, 0), (0, 3))  # not shorter
    assert ends(env, whole) == (-1.0, False)


# --- observations, actions, masks ---


def test_an_observation_is_the_view_and_the_one_before():
    env = plus(problems=ADD)
    first, info = env.reset(options={"problem": 0})
    assert info == {"seen": "N,N"}
    now, before = views_of(first)
    assert (len(now), before) == (5, b"")
    second, _, _, _, info = env.step(ADD_ALL)
    assert info == {"seen": "N"}
    assert views_of(second) == (INTERACTIVE["M+M"].spec.perception.view(b"042").tokens, now)


def test_problems_that_look_alike_cannot_be_told_apart():
    """Whatever the answer is: nothing of it is in observation, info or masks before the end."""
    seen = []
    for answer in ("42", "17"):
        env = plus(problems=[Problem("7", "35", answer)])
        observation, info = env.reset(seed=1)
        step = env.step(ADD_ALL)
        seen.append((observation.tolist(), info, env.action_masks().tolist(), step[0].tolist(), *step[1:]))
    assert seen[0] == seen[1]


def test_views_and_choices_there_and_back():
    views = (b"\x01\x05\x02", b"")
    assert views_of(observe(*views, 6)) == views
    for choice in (call(1, (0, 1), (2, 3), (0, 3)), call(2, (5, 5), (0, 0), (4, 7))):
        assert decode(encode(choice)) == choice
    numbers = {encode(call(1, (a, b), (0, 0), (0, 0)))[1] for b in range(5) for a in range(b + 1)}
    assert numbers == set(range(count_spans(5)))


def test_masks_are_what_some_callee_may_accept():
    env = plus(problems=ADD)
    env.reset(options={"problem": 0})
    nvec = env.action_space.nvec
    modules, read1, read2, write = np.split(env.action_masks(), np.cumsum(nvec)[:-1])
    forms, view = env.world.student.forms, views_of(env.reset(options={"problem": 0})[0])[0]
    assert modules.tolist() == [1, 1, 1]
    gaps, masks = len(view) - 1, forms.masks(view)
    for number in range(nvec[1]):
        _, a, b, *_ = decode(np.array([1, number, 0, 0]))
        inside = b < gaps
        assert write[number] == inside
        assert read1[number] == (inside and masks[:, 0, a, b].any())
        assert read2[number] == (inside and masks[:, 1, a, b].any())
    assert read1.sum() < write.sum() == count_spans(gaps)


def test_one_seed_twice_is_the_same_problems():
    def draw(seed: int) -> list[list[int]]:
        env = plus()
        env.reset(seed=seed)
        return [env._problem for _ in range(20) if env.reset()]  # type: ignore[misc]

    assert draw(3) == draw(3) != draw(4)


def test_problems_are_training_ones_of_the_stage():
    env = plus(stage=0)
    assert {p.split for p in env._problems} == {"training"}
    assert max(len(p.x) for p in env._problems) == INTERACTIVE["M+M"].stages[0]
    assert env.action_space == plus().action_space
    with pytest.raises(ValueError, match="looks longer"):
        SkillEnv("M+M", scripted(), problems=[Problem("1,1,1,1,1,1,1", "1", "2")])


def test_environments_can_share_a_world():
    world = make_world("M+M", scripted())
    first, second = (SkillEnv("M+M", world=world, problems=ADD) for _ in range(2))
    ends(first, ADD_ALL, STRIP_ALL)
    known = len(world.memories)
    assert ends(second, ADD_ALL, STRIP_ALL) == (1.0, True)
    assert len(world.memories) == known


# --- agents ---


def test_a_skill_acts_as_it_does_in_the_machine():
    whole = Perception(fovea=0)
    skill = next(s for s in addition() if s.name == "M+M")
    agent = SkillAgent(decider("M+M", skill.spec.calls, skill.policy, **_same(skill.spec, whole)))  # type: ignore[attr-defined]
    env = plus(problems=ADD)
    for problem in range(2):
        observation, _ = env.reset(options={"problem": problem})
        is_over, info = False, dict[str, Any]()
        while not is_over:
            observation, _, is_over, _, info = env.step(agent.act(observation))
        assert info["is_success"]


def _same(spec: Any, perception: Perception) -> dict[str, Any]:
    changed = replace(spec, perception=perception)
    return {name: getattr(changed, name) for name in ("layout", "accepts_x", "accepts_y", "perception")}


def test_the_page_is_true():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) < 30
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    random, trained = (line.split() for line in printed.getvalue().splitlines())
    assert trained == ["trained", "100"]
    assert random[0] == "random"
    assert int(random[1]) < 10


@pytest.mark.parametrize("name", ["strip", "M+M", "M*M"])
def test_bundled_skills_solve_their_environments(name):
    library = Library.load()
    assert {task.spec.name for task in TASKS} >= set(library.names)
    env, agent = SkillEnv(name, library), SkillAgent(library[name])  # type: ignore[arg-type]
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        is_over, info = False, dict[str, Any]()
        while not is_over:
            action = agent.act(observation)
            masks = np.split(env.action_masks(), np.cumsum(env.action_space.nvec)[:-1])
            assert all(mask[part] for mask, part in zip(masks, action, strict=True))
            observation, _, is_over, _, info = env.step(action)
        assert info["is_success"]
