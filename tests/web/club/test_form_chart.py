"""The chart of a member's form: bars above or below zero, all within the drawing."""

import pytest

from scorekeeper.web.club.form_chart import HEIGHT, WIDTH, form_chart


@pytest.mark.parametrize("figures", [[], [3.5]])
def test_one_evening_is_no_form(figures: list[float]) -> None:
    assert form_chart(figures) is None


@pytest.mark.parametrize(
    "figures", [[1, 2], [-1.5, 2.5, 0], [-3, -1], [0, 0], list(range(-4, 6)), [1e6, -1e-3]]
)
def test_each_bar_is_as_long_as_its_figure(figures: list[float]) -> None:
    chart = form_chart(figures)
    assert chart is not None
    assert [bar.figure for bar in chart.bars] == figures
    longest = max(map(abs, figures))
    unit = max(bar.height for bar in chart.bars) / longest if longest else 0
    for bar, figure in zip(chart.bars, figures, strict=True):
        assert bar.height == pytest.approx(max(1, abs(figure) * unit), abs=0.2)
        edge = bar.y + bar.height if figure >= 0 else bar.y
        assert edge == pytest.approx(chart.zero, abs=1.1)
        assert bar.x >= 0
        assert bar.x + bar.width <= WIDTH
        assert bar.y >= 0
        assert bar.y + bar.height <= HEIGHT
        assert 0 < bar.label <= HEIGHT


def test_bars_do_not_cover_one_another() -> None:
    chart = form_chart(list(range(10)))
    assert chart is not None
    for bar, other in zip(chart.bars, chart.bars[1:], strict=False):
        assert bar.x + bar.width < other.x
