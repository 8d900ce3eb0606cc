"""Checks the page of bench view --label in headless Chromium, by real keys and a real mouse.

The page needs a dataset of ten clips with reps, and a labels file that does not exist yet. The page of an adjudicator needs
squat-sample with the two files that --make-raters writes.
"""

import argparse
import contextlib
import csv
import json
import pathlib
import sys
import time
import urllib.request

from browser import Browser, axe_script, expect, require_accessible, require_quiet, show, take, use_screen

LEFT, RIGHT, UP, DOWN, TAB, ENTER, ESCAPE, SHIFT = "\ue012", "\ue014", "\ue013", "\ue015", "\ue004", "\ue007", "\ue00c", "\ue008"
KEYS = {"reps", "events", "intervals", "faults", "grades", "noReps", "isUnsure", "isDone", "comment"}
REACTION, CLIPS, SECONDS, LIMIT = 0.3, 10, 16, 4


def ask(address, path):
    with urllib.request.urlopen(address + path, timeout=60) as answer:
        return json.load(answer)


def opened(browser, address, index, **more):
    """Shows the page at a clip."""
    clip = browser.facts["clips"][index]["id"]
    show(browser, address + "#clip=" + urllib.request.quote(clip, safe=""), **more)
    loaded(browser, clip)
    browser.run("player.seek(player.clip.times[0])")
    return clip


def loaded(browser, clip):
    browser.until(f"the clip {clip}", "document.querySelector('#name')?.textContent.startsWith(arguments[0].split('/').pop()) && player.clip?.id === arguments[0]", clip)


def said(browser, words):
    browser.until(f"the page to say {words}", "document.getElementById('saved').textContent.includes(arguments[0])", words)


def act(browser, *steps):
    """Presses keys, and goes on by numbers of frames between them, faster than the arrow keys."""
    for step in steps:
        if isinstance(step, str):
            browser.press(step)
        else:
            browser.run("""const { times } = player.clip, frame = times.findLastIndex(time => time <= player.time + 1e-6);
                player.seek(times[frame + arguments[0]]);""", step)


def saved(browser, address, clip, words, holds):
    """The clip's labels in the file, once they are as expected."""
    found = None
    end = time.monotonic() + 5
    while time.monotonic() < end:
        found = ask(address, "labels").get(clip)
        with contextlib.suppress(TypeError, KeyError, IndexError):
            if holds(found):
                return found
        time.sleep(0.02)
    sys.exit(f"expected {words}, found {json.dumps(found)}; the page says {browser.run('return saved.textContent + trouble.textContent')}")


def check_first_key(browser, address):
    """The keyboard works at once, without a click, and Space does not scroll."""
    show(browser, address, height=500)
    browser.press(" ")
    browser.until("Space to play", "document.querySelector('[data-part=play]').textContent === 'Pause' && player.time > 0.1")
    browser.press(" ")
    browser.until("Space to pause", "document.querySelector('[data-part=play]').textContent === 'Play'")
    expect(browser.run("return scrollY") == 0, "Space not to scroll the page")
    browser.run("player.seek(player.clip.times[10])")
    browser.press(RIGHT * 3 + LEFT)
    expect(browser.run("return player.time === player.clip.times[12]"), "arrows to step by frames")
    # After a click on a button the keys are the page's again.
    browser.click("[data-part=play]")
    browser.until("a click to play", "document.querySelector('[data-part=play]').textContent === 'Pause'")
    browser.press(" ")
    browser.until("Space to pause after a click", "document.querySelector('[data-part=play]').textContent === 'Play'")
    browser.press("v")
    said(browser, "Speed: ")
    todo = browser.run("return document.getElementById('todo').textContent")
    expect(todo.count(".") == 1 and "Space" in todo and "Enter" in todo, f"one sentence of what to do, found {todo}")


def check_order(browser, address):
    """The list is in the order of work, with reasons, and one stop of the tabulator before the player."""
    show(browser, address)
    nexts = browser.facts["labelling"].get("next") or []
    order = browser.until("the list", "(rows => rows.length && rows)([...document.querySelectorAll('#clips li button')].map(b => Number(b.dataset.clip)))")
    wanted = [one["clip"] for one in nexts]
    expect(order[:len(wanted)] == wanted, f"the clips in the order {wanted}, found {order}")
    reasons = browser.run("return [...document.querySelectorAll('#clips .why')].map(e => e.textContent)")
    expect(reasons == [one["why"] for one in nexts], f"the reasons, found {reasons}")
    expect(browser.run("return parseFloat(getComputedStyle(document.querySelector('#clips li small')).fontSize)") < 14, "reasons in small type")
    first = browser.facts["clips"][order[0]]["id"]
    loaded(browser, first)
    browser.run("document.getElementById('not-done').focus()")
    browser.press(TAB)
    expect(browser.run("return document.activeElement.dataset.clip") == str(order[0]), "the tabulator to reach the clip in the list")
    browser.press(TAB)
    expect(browser.run("return document.activeElement.id") == "player", "one stop from the list to the player")
    browser.run("document.querySelector('#clips li button').focus()")
    browser.press(DOWN * 2 + UP)
    browser.until("an arrow to go to the next row", "document.activeElement.dataset.clip === String(arguments[0])", order[1])
    browser.press(TAB)
    expect(browser.run("return document.activeElement.id") == "player", "one stop from the list to the player")
    browser.run("document.querySelectorAll('#clips li button')[1].focus()")
    browser.press(ENTER)
    loaded(browser, browser.facts["clips"][order[1]]["id"])
    browser.press("k")
    loaded(browser, first)
    browser.press("j")
    loaded(browser, browser.facts["clips"][order[1]]["id"])
    return order


