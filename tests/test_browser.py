"""The page in a real browser: every way to look at it and to move through it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from reckoner import Calculator
from reckoner.parts import Parts
from reckoner.single_file import single_file
from reckoner.trace_json import to_json
from tests.browser import PATIENCE, open_browser, serve

SHORT = "12*(3+45)"
HUNDRED = "1234567890" * 10 + "*" + "1234567890" * 10

Open = Callable[..., Page]

# Presses a key many times over and notes what is shown each time; where all is at hand a step is shown at once.
PRESS = """([key, times]) => Array.from({ length: times }, () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const text = (selector) => Array.from(document.querySelectorAll(selector), (each) => each.textContent).join("");
  return {
    at: document.querySelector(".machine").dataset.at, sentence: text(".sentence"),
    asks: text(".asks .cell"), asked: text(".is-asked .cell"),
  };
})"""

# Presses a key and counts what moves in the very frame that follows.
MOTIONS = """(key) => new Promise((tell) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  requestAnimationFrame(() => tell(document.getAnimations().length));
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve() as address:
        yield address


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    call = Calculator()(SHORT, trace=True).trace
    assert call is not None
    return to_json(call)


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("page") / "run.html"
    file.write_text(single_file(Parts().ask(SHORT).bundle()), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens an address in a window of its own; whatever the page throws or the policy blocks fails the test."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def note(message: Any) -> None:
        # The browser itself tells of every question without an answer, for which the page has its own words.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            troubles.append(message.text)

    def open_page(address: str, width: int = 1280, height: int = 900, **settings: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(address)
        expect(page.locator("body")).not_to_have_class(re.compile("is-busy"))
        return page

    expect.set_options(timeout=PATIENCE)
    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def place(page: Page) -> str:
    """Where the page is, as its slider's call and phase; the address follows when it has come to rest."""
    return page.evaluate("document.querySelector('.machine').dataset.at")


def sentence(page: Page) -> str:
    return page.locator(".sentence").inner_text()


def memory(page: Page, card: str = ".asks") -> str:
    """The cells of a frame."""
    return "".join(page.locator(f"{card} .cell").all_inner_texts())


def press(page: Page, key: str) -> str:
    """Press a key and wait until the page has moved; gives where it is then."""
    before = place(page)
    page.keyboard.press(key)
    expect(page.locator(".machine")).not_to_have_attribute("data-at", before)
    return place(page)


def tour(calls: list[dict[str, Any]], number: int = 0) -> Iterator[str]:
    """All moments of a whole trace, in order: each call is asked, works, and answers."""
    yield f"{number}"
    child = number + 1
    while child <= number + calls[number]["below"]:
        yield from tour(calls, child)
        child += 1 + calls[child]["below"]
    yield f"{number}.answer"


def test_type_and_play(open_page, address):
    page = open_page(address)
    page.get_by_label("An expression").fill("99+1")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator(".lines li").first).to_contain_text("99+1")
    page.get_by_label("Speed").fill("5")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".sentence")).to_contain_text("Finished: 99+1 is 100, after ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()  # it has stopped by itself
    assert memory(page) == "100"
    expect(page.locator(".lines [aria-current]")).to_contain_text("100")


def test_pause_stays_where_it_is(open_page, on_disk):
    page = open_page(on_disk)
    page.get_by_label("Speed").fill("3")  # the run is over after half a minute, whoever else is at work
    page.keyboard.press("Escape")
    page.locator("body").click(position={"x": 5, "y": 5})
    press(page, " ")
    page.get_by_role("button", name="Pause").click()
    where = place(page)
    page.wait_for_timeout(600)  # longer than until the next step
    assert place(page) == where != "0"


def test_every_moment_of_a_run_is_shown_forwards_and_backwards(open_page, on_disk, trace):
    page = open_page(on_disk)
    moments = list(tour(trace["calls"]))
    shown = page.evaluate(PRESS, ["ArrowRight", len(moments) - 1])
    assert [each["at"] for each in shown] == moments[1:]
    for each in shown:
        number, _, is_answer = each["at"].partition(".")
        call = trace["calls"][int(number)]
        assert each["asked"] == ((call["answer"] if is_answer else call["memory"]) or "∅")
        if call["parent"] is not None:
            assert each["asks"] == ((call["after"] if is_answer else call["before"]) or "∅")
            assert call["skill"] in each["sentence"]
    back = page.evaluate(PRESS, ["ArrowLeft", len(moments) - 1])
    assert [each["at"] for each in back] == moments[-2::-1]


def test_into_over_and_out(open_page, address, trace):
    page = open_page(f"{address}#e={SHORT}")
    calls = trace["calls"]
    frames = page.locator(".stack li")
    assert press(page, "ArrowDown") == "1"
    assert press(page, "ArrowDown") == "2"
    page.get_by_role("button", name="Into").click()
    expect(page.locator(".machine")).to_have_attribute("data-at", "3")
    expect(frames.last).to_contain_text(calls[3]["skill"])
    page.get_by_role("button", name="Over").click()  # over call 3: to its answer
    expect(page.locator(".machine")).to_have_attribute("data-at", "3.answer")
    assert memory(page) == calls[3]["after"]
    press(page, "ArrowLeft")
    page.get_by_role("button", name="Out").click()  # whoever works at call 3's last step is its parent
    last = max(n for n, call in enumerate(calls) if call["parent"] == 3)
    expect(page.locator(".machine")).to_have_attribute("data-at", f"{calls[last]['parent']}.answer")
    press(page, "ArrowUp")
    assert place(page) == f"{calls[calls[last]['parent']]['parent']}.answer"
    assert press(page, "End") == "0.answer"
    assert press(page, "Home") == "0"


def test_only_the_interesting_steps(open_page, address):
    page = open_page(f"{address}#e=987654/321")
    expect(page.get_by_label("only the interesting steps")).to_be_checked()  # a long run begins with them
    listed = {step["call"] for step in Parts().ask("987654/321").interesting()}
    seen = [press(page, "ArrowRight") for _ in range(2 * len(listed))]
    assert {int(moment.partition(".")[0]) for moment in seen} == listed
    assert press(page, "ArrowRight") == "0.answer"
    assert [press(page, "ArrowLeft") for _ in seen] == seen[::-1]
    page.keyboard.press("i")
    assert press(page, "ArrowLeft") not in seen


def test_a_shared_link_shows_the_same_moment(open_page, address, trace):
    call = trace["calls"][5]
    page = open_page(f"{address}#e={SHORT}&at=5.answer")
    assert place(page) == "5.answer"
    assert memory(page) == call["after"]
    press(page, "ArrowLeft")
    expect(page).to_have_url(re.compile(re.escape(f"#e={SHORT}&at=5") + "$"))
    again = open_page(page.url)
    assert sentence(again) == sentence(page)
    again.evaluate("location.hash = '#e=7%252&at=1'")  # followed without loading the page again
    expect(again.locator(".lines li").first).to_contain_text("7%2")


def test_the_scale_changes_the_answer_and_is_in_the_link(open_page, address):
    page = open_page(f"{address}#e=7/2")
    cut = page.locator(".cut")
    expect(cut).to_have_text("7/2 = 3, remainder 1: 2 decimals give 3.50")
    cut.get_by_role("button").click()
    scale, last = page.get_by_label("Decimals of quotients"), page.locator(".lines li").last
    expect(scale).to_have_value("2")
    expect(last).to_have_text("=3.50")
    expect(cut).to_be_hidden()
    scale.fill("3")
    expect(last).to_have_text("=3.500")
    expect(scale).to_be_focused()
    page.get_by_role("button", name="End").click()
    expect(page.locator(".sentence")).to_contain_text("Finished: 7/2 is 3.500, after ")
    expect(page).to_have_url(re.compile(re.escape("#e=7/2&scale=3&at=0.answer") + "$"))
    again = open_page(page.url)
    expect(again.get_by_label("Decimals of quotients")).to_have_value("3")
    assert memory(again) == "3.500"
    again.evaluate("location.hash = '#e=7/2&scale=1&at=0.answer'")  # the same expression, another question
    expect(again.locator(".lines li").last).to_have_text("=3.5")
    again.get_by_role("button", name="brackets").click()
    expect(again.get_by_label("Decimals of quotients")).to_have_value("0")
    expect(again).to_have_url(re.compile(re.escape("#e=12*(3+45)&at=0") + "$"))


def test_decimals_are_told_and_shown(open_page, address):
    page = open_page(address)
    page.get_by_role("button", name="decimals").click()
    expect(page.locator(".lines li").last).to_have_text("=3.142857")
    assert "whole expression, 22/7, and a zero with as many decimals" in sentence(page)
    assert memory(page) == "22/7"
    assert memory(page, ".is-asked") == "0.000000,22/7"
    expect(page.locator(".lines mark")).to_have_text("22/7")
    press(page, "End")
    assert memory(page) == "3.142857"
    page = open_page(f"{address}#e=7/2&scale=10001")
    expect(page.get_by_role("alert")).to_contain_text("A scale of more than 10,000")


def test_a_file_at_a_scale(open_page, tmp_path):
    file = tmp_path / "run.html"
    file.write_text(single_file(Parts().ask("2/3", 4).bundle()), encoding="utf-8")
    page = open_page(file.as_uri())
    expect(page.get_by_label("Decimals of quotients")).to_have_value("4")
    press(page, "End")
    assert memory(page) == "0.6666"
    page.get_by_label("Decimals of quotients").fill("2")
    expect(page.get_by_role("alert")).to_contain_text("This file holds one run, that of 2/3 at scale 4;")


def test_the_map_has_whoever_can_take_part(open_page, address):
    page = open_page(f"{address}#e=1+2")
    few = page.locator(".map .node").count()
    page.get_by_label("Decimals of quotients").fill("1")
    expect(page.locator(".map .is-now")).to_contain_text("expression-decimal")
    assert page.locator(".map .node").count() > few > 20


def test_the_view_and_how_sure_the_network_was(open_page, on_disk, trace):
    call = next(call for call in trace["calls"] if call["view"] and "d" in call["view"]["text"])
    page = open_page(f"{on_disk}#e={SHORT}&at={call['number']}")
    kinds = {"d": "digit", "N": "number", "~": "elided", "…": "rest"}
    shown = [token.get_attribute("class") for token in page.locator(".asks .token").all()]
    assert shown == [f"token {kinds.get(c, 'sign')}" for c in call["view"]["text"]]
    expect(page.locator(".asks .sure")).to_contain_text("% sure")
    for name in ("read1", "read2"):
        is_read = call[name][0] < call[name][1]
        assert page.locator(".asks .bracket.read.is-shown").count() >= is_read
    expect(page.locator(".asks .bracket.write.is-shown")).to_have_count(1)


def test_the_panels_lead_elsewhere(open_page, on_disk, trace):
    page = open_page(on_disk)
    expect(page.locator(".map .is-now")).to_contain_text(trace["calls"][0]["skill"])
    press(page, "ArrowDown")
    press(page, "ArrowDown")
    expect(page.locator(".map .is-now")).to_contain_text(trace["calls"][2]["skill"])
    tree = page.get_by_role("tree")
    page.locator("#call-2 .toggle").click()
    page.locator("#call-3").click()
    expect(page.locator(".machine")).to_have_attribute("data-at", "3")
    tree.focus()
    page.keyboard.press("ArrowRight")  # opens the call
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".machine")).to_have_attribute("data-at", "4")
    page.locator(".stack button").first.click()
    expect(page.locator(".machine")).to_have_attribute("data-at", re.compile("^[01]$"))
    page.locator(".lines button").last.click()
    expect(page.locator(".lines [aria-current]")).to_contain_text("576")
    page.get_by_label("Place in the calculation").fill("7")
    expect(page.locator(".machine")).to_have_attribute("data-at", "7")


