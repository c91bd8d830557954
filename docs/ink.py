"""Code in paper and ink: the page's blue, orange, green and grey, in light and in dark."""

from pygments.style import Style
from pygments.token import Comment, Error, Generic, Keyword, Name, Number, Operator, String, Token


def _styles(ink: str, soft: str, blue: str, orange: str, green: str) -> dict[object, str]:
    return {
        Token: ink,
        Comment: f"italic {soft}",
        Keyword: f"bold {blue}",
        Keyword.Constant: blue,
        Name.Builtin: blue,
        Name.Decorator: blue,
        Name.Tag: blue,
        Name.Attribute: green,
        Operator.Word: f"bold {blue}",
        String: green,
        Number: orange,
        Generic.Prompt: soft,
        Generic.Output: ink,
        Error: ink,
    }


class LightInk(Style):
    """On paper."""

    name = "noughts-light"
    background_color = "#f6efe0"
    styles = _styles("#2e2a23", "#6a6049", "#1d5191", "#9a4a0c", "#0f625d")


class DarkInk(Style):
    """On slate."""

    name = "noughts-dark"
    background_color = "#1c232b"
    styles = _styles("#eae5da", "#b0ac9f", "#8fc1fa", "#ffb173", "#7fd6cb")
