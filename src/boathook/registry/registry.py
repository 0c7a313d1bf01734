"""The registry: every command is one function, and all that the doors show of it is read from its signature."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Handler = TypeVar("Handler", bound="Callable[..., Awaitable[Any]]")
Kind = Literal["text", "integer", "number", "flag", "choice", "texts", "path", "paths", "point", "json"]


OBJECT = ("object",)
"""The choices of JSON that has names and values."""


class Effect(StrEnum):
    """What a command does to the world; policies and hints to clients follow from it."""

    READS = "reads"
    ACTS = "acts"
    CHANGES_BROWSER = "changes browser"
    CHANGES_MACHINE = "changes machine"


class Scope(StrEnum):
    """What a command works on, and with it what the runner has to provide."""

    TAB = "tab"
    BROWSER = "browser"
    HOST = "host"
    """Sessions, settings, the machine: no browser is started for it."""


@dataclass(frozen=True, slots=True)
class Doc:
    """What a parameter is, in a few words for help and schemas."""

    text: str


@dataclass(frozen=True, slots=True)
class Between:
    """The range of a number, both ends included."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Short:
    """The one-letter flag of a parameter."""

    letter: str


@dataclass(frozen=True, slots=True)
class Also:
    """Another flag for a parameter, as other tools write it; with a value, the flag alone stands for that value."""

    flag: str
    value: Any = None
    yields: bool = False
    """It gives way to a value that the line has given already: `-i -c` means `-i`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter, as every door shows it."""

    name: str
    kind: Kind
    doc: str
    required: bool
    default: Any = None
    positional: bool = False
    variadic: bool = False
    """Takes all the words that are left."""
    choices: tuple[str, ...] = ()
    bounds: Between | None = None
    short: str = ""
    also: tuple[Also, ...] = ()

    @property
    def flag(self) -> str:
        """How it is written on a command line."""
        return "--" + self.name.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command with its facts."""

    name: str
    """With underscores, as a Python method; doors may write blanks or hyphens instead."""
    group: str
    summary: str
    details: str
    parameters: tuple[Parameter, ...]
    run: Callable[..., Awaitable[Any]] = field(repr=False)
    returns: Any = field(repr=False)
    effect: Effect = Effect.READS
    scope: Scope = Scope.TAB
    checks_refs: bool = False
    """A target of it may be a ref, so a stale one is refused before anything is done."""
    may_navigate: bool = False
    handles_dialog: bool = False
    """It may run while a dialog is open."""
    closes_session: bool = False
    lasts_as_told: bool = False
    """Its arguments say how long it takes, so the time that calls have in general is no limit for it."""
    for_people: bool = False
    """It speaks for a person, or hands the browser to one, so it is not there for models."""
    reads_files: tuple[str, ...] = ()
    writes_files: tuple[str, ...] = ()
    unnamed_file: str = ""
    """What its file is called, with the time, when the caller gives no `path`; it is kept in the user's own folder.
    Without an ending it is a picture of the `format` that the caller wants."""
    targets_first: tuple[str, str] | None = None
    """On a command line, words before its last one, and a lone word that can only be a target, go to these two
    parameters: the first of them to the one, more of them to the other."""
    kept_by_name: tuple[str, ...] = ()
    """Those of the files above that may be a name instead, of something that is kept for the user."""
    from_stdin: tuple[str, ...] = ()
    """Parameters for which `-` stands for what comes on standard input."""
    reads_stdin: bool = False
    """It reads standard input itself, depending on its arguments."""
    secrets: tuple[str, ...] = ()
    """Parameters whose values are kept out of everything that is written down."""
    examples: tuple[str, ...] = ()
    """Command lines, without the program's name; the first one is shown in lists."""
    words: tuple[tuple[str, ...], ...] = ()
    """Other ways to begin a command line with it, such as `navigate` for `goto`."""
    method: str = ""
    """The name of its Python method where that is not its own: `tab close` is `tab.close()`."""
    as_property: bool = False
    """The Python API has it as a property, since it waits for nothing."""
    spoken_only: bool = False
    """Only command lines have it: one line that means one of several other commands."""
    tool_set: str = ""
    """The tool set that alone has it, for the tools of other programs; command lines and the Python API have not."""

    @property
    def method_name(self) -> str:
        """Its name in the Python API; nothing when it is not there."""
        hidden = self.spoken_only or self.tool_set or self.scope is Scope.HOST
        return "" if hidden else self.method or self.name

    @property
    def takes_stdin(self) -> bool:
        """Whether anything could be done with what comes on standard input."""
        return self.reads_stdin or bool(self.from_stdin)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name."""
        return next((one for one in self.parameters if one.name == name), None)

    @property
    def spoken(self) -> str:
        """The name as a command line writes it."""
        return self.name.replace("_", " ") if not self.words else " ".join(self.words[0])


_COMMANDS: dict[str, Command] = {}


def command(
    *, group: str, examples: Sequence[str], words: Sequence[str] = (), **facts: Any
) -> Callable[[Handler], Handler]:
    """Put a function into the registry; its first parameter is what it works on and is not shown."""

    def register(function: Handler) -> Handler:
        made = _read(
            function,
            group=group,
            examples=tuple(examples),
            words=tuple(tuple(one.split()) for one in words),
            **facts,
        )
        if made.name in _COMMANDS:
            raise TypeError(f"there are two commands {made.name!r}")
        _COMMANDS[made.name] = made
        return function

    return register


def registered() -> dict[str, Command]:
    """All commands that have been declared so far, by name."""
    return dict(_COMMANDS)


def forget(name: str) -> None:
    """Take a command out again: for tests that declare one."""
    _COMMANDS.pop(name)


def _read(function: Callable[..., Awaitable[Any]], **facts: Any) -> Command:
    name = function.__name__
    summary, _, details = (inspect.getdoc(function) or "").partition("\n")
    if not summary:
        raise TypeError(f"command {name!r} has no docstring")
    if not facts["examples"]:
        raise TypeError(f"command {name!r} has no example")
    hints = get_type_hints(function, include_extras=True)
    signature = list(inspect.signature(function).parameters.values())[1:]
    parameters = tuple(_parameter(name, one, hints[one.name]) for one in signature)
    known = {one.name for one in parameters}
    for fact in ("reads_files", "writes_files", "kept_by_name", "from_stdin", "secrets"):
        if unknown := set(facts.get(fact, ())) - known:
            raise TypeError(f"command {name!r}: {fact} names {min(unknown)!r}, which is no parameter")
    return Command(
        name=name,
        summary=summary,
        details=details.strip(),
        parameters=parameters,
        run=function,
        returns=hints.get("return", NoneType),
        **facts,
    )


def _parameter(command_name: str, one: inspect.Parameter, hint: Any) -> Parameter:
    inner: Any
    extras: list[Any]
    inner, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    doc = next((extra.text for extra in extras if isinstance(extra, Doc)), "")
    if not doc:
        raise TypeError(f"command {command_name!r}: parameter {one.name!r} has no Doc")
    kind, choices = _kind(inner)
    variadic = one.kind is inspect.Parameter.VAR_POSITIONAL
    if variadic:
        kind = {"text": "texts", "path": "paths"}.get(kind, kind)  # type: ignore[assignment]
    required = one.default is inspect.Parameter.empty and not variadic
    return Parameter(
        name=one.name,
        kind=kind,
        doc=doc,
        required=required,
        default=None if one.default is inspect.Parameter.empty else one.default,
        positional=one.kind is not inspect.Parameter.KEYWORD_ONLY,
        variadic=variadic,
        choices=choices,
        bounds=next((extra for extra in extras if isinstance(extra, Between)), None),
        short=next((extra.letter for extra in extras if isinstance(extra, Short)), ""),
        also=tuple(extra for extra in extras if isinstance(extra, Also)),
    )


_PLAIN: dict[Any, Kind] = {
    str: "text",
    bool: "flag",
    int: "integer",
    float: "number",
    Path: "path",
    Any: "json",
}


def _kind(hint: Any) -> tuple[Kind, tuple[str, ...]]:
    """The kind of a type, with its choices; types that no command line can express are refused."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "choice", tuple(str(one) for one in inner)
    if origin in {Union, UnionType}:
        kinds = {_kind(one) for one in inner if one is not NoneType}
        if kinds == {("text", ()), ("path", ())}:
            return "path", ()
        if len(kinds) == 1:
            return kinds.pop()
    if origin is Sequence:
        kind, choices = _kind(inner[0])
        return ("paths" if kind == "path" else "texts"), choices
    if origin in {dict, Mapping}:
        return "json", OBJECT
    single = _PLAIN.get(hint) or _compound(origin, inner)
    if single is None:
        raise TypeError(
            f"{hint!r} is no type for a parameter: use texts, numbers, flags, choices, lists or points"
        )
    return single, ()


def _compound(origin: Any, inner: tuple[Any, ...]) -> Kind | None:
    if origin is tuple and inner == (float, float):
        return "point"
    return None