def test_a_mistake_with_its_caret(open_page, address):
    page = open_page(address)
    page.get_by_role("button", name="a mistake").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("A number is missing after '+'.")
    text, caret = alert.locator("pre").inner_text().split("\n")
    assert text == "12*(3+"
    assert caret.index("^") == len(text)
    expect(page.locator(".machine")).to_be_hidden()
    page.get_by_role("button", name="brackets").click()
    expect(alert).to_be_empty()
    expect(page.locator(".machine")).to_be_visible()


def test_an_answer_that_comes_late_is_dropped(open_page, address):
    page = open_page("about:blank")
    held = hold(page, "**/api/trace?expression=12*%283%2B45%29*")
    page.goto(address)
    page.get_by_role("button", name="a mistake").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("A number is missing after '+'.")
    expect(page.locator("body")).not_to_have_class(re.compile("is-busy"))
    with page.expect_response("**/api/trace/lines?*"):  # the last that a run needs to be shown
        held[0].continue_()
    settle(page)
    expect(alert).to_contain_text("A number is missing after '+'.")
    expect(page.get_by_label("An expression")).to_have_value("12*(3+")
    expect(page.locator(".machine")).to_be_hidden()


def test_a_late_refusal_is_dropped_too(open_page, address):
    page = open_page(address)
    held = hold(page, "**/api/trace?expression=12*%283%2B&*")
    page.get_by_role("button", name="a mistake").click()
    expect(page.locator("body")).to_have_class(re.compile("is-busy"))
    page.get_by_role("button", name="borrowing").click()
    expect(page.locator(".lines li").first).to_contain_text("100000-1")
    with page.expect_response("**/api/trace?*"):
        held[0].continue_()
    settle(page)
    expect(page.get_by_role("alert")).to_be_empty()
    expect(page.locator(".machine")).to_be_visible()