def check_blind(browser, address, index):
    """Nothing of the detector or of other people before the clip is done."""
    opened(browser, address, index)
    hidden = "['found', 'cues', 'phases', 'faults', 'signals', 'truth', 'labels', 'labelledFaults', 'model'].flatMap(key => player.clip[key])"
    expect(not browser.run("return " + hidden), "the detector to be hidden")
    look = browser.run("return [document.getElementById('detector').disabled, document.getElementById('detector-lanes').hidden, player.clip.hasDetector]")
    expect(look == [True, True, False], f"no way to see the detector, found {look}")
    expect("counted" not in browser.run("return document.querySelector('[data-part=status]').textContent"), "no count of the detector")


def check_reps(browser, address, index):
    """s, t and e; s again; x; undo and redo, also after a reload."""
    clip = opened(browser, address, index)
    browser.press("e")
    said(browser, "Mark the start first")
    act(browser, 10, "s", 8, "t", 8)
    expect(clip not in ask(address, "labels"), "a rep without its end to be on the page only")
    browser.press("e")
    times = browser.run("return player.clip.times")
    labels = saved(browser, address, clip, "a rep", lambda own: len(own["reps"]) == 1)
    expect(KEYS <= set(labels) and "draft" not in labels, f"every key, found {sorted(labels)}")
    rep = labels["reps"][0]
    expect([rep["start"], rep["turn"], rep["end"]] == [round(times[i], 3) for i in (10, 18, 26)], f"frames 10, 18 and 26, found {rep}")
    expect(rep["faults"] == {} and rep["grades"] == {}, f"neither faults nor grades, found {rep}")
    # A rep that begins where the last ends takes one key.
    act(browser, 4, "s", 20, "s", 20, "e")
    labels = saved(browser, address, clip, "three reps", lambda own: len(own["reps"]) == 3)
    expect(labels["reps"][1]["end"] == labels["reps"][2]["start"], f"two reps that meet, found {labels['reps']}")
    act(browser, -5, "s")
    said(browser, "A rep is marked here")
    browser.press("x")
    saved(browser, address, clip, "a rep to be removed", lambda own: len(own["reps"]) == 2)
    browser.press("u")
    before = saved(browser, address, clip, "undo to bring it back", lambda own: len(own["reps"]) == 3)
    show(browser, address + "#clip=" + urllib.request.quote(clip, safe=""))
    loaded(browser, clip)
    browser.press("r")
    saved(browser, address, clip, "redo after a reload", lambda own: len(own["reps"]) == 2)
    browser.press("uu")
    saved(browser, address, clip, "undo after a reload", lambda own: len(own["reps"]) == 2 and own["reps"][0] == rep)
    browser.press("r")
    saved(browser, address, clip, "redo", lambda own: own == before)
    # A start alone is undone first.
    browser.press("n" + "w")
    browser.run("player.seek(player.clip.times[0])")
    browser.press("s")
    browser.press("j")
    said(browser, "Mark the end first")
    browser.press("u")
    said(browser, "Start removed")
    browser.press("n")
    expect(abs(browser.run("return player.time") - rep["start"]) < 0.002, "n to go to the first rep")
    browser.press("n")
    expect(abs(browser.run("return player.time") - before["reps"][1]["start"]) < 0.002, "n to go to the next rep")
    browser.press("p")
    expect(abs(browser.run("return player.time") - rep["start"]) < 0.002, "p to go back")


def at(browser, moment, lane):
    """Where a moment is on the time axis of the whole clip; lanes are 0 reps, 1 events, 2 intervals."""
    has_events = bool(browser.facts["labelling"]["events"])
    middle = [39, 68, 92 if has_events else 68][lane]
    box = browser.run("const t = document.getElementById('timeline'); t.scrollIntoView({ block: 'nearest' }); const b = t.getBoundingClientRect(); return [b.left, b.top, b.width, player.clip.times[0], player.clip.times.at(-1)]")
    left = 62 if box[2] < 500 else 84
    return box[0] + left + (box[2] - left - 8) * (moment - box[3]) / (box[4] - box[3]), box[1] + middle


