"""Headless Chromium through chromedriver (W3C WebDriver), and the checks that hold for every page."""

import base64
import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile


class Browser:
    """One session. Values that scripts return are JSON."""

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
        # A page may ask before it is left with something unfinished.
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "unhandledPromptBehavior": "accept",
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += f"/session/{session['sessionId']}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script, *values):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(values)})

    def wait(self, script, *values):
        """What a script gives to the function that is its last argument."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(values)})

    def until(self, words, script, *values):
        """Waits at most 10 s until an expression is true, and returns its value."""
        end = time.monotonic() + 10
        while not (found := self.run("return " + script, *values)):
            if time.monotonic() > end:
                sys.exit(f"expected {words}, found {self.run('return document.body.innerText')[:2500]}")
            time.sleep(0.02)
        return found

    def devtools(self, command, **values):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": values})

    def element(self, selector):
        return next(iter(self.call("POST", "/element", {"using": "css selector", "value": selector}).values()))

    def type(self, text, selector="#player"):
        self.call("POST", f"/element/{self.element(selector)}/value", {"text": text})

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

    def close(self):
        with contextlib.suppress(OSError):
            self.call("DELETE", "")
        self.driver.terminate()


def expect(holds, words):
    if not holds:
        sys.exit(f"expected {words}")


def use_screen(browser, width, scheme, motion="reduce", height=900):
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    browser.devtools("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])


def show(browser, address, width=1200, scheme="light", motion="reduce", height=900):
    """Opens a page; with less motion nothing plays before it is told to."""
    use_screen(browser, width, scheme, motion, height)
    browser.call("POST", "/url", {"url": "about:blank"})
    browser.call("POST", "/url", {"url": address})


def axe_script(wheel):
    """axe-core's script, out of a package that carries it."""
    if not wheel:
        print("axe-core could not be had: accessibility is not checked")
        return None
    with zipfile.ZipFile(wheel) as package:
        return package.read("axe_playwright_python/axe.min.js").decode()


def require_accessible(browser, axe, place):
    """Runs axe-core, if it is there: nothing that it calls serious or critical."""
    if axe:
        browser.run(axe)
        found = browser.wait("const done = arguments[0]; axe.run({ resultTypes: ['violations'] }).then(done, done);")
        serious = [
            f"{rule['id']}: {rule['help']}, {node['html'][:200]} {node['failureSummary']}"
            for rule in found["violations"] if rule["impact"] in ("serious", "critical") for node in rule["nodes"]]
        expect(not serious, f"no serious finding of axe-core {place}, found {serious[:5]}")


def require_quiet(browser, own, allowed=()):
    """No error on the console but those with a word of `allowed`, and no request to anywhere but the page's own addresses."""
    log = lambda kind: browser.call("POST", "/se/log", {"type": kind})
    errors = [entry["message"] for entry in log("browser") if entry["level"] == "SEVERE"]
    errors = [error for error in errors if not any(word in error for word in allowed)]
    expect(not errors, f"no error on the console, found {errors}")
    asked = set()
    for entry in log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.add(message["params"]["request"]["url"].split("#")[0])
    foreign = {url for url in asked if not url.startswith(own) and not url.startswith(("data:", "about:", "blob:"))}
    expect(not foreign, f"no request, found {sorted(foreign)}")


def take(browser, file, width, height):
    """A picture of the page's first screen, as it is."""
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    time.sleep(0.5)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(browser.devtools("Page.captureScreenshot", format="png")["data"]))