def test_a_link_back_is_newer_than_what_is_still_being_asked(open_page, address):
    page = open_page(f"{address}#e={SHORT}")
    held = hold(page, "**/api/trace?expression=100000-1&*")
    page.get_by_role("button", name="borrowing").click()
    expect(page.locator("body")).to_have_class(re.compile("is-busy"))
    page.evaluate(f"location.hash = '#e={SHORT}&at=5'")
    expect(page.locator(".machine")).to_have_attribute("data-at", "5")
    with page.expect_response("**/api/trace/lines?*"):
        held[0].continue_()
    settle(page)
    expect(page.locator(".lines li").first).to_contain_text(SHORT)
    expect(page.locator(".machine")).to_have_attribute("data-at", "5")


def hold(page: Page, address: str) -> list[Any]:
    """Requests to an address wait; gives the list that they come to."""
    held: list[Any] = []
    page.route(address, lambda route: held.append(route))
    return held


def settle(page: Page) -> None:
    """Until whatever the last answer led to has been drawn."""
    page.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")


def test_without_the_skills_the_next_question_asks_for_them_again(open_page, address):
    page = open_page("about:blank")
    page.route("**/api/skills", lambda route: route.abort())
    page.goto(address)
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    expect(page.locator("body")).not_to_have_class(re.compile("is-busy"))
    page.unroute("**/api/skills")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator(".machine")).to_have_attribute("data-at", "0")
    expect(page.locator(".map .is-now")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_empty()


def test_a_division_by_zero_is_watched_to_its_end(open_page, address):
    page = open_page(address)
    page.get_by_role("button", name="a division by zero").click()
    expect(page.get_by_role("alert")).to_contain_text("Division by zero.")
    expect(page.locator(".machine")).to_have_attribute("data-at", "0")
    press(page, "End")
    assert sentence(page).startswith("Division by zero, found after ")


def test_an_expression_too_long_to_watch_is_answered(open_page, address):
    page = open_page(f"{address}#e={'1+' * 1_200}1")
    expect(page.get_by_role("alert")).to_contain_text("The answer: 1201")


def test_a_long_rewriting_comes_by_parts(open_page, address):
    page = open_page(f"{address}#e={'+'.join(['1'] * 130)}")
    expect(page.locator(".lines .left-out").last).to_contain_text("more")
    press(page, "End")
    expect(page.locator(".lines [aria-current]")).to_contain_text(re.compile("^=?130$"))
    expect(page.locator(".lines .left-out")).to_have_count(1)


def test_a_server_that_is_busy_or_gone(open_page, address):
    page = open_page(address)
    turned_away: list[str] = []

    def be_busy_once(route: Any) -> None:
        if turned_away:
            return route.continue_()
        turned_away.append(route.request.url)
        return route.fulfill(status=503, headers={"Retry-After": "0"}, body="{}")

    page.route("**/api/trace?*", be_busy_once)
    page.get_by_label("An expression").fill("2+3")
    page.keyboard.press("Enter")
    expect(page.locator(".lines li").first).to_contain_text("2+3")
    assert len(turned_away) == 1
    page.unroute("**/api/trace?*")
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_label("An expression").fill("4+5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")


def test_nothing_typed_becomes_markup(open_page, address):
    page = open_page(address)
    page.get_by_label("An expression").fill("<img src=x onerror=alert(1)><script>alert(2)</script>")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("<img")
    assert page.locator("img").count() == 0
    assert page.locator("script:not([src])").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "at"), [(1280, "5"), (360, "5.answer"), (1280, "error"), (360, "cut")])
