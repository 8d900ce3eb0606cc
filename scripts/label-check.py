"""Checks the page of bench view --label in headless Chromium, by real keys and a real mouse.

The page needs a dataset of ten clips with reps, and a labels file that does not exist yet.
"""

import argparse
import base64
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile

LEFT, RIGHT, UP, DOWN, TAB, ENTER, ESCAPE, SHIFT = "\ue012", "\ue014", "\ue013", "\ue015", "\ue004", "\ue007", "\ue00c", "\ue008"
KEYS = {"reps", "events", "intervals", "faults", "grades", "noReps", "isUnsure", "isDone", "comment"}
REACTION, CLIPS, SECONDS, LIMIT = 0.3, 10, 16, 4


class Browser:
    def __init__(self):
        with contextlib.closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                if self.call("GET", "/status")["ready"]:
                    break
            except OSError:
                time.sleep(0.1)
        options = {"args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "unhandledPromptBehavior": "accept",
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += f"/session/{session['sessionId']}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script, *values):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(values)})

    def until(self, words, script, *values):
        """Waits until a script returns something true, and returns that."""
        for _ in range(100):
            found = self.run("return " + script, *values)
            if found:
                return found
            time.sleep(0.05)
        sys.exit(f"expected {words}, found {self.run('return document.body.innerText')[:2500]}")

    def devtools(self, command, **values):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": values})

    def press(self, keys):
        """Real key events, wherever the focus is."""
        acts = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": acts}]})

    def mouse(self, kind, x, y, **more):
        self.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for share in (0.5, 1):
            self.mouse("mouseMoved", *(a + share * (b - a) for a, b in zip(start, end)), button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def click(self, selector):
        box = self.run("""const e = document.querySelector(arguments[0]); e.scrollIntoView({ block: 'nearest' });
            const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]""", selector)
        self.drag(box, box)

    def said(self, words):
        self.until(f"the page to say {words}", "document.getElementById('saved').textContent.includes(arguments[0])", words)

    def close(self):
        with contextlib.suppress(OSError):
            self.call("DELETE", "")
        self.driver.terminate()


def expect(holds, words):
    if not holds:
        sys.exit(f"expected {words}")


def ask(address, path):
    with urllib.request.urlopen(address + path, timeout=60) as answer:
        return json.load(answer)


def show(browser, address, width=1200, scheme="light", height=900):
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    browser.devtools("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
    browser.call("POST", "/url", {"url": "about:blank"})
    browser.call("POST", "/url", {"url": address})


def opened(browser, address, index, **more):
    """Shows the page at a clip."""
    clip = browser.facts["clips"][index]["id"]
    show(browser, address + "#clip=" + urllib.request.quote(clip, safe=""), **more)
    loaded(browser, clip)
    browser.run("player.seek(player.clip.times[0])")
    return clip


def loaded(browser, clip):
    browser.until(f"the clip {clip}", "document.querySelector('#name')?.textContent.startsWith(arguments[0].split('/').pop()) && player.clip?.id === arguments[0]", clip)


def saved(browser, address, clip, words, holds):
    """The clip's labels in the file, once they are as expected."""
    found = None
    for _ in range(60):
        found = ask(address, "labels").get(clip)
        with contextlib.suppress(TypeError, KeyError, IndexError):
            if holds(found):
                return found
        time.sleep(0.05)
    sys.exit(f"expected {words}, found {json.dumps(found)}; the page says {browser.run('return saved.textContent + trouble.textContent')}")


def require_quiet(browser, allowed=()):
    errors = [entry["message"] for entry in browser.call("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
    errors = [error for error in errors if not any(code in error for code in allowed)]
    expect(not errors, f"no error on the console, found {errors}")


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
    browser.said("Speed: ")
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
    browser.said("Mark the start first")
    browser.press(RIGHT * 10 + "s" + RIGHT * 8 + "t" + RIGHT * 8)
    expect(clip not in ask(address, "labels"), "a rep without its end to be on the page only")
    browser.press("e")
    times = browser.run("return player.clip.times")
    labels = saved(browser, address, clip, "a rep", lambda own: len(own["reps"]) == 1)
    expect(KEYS <= set(labels) and "draft" not in labels, f"every key, found {sorted(labels)}")
    rep = labels["reps"][0]
    expect([rep["start"], rep["turn"], rep["end"]] == [round(times[i], 3) for i in (10, 18, 26)], f"frames 10, 18 and 26, found {rep}")
    expect(rep["faults"] == {} and rep["grades"] == {}, f"neither faults nor grades, found {rep}")
    # A rep that begins where the last ends takes one key.
    browser.press(RIGHT * 4 + "s" + RIGHT * 20 + "s" + RIGHT * 20 + "e")
    labels = saved(browser, address, clip, "three reps", lambda own: len(own["reps"]) == 3)
    expect(labels["reps"][1]["end"] == labels["reps"][2]["start"], f"two reps that meet, found {labels['reps']}")
    browser.press(LEFT * 5 + "s")
    browser.said("A rep is marked here")
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
    browser.said("Mark the end first")
    browser.press("u")
    browser.said("Start removed")
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
    browser.said("start of rep 1")
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
    browser.said("This end can go no further")
    browser.press("u")
    saved(browser, address, clip, "one undo for both", lambda own: own["reps"][0] == rep)

    browser.run("player.seek(player.clip.times[5])")
    browser.press("i" + RIGHT * 12 + "i")
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
    browser.said("Label: ")
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


def check_flags(browser, address, order):
    """No reps, unsure, comment; Enter marks the clip done and goes on in the order of the list."""
    clip, following = (browser.facts["clips"][order[at]]["id"] for at in (1, 2))
    opened(browser, address, order[1])
    browser.press(ENTER)
    browser.said("Nothing is marked")
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


def check_draft(browser, address, order):
    """A draft is copied where asked for, and remains one."""
    name = browser.facts["labelling"]["detector"]
    index, found = next((index, found) for index in order if (found := ask(address, f"clip?clip={index}")["found"]))
    clip = opened(browser, address, index)
    browser.press("d")
    labels = saved(browser, address, clip, "a draft", lambda own: own["draft"] == name)
    marks = len(labels["reps"]) + len(labels["events"])
    expect(marks == len(found), f"{len(found)} marks, found {labels}")
    words = f"Draft from {name}: these labels are left out where {name} is judged."
    shown = "document.getElementById('draft').innerText"
    expect(browser.run("return " + shown) == words, f"the page to say so, found {browser.run('return ' + shown)}")
    browser.press("u")
    saved(browser, address, clip, "a draft that is undone to remain one", lambda own: own["draft"] == name and not own["reps"])
    browser.press("d")
    saved(browser, address, clip, "the draft again", lambda own: len(own["reps"]) + len(own["events"]) == marks)
    browser.press("d")
    browser.said("This clip has marks already")
    opened(browser, address, index)
    expect(browser.run("return " + shown) == words, "the page to say so after a reload")


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
    status = browser.call("POST", "/execute/async", {"script": POST, "args": [clip, before, other]})
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


def check_looks(browser, address, index, axe, pictures, name):
    for width in (400, 1200):
        for scheme in ("light", "dark"):
            place = f"at {width} pixels, {scheme}"
            opened(browser, address, index, width=width, scheme=scheme)
            wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
            expect(wide <= 0, f"no sideways scrolling {place}, found {wide} pixels too many")
            require_names(browser, place)
            require_accessible(browser, axe, place)
            if pictures:
                take(browser, pictures / f"{name}-{width}-{scheme}.png", width)


def require_accessible(browser, axe, place):
    if not axe:
        return
    browser.run(axe)
    found = browser.call("POST", "/execute/async", {"args": [], "script": "const done = arguments[0]; axe.run({ resultTypes: ['violations'] }).then(done, done);"})
    serious = [
        f"{rule['id']}: {rule['help']}, {node['html'][:200]} {node['failureSummary']}"
        for rule in found["violations"] if rule["impact"] in ("serious", "critical") for node in rule["nodes"]]
    expect(not serious, f"no serious finding of axe-core {place}, found {serious[:5]}")


def take(browser, file, width):
    if width < 1000:
        height = browser.run("return document.documentElement.scrollHeight")
        browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    time.sleep(0.3)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(browser.devtools("Page.captureScreenshot", format="png")["data"]))


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
    expect(counts == sorted(counts, reverse=True) and counts[0] > 1, f"most differences first, found {rows}")
    clip = clips[rows[0][0]]
    loaded(browser, clip)
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
    browser.said("still open")
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
    check_takes(browser, address, raters, names, clips, rows)
    lone = next((index for index, clip in enumerate(clips) if (clip in raters[first]) != (clip in raters[second])), None)
    if lone is not None:
        clip = opened(browser, address, lone)
        browser.press(ENTER)
        browser.said("still open")
        side = 0 if clip in raters[first] else 1
        browser.press("ab"[side])
        saved(browser, address, clip, f"all labels of {names[side]}", lambda own: len(own["reps"]) == len(raters[names[side]][clip]["reps"]))
    check_looks(browser, address, rows[7][0], axe, pictures, "adjudicate")


def check_takes(browser, address, raters, names, clips, rows):
    """Taking one rater's side of everything gives that rater's reps, also after a change of mind."""
    seen = lambda rep: {name for name, present in rep["faults"].items() if present}
    alike = lambda rep, other: (
        abs(rep["end"] - other["end"]) <= 0.126 and seen(rep) == seen(other) and rep["grades"] == other["grades"])
    for index, _ in rows[1:5]:
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


def axe_script(wheel):
    if not wheel:
        return None
    with zipfile.ZipFile(wheel) as package:
        return package.read("axe_playwright_python/axe.min.js").decode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("--adjudicate", metavar="ADDRESS")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--axe")
    parser.add_argument("--measure", action="store_true", help="mark ten clips in real time")
    given = parser.parse_args()
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
        check_looks(browser, given.address, order[0], axe, given.pictures, "label")
        check_draft(browser, given.address, order[3:])
        require_quiet(browser)
        check_refusals(browser, given.address, order[0])
        require_quiet(browser, ("409",))
        minutes = simulate()
        print(f"computed: {minutes:.2f} minutes for {CLIPS} clips of {SECONDS} s, {simulate(speed=1.5):.2f} at speed 1½")
        if given.measure:
            minutes = measure(browser, given.address)
            print(f"measured, as for clips of {SECONDS} s: {minutes:.2f} minutes")
        expect(minutes <= LIMIT, f"at most {LIMIT} minutes, found {minutes:.2f}")
        if given.adjudicate:
            check_adjudication(browser, given.adjudicate, axe, given.pictures)
        require_quiet(browser)
    finally:
        browser.close()
    print("labelling: marks, edges, grades, faults, drafts, order" + (", differences of two raters" if given.adjudicate else "") + "; no errors")


main()