def check_edges(browser, address, index):
    """Edges move by [ ] , . and by the mouse: of reps, intervals and events; one undo each."""
    clip = opened(browser, address, index)
    read = lambda: ask(address, "labels")[clip]
    rep, times = read()["reps"][0], browser.run("return player.clip.times")
    frame = lambda moment: min(range(len(times)), key=lambda i: abs(times[i] - moment))
    browser.press("w]")
    said(browser, "start of rep 1")
    browser.press("..")
    later = round(times[frame(rep["start"]) + 2], 3)
    saved(browser, address, clip, f"the start at {later}", lambda own: own["reps"][0]["start"] == later)
    browser.press(",")
    saved(browser, address, clip, "the start a frame earlier", lambda own: own["reps"][0]["start"] == round(times[frame(rep["start"]) + 1], 3))
    browser.press("u")
    saved(browser, address, clip, "one undo for the steps", lambda own: own["reps"][0] == rep)
    for edge, shift in (("start", -0.3), ("turn", 0.2), ("end", -0.25)):
        goal = rep[edge] + shift
        browser.drag(at(browser, rep[edge], 0), at(browser, goal, 0))
        moved = saved(browser, address, clip, f"{edge} near {goal}", lambda own: abs(own["reps"][0][edge] - goal) < 0.05)["reps"][0]
        expect({**moved, edge: rep[edge]} == rep, f"nothing else to move, found {moved}")
        browser.press("u")
        saved(browser, address, clip, "one undo for a drag", lambda own: own["reps"][0] == rep)
    # An edge stops at its own rep's other edges and at the next rep.
    browser.drag(at(browser, rep["end"], 0), at(browser, times[-1], 0))
    saved(browser, address, clip, "the end to stop at the next rep", lambda own: own["reps"][0]["end"] == own["reps"][1]["start"])
    browser.press(".")
    said(browser, "This end can go no further")
    browser.press("u")
    saved(browser, address, clip, "one undo for both", lambda own: own["reps"][0] == rep)

    browser.run("player.seek(player.clip.times[5])")
    act(browser, "i", 12, "i")
    labels = saved(browser, address, clip, "an interval", lambda own: len(own["intervals"]) == 1)
    expect(labels["intervals"][0]["label"] == "negative", f"negative as the first label, found {labels['intervals']}")
    own = labels["intervals"][0]
    browser.drag(at(browser, own["end"], 2), at(browser, own["end"] + 0.5, 2))
    saved(browser, address, clip, "an interval's edge to move", lambda found: abs(found["intervals"][0]["end"] - own["end"] - 0.5) < 0.05)
    if browser.facts["labelling"]["events"]:
        browser.press("o")
        moment = saved(browser, address, clip, "an event", lambda found: found["events"][0]["label"] == browser.facts["labelling"]["events"][0])["events"][0]["time"]
        browser.press("O" if len(browser.facts["labelling"]["events"]) < 2 else "Oo")
        browser.drag(at(browser, moment, 1), at(browser, moment + 1, 1))
        saved(browser, address, clip, "an event to move", lambda found: any(abs(one["time"] - moment - 1) < 0.05 for one in found["events"]))
        browser.press("u")
    else:
        browser.press("o")
        browser.until("a label to be asked for", "document.getElementById('naming').open")
        browser.press("toss" + ENTER)
        saved(browser, address, clip, "an event with a label of the rater's own", lambda found: found["events"][0]["label"] == "toss")
        browser.press("u")
    browser.press("I")
    said(browser, "Label: ")
    seek = browser.run("return (player.clip.times.at(-1) + player.clip.times[0]) / 2")
    browser.mouse("mousePressed", *at(browser, seek, 0), button="left", buttons=1, clickCount=1)
    browser.mouse("mouseReleased", *at(browser, seek, 0), button="left", clickCount=1)
    expect(abs(browser.run("return player.time") - seek) < 0.1, "a click to set the time")


def check_zoom(browser, address, index):
    """+ and -, Ctrl and the wheel, and the whole clip."""
    opened(browser, address, index)
    end = browser.run("return player.clip.times.at(-1)")

    def last():
        """The time at the right end of the axis."""
        spot = at(browser, end - 0.02, 0)
        browser.drag(spot, spot)
        return browser.run("return player.time")

    browser.run("player.seek(player.clip.times[20])")
    browser.press("++")
    near = last()
    expect(near < end * 0.75, f"+ to show less than the clip, found an axis to {near}")
    browser.press("-")
    expect(last() > near + 0.2, "- to show more")
    browser.press("w")
    expect(last() > end - 0.2, "w to show the whole clip")
    browser.run("player.seek(player.clip.times[20])")
    spot = at(browser, browser.run("return player.time"), 0)
    browser.mouse("mouseWheel", *spot, deltaX=0, deltaY=-120, modifiers=2)
    browser.mouse("mouseWheel", *spot, deltaX=0, deltaY=-120, modifiers=2)
    time.sleep(0.2)
    expect(last() < end - 0.5, "Ctrl and the wheel to zoom")
    browser.click("[data-key='w']")
    expect(last() > end - 0.2, "a button to show the whole clip")
    for name in ("+", "-"):
        browser.click(f"[data-key='{name}']")


def check_judgements(browser, address, index):
    """Faults and grades, of the rep at the playhead or else of the clip."""
    labelling = browser.facts["labelling"]
    clip = opened(browser, address, index)
    rep = ask(address, "labels")[clip]["reps"][1]
    inside, last = (rep["start"] + rep["end"]) / 2, browser.run("return player.clip.times.at(-1)")
    browser.run("player.seek(arguments[0])", inside)
    expect("Rep 2" in browser.run("return document.getElementById('scope').textContent"), "rep 2 at the playhead")
    if labelling["faults"]:
        name = labelling["faults"][0]
        for state in (True, False, None):
            browser.press("f1")
            saved(browser, address, clip, f"{name} {state}", lambda own: own["reps"][1]["faults"].get(name) is state)
        browser.press("f1")
    browser.click("#add-fault")
    browser.until("a name to be asked for", "document.getElementById('naming').open")
    browser.press("see-saw" + ENTER)
    saved(browser, address, clip, "a fault of the rater's own", lambda own: own["reps"][1]["faults"].get("see-saw") is True)
    browser.run("player.seek(arguments[0])", last)
    if labelling["faults"]:
        browser.press("f1")
        saved(browser, address, clip, "a fault of the clip", lambda own: own["faults"] == {labelling["faults"][0]: True})
    # Esc asks no more.
    browser.press("f" + ESCAPE)
    if not labelling["criteria"]:
        print("no criteria: grades are not checked")
        return
    first = labelling["criteria"][0]
    low, high = first["minimum"], first["maximum"]
    for place, key in ((inside, "1"), (inside, "0"), (inside, "4"), (last, "9")):
        step = 10 if key == "0" else int(key)
        value = low + (high - low) * (step - 1) / 9
        browser.run("player.seek(arguments[0])", place)
        browser.press(key)
        saved(browser, address, clip, f"{first['name']} {value:.3f}", lambda own: abs((own if place == last else own["reps"][1])["grades"][first["name"]] - value) < 0.001)
    if len(labelling["criteria"]) > 1:
        second = labelling["criteria"][1]
        browser.press("g0")
        saved(browser, address, clip, second["name"], lambda own: own["grades"][second["name"]] == second["maximum"])
        browser.press("0")
        saved(browser, address, clip, "the same key to remove a grade", lambda own: second["name"] not in own["grades"])