def test_an_accessibility_audit_finds_nothing_serious(open_page, address, theme, width, at):
    expression = {"error": "12*(3+", "cut": "7/2"}.get(at, SHORT)
    page = open_page(f"{address}#e={expression}&at={at}", width, color_scheme=theme, reduced_motion="reduce")
    if at == "cut":
        expect(page.locator(".cut")).to_contain_text("remainder 1")
    for summary in page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    found = Axe().run(page).response["violations"]
    assert [
        (each["id"], each["impact"], each["nodes"][0]["html"]) for each in found if each["impact"] != "minor"
    ] == []


@pytest.mark.parametrize(
    "moment",
    [f"{HUNDRED}&at=0", f"{SHORT}&at=5", f"{SHORT}&at=16.answer", "22/7&scale=60&at=1", "98765/43&at=2"],
    ids=["long", "asked", "answered", "decimals", "cut"],
)
def test_360_pixels_are_enough(open_page, address, moment):
    page = open_page(f"{address}#e={moment}", 360, 740, has_touch=True)
    expect(page.locator(".cell").first).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    for button in page.locator(".move").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 740  # always in reach
        assert min(box["width"], box["height"]) >= 36


def test_a_swipe_is_a_step(open_page, on_disk):
    page = open_page(on_disk, 360, 740, has_touch=True)
    session = page.context.new_cdp_session(page)
    machine = page.locator(".machine")
    expect(machine).to_have_attribute("data-at", "0")
    box = machine.bounding_box()
    assert box is not None
    y = round(box["y"]) + 20

    def swipe(start: int, end: int) -> None:
        at: Callable[[int], list[dict[str, int]]] = lambda x: [{"x": x, "y": y}]  # noqa: E731
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(start)})
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(end)})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(300, 100)
    expect(machine).to_have_attribute("data-at", "1")
    swipe(100, 300)
    expect(machine).to_have_attribute("data-at", "0")


