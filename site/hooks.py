"""Takes the site's pages from the repository, as they are: README, docs, gallery, and all files that they link to.

MkDocs calls these functions: https://www.mkdocs.org/user-guide/configuration/#hooks
"""

import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File

from check_site import problems

ROOT = Path(__file__).resolve().parent.parent
# The target of [text](target) or ![text](target).
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<target>[^)\s]+)\)")
# A picture of a report, with another one for a dark page.
PICTURE = re.compile(r'<picture><source [^>]*srcset="([^"]+)"><img src="([^"]+)" alt="([^"]*)"></picture>')


# The title of a page whose own is a finding.
TITLES = {"reports/gallery/report/report.md": "A full report"}
# The pages by what a reader wants, each once; others are under the last heading.
SECTIONS = {
    "Start": ["README.md", "docs/tutorial.md", "docs/commands.md", "docs/faq.md", "docs/glossary.md"],
    "Recordings": ["docs/importing.md", "docs/public-sets.md", "docs/labels.md", "docs/dataset-format.md", "docs/privacy.md"],
    "Verdicts": ["docs/metrics.md", "docs/verdicts.md", "docs/ci.md", "docs/tuning.md", "docs/robustness.md"],
    "Detectors": [
        "docs/detectors.md", "docs/exercises.md", "docs/detector-protocol.md", "examples/README.md", "python/README.md",
    ],
    "Results": [
        "docs/people.md", "reports/gallery/README.md", "reports/gallery/report/report.md", "docs/benchmarks.md",
        "docs/scale.md",
    ],
    "Project": [],
}


def as_python_markdown(markdown):
    """Markdown within details, and pictures for light and dark pages, as the generator expects them."""
    markdown = re.sub("^<details>", '<details markdown="1">', markdown, flags=re.MULTILINE)

    def replace(picture):
        dark, light, text = picture.groups()
        text = text.replace("[", "&#91;").replace("]", "&#93;")
        return f"![{text}]({light}#only-light)![{text}]({dark}#only-dark)"

    return PICTURE.sub(replace, markdown)


def target_of(page, target):
    """The file that a link means, as a path from the repository's root: of a folder with a README, the README."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.split("#")[0]))
    readme = posixpath.join(path, "README.md")
    return readme if path != "." and (ROOT / readme).is_file() else path


def linked(page):
    """The files and folders of the repository that a page links to, as paths from its root, in their order."""
    for link in LINK.finditer(as_python_markdown((ROOT / page).read_text())):
        path = target_of(page, link["target"])
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
    pages = [path for path in reachable() if path.endswith(".md")]
    placed = [path for section in SECTIONS.values() for path in section]
    if gone := sorted(set(placed) - set(pages)):
        raise BuildError(f"SECTIONS of site/hooks.py: no page links to {', '.join(gone)}")
    sections = SECTIONS | {"Project": [path for path in pages if path not in placed]}
    config.nav = [
        {name: [{TITLES[path]: path} if path in TITLES else path for path in section]} for name, section in sections.items()
    ]
    return config


def on_files(files, config):
    for path in reachable():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    # Search in pages that are opened without a server.
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=str(ROOT / "site/iframe-worker.js")))
    return files


def on_page_markdown(markdown, page, config, files):
    """A folder leads to its README. Without one it has no page: its link becomes text."""
    source = page.file.src_uri
    # Results are found after the pages that explain them.
    if source.startswith(("reports/", "docs/people.md", "CHANGELOG.md")):
        page.meta["search"] = {"boost": 0.1}

    def replace(link):
        if "://" in link["target"] or link["target"].startswith("#"):
            return link[0]
        path = target_of(source, link["target"])
        if (ROOT / path).is_dir():
            return link["text"][1:-1]
        if posixpath.basename(path) == "README.md" and not link["target"].split("#")[0].endswith("README.md"):
            return f"{link['text']}({posixpath.relpath(path, posixpath.dirname(source) or '.')})"
        return link[0]

    return LINK.sub(replace, as_python_markdown(markdown))


def on_post_build(config):
    """MkDocs does not see HTML in Markdown, and knows nothing of other hosts."""
    if found := list(problems(Path(config.site_dir))):
        raise BuildError("\n".join(found))
