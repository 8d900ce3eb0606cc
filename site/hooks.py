"""Takes the site's pages from the repository, as they are: README, docs, gallery, and all files that they link to.

MkDocs calls these functions: https://www.mkdocs.org/user-guide/configuration/#hooks
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
# The target of [text](target) or ![text](target).
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<target>[^)\s]+)\)")


def linked(page):
    """The files and folders of the repository that a page links to, as paths from its root, in their order."""
    for link in LINK.finditer((ROOT / page).read_text()):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link["target"].split("#")[0]))
        if "://" not in link["target"] and (ROOT / path).exists() and path != ".":
            yield path


def reachable():
    """The README, and every file that a page of these links to, in the order of the links."""
    found = ["README.md"]
    for path in found:
        if path.endswith(".md"):
            found += [other for other in dict.fromkeys(linked(path)) if other not in found and (ROOT / other).is_file()]
    return found


def on_config(config):
    config.nav = [path for path in reachable() if path.endswith(".md")]
    return config


def on_files(files, config):
    for path in reachable():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, config, files):
    """A folder has no page: its link becomes text."""
    folders = {path for path in linked(page.file.src_uri) if (ROOT / path).is_dir()}

    def replace(link):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link["target"]))
        return link["text"][1:-1] if path in folders else link[0]

    return LINK.sub(replace, markdown)