def test_the_keyboard_is_enough(open_page, address):
    page = open_page(address)
    field = page.get_by_label("An expression")
    reach(page, field)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("100-1")
    page.keyboard.press("Enter")
    expect(page.locator(".lines li").first).to_contain_text("100-1")
    for name in ("Play", "Step", "Into", "Over", "Out"):
        reach(page, page.get_by_role("button", name=name, exact=True))
    page.keyboard.press("Home")
    assert press(page, "ArrowRight") != "0"
    for control in ("Place in the calculation", "Speed", "All calls: arrow keys to move, Enter to go there"):
        reach(page, page.get_by_label(control, exact=True))
    reach(page, page.get_by_label("only the interesting steps"), backwards=True)
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def reach(page: Page, target: Locator, backwards: bool = False) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"Tab does not lead to {target}")


def test_reduced_motion_is_still(open_page, on_disk):
    for motion, moves in (("reduce", False), ("no-preference", True)):
        page = open_page(f"{on_disk}#e={SHORT}&at=4", reduced_motion=motion)
        assert (page.evaluate(MOTIONS, "ArrowRight") > 0) is moves


def test_each_step_is_announced(open_page, on_disk):
    page = open_page(on_disk)
    status = page.get_by_role("status")
    expect(status).to_have_attribute("aria-live", "polite")
    said = {status.inner_text()}
    for _ in range(6):
        press(page, "ArrowRight")
        said.add(status.inner_text())
    assert len(said) == 7
    assert all(text.endswith(".") for text in said)


