"""Views: what a controller sees, and where its pointers point."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reckoner.alphabet import (
    ALPHABET,
    BEGIN,
    ELIDED,
    END,
    LATER,
    PAD,
    REST,
    SIGNS,
    Perception,
    spell,
)

MEMORIES = st.text(ALPHABET, max_size=60).map(str.encode)
PERCEPTIONS = st.one_of(
    st.builds(Perception, st.just("foveal"), st.integers(0, 3), st.none() | st.integers(1, 4)),
    st.just(Perception("characters")),
    st.builds(Perception, st.just("foveal"), st.integers(0, 3), st.none(), st.just(True)),
    st.builds(Perception, st.just("foveal"), st.just(0), st.integers(1, 5), st.just(True)),
    st.just(Perception("characters", decimals=True)),
)
NUMBERS = st.integers(1, 30)  # lengths of numbers


@given(PERCEPTIONS, MEMORIES)
def test_every_pointer_names_a_real_gap(perception, memory):
    tokens, gaps = perception.view(memory)
    assert len(gaps) == len(tokens) - 1  # one gap before each token but BEGIN
    assert gaps[0] == 0
    assert gaps[-1] == len(memory)
    assert all(a < b for a, b in pairwise(gaps))


@given(PERCEPTIONS, MEMORIES)
def test_tokens_are_framed_and_in_the_vocabulary(perception, memory):
    tokens, _ = perception.view(memory)
    assert (tokens[0], tokens[-1]) == (BEGIN, END)
    assert BEGIN not in tokens[1:]
    assert END not in tokens[:-1]
    assert all(t < perception.vocabulary for t in tokens)
    assert PAD not in tokens or not perception.decimals
    assert len(spell(perception, tokens)) == len(tokens) - 2


@given(PERCEPTIONS, MEMORIES)
def test_visible_pieces_make_up_the_memory(perception, memory):
    """What lies between neighbouring gaps is what the token between them stands for."""
    tokens, gaps = perception.view(memory)
    pieces = [memory[a:b].decode() for a, b in pairwise(gaps)]
    assert "".join(pieces).encode() == memory
    for piece, shown in zip(pieces, spell(perception, tokens), strict=True):
        if shown == "?":  # nothing that this perception was made for
            assert piece in LATER
            assert not perception.decimals
        elif perception.kind == "characters" or shown in SIGNS + LATER:
            assert piece == shown
        elif shown == "d":
            assert len(piece) == 1
            assert piece.isdigit()
        elif shown == "~":
            assert piece.isdigit()
        elif shown == "N":
            digits = piece.removeprefix("-" if perception.reach is not None else "")
            assert digits.replace(".", "", 1 if perception.reads_decimals else 0).isdigit()
            assert digits[0] != "." != digits[-1]


@given(st.integers(0, 3), st.none() | st.integers(1, 4), MEMORIES, st.randoms())
def test_memories_that_differ_only_in_digits_look_the_same(fovea, reach, memory, rng):
    perception = Perception("foveal", fovea, reach)
    other = bytes(rng.choice(b"0123456789") if chr(c).isdigit() else c for c in memory)
    assert perception.view(memory) == perception.view(other)
    assert perception.shape(memory) == perception.shape(other)


@given(st.integers(0, 3), st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=4), st.data())
def test_the_inside_of_a_long_number_is_not_seen(fovea, lengths, data):
    """Any two lengths beyond what is shown give the same tokens; shorter ones do not."""
    perception = Perception("foveal", fovea)
    signs = [data.draw(st.sampled_from(SIGNS)) for _ in lengths]
    shown = max(2 * fovea, 0)
    texts = [
        "".join("7" * (shown + pair[side]) + sign for pair, sign in zip(lengths, signs, strict=True))
        for side in (0, 1)
    ]
    assert perception.view(texts[0].encode()).tokens == perception.view(texts[1].encode()).tokens


@pytest.mark.parametrize("fovea", [1, 2, 3])
def test_lengths_up_to_the_fovea_are_told_apart(fovea):
    perception = Perception("foveal", fovea)
    views = [perception.view(b"1" * n).tokens for n in range(2 * fovea + 2)]
    assert len(set(views)) == len(views)
    assert [ELIDED in view for view in views] == [False] * (2 * fovea + 1) + [True]


def test_the_first_and_last_digits_of_a_long_number_can_be_pointed_at():
    tokens, gaps = Perception("foveal", 2).view(b"1234567,8")
    assert spell(Perception("foveal", 2), tokens) == "dd~dd,d"
    assert gaps == (0, 1, 2, 5, 6, 7, 8, 9)


def test_a_whole_number_cannot_be_cut():
    whole = Perception("foveal", 0)
    for number in (b"1", b"12", b"1234567"):
        tokens, gaps = whole.view(number + b"-3")
        assert spell(whole, tokens) == "N-N"
        assert gaps == (0, len(number), len(number) + 1, len(number) + 2)


@given(MEMORIES, MEMORIES)
def test_characters_tells_all_memories_apart(one, other):
    perception = Perception("characters", decimals=True)
    assert (perception.view(one).tokens == perception.view(other).tokens) == (one == other)
    assert perception.view(one).gaps == tuple(range(len(one) + 1))


READING = Perception("foveal", 0, reach=3)


@pytest.mark.parametrize(
    ("memory", "seen"),
    [
        (b"12+3", "N+N"),
        (b"12+3*456", "N+N*N"),
        (b"12+3*456-7", "N+N*N…"),
        (b"12+3*456)", "N+N*N…"),
        (b"12+(3*456", "N+(…"),
        (b"(12", "(…"),
        (b"(", "("),
        (b"12)", "N)"),
        (b"12)*5", "N)…"),
        (b"12+(345)*6", "N+(N)…"),  # a bracket with just a number in it is seen whole
        (b"(-3)", "(N)"),
        (b"((3))", "(…"),
        (b"-12--3*-4+5", "N-N*N…"),  # a sign that cannot be an operator belongs to its number
        (b"", ""),
    ],
)
def test_reach_shows_the_beginning_and_the_end(memory, seen):
    """Up to the third number or the first bracket; the rest is one token that ends at the memory's end."""
    tokens, gaps = READING.view(memory)
    assert spell(READING, tokens) == seen
    assert gaps[-1] == len(memory)
    assert (REST in tokens) == seen.endswith("…")


