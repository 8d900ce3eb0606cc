"""Checks a page with the player in headless Chromium through chromedriver (W3C WebDriver)."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

RIGHT = "\ue014"
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
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += f"/session/{session['sessionId']}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def devtools(self, command, **values):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": values})

    def element(self, selector):
        return next(iter(self.call("POST", "/element", {"using": "css selector", "value": selector}).values()))

    def type(self, text, selector="#player"):
        self.call("POST", f"/element/{self.element(selector)}/value", {"text": text})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def close(self):
        with contextlib.suppress(OSError):
            self.call("DELETE", "")
        self.driver.terminate()


def expect(holds, words):
    if not holds:
        sys.exit(f"player: expected {words}")


def check(browser, address, width, scheme):
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("POST", "/url", {"url": "about:blank"})
    browser.call("POST", "/url", {"url": address})
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
    expect(linked.startswith("6.20 s") and "before: " in linked, f"6.20 s beside what was before {place}, found {linked}")

    browser.run("document.querySelector('[data-part=play]').click()")
    time.sleep(1)
    browser.run("document.querySelector('[data-part=play]').click()")
    played = float(browser.run(LOOK)["status"].split()[0])
    expect(6.5 < played < 9, f"about a second to be played {place}, found {played - 6.2:.2f} s")


def main(page):
    address = pathlib.Path(page).resolve().as_uri()
    browser = Browser()
    try:
        for width in (390, 1280):
            for scheme in ("light", "dark"):
                check(browser, address, width, scheme)
        errors = [entry["message"] for entry in browser.log("browser") if entry["level"] == "SEVERE"]
        expect(not errors, f"no error on the console, found {errors}")
        asked = set()
        for entry in browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.add(message["params"]["request"]["url"].split("#")[0])
        foreign = {url for url in asked if url != address and not url.startswith(("data:", "about:"))}
        expect(not foreign, f"no request, found {sorted(foreign)}")
    finally:
        browser.close()
    print("player: plays, links and takes keys at 390 and 1280 pixels, light and dark; no errors, no requests")


main(sys.argv[1])
