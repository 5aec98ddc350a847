"""Style sheets mean the same as their files when they are sent (``web.frame.styles``)."""

import re

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from scorekeeper.web.frame.styles import strip_style
from tests.web.pages import STATIC


@pytest.mark.parametrize(
    ("style", "sent"),
    [
        ("a,\n  b { /* seen */ color: red; }\n", "a,b{color:red}"),
        # what a blank means stays: an element inside another, a sum, words of a value
        (".a :is(b)  >\tc { d: e  f }", ".a :is(b)>c{d:e f}"),
        (".a { & :is(b) { c: d } }", ".a{& :is(b){c:d}}"),
        ("x { y: calc(1px + 2px) }", "x{y:calc(1px + 2px)}"),
        ("@media (a: b) and (c) { }", "@media (a:b) and (c){}"),
        ("a ~ b { c: d;\n e: f; }", "a~b{c:d;e:f}"), ('a { b: ";}"; }', 'a{b:";}"}'),
        # comments
        ("a /* x */ b", "a b"), ("a/*x*/ /*y*/b", "a b"), ("a/*x*//*y*/.b", "a/**/.b"),
        ("a{}/**/b{}/* * / ** */", "a{}b{}"), ("a{}/* open", "a{}"), ("", ""), ("/**/", ""),
        # strings, addresses and escaped characters
        ('a{b:"/* no */  x"  "y"}', 'a{b:"/* no */  x" "y"}'),
        (r"""a{b:'it\'s /* "'}  c{}""", r"""a{b:'it\'s /* "'}c{}"""),
        ('a{b:"open  ', 'a{b:"open  '), ("a{b:url(x/*y*/z)  c}", "a{b:url(x/*y*/z) c}"),
        ('a{b:url("x  y")}', 'a{b:url("x  y")}'), (r"a\/*b*/  c\"  d", r"a\/*b*/ c\" d"),
    ],
)  # fmt: skip
def test_only_comments_and_needless_blanks_are_left_out(style: str, sent: str) -> None:
    assert strip_style(style) == sent
    assert strip_style(sent) == sent


def test_sheet_is_sent_short_under_the_version_of_what_is_sent(app: Flask) -> None:
    with app.test_request_context("/"):
        address = url_for("static", filename="table.css")
    answer = app.test_client().get(address)
    assert answer.text == strip_style((STATIC / "table.css").read_text(encoding="utf-8"))
    assert "/*" not in answer.text
    assert answer.mimetype == "text/css"
    assert re.search(r"\?v=([0-9a-f]{12})$", address)
    assert answer.headers["ETag"] == f'"{address[-12:]}"'


@pytest.mark.parametrize("name", ["../app.css", "../static/table.css", "none.css", "%00.css", ""])
def test_no_other_file_is_sent_as_a_sheet(client: FlaskClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code in {400, 404}
