"""The table of currencies: those that are in use, with the digits that the standard gives them."""

from datetime import UTC, datetime

from babel import Locale
from babel.numbers import get_currency_precision, get_territory_currencies

from scorekeeper.base.currencies import MINOR_DIGITS

# Where nobody uses the minor unit that the standard has, the library leaves it out.
UNUSED = {"AFN", "ALL", "IQD", "IRR", "KPW", "LAK", "LBP", "MGA", "MMK", "RSD", "SOS", "SYP", "YER"}
# Used where the standard lists none, or beside what it lists; or newer than the library.
OTHERWISE = {"CLF", "UYW", "XAD", "ZWG", "SLE", "VED", "XCG"}


def test_table_has_every_currency_in_use() -> None:
    today = datetime.now(UTC).date()
    territories = [
        str(territory) for territory in Locale("en").territories if len(str(territory)) == 2
    ]
    used = {
        code
        for territory in territories
        for code in get_territory_currencies(territory, today, today)
    }
    assert len(used) > 140
    assert used - MINOR_DIGITS.keys() <= {"ANG", "BGN", "CUC"}, "withdrawn by the standard"


def test_decimal_places_are_those_of_the_standard() -> None:
    codes = {code for code, n in MINOR_DIGITS.items() if get_currency_precision(code) != n}
    assert codes <= UNUSED | OTHERWISE
    assert {"EUR": 2, "JPY": 0, "KWD": 3, "CLF": 4}.items() <= MINOR_DIGITS.items()