def test_themes_and_their_button(open_page, address):
    colours = {}
    for theme in ("light", "dark"):
        page = open_page(address, color_scheme=theme)
        colours[theme] = background(page)
        page.get_by_role("button", name="Light / dark").click()
        colours[f"other than {theme}"] = background(page)
    assert colours["light"] != colours["dark"]
    assert colours["other than light"] == colours["dark"]
    assert colours["other than dark"] == colours["light"]


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_paper_shows_the_moment_and_no_buttons(open_page, on_disk):
    page = open_page(f"{on_disk}#e={SHORT}&at=5", color_scheme="dark")
    page.emulate_media(media="print")
    for seen in (".lines", ".sentence", ".machine", ".stack"):
        expect(page.locator(seen)).to_be_visible()
    for hidden in (".controls", ".options", ".tree", "#theme"):
        expect(page.locator(hidden)).to_be_hidden()
    assert background(page) == "rgb(255, 255, 255)"


def test_a_single_file_needs_nothing_else(open_page, on_disk):
    page = open_page("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(on_disk)
    expect(page.locator(".machine")).to_have_attribute("data-at", "0")
    press(page, "End")
    assert memory(page) == "576"
    assert asked == [on_disk]
    page.get_by_label("An expression").fill("1+2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This file holds one run")


def test_a_file_of_a_long_run_holds_its_upper_part(open_page, tmp_path):
    bundle = Parts().ask(HUNDRED).bundle(most=300)
    inside = {call["number"] for call in bundle["trace"]["calls"]}
    file = tmp_path / "long.html"
    file.write_text(single_file(bundle), encoding="utf-8")
    page = open_page(file.as_uri())
    page.get_by_label("Place in the calculation").fill("40000")
    nearest = max(number for number in inside if number <= 40_000)
    expect(page.locator(".machine")).to_have_attribute("data-at", str(nearest))
    page.get_by_label("only the interesting steps").uncheck()
    page.get_by_role("button", name="Start").click()
    seen = page.evaluate(PRESS, ["ArrowRight", 2 * len(inside) - 1])
    assert seen[-1]["at"] == "0.answer"
    assert {int(each["at"].partition(".")[0]) for each in seen} | {0} == inside


def test_a_notebook_shows_the_page_in_a_frame(open_page, tmp_path):
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{Calculator()('7*8', trace=True)._repr_html_()}")
    page = open_page(file.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="End").click()
    expect(frame.locator(".sentence")).to_contain_text("Finished: 7*8 is 56")
    expect(frame.locator(".map .node").first).to_be_attached()


def test_a_stack_of_hundreds_takes_a_line(open_page, address):
    text = "9" * 400 + "+1"
    part = Parts().ask(text).part(800)
    [call, *_], ancestors = part["calls"], part["ancestors"]
    first = next(each for each in ancestors if each["skill"] == ancestors[-1]["skill"])
    assert call["depth"] > len(ancestors)  # the middle is left out
    page = open_page(f"{address}#e={text}&at=800")
    deep = call["depth"] - first["depth"] + (call["skill"] == first["skill"])
    expect(page.locator(".stack .times")).to_have_text(f"{deep} deep")
    assert page.locator(".stack li").count() < 8


def test_a_long_run_is_loaded_where_it_is_looked_at(open_page, address):
    total = Parts().ask(HUNDRED).total
    page = open_page("about:blank")
    loaded: list[int] = []
    page.on(
        "response", lambda reply: loaded.append(count_calls(reply)) if "/api/trace?" in reply.url else None
    )
    page.goto(f"{address}#e={HUNDRED}&at={total // 2}")
    expect(page.locator(".machine")).to_have_attribute("data-at", str(total // 2))
    expect(page.locator(".asks .cell.cut").first).to_be_visible()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"):
        press(page, key)
    assert total > 80_000
    assert 0 < sum(loaded) < 3_000


def count_calls(reply: Any) -> int:
    return len(reply.json()["trace"]["calls"])
