"""Finds links of built pages to nothing, and whatever a page would load from another host."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The names of a page's places, and its links: the element, the address and the line."""

    def __init__(self, path):
        super().__init__()
        self.places = set()
        self.links = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.places |= {values.get("id"), values.get("name") if tag == "a" else None}
        for key in ("href", "src", "srcset", "poster", "data"):
            if values.get(key):
                self.links.append((tag, values[key], self.getpos()[0]))


def problems(folder):
    folder = folder.resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for tag, link, line in page.links:
            place = f"{path.relative_to(folder)}:{line}: <{tag}> {link}"
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if tag != "a":
                    yield f"{place}: expected a file of the site, found one of another host"
                continue
            # The page for a missing address may be shown at any depth.
            start = folder if link.startswith("/") else path.parent
            target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{place}: there is no such file"
            elif target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].places:
                yield f"{place}: there is no such heading"
    for path in sorted(folder.rglob("*.css")):
        for word in ("@import", "url(http", "url(//", "url('http", 'url("http'):
            if word in path.read_text(encoding="utf-8"):
                yield f"{path.relative_to(folder)}: expected files of the site, found {word}"
