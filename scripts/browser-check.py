"""Checks the pages that bench makes and serves in headless Chromium through chromedriver (W3C WebDriver)."""

import argparse
import base64
import html
import json
import os
import pathlib
import random
import subprocess
import time

from browser import Browser, axe_script, expect, require_accessible, require_quiet, show, take

RIGHT, TAB, ENTER = "\ue014", "\ue004", "\ue007"
# The most that a report of the sample suite takes: bytes, or words where a reader counts.
LIMITS = {"report.html": 800_000, "broke.png": 150_000, "report.md": 3000, "comment.md": 700}
STATUS = "document.querySelector('#player [data-part=status]').textContent"
LOOK = """
const [body, lanes] = ['body', 'lanes'].map(n => document.querySelector('#player [data-part=' + n + ']'));
const ink = canvas => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3]) sum = (sum * 31 + i) % 1000003;
  return sum;
};
return {
  hidden: document.getElementById('player').hidden, status: document.querySelector('[data-part=status]').textContent,
  body: ink(body), lanes: ink(lanes), wide: document.documentElement.scrollWidth - innerWidth, hash: location.hash,
};
"""


def check_sizes(folder):
    for name, limit in LIMITS.items():
        content = (folder / name).read_bytes()
        size = len(content)
        if name.endswith(".md"):
            size = sum(any(letter.isalnum() for letter in word) for word in content.decode().split())
        expect(0 < size <= limit, f"at most {limit} of {name}, found {size}")


def check_player(browser, address, axe, width, scheme):
    show(browser, address, width, scheme)
    place = f"at {width} pixels, {scheme}"
    start = browser.run(LOOK)
    expect(not start["hidden"] and start["body"] and start["lanes"], f"a skeleton and its lanes {place}, found {start}")
    expect(start["wide"] <= 0, f"no sideways scrolling {place}, found {start['wide']} pixels too many")
    expect("needs < 100°" in start["status"], f"the first rep that is missed {place}, found {start['status']}")

    browser.type(RIGHT * 20)
    moved = browser.run(LOOK)
    expect(moved["body"] != start["body"], f"another pose after twenty frames {place}")
    expect(moved["lanes"] != start["lanes"], f"the mark to move {place}")
    expect("&t=" in moved["hash"], f"an address with the time {place}, found {moved['hash']}")
    browser.type("n")
    expect(browser.run(LOOK)["status"] != moved["status"], f"n to go to a rep {place}")

    clip = browser.run("return JSON.parse(document.getElementById('played-clips').textContent)[0].id")
    browser.run(f"location.hash = '#clip={clip}&t=6.2'")
    time.sleep(0.2)
    linked = browser.run(LOOK)["status"]
    expect(linked.startswith("6.20 s") and "before (bottomAngle 90): " in linked, f"6.20 s beside what was before {place}, found {linked}")

    browser.run("document.querySelector('[data-part=play]').click()")
    time.sleep(1)
    browser.run("document.querySelector('[data-part=play]').click()")
    played = float(browser.run(LOOK)["status"].split()[0])
    expect(6.5 < played < 9, f"about a second to be played {place}, found {played - 6.2:.2f} s")
    require_accessible(browser, axe, place)


def check_beginning(browser, address, width):
    """The first clip plays by itself, without sound, unless people want less motion or a link names a moment."""
    place = f"at {width} pixels"
    show(browser, address, width, "light", motion="no-preference")
    browser.run("document.getElementById('player').scrollIntoView()")
    browser.until(f"the first clip to play {place}", "document.querySelector('[data-part=play]').textContent === 'Pause'")
    first = browser.run("return player.time")
    browser.until(f"it to go on {place}", "player.time > arguments[0] + 0.3", first)
    expect(browser.run("return document.querySelector('#player video').muted"), f"no sound {place}")
    expect(not browser.run("return location.hash"), f"no address before anybody acts {place}")
    browser.type(RIGHT)
    stopped = browser.run("return [player.time, document.querySelector('[data-part=play]').textContent]")
    time.sleep(0.4)
    expect(stopped[1] == "Play" and browser.run("return player.time") == stopped[0], f"a step to stop it {place}")
    clip = browser.run("return encodeURIComponent(player.clip.id)")
    for motion, link in (("reduce", ""), ("no-preference", f"#clip={clip}&t=2.00")):
        show(browser, address + link, width, "light", motion)
        start = browser.run("document.getElementById('player').scrollIntoView(); return player.time")
        time.sleep(0.5)
        expect(browser.run("return player.time") == start, f"it to stand {place}, {motion} {link}")
        expect(not link or start == 2, f"2 s {place}, found {start}")


