"""A page of bench in a notebook."""

from __future__ import annotations

import html
from pathlib import Path

from .program import PathLike


class Player:
    """The page that plays a clip. A notebook displays it; `save` writes it. `page` is its HTML, which works offline."""

    def __init__(self, page: str, height: int = 760) -> None:
        self.page = page
        # Of the frame, in CSS pixels.
        self.height = height

    def save(self, path: PathLike) -> None:
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>')
