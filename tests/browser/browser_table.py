"""Sits at the page's table as a person would: looks, clicks, walks with the keys."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Table:
    """A page with a board on it; `view` is play or learn."""

    def __init__(self, page: "Page", view: str = "play") -> None:
        self.page, self.view = page, view

    @property
    def frame(self) -> "Locator":
        return self.page.locator(f"#view-{self.view} .board-frame")

    def cell(self, number: int) -> "Locator":
        return self.frame.locator(f'[data-cell="{number}"]')

    def mark(self, number: int) -> str:
        """The mark that is drawn in a cell, or '.'."""
        drawn = self.cell(number).locator(".mark")
        return (drawn.first.get_attribute("data-mark") or "") if drawn.count() else "."

    @property
    def status(self) -> "Locator":
        return self.page.locator(f"#{self.view}-status")

    @property
    def ply(self) -> int:
        return int(self.status.get_attribute("data-ply") or 0)

    @property
    def is_over(self) -> bool:
        return self.status.get_attribute("data-state") == "over"

    def pick(self, spec: str) -> None:
        """Choose a card and wait until its board is there."""
        self.page.click(f'.card[data-spec="{spec}"]')
        self.page.wait_for_selector(f'.card[data-spec="{spec}"][aria-pressed="true"]')

    def wait_for_turn(self, after: int) -> None:
        """Until more was played than this, and it is a person's turn or the game is over."""
        self.page.wait_for_selector(
            f"#{self.view}-status:not([data-state=theirs]):not([data-ply='{after}'])"
        )

    def forget_lessons(self) -> None:
        """Begin anew with the table that learns; once this is shown, the server knows it too."""
        self.page.click("#learn-reset")
        expect(self.page.locator("#learn-facts")).to_contain_text("0 games so far")

    def first_open(self) -> int:
        return int(self.frame.locator(".cell.open").first.get_attribute("data-cell") or -1)

    def click(self, number: int) -> None:
        before = self.ply
        self.cell(number).click()
        self.wait_for_turn(before)

    def finish_by_mouse(self) -> None:
        """Click the first open cell until the game is over."""
        while not self.is_over:
            self.click(self.first_open())

    def finish_by_keys(self, rows: int, columns: int) -> None:
        """Walk to the first open cell and press Enter or the space bar, until the game is over."""
        self.page.keyboard.press("b")
        while not self.is_over:
            before = self.ply
            self._walk_to(self.first_open(), rows, columns)
            self.page.keyboard.press("Enter" if before % 4 else "Space")
            self.wait_for_turn(before)

    def _walk_to(self, target: int, rows: int, columns: int) -> None:
        here = int(self.page.locator(":focus").get_attribute("data-cell") or -1)
        sheet = rows * columns
        for _ in range(abs(target // sheet - here // sheet)):
            self.page.keyboard.press("PageDown" if target > here else "PageUp")
        (row, column), (to_row, to_column) = (
            divmod(cell % sheet, columns) for cell in (here, target)
        )
        for _ in range(abs(to_row - row)):
            self.page.keyboard.press("ArrowDown" if to_row > row else "ArrowUp")
        for _ in range(abs(to_column - column)):
            self.page.keyboard.press("ArrowRight" if to_column > column else "ArrowLeft")