DRAFT = "Draft from {0}, or changed after seeing it: these labels are left out where {0} is judged."

# The next clip comes half a second late.
SLOW = """
const real = window.fetch;
window.fetch = async (path, options) => {
  if (path.startsWith('clip?')) {
    window.fetch = real;
    await new Promise(done => setTimeout(done, 500));
  }
  return real(path, options);
};
"""


def draft_words(browser):
    """The page's sentence about a draft; empty for none."""
    return browser.run("const words = document.getElementById('draft'); return words.hidden ? '' : words.innerText")


def check_flags(browser, address, order):
    """No reps, unsure, comment; Enter marks the clip done and goes on in the order of the list; the detector after that."""
    clip, following = (browser.facts["clips"][order[at]]["id"] for at in (1, 2))
    opened(browser, address, order[1])
    browser.press(ENTER)
    said(browser, "Nothing is marked")
    browser.press("z")
    saved(browser, address, clip, "no reps", lambda own: own["noReps"] is True and own["reps"] == [])
    browser.press("q")
    saved(browser, address, clip, "unsure", lambda own: own["isUnsure"] is True)
    browser.press("c")
    browser.press("sees 3 reps, 0 good")
    browser.press(ESCAPE)
    labels = saved(browser, address, clip, "a comment", lambda own: own["comment"] == "sees 3 reps, 0 good")
    expect(labels["reps"] == [] and not labels["grades"], f"keys in a comment to mark nothing, found {labels}")
    browser.press("q" + ENTER)
    saved(browser, address, clip, "done and no longer unsure", lambda own: own["isDone"] is True and own["isUnsure"] is False)
    loaded(browser, following)
    browser.press("u")
    loaded(browser, clip)
    browser.press("u")
    saved(browser, address, clip, "undo to open the clip again", lambda own: own["isDone"] is False)
    # Keys that come while the next clip loads belong to the next clip.
    browser.run(SLOW)
    browser.press(ENTER + RIGHT * 3 + "s" + RIGHT * 9 + "e")
    saved(browser, address, following, "a rep of the next clip", lambda own: len(own["reps"]) == 1)
    saved(browser, address, clip, "none of the clip before", lambda own: own["isDone"] is True and own["reps"] == [])
    browser.press("u")
    saved(browser, address, following, "no label at all", lambda own: own is None)
    done = browser.run("return document.getElementById('finding').textContent")
    expect("1 of " in done, f"one clip done, found {done}")
    # The detector can be seen now.
    opened(browser, address, order[1])
    expect(not browser.run("return player.clip.signals.length"), "the detector to stay hidden until asked for")
    browser.click("#detector")
    browser.until("the detector", "player.clip.signals.length && !document.getElementById('detector-lanes').hidden && document.querySelector('[data-part=lanes]').clientHeight > 50")
    expect(not browser.run("return player.clip.truth.length + player.clip.labels.length"), "other people's labels to stay hidden")

    # Labels that are changed after that are a draft, until they say the same as before.
    name = browser.facts["labelling"]["detector"]
    opened(browser, address, order[1])
    browser.press("q")
    saved(browser, address, clip, "a remark to be no draft", lambda own: own["isUnsure"] and "draft" not in own)
    browser.press("qz")
    saved(browser, address, clip, "a change after the detector was shown to be a draft", lambda own: own["draft"] == name and not own["noReps"])
    expect(draft_words(browser) == DRAFT.format(name), f"the page to say so, found {draft_words(browser)}")
    act(browser, 3, "s", 9, "e")
    saved(browser, address, clip, "the next change to leave it a draft", lambda own: own["draft"] == name and own["reps"])
    browser.press("uu")
    saved(browser, address, clip, "what was marked before the detector was shown", lambda own: own["noReps"] and "draft" not in own)
    expect(not draft_words(browser), f"no draft, found {draft_words(browser)}")
    browser.press("uuu")
    saved(browser, address, clip, "the clip to be open again", lambda own: not own["isDone"] and "draft" not in own)
    browser.press("uuuu")
    saved(browser, address, clip, "an earlier change to be undone into a draft", lambda own: own["draft"] == name and not own["noReps"])
    browser.press("rrrrr")
    saved(browser, address, clip, "redo", lambda own: own["isDone"] and own["noReps"] and "draft" not in own)


