"""Redaction of secrets with characters outside ASCII, as pages with another charset than UTF-8 send and show them."""

import base64
import urllib.parse
from collections.abc import Callable

import pytest

from boathook.redaction.known_secrets import _forms_in_charsets
from boathook.redaction.redactor import REDACTED, Redactor

SECRETS = ("Grünkohl-Passwort-7", "żółw und Öl 12", "prix: 100 € à la carte", "SÃO³ PAULO-ÿ")


def sent(secret):
    """The bytes of a form field: characters that the charset lacks are HTML entities."""
    return secret.encode("cp1252", "xmlcharrefreplace")


def in_base64(secret, *, before=b""):
    return base64.b64encode(before + sent(secret)).decode()


FORMS: dict[str, Callable[[str], str]] = {
    "url": lambda secret: urllib.parse.quote(sent(secret), safe=""),
    "url, plus": lambda secret: urllib.parse.quote_plus(sent(secret)),
    "url, small letters": lambda secret: urllib.parse.quote_plus(sent(secret)).lower(),
    "url, twice": lambda secret: urllib.parse.quote(urllib.parse.quote_plus(sent(secret)), safe=""),
    "url, capitals": lambda secret: urllib.parse.quote_plus(sent(secret.upper())),
    "bytes read as UTF-8": lambda secret: sent(secret).decode("utf-8", "replace"),
    "bytes read as Latin-1": lambda secret: sent(secret).decode("latin-1"),
    "a question mark for a byte": lambda secret: sent(secret).decode("utf-8", "replace").replace("\ufffd", "?"),
    "a question mark for a character": lambda secret: secret.encode("ascii", "replace").decode(),
    "base64": in_base64,
    "base64, one before": lambda secret: in_base64(secret, before=b"x"),
    "base64, user before": lambda secret: in_base64(secret, before=b"user:"),
    "hex": lambda secret: sent(secret).hex(),
    "octal escapes": lambda secret: "".join(f"\\{byte:03o}" for byte in sent(secret)),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_goes_in_the_charset_of_the_page(secret, form):
    said = FORMS[form](secret)
    clean = Redactor([secret]).text(f"pass={said}&next=1 “Ünï”")
    assert said not in clean
    assert clean.startswith("pass=")
    assert clean.endswith("&next=1 “Ünï”")
    assert REDACTED in clean


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("Grünkohl-Passwort-7", "Gr%FCnkohl-Passwort-7"),
        ("Grünkohl-Passwort-7", "Gr?nkohl-Passwort-7"),
        ("Grünkohl-Passwort-7", "Gr\ufffdnkohl-Passwort-7"),
        ("Grünkohl-Passwort-7", "R3L8bmtvaGwtUGFzc3dvcnQtNw=="),
        ("żółw-1", "%26%23380%3B%F3%26%23322%3Bw-1"),
        ("żółw-1", "&#380;\ufffd&#322;w-1"),
    ],
)
def test_forms_that_were_seen_go(secret, said):
    clean = Redactor([secret]).text(f"a {said} b")
    assert without_padding(clean) == f"a {REDACTED} b"


def without_padding(clean):
    """Padding of base64 says nothing, and stays."""
    return clean.replace("==", "")


OTHERS = {
    "cp1250": "żółw und Öl 12",
    "cp1251": "Пароль-сова-7",
    "cp1253": "κωδικός-9",
    "cp1255": "סיסמה-סודית-4",
    "koi8_r": "Пароль-сова-7",
    "iso8859_2": "žluťoučký kůň",
    "gb18030": "密码-猫头鹰-8",
    "cp932": "パスワード-梟-8",
    "euc_jp": "パスワード-梟-8",
    "cp949": "비밀번호-올빼미-8",
}


@pytest.mark.parametrize("charset", OTHERS)
def test_pages_in_other_charsets_send_other_bytes(charset):
    secret = OTHERS[charset]
    data = secret.encode(charset)
    forms = (
        urllib.parse.quote(data, safe=""),
        urllib.parse.quote_plus(data),
        base64.b64encode(b"user:" + data).decode(),
        data.hex(),
    )
    for said in forms:
        assert said not in Redactor([secret]).text(f"pass={said}&next=1")
        assert said in Redactor(["another secret"]).text(f"pass={said}&next=1")


@pytest.mark.parametrize("secret", ["żółwżółw", "пароль", "秘密のパスワード42", "ja öäü"])
def test_question_marks_alone_are_no_secret(secret):
    text = "what???????? \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd ????????42 ja ???"
    assert Redactor([secret]).text(text) == text


def test_a_secret_of_ascii_costs_nothing_more():
    assert not list(_forms_in_charsets("hunter2-Tiger"))
    assert list(_forms_in_charsets("hunter2-Tigér"))