def check_pointer(browser, address):
    """Mouse and finger scrub in the lanes; a rep loops, at twice the speed."""
    show(browser, address, 1280, "light")
    box = browser.run("const b = document.querySelector('[data-part=lanes]').getBoundingClientRect(); return [b.left, b.right, b.top + 20]")
    at = lambda share: {"x": box[0] + 118 + share * (box[1] - box[0] - 126), "y": box[2]}
    end = browser.run("return player.clip.times.at(-1)")
    near = lambda share: f"Math.abs(player.time - {share * end}) < 0.1"
    browser.devtools("Input.dispatchMouseEvent", type="mousePressed", button="left", buttons=1, clickCount=1, **at(0.25))
    browser.until("a click to set the time", near(0.25))
    browser.devtools("Input.dispatchMouseEvent", type="mouseMoved", button="left", buttons=1, **at(0.5))
    browser.until("a drag to move it", near(0.5))
    browser.devtools("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **at(0.5))
    browser.devtools("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.devtools("Input.dispatchTouchEvent", type="touchStart", touchPoints=[at(0.7)])
    browser.until("a finger to set the time", near(0.7))
    for share in (0.72, 0.8):
        browser.devtools("Input.dispatchTouchEvent", type="touchMove", touchPoints=[at(share)])
    browser.until("a finger to move it", near(0.8))
    browser.devtools("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.devtools("Emulation.setTouchEmulationEnabled", enabled=False)

    rep = browser.run("""
        document.querySelector('[data-part=speed]').value = '2';
        document.querySelector('[data-part=loop]').click();
        const rep = player.clip.truth[1];
        player.seek(rep.end - 0.2);
        document.querySelector('[data-part=play]').click();
        return rep;""")
    browser.until("the rep again", "player.time < arguments[0].start + 0.5 && player.time >= arguments[0].start", rep)
    begin = browser.run("return [performance.now() / 1000, player.time]")
    time.sleep(0.4)
    now = browser.run("return [performance.now() / 1000, player.time]")
    browser.run("document.querySelector('[data-part=play]').click()")
    speed = (now[1] - begin[1]) / (now[0] - begin[0])
    expect(1.6 < speed < 2.4, f"twice the speed, found {speed:.2f}")


def check_ghost(browser, address, ghost):
    """The nearest correct rep stands behind a wrong one: of the same clip, or else of another."""
    show(browser, address, 1280, "light")
    plain = browser.run(LOOK)
    expect("ghost: " not in plain["status"], "no ghost at first")
    browser.run("document.querySelector('[data-part=ghost]').click()")
    beside = browser.run(LOOK)
    expect(ghost in beside["status"], f"{ghost}, found {beside['status']}")
    expect(beside["body"] != plain["body"], "a second skeleton")
    browser.run("document.querySelector('[data-part=ghost]').click()")
    expect(browser.run(LOOK)["body"] == plain["body"], "no ghost again")


# Every table, with all that is folded open.
TABLES = """
for (const fold of document.querySelectorAll('details')) fold.open = true;
const all = [...document.querySelectorAll('table')];
const box = table => table.parentElement.getBoundingClientRect();
const scrolls = table => table.parentElement.scrollWidth > table.parentElement.clientWidth;
const isTable = table => getComputedStyle(table).display === 'table' && table.querySelector('thead th[scope=col]')
  && [...table.rows].every(row => row.hidden || getComputedStyle(row).display === 'table-row')
  && [...table.tBodies[0].rows].every(row => row.cells[0].scope === 'row' && getComputedStyle(row.cells[0]).display === 'table-cell');
const wide = all.filter(scrolls);
for (const table of wide) table.parentElement.scrollLeft = 1000;
return {
  count: all.length, wide: document.documentElement.scrollWidth - innerWidth, scrolling: wide.length,
  stuck: wide.filter(table => !table.parentElement.scrollLeft || table.parentElement.tabIndex !== 0).length,
  broken: all.filter(table => !isTable(table)).length,
  // A gain and a reason are in sight wherever a table is scrolled to.
  unseen: all.flatMap(table => [...table.querySelectorAll('td.gain, td.why, th.pinned')]).filter(cell => {
    const at = cell.getBoundingClientRect();
    return at.width && (at.left < 0 || at.right > innerWidth + 0.5);
  }).length, gains: document.querySelectorAll('td.gain').length, reasons: document.querySelectorAll('td.why').length,
  outside: all.filter(table => box(table).left < 0 || box(table).right > innerWidth + 0.5).length,
};
"""


def check_tables(browser, address, width):
    """Tables stay tables on a phone, and scroll in their own boxes; the page never does."""
    show(browser, address, width, "light")
    found = browser.run(TABLES)
    place = f"at {width} pixels, found {found}"
    expect(found["count"] > 5 and not found["broken"], f"tables with their heads {place}")
    expect(found["wide"] <= 0 and not found["outside"], f"a page that is no wider than the screen {place}")
    expect(found["gains"] and found["reasons"] and not found["unseen"], f"each gain and reason in sight {place}")
    expect(not found["stuck"] and (width > 390 or found["scrolling"]), f"wide tables to scroll {place}")


# The table of clips by their wrong reps: how it is sorted, and the rows that are shown.
CLIPS = """
const table = document.querySelector('table[data-clips]');
const column = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent === 'wrong reps');
const head = table.tHead.rows[0].cells[column];
if (arguments[0]) head.querySelector('button').focus();
const wrong = row => Number(row.cells[column].textContent);
// A negative recording has no true count, so n/a wrong reps.
const isCounted = row => row.cells[column].textContent !== 'n/a';
const rows = [...table.tBodies[0].rows];
const all = rows.filter(isCounted).map(wrong);
const visible = rows.filter(row => !row.hidden);
const shown = visible.filter(isCounted);
return {
  least: Math.min(...all), most: Math.max(...all), sort: head.ariaSort, display: getComputedStyle(table).display, all: all.length,
  isCountedFirst: visible.every((row, index) => isCounted(row) === index < shown.length),
  wrong: shown.map(wrong), views: [...new Set(visible.map(row => row.dataset.view))],
};
"""
FILTER = """
const bar = document.querySelector('table[data-clips]').parentElement.previousElementSibling;
[...bar.querySelectorAll('select')].forEach((select, index) => {
  select.value = arguments[index];
  select.dispatchEvent(new Event('change'));
});
"""


def check_report(browser, address, axe, width, scheme):
    show(browser, address, width, scheme)
    place = f"in the report at {width} pixels, {scheme}"
    expect(not browser.run(LOOK)["hidden"], f"a player {place}")
    expect(browser.run(LOOK)["wide"] <= 0, f"no sideways scrolling {place}")
    words = browser.run("return document.body.innerText.split(/\\s+/).length")
    expect(500 < words <= 1500, f"at most 1,500 visible words {place}, found {words}")
    start = browser.run(CLIPS, True)
    expect(start["display"] == "table", f"a table {place}, found {start['display']}")
    expect(0 < len(start["wrong"]) < start["all"] and not start["sort"], f"the first clips {place}, found {start}")
    for order, key, first in (("ascending", ENTER, "least"), ("descending", " ", "most")):
        browser.press(key)
        found = browser.run(CLIPS)
        values = sorted(found["wrong"], reverse=order == "descending")
        expect(found["isCountedFirst"], f"clips without a count last {place}, found {found}")
        expect(found["sort"] == order and found["wrong"] == values and values[0] == found[first], f"clips in {order} order {place}, found {found}")
    browser.run(FILTER, "wrong", "front")
    found = browser.run(CLIPS)
    expect(found["views"] == ["front"] and all(found["wrong"]), f"wrong clips from the front {place}, found {found}")
    browser.run(FILTER, "all", "")
    expect(len(browser.run(CLIPS)["wrong"]) == start["all"], f"all clips {place}")

    # From a metric to its people, to a person's clips, to a rep.
    browser.run("document.querySelector('a[href=\"#each-person\"]').click()")
    browser.until(f"the people unfolded {place}", "document.getElementById('each-person').open")
    browser.run("document.querySelector('#each-person a[href*=squat][href*=s01]').click()")
    browser.until(f"the three clips of s01 of squat-sample {place}", """(rows => rows.length === 3 && rows.every(row => row.dataset.person.endsWith('/s01')) && rows)(
        [...document.querySelectorAll('table[data-clips] tbody tr')].filter(row => !row.hidden))""")
    browser.run("document.querySelector('table[data-clips] tr:not([hidden]) td a').click()")
    browser.until(f"the rep in the player {place}", f"player.clip.id.includes('s01') && {STATUS}.includes('needs < ') && location.hash.includes('&t=')")
    require_accessible(browser, axe, place)


FOCUS = "document.activeElement.id || document.activeElement.dataset.part || document.activeElement.textContent"


def check_view(browser, address, axe, width, scheme):
    place = f"on the page of bench view at {width} pixels, {scheme}"
    show(browser, address, width, scheme)
    start = browser.until(f"a count {place}", "document.getElementById('finding').textContent")
    status = browser.until(f"a clip {place}", STATUS)
    expect(browser.run(LOOK)["wide"] <= 0, f"no sideways scrolling {place}")

    # A slider changes the count of this clip and of all clips.
    browser.type(RIGHT * 12, "#set-bottomAngle")
    changed = browser.until(
        f"another count {place}", "(t => t.includes(', before') && t)(document.getElementById('finding').textContent)")
    expect(changed != start, f"a slider to change {start}")
    browser.until(f"what was before {place}", STATUS + ".includes('before (')")
    options = browser.run("return document.getElementById('options').textContent")
    expect(options.startswith("--set reps.squat-states.bottomAngle="), f"the command's option {place}, found {options}")
    browser.run("document.getElementById('reset').click()")
    browser.until(f"the first count again {place}", "document.getElementById('finding').textContent === arguments[0]", start)
    browser.until(f"nothing beside it {place}", "!" + STATUS + ".includes('before (')")

    # Filters and keys.
    all_clips = browser.run("return document.querySelectorAll('#clips li').length")
    browser.run("document.getElementById('failures').click()")
    wrong = browser.run("return document.querySelectorAll('#clips li').length")
    expect(0 < wrong < all_clips, f"fewer of {all_clips} clips that are wrong {place}, found {wrong}")
    browser.run("document.getElementById('failures').click()")
    first = browser.run("return location.hash.split('&')[0] || player.clip.id")
    browser.type("j")
    browser.until(f"j to go to another clip {place}", "player.clip.id !== arguments[0]", first)
    browser.type(RIGHT)
    expect("#clip=" in browser.run("return location.hash"), f"an address of clip and time {place}")
    require_accessible(browser, axe, place)
    return status


def check_compare(browser, address, axe, width, scheme):
    """The finding, and the clips that changed with the settings of both sides."""
    show(browser, address, width, scheme)
    place = f"in the comparison at {width} pixels, {scheme}"
    expect(browser.run(LOOK)["wide"] <= 0, f"no sideways scrolling {place}")
    expect(" clips changed" in browser.run("return document.querySelector('h1').textContent"), f"the finding {place}")
    status = browser.run("return " + STATUS)
    for side in ("now (bottomAngle 85): ", "before (bottomAngle 90): "):
        expect(side in status, f"{side}{place}, found {status}")
    shown = browser.run("return document.querySelector('figure img').currentSrc === document.querySelector('figure img').src")
    expect(shown == (width < 960 and scheme == "light"), f"the chart of this width and theme {place}")
    require_accessible(browser, axe, place)


def check_dataset(browser, address, axe, width, scheme):
    place = f"on a dataset's page at {width} pixels, {scheme}"
    show(browser, address, width, scheme, motion="no-preference")
    expect(browser.run(LOOK)["wide"] <= 0, f"no sideways scrolling {place}")
    inked = "return [...document.querySelectorAll('#clips canvas')].slice(0, 3).map(c => c.toDataURL()).join()"
    browser.run("document.getElementById('clips').scrollIntoView()")
    time.sleep(0.3)
    first = browser.run(inked)
    time.sleep(0.5)
    expect(browser.run(inked) != first, f"skeletons that move {place}")
    every = browser.run("return document.querySelectorAll('#clips li').length")
    browser.run("const s = document.querySelector('[data-filter=view]'); s.value = 'front'; s.dispatchEvent(new Event('change'))")
    front = browser.run("return [...document.querySelectorAll('#clips li')].map(row => row.querySelector('small').textContent)")
    expect(0 < len(front) < every and all("front" in words for words in front), f"clips from the front {place}, found {front}")
    browser.type(ENTER, "#clips li:last-child a")
    clip = browser.run("return document.querySelector('#clips li:last-child a').textContent")
    browser.until(f"{clip} in the player {place}", "player.clip.title === arguments[0]", clip)
    expect("labelled: " in browser.run("return " + STATUS), f"its labels {place}")
    require_accessible(browser, axe, place)


def check_fix(browser, address, is_asked):
    """What would fix a missed rep is said beside it, and no longer once another time is shown."""
    show(browser, address, 1280, "light")
    browser.until("a missed rep", "!document.querySelector('[data-part=mend]').hidden")
    browser.run("player.seek(player.clip.truth[1].turn); document.querySelector('[data-part=mend]').click()")
    words = "document.querySelector('[data-part=fixes]').textContent"
    browser.until("a change of a parameter that finds the rep", words + r".match(/^\w+ [\d.]+ → [\d.]+ finds this, .* other clips/)")
    expect(browser.run("return Boolean(player.clip.truth[1].fix)") != is_asked, "the answer in the page, or of the server")
    browser.run("player.seek(0)")
    expect(not browser.run("return " + words), "no answer about another time")


def check_reasons(browser, folder, view):
    """Ten clips with missed reps, picked by a seed: why is on the terminal, in the report, in the comment if it lists the clip, and in the view."""
    clips = json.loads((folder / "results.json").read_text())["clips"]
    missed = {clip["name"]: clip["outcomes"]["squat-states"]["missed"][0]["reason"]["words"]
              for clip in clips if clip["outcomes"].get("squat-states", {}).get("missed")}
    show(browser, (folder / "report.html").as_uri())
    rows = browser.run("return Object.fromEntries([...document.querySelectorAll('table[data-clips] tbody tr')].map(row => [row.cells[0].textContent, row.textContent]))")
    comment = html.unescape((folder / "comment.md").read_text().replace("\\", ""))
    listed = {line.split(" | ")[0].removeprefix("| "): line for line in comment.splitlines()}
    for name in random.Random(7).sample(sorted(missed), 10):
        command = ["./bench", "replay", name, "--suite", "squat", "--set", "reps.squat-states.bottomAngle=85"]
        said = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"COLUMNS": "200"}).stdout
        expect(missed[name] in "".join(said.splitlines(True)[:3]), f"why a rep of {name} is missed at once, found {said[:300]}")
        expect(missed[name] in rows[name], f"why in the report's row of {name}, found {rows[name]}")
        expect(missed[name] in listed.get(name, missed[name]), f"why in the comment's row of {name}, found {listed.get(name)}")
        started = time.monotonic()
        show(browser, f"{view}#clip=squat-sample%2F{name}")
        browser.until(f"{name} in the view", "player.clip && player.clip.id.endsWith(arguments[0])", "/" + name)
        browser.until(f"why in the view of {name}", f"(why => !why || {STATUS}.includes(why))(player.clip.truth.find(rep => !rep.isMatched)?.why)")
        expect(time.monotonic() - started < 5, f"why within 5 s in the view of {name}")


def check_keyboard(browser, address):
    """All that the page has is reached by the tabulator alone."""
    show(browser, address, 1280, "light")
    browser.until("a clip", STATUS)
    reached = set()
    for _ in range(140):
        browser.press(TAB)
        reached.add(browser.run("return " + FOCUS))
    for part in ("player", "play", "scrub", "speed", "failures", "reset", "set-bottomAngle"):
        expect(part in reached, f"the tabulator to reach {part}, found {sorted(reached)}")


RECORD = """
const done = arguments[arguments.length - 1], canvas = document.createElement('canvas'), chunks = [];
[canvas.width, canvas.height] = [320, 240];
const pen = canvas.getContext('2d'), start = performance.now();
const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
recorder.ondataavailable = event => chunks.push(event.data);
recorder.onstop = async () => {
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  done(btoa(text));
};
const draw = () => {
  const t = (performance.now() - start) / 1000;
  pen.fillStyle = 'hsl(' + t * 100 + ' 60% 60%)';
  pen.fillRect(0, 0, 320, 240);
  if (t < 3) requestAnimationFrame(draw); else recorder.stop();
};
recorder.start();
draw();
"""
VIDEO = "(v => [v.hidden, v.readyState, v.currentTime, v.error && v.error.message])(document.querySelector('video'))"


def record(browser, paths):
    """A video of 3 s, made by the browser."""
    browser.call("POST", "/url", {"url": "about:blank"})
    browser.call("POST", "/timeouts", {"script": 60000})
    video = base64.b64decode(browser.wait(RECORD))
    for path in paths:
        path.write_bytes(video)


def check_video(browser, address):
    """The video plays at the player's time."""
    show(browser, address, 1280, "light")
    browser.until("a video", "(v => !v.hidden && v.readyState >= 2)(document.querySelector('#player video'))")
    browser.run("player.seek(1.5)")
    browser.until("the video to follow", "Math.abs(document.querySelector('#player video').currentTime - 1.5) < 0.1")
    browser.run("player.seek(0); document.querySelector('[data-part=play]').click()")
    time.sleep(1)
    apart = browser.run("return Math.abs(document.querySelector('#player video').currentTime - player.time)")
    browser.run("document.querySelector('[data-part=play]').click()")
    expect(apart < 0.25, f"the video at the player's time while it plays, found {apart} s apart")


def check_lost_video(browser, address):
    """A video that is none is left out, and said so."""
    show(browser, address, 1280, "light")
    browser.until("words on the video", STATUS + ".includes('the browser cannot play its video')")
    expect(browser.run("return document.querySelector('#player video').hidden"), "no video")
    expect(browser.run(LOOK)["body"], "the skeleton alone")


def take_pictures(browser, folder, pages, view):
    ghost = "const g = document.querySelector('[data-part=ghost]'); if (!g.checked) g.click()"
    for name, address, width, height, script in (
        ("report.png", (pages / "report.html").as_uri(), 1080, 720, ""),
        ("report-phone.png", (pages / "report.html").as_uri(), 390, 720, ""),
        ("player.png", (pages / "missed.html").as_uri(), 1000, 600, ghost),
        ("view.png", view + "#clip=squat-sample%2Fs04_front_1", 1080, 720, ""),
        ("dataset.png", (pages / "dataset.html").as_uri(), 1080, 720, "document.getElementById('clips').scrollIntoView()"),
    ):
        show(browser, address, width, height=height)
        browser.until(f"the page of {name}", "document.readyState === 'complete'")
        browser.run(script)
        take(browser, folder / name, width, height)


def main():
    parser = argparse.ArgumentParser()
    for name in ("folder", "view"):
        parser.add_argument(name)
    parser.add_argument("--axe")
    parser.add_argument("--pictures", type=pathlib.Path)
    given = parser.parse_args()
    folder, axe = pathlib.Path(given.folder).resolve(), axe_script(given.axe)
    check_sizes(folder)
    browser = Browser()
    try:
        record(browser, [folder / "videos" / f"{clip}.webm" for clip in ("s03_front_2", "s09_front_2")])
        for width in (390, 1280):
            for scheme in ("light", "dark"):
                check_player(browser, (folder / "clip.html").as_uri(), axe, width, scheme)
                check_report(browser, (folder / "report.html").as_uri(), axe, width, scheme)
                check_compare(browser, (folder / "compare.html").as_uri(), axe, width, scheme)
                check_dataset(browser, (folder / "dataset.html").as_uri(), axe, width, scheme)
                check_view(browser, given.view, axe, width, scheme)
        for width in (390, 1280):
            check_beginning(browser, (folder / "report.html").as_uri(), width)
            check_tables(browser, (folder / "report.html").as_uri(), width)
        check_pointer(browser, (folder / "clip.html").as_uri())
        check_ghost(browser, (folder / "clip.html").as_uri(), "ghost: rep ")
        check_ghost(browser, (folder / "missed.html").as_uri(), "ghost: s")
        check_reasons(browser, folder, given.view)
        check_fix(browser, (folder / "missed.html").as_uri(), is_asked=False)
        check_fix(browser, given.view + "#clip=squat-sample%2Fs01_front_1", is_asked=True)
        require_quiet(browser, (folder.as_uri(), given.view))
        check_keyboard(browser, given.view)
        check_video(browser, (folder / "video.html").as_uri())
        report = (folder / "report-video.html").as_uri()
        check_video(browser, report)
        check_lost_video(browser, report + "#clip=squat-sample%2Fs01_front_1")
        require_quiet(browser, (folder.as_uri(), given.view))
        check_video(browser, given.view + "#clip=squat-sample%2Fs09_front_2")
        require_quiet(browser, (given.view,))
        if given.pictures:
            take_pictures(browser, given.pictures, folder, given.view)
    finally:
        browser.close()
    print("pages: begin, play, link, replay and take keys at 390 and 1280 pixels, light and dark; no errors, no requests")


main()