def check_draft(browser, address, order):
    """A draft is copied where asked for, and remains one."""
    name = browser.facts["labelling"]["detector"]
    index, found = next((index, found) for index in order if (found := ask(address, f"clip?clip={index}")["found"]))
    clip = opened(browser, address, index)
    browser.press("d")
    labels = saved(browser, address, clip, "a draft", lambda own: own["draft"] == name)
    marks = len(labels["reps"]) + len(labels["events"])
    expect(marks == len(found), f"{len(found)} marks, found {labels}")
    words = DRAFT.format(name)
    expect(draft_words(browser) == words, f"the page to say so, found {draft_words(browser)}")
    browser.press("u")
    saved(browser, address, clip, "a draft that is undone to remain one", lambda own: own["draft"] == name and not own["reps"])
    browser.press("d")
    saved(browser, address, clip, "the draft again", lambda own: len(own["reps"]) + len(own["events"]) == marks)
    browser.press("d")
    said(browser, "This clip has marks already")
    opened(browser, address, index)
    expect(draft_words(browser) == words, "the page to say so after a reload")


POST = """
const done = arguments[arguments.length - 1], [clip, before, after] = arguments;
fetch('labels', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ clip, before, after }) })
  .then(answer => done(answer.status));
"""


def check_refusals(browser, address, index):
    """A file that was changed meanwhile is read again; a wrong label leaves the page as it was."""
    clip = opened(browser, address, index)
    before = ask(address, "labels").get(clip)
    other = {**before, "comment": "from elsewhere"}
    status = browser.wait(POST, clip, before, other)
    expect(status == 200, f"a change from elsewhere, found {status}")
    browser.press("q")
    browser.until("the page to say that the file was changed", "document.getElementById('trouble').textContent.includes('The page now shows the labels of the file')")
    expect(ask(address, "labels")[clip] == other, "the other's labels to stay")
    expect(browser.run("return [document.getElementById('comment').value, document.getElementById('unsure').checked]") == ["from elsewhere", False], "the page to show them")
    browser.press("q")
    saved(browser, address, clip, "the next change", lambda own: own["isUnsure"] and own["comment"] == "from elsewhere")
    browser.until("no trouble any more", "document.getElementById('trouble').textContent === ''")
    browser.run("""const real = window.fetch;
        window.fetch = (path, options) => {
          window.fetch = real;
          return Promise.resolve(new Response('this label is wrong', { status: 422 }));
        };""")
    browser.press("q")
    browser.until("the trouble", "document.getElementById('trouble').textContent.includes('this label is wrong')")
    expect(browser.run("return document.getElementById('unsure').checked"), "the page to keep its state")
    browser.press("q")
    saved(browser, address, clip, "the next change", lambda own: not own["isUnsure"])


def check_help(browser, address, index):
    opened(browser, address, index)
    browser.press("?")
    browser.until("all keys", "document.getElementById('help').open")
    names = browser.run("return [...document.querySelectorAll('#help kbd')].map(e => e.textContent)")
    missing = set("stenpvwoiOIgxurjkzqcd?") | {"Space", "Enter", "[", "]", ",", ".", "+", "−", "1…9", "0"}
    expect(missing <= set(names), f"every key in the help, missing {missing - set(names)}")
    browser.press("s")
    browser.press(ESCAPE)
    browser.until("Esc to close the help", "!document.getElementById('help').open")
    expect(not browser.run("return document.getElementById('saved').textContent"), "no key to act behind the help")
    browser.press("??")
    browser.until("? to close the help", "!document.getElementById('help').open")


CONTROLS = {"button", "checkbox", "combobox", "slider", "textbox", "link", "spinbutton"}


def require_names(browser, place):
    """Every control has a name for those who do not see it."""
    nodes = browser.devtools("Accessibility.getFullAXTree")["nodes"]
    controls = [node for node in nodes if not node["ignored"] and node["role"]["value"] in CONTROLS]
    expect(len(controls) > 30, f"controls {place}, found {len(controls)}")
    unnamed = [node["role"]["value"] for node in controls if not node.get("name", {}).get("value", "").strip()]
    expect(not unnamed, f"a name for every control {place}, found {unnamed}")


def check_looks(browser, address, index, axe):
    """On a phone in the dark and on a desk in the light: every width and every colour once."""
    opened(browser, address, index)
    for width, scheme in ((1200, "light"), (400, "dark")):
        place = f"at {width} pixels, {scheme}"
        use_screen(browser, width, scheme)
        wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, f"no sideways scrolling {place}, found {wide} pixels too many")
        require_names(browser, place)
        require_accessible(browser, axe, place)


def picture(browser, moment, file):
    browser.run("""player.seek(arguments[0]);
        const words = document.getElementById('finding');
        words.textContent = words.textContent.replace(/\\S*[/]/, 'labels/');""", moment)
    take(browser, file, 1080, 720)


def picture_labels(browser, address, index, file):
    """A clip with its ground truth as labels."""
    clip, truth = browser.facts["clips"][index]["id"], ask(address, f"clip?clip={index}")["truth"]
    reps = [{**{edge: rep[edge] for edge in ("start", "turn", "end")}, "faults": {}, "grades": {}} for rep in truth]
    # A grade of many digits does not widen the page.
    reps[1].update(faults={"shallow": True}, grades={"form": 100 / 3})
    labels = {
        "reps": reps, "events": [], "intervals": [], "faults": {}, "grades": {}, "noReps": False, "isUnsure": False,
        "isDone": False, "comment": ""}
    status = browser.wait(POST, clip, None, labels)
    expect(status == 200, f"labels for a picture, found {status}")
    opened(browser, address, index, width=1080, height=720)
    picture(browser, reps[1]["turn"], file)
    expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling in the picture")