@given(st.text(ALPHABET, max_size=20), st.text(ALPHABET, min_size=1), st.text(ALPHABET, min_size=1))
def test_what_lies_beyond_reach_is_not_seen(head, one, other):
    stem = head + "+1+2*3*"
    views = [READING.view((stem + rest).encode()) for rest in (one, other)]
    assert views[0].tokens == views[1].tokens
    assert views[0].gaps[:-1] == views[1].gaps[:-1]


@given(PERCEPTIONS, MEMORIES)
def test_a_view_depends_on_the_shape_alone(perception, memory):
    assert perception.view(perception.shape(memory)) == perception.view(memory)
    assert len(perception.shape(memory)) == len(memory)


@given(PERCEPTIONS)
def test_perceptions_do_not_mix_up_tokens(perception):
    """Each sign has a token of its own that no digit shares."""
    known = SIGNS + LATER * perception.decimals
    signs = [perception.view(s.encode()).tokens[1] for s in known]
    digits = {t for n in range(1, 9) for t in perception.view(b"5" * n).tokens[1:-1]}
    assert len(set(signs)) == len(known)
    assert not digits & set(signs)


@pytest.mark.parametrize("fovea", range(4))
def test_what_came_later_renumbered_nothing(fovea):
    """The ids that networks were frozen with, written out: signs from 5, digits from 13, what is new behind them."""
    old, new = Perception(fovea=fovea), Perception(fovea=fovea, decimals=True)
    assert old.view(b",-+*/%()").tokens[1:-1] == bytes(range(5, 13))
    assert old.vocabulary == 13 + (fovea + 1) ** 2
    memory = b"12,345-6*(7890)"
    assert new.view(memory) == old.view(memory)
    assert new.view(b".^").tokens[1:-1] == bytes([old.vocabulary, old.vocabulary + 1])
    characters = Perception("characters")
    assert characters.view(b"0123456789,-+*/%()").tokens[1:-1] == bytes(range(5, 23))
    assert characters.vocabulary == 23


DECIMALS = Perception("foveal", 0, reach=3, decimals=True)


@pytest.mark.parametrize(
    ("memory", "seen"),
    [
        (b"1.25+-0.5*3", "N+N*N"),
        (b"0.00,1.5-2^3", "N,N-N…"),
        (b"1.+.5", "N.+.N"),  # a point belongs to a number between digits only
        (b"2*(-1.5)^2", "N*(N)…"),
        (b"2*(1.5.5)", "N*(…"),
        (b"1.5.5", "N.N"),
        (b"3-(1.5+2)", "N-(…"),
    ],
)
def test_a_number_is_read_with_its_decimals(memory, seen):
    tokens, gaps = DECIMALS.view(memory)
    assert spell(DECIMALS, tokens) == seen
    assert gaps[-1] == len(memory)


@pytest.mark.parametrize(
    ("text", "length"), [(b"", 0), (b"1/3", 3), (b"0.3333333", 1), (b"-0.5", 2), (b"0.0,(1.5+22)", 7)]
)
def test_where_numbers_are_symbols_length_counts_symbols(text, length):
    """So that what `1/3` becomes is shorter than `1/3`."""
    assert DECIMALS.measure(text) == length
    assert Perception(fovea=0, decimals=True).measure(text) == READING.measure(text) == len(text)


@pytest.mark.parametrize("wrong", [{"decimals": 1}, {"decimals": True, "reach": 3}])
def test_what_cannot_be_seen_is_refused(wrong):
    with pytest.raises(ValueError, match="decimals are seen or not"):
        Perception(**wrong)