# Clips of squat-sample, and how many differences the raters' files have there.
DIFFERENCES = {
    "s01_front_1": 4, "s01_side_2": 2, "s01_oblique_3": 1, "s02_side_1": 2, "s02_front_3": 2, "s03_oblique_1": 1,
    "s03_front_2": 7, "s03_side_3": 0, "s04_front_1": 2, "s04_side_2": 1, "s04_oblique_3": 1, "s05_side_1": 1}


def make_raters(table, folder):
    """Writes anna.json and ben.json: Anna's reps are those of a table reps.csv, Ben's end 0.04 s later, but for DIFFERENCES."""
    anna, ben = {}, {}
    with open(table, newline="") as lines:
        for row in csv.DictReader(lines):
            if row["clip"] not in DIFFERENCES:
                continue
            for clips, later in ((anna, 0), (ben, 0.04)):
                own = clips.setdefault(row["clip"], {
                    "reps": [], "events": [], "intervals": [], "faults": {}, "grades": {}, "noReps": False,
                    "isUnsure": False, "isDone": True, "comment": ""})
                start, turn, end = (round(float(row[key]), 3) for key in ("start_s", "turn_s", "end_s"))
                own["reps"].append({
                    "start": start, "turn": turn, "end": round(end + later, 3), "faults": {}, "grades": {"form": 80}})

    reps = lambda rater, clip: rater[clip]["reps"]
    # A fault, a grade, a missed rep, a late end.
    first = reps(ben, "s01_front_1")
    reps(anna, "s01_front_1")[0]["faults"], first[1]["grades"] = {"shallow": True}, {"form": 40}
    first[3]["end"] += 0.3
    del first[2]
    reps(ben, "s01_side_2")[1]["end"] += 0.3
    del reps(ben, "s01_side_2")[0]
    # Ben has a rep more, and it begins before the middle of the two ends of the one before it.
    early = reps(ben, "s01_oblique_3")[0]
    early["end"] -= 0.24
    reps(ben, "s01_oblique_3").insert(1, {**early, "start": early["end"], "turn": early["end"] + 0.4, "end": early["end"] + 0.8})
    # Ben sees two reps in Anna's first one.
    whole = reps(anna, "s02_side_1")[0]
    length = whole["end"] - whole["start"]
    half = {"start": whole["start"], "end": whole["start"] + 0.52 * length, "faults": {}, "grades": {"form": 80}}
    reps(ben, "s02_side_1")[:1] = [half, {**half, "start": whole["start"] + 0.53 * length, "end": whole["end"]}]
    del whole["turn"]
    reps(ben, "s02_front_3")[0]["faults"], reps(ben, "s02_front_3")[2]["grades"] = {"shallow": True}, {"form": 60}
    reps(ben, "s03_oblique_1")[1]["end"] += 0.3
    ben["s03_oblique_1"].update(isUnsure=True, comment="far away")
    ben["s03_front_2"].update(reps=[], noReps=True)
    # An interval and a fault of the whole clip.
    anna["s04_front_1"].update(intervals=[{"start": 0.2, "end": 1.2, "label": "negative"}], faults={"shallow": True})
    reps(ben, "s04_side_2")[0]["end"] += 0.3
    ben["s04_side_2"]["draft"] = "squat-states"
    del ben["s04_oblique_3"], anna["s05_side_1"]
    for rater, clips in (("anna", anna), ("ben", ben)):
        content = {"clips": clips, "format": "bench-labels-1", "rater": rater}
        (folder / f"{rater}.json").write_text(json.dumps(content))


# Two raters' reps: how many match by at least half of their union, and how many there are.
def matched(one, other):
    def overlap(a, b):
        shared = min(a["end"], b["end"]) - max(a["start"], b["start"])
        return max(0, shared) / (max(a["end"], b["end"]) - min(a["start"], b["start"]))

    pairs, free = [], list(other)
    for own in one:
        near = max(free, key=lambda rep: overlap(own, rep), default=None)
        if near and overlap(own, near) >= 0.5:
            free.remove(near)
            pairs.append((own, near))
    return pairs, len(one) + len(other) - len(pairs)


def check_adjudication(browser, address, axe, pictures):
    """Each rater's lane, the differences, most first, and take one or the other."""
    browser.facts = facts(browser, address)
    names, clips = browser.facts["labelling"]["raters"], [clip["id"] for clip in browser.facts["clips"]]
    raters = ask(address, "raters")
    first, second = names[:2]
    common = [clip for clip in clips if clip in raters[first] and clip in raters[second]]
    pairs, reps, apart = 0, 0, []
    for clip in common:
        found, of = matched(raters[first][clip]["reps"], raters[second][clip]["reps"])
        pairs, reps = pairs + len(found), reps + of
        apart += [abs(a["end"] - b["end"]) for a, b in found]
    apart.sort()
    median = (apart[(len(apart) - 1) // 2] + apart[len(apart) // 2]) / 2
    finding = browser.run("return document.getElementById('finding').textContent")
    for words in (f"{first} and {second}: {pairs} of {reps} reps matched", f"ends {median:.2f} s apart (median)"):
        expect(words in finding, f"{words}, found {finding}")
    rows = browser.run("return [...document.querySelectorAll('#clips li button')].map(b => [Number(b.dataset.clip), b.querySelector('.state').textContent])")
    counts = [int(words.split()[0]) if "difference" in words else int(words.startswith("only ")) for _, words in rows]
    expect(counts == sorted(counts, reverse=True), f"most differences first, found {rows}")
    found = {clips[index].split("/")[1]: number for (index, _), number in zip(rows, counts)}
    expect(found == {clip: DIFFERENCES.get(clip, 0) for clip in found}, f"the differences {DIFFERENCES}, found {found}")
    check_looks(browser, address, rows[1][0], axe)
    if pictures:
        clip = opened(browser, address, rows[1][0], width=1080, height=720)
        picture(browser, raters[first][clip]["reps"][0]["turn"], pictures / "adjudicate.png")
    clip = opened(browser, address, rows[0][0])
    listed = "document.querySelectorAll('#differences li').length"
    expect(browser.run("return " + listed) == counts[0], "each difference in a list")
    expect(browser.run("return document.getElementById('timeline').clientHeight") > 120, "a lane of each rater")

    # A key decides the difference that is chosen, and chooses the next.
    current = "document.querySelector('#differences [aria-current] button').textContent"
    before = browser.until("a difference to be chosen", current)
    browser.press("a")
    browser.until("the next difference", current + " !== arguments[0]", before)
    labels = saved(browser, address, clip, "the adjudicator's labels", lambda own: own is not None)
    expect(len(labels["reps"]) >= 1, f"what the raters agree on to be taken, found {labels}")
    browser.press(ENTER)
    said(browser, "still open")
    browser.press("u")
    browser.until("undo to open it again", "document.querySelectorAll('#differences .decided').length === 0")
    browser.press("np")
    browser.until("p to go back", current + " === arguments[0]", before)
    # One after the other, with hand-made ones between, until none is open.
    browser.press("m")
    browser.until("one to be kept", "document.querySelectorAll('#differences .decided').length === 1")
    browser.click("#differences [aria-current] button:nth-of-type(3)")
    browser.until("a button to decide", "document.querySelectorAll('#differences .decided').length === 2")
    browser.press("b" * (counts[0] - 2))
    browser.until("all to be decided", "document.querySelectorAll('#differences .decided').length === arguments[0]", counts[0])
    browser.press(ENTER)
    saved(browser, address, clip, "the clip to be done", lambda own: own["isDone"])
    second_clip = clips[rows[1][0]]
    loaded(browser, second_clip)
    check_overlaps(browser, address, raters[second], clips)
    check_takes(browser, address, raters, names, clips)
    lone = next((index for index, clip in enumerate(clips) if (clip in raters[first]) != (clip in raters[second])), None)
    if lone is not None:
        clip = opened(browser, address, lone)
        browser.press(ENTER)
        said(browser, "still open")
        side = 0 if clip in raters[first] else 1
        browser.press("ab"[side])
        saved(browser, address, clip, f"all labels of {names[side]}", lambda own: len(own["reps"]) == len(raters[names[side]][clip]["reps"]))


def check_overlaps(browser, address, theirs, clips):
    """A rep that is taken moves the edge of its neighbour, or removes it, and the page says so."""
    decided = lambda number: browser.until(
        f"{number} to be decided", "document.querySelectorAll('#differences .decided').length === arguments[0]", number)
    clip = opened(browser, address, clips.index("squat-sample/s01_oblique_3"))
    reps = theirs[clip]["reps"]
    browser.press("b")
    labels = saved(browser, address, clip, "the rep that is Ben's alone", lambda own: len(own["reps"]) == len(reps))
    found = [labels["reps"][0]["end"], labels["reps"][1]["start"]]
    expect(found == [reps[1]["start"]] * 2, f"the rep before it to end where it starts, found {found}")
    said(browser, f" s overlapped it and is now {labels['reps'][0]['start']:.2f}–{found[0]:.2f} s. Press u to undo.")
    browser.press("u")
    decided(0)
    clip = opened(browser, address, clips.index("squat-sample/s02_side_1"))
    browser.press("b")
    saved(browser, address, clip, "both of Ben's reps", lambda own: len(own["reps"]) == len(theirs[clip]["reps"]))
    said(browser, " s overlapped it and is now ")
    browser.press("a")
    saved(browser, address, clip, "Anna's rep instead of both", lambda own: len(own["reps"]) == len(theirs[clip]["reps"]) - 1)
    said(browser, " s overlapped it and is removed.")
    browser.press("uu")
    decided(0)
    expect(not browser.run("return document.getElementById('trouble').textContent"), "every step to be saved")


def check_takes(browser, address, raters, names, clips):
    """Taking one rater's side of everything gives that rater's reps, also after a change of mind."""
    seen = lambda rep: {name for name, present in rep["faults"].items() if present}
    alike = lambda rep, other: (
        abs(rep["end"] - other["end"]) <= 0.126 and seen(rep) == seen(other) and rep["grades"] == other["grades"])
    for index in (clips.index(f"squat-sample/{clip}") for clip in ("s01_front_1", "s02_side_1")):
        clip = opened(browser, address, index)
        number = browser.run("return document.querySelectorAll('#differences li').length")
        browser.press("a" * number)
        browser.until("all to be decided", "document.querySelectorAll('#differences .decided').length === arguments[0]", number)
        for key, side in (("", 0), ("b", 1), ("a", 0)):
            if key:
                browser.press("p" * number + (key + "n") * number)
            theirs = raters[names[side]][clip]["reps"]
            saved(browser, address, clip, f"the reps {theirs}",
                  lambda own: len(own["reps"]) == len(theirs) and all(map(alike, own["reps"], theirs)))
        expect(not browser.run("return document.getElementById('trouble').textContent"), "every step to be saved")


def simulate(reps=5, speed=1):
    """Minutes for ten clips: every key after the rater's reaction, and the whole clip played."""
    # Space; s and e of each rep; p, f and 1; Enter.
    keys = 1 + 2 * reps + 3 + 1
    return CLIPS * (keys * REACTION + SECONDS / speed) / 60


def measure(browser, address):
    """Minutes that a scripted rater really takes for ten clips, as for clips of 16 s."""
    facts(browser, address)
    rows = browser.run("return [...document.querySelectorAll('#clips li button')].map(b => Number(b.dataset.clip))")
    labelled, clips = ask(address, "labels"), [clip["id"] for clip in browser.facts["clips"]]
    begin = 1 + max(at for at, index in enumerate(rows) if clips[index] in labelled)
    order = rows[begin:begin + CLIPS]
    expect(len(order) == CLIPS, f"{CLIPS} clips without labels at the end of the list, found {len(order)}")
    truth = {index: ask(address, f"clip?clip={index}") for index in order}
    browser.run("document.querySelector(`#clips [data-clip='${arguments[0]}']`).click()", order[0])
    begin, length, late = time.monotonic(), 0, []
    for index in order:
        clip = truth[index]["id"]
        loaded(browser, clip)
        marks = [(edge, rep[key]) for rep in truth[index]["truth"] for edge, key in (("s", "start"), ("e", "end"))]
        length += truth[index]["times"][-1]
        time.sleep(REACTION)
        browser.press(" ")
        for key, moment in marks:
            while (rest := moment - browser.run("return player.time")) > 0:
                time.sleep(max(0.01, rest * 0.8))
            time.sleep(REACTION)
            browser.press(key)
            late.append(browser.run("return player.time") - moment)
        while (rest := browser.run("return player.clip.times.at(-1) - player.time")) > 0:
            time.sleep(max(0.02, rest * 0.8))
        for key in "pf1" if marks else "z":
            time.sleep(REACTION)
            browser.press(key)
        time.sleep(REACTION)
        browser.press(ENTER)
        saved(browser, address, clip, f"{len(marks) / 2:.0f} reps of {clip}", lambda own: own["isDone"] and len(own["reps"]) == len(marks) / 2)
    minutes = (time.monotonic() - begin) / 60
    print(f"measured: {minutes:.2f} minutes for {CLIPS} clips of {length / CLIPS:.1f} s; marks {sum(late) / len(late):.2f} s late")
    return minutes * CLIPS * SECONDS / length


def facts(browser, address):
    show(browser, address)
    browser.until("the page", "document.getElementById('label-facts') && document.querySelector('#clips li') && player.clip")
    return browser.run("return JSON.parse(document.getElementById('label-facts').textContent)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address", nargs="?")
    parser.add_argument("--adjudicate", metavar="ADDRESS", help="check also a page with the files of --make-raters")
    parser.add_argument("--pictures", type=pathlib.Path, help="take label.png and adjudicate.png into this folder")
    parser.add_argument("--axe", metavar="WHEEL", help="check accessibility with axe-core out of this package")
    parser.add_argument("--measure", action="store_true", help="mark ten clips in real time")
    parser.add_argument("--make-raters", metavar="FOLDER", type=pathlib.Path, help="write two raters' files and end")
    given = parser.parse_args()
    if given.make_raters:
        make_raters(pathlib.Path(__file__).parent.parent / "datasets/squat-sample/reps.csv", given.make_raters)
        return
    if not given.address:
        parser.error("expected the ADDRESS of a page of bench view --label")
    own = tuple(address for address in (given.address, given.adjudicate) if address)
    axe, browser = axe_script(given.axe), Browser()
    try:
        browser.facts = facts(browser, given.address)
        expect(not ask(given.address, "labels"), "a labels file that does not exist yet")
        check_first_key(browser, given.address)
        order = check_order(browser, given.address)
        check_blind(browser, given.address, order[0])
        check_reps(browser, given.address, order[0])
        check_edges(browser, given.address, order[0])
        check_zoom(browser, given.address, order[0])
        check_judgements(browser, given.address, order[0])
        check_flags(browser, given.address, order)
        check_help(browser, given.address, order[0])
        check_looks(browser, given.address, order[0], axe)
        check_draft(browser, given.address, order[3:])
        require_quiet(browser, own)
        check_refusals(browser, given.address, order[0])
        require_quiet(browser, own, ("409",))
        if given.pictures:
            picture_labels(browser, given.address, order[2], given.pictures / "label.png")
        minutes = simulate()
        print(f"computed: {minutes:.2f} minutes for {CLIPS} clips of {SECONDS} s, {simulate(speed=1.5):.2f} at speed 1½")
        if given.measure:
            minutes = measure(browser, given.address)
            print(f"measured, as for clips of {SECONDS} s: {minutes:.2f} minutes")
        expect(minutes <= LIMIT, f"at most {LIMIT} minutes, found {minutes:.2f}")
        if given.adjudicate:
            check_adjudication(browser, given.adjudicate, axe, given.pictures)
        require_quiet(browser, own)
    finally:
        browser.close()
    print("labelling: marks, edges, grades, faults, drafts, order" + (", differences of two raters" if given.adjudicate else "") + "; no errors")


main()
