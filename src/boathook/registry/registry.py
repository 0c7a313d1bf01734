"""The registry: every command is one function, and what the surfaces show of it is read from its signature."""

from __future__ import annotations

import inspect
import re
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

from boathook.clock import READ_SECONDS, Deadline
from boathook.effects import FOR_PEOPLE, Effect, SideEffect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.durations import Unit
    from boathook.registry.script_helper import ScriptHelper

Handler = TypeVar("Handler", bound="Callable[..., Awaitable[Any]]")
Kind = Literal["text", "integer", "number", "flag", "choice", "texts", "path", "paths", "point", "json"]


URL_PARAMETERS = ("url", "other_url")
"""Parameters that say where a command navigates."""
TIMEOUT_DOC = "timeout in seconds"
OBJECT = ("object",)
"""The choices of JSON that has names and values."""


class Scope(StrEnum):
    """What a command works on, and so what the runner must provide."""

    TAB = "tab"
    BROWSER = "browser"
    HOST = "host"
    """Sessions, settings, the machine: no browser is started."""


@dataclass(frozen=True, slots=True)
class Doc:
    """A short description of a parameter for help and schemas."""

    text: str


@dataclass(frozen=True, slots=True)
class Between:
    """The range of a number, both ends included."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class ElementTarget:
    """Marks a parameter that names an element: a ref or a selector."""


@dataclass(frozen=True, slots=True)
class FreeText:
    """Marks a last positional parameter that is text: on a command line it takes all remaining words, and unknown flags too."""


@dataclass(frozen=True, slots=True)
class Duration:
    """Marks a parameter that is a duration: `500ms`, `2s` and `1m` mean what they say, a bare number has this unit."""

    unit: Unit
    milliseconds_from: int | None = None
    """On command lines, bare whole numbers from this one on are milliseconds, as in other tools."""


@dataclass(frozen=True, slots=True)
class Short:
    """The one-letter flag of a parameter."""

    letter: str


@dataclass(frozen=True, slots=True)
class Also:
    """An alias flag for a parameter, as in other tools; with a value, the flag alone means that value."""

    flag: str
    value: Any = None
    yields: bool = False
    """A value that is already on the line takes precedence: `-i -c` means `-i`."""


@dataclass(frozen=True, slots=True)
class Requires:
    """Marks a parameter, or some of its choices, that clients of tools see only if a setting is on."""

    setting: str
    choices: tuple[str, ...] = ()
    """Only these choices; empty means the whole parameter, and with a required one the whole tool."""
    unless_off: bool = False
    """Choosing the tool set turns the setting on, unless the user has turned it off."""


SECONDS = Duration("s", milliseconds_from=1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter, as every surface shows it."""

    name: str
    kind: Kind
    doc: str
    required: bool
    default: Any = None
    positional: bool = False
    variadic: bool = False
    """Takes all remaining words."""
    choices: tuple[str, ...] = ()
    bounds: Between | None = None
    short: str = ""
    also: tuple[Also, ...] = ()
    duration: Duration | None = None
    selects_tab: bool = False
    """It selects the tab that the command works on, on command lines; tools have `tab` for every command."""
    element: bool = False
    """It names an element: a ref that was never assigned is refused before anything is done."""
    requires: Requires | None = None
    free_text: bool = False
    """On command lines it takes the rest of the line: further words, and words that look like flags but are not known."""

    @property
    def flag(self) -> str:
        """How it is written on a command line."""
        return "--" + self.name.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command with its properties."""

    name: str
    """With underscores, as a Python method; surfaces may use spaces or hyphens instead."""
    group: str
    summary: str
    details: str
    parameters: tuple[Parameter, ...]
    run: Callable[..., Awaitable[Any]] = field(repr=False)
    returns: Any = field(repr=False)
    takes_deadline: bool = False
    """Its handler has a parameter for the `Deadline` of its call."""
    effect: Effect = Effect.READS
    scope: Scope = Scope.TAB
    doing: str = ""
    """What its call is doing, for timeouts: `clicking {target}`. The call is opened on the tab before the handler runs;
    a command without it opens its own calls, or needs none."""
    timeout: float | None = None
    """The default of its `timeout` parameter, which limits the call; the handler receives a `Deadline`."""
    seconds: float = READ_SECONDS
    """How long its call may take if it has no `timeout` parameter."""
    tab_name: str = ""
    """On command lines, its first word may name the tab that it works on; the description of that word."""
    waits: bool = False
    """It waits for something that may not happen, so a timeout does not mean that the page hangs."""
    marks_action: bool = True
    """Later waits count from its call, if it acts on the page."""
    may_navigate: bool = False
    handles_dialog: bool = False
    """It may run while a dialog is open, or the page has crashed."""
    closes_session: bool = False
    own_timeout: bool = False
    """Its arguments decide how long it takes, so the general call timeout does not apply."""
    human_only: bool = False
    """It acts for a person, or hands the browser to one, so models are not offered it."""
    category: str | Callable[[Mapping[str, Any]], str] | None = None
    """Its category in action policies if it is not that of its side effects or its group; empty: always allowed."""
    side_effects: tuple[SideEffect, ...] = ()
    """What every call of it does; what depends on its arguments follows from the facts below."""
    side_effects_when: Callable[[Mapping[str, Any]], tuple[SideEffect, ...]] | None = None
    """Further side effects of a call with these arguments."""
    page_scripts: tuple[str, ...] = ()
    """Parameters whose script, or file with a script, a page runs."""
    target_of: Callable[[Mapping[str, Any]], tuple[str, int | None] | None] | None = None
    """The target that several of its arguments name together, and which of the matches; for confirmations."""
    acts_at_pointer: bool = False
    """It acts where the mouse is, which no argument says; for confirmations."""
    answers_dialog: bool = False
    """It answers the open dialog, which no argument names; for confirmations."""
    same_origin: bool = False
    """Its URL cannot lead to another host."""
    runs_commands: bool = False
    """It only runs other commands, each of which the policy decides on."""
    answers_confirmation: bool = False
    """It approves a pending action: that action is run in its place."""
    reads_files: tuple[str, ...] = ()
    writes_files: tuple[str, ...] = ()
    default_file_name: str = ""
    """The name of its file, with the time, when the caller passes no `path`; it is stored in the user's folder.
    Without an extension it is an image in the `format` of the call."""
    leading_targets: tuple[str, str] | None = None
    """On a command line, words before the last one, and a lone word that can only be a target, belong to these two
    parameters: the first word to the first, the rest to the second."""
    stored_by_name: tuple[str, ...] = ()
    """File parameters that may also be the name of something that is stored for the user."""
    from_stdin: tuple[str, ...] = ()
    """Parameters for which `-` means standard input."""
    reads_stdin: bool = False
    """It reads standard input itself, depending on its arguments."""
    saves_download: str = ""
    """The parameter that says where a download is saved; the setting download_path is its default."""
    secrets: tuple[str, ...] = ()
    """Parameters whose values are never written to logs or files."""
    types_into: Literal["", "target", "focus"] = ""
    """Where a secret is typed: into its target, or wherever the focus is. Others may not use secrets of some origins."""
    empty_answer: str = ""
    """What is printed if there is no value, where that is an answer and not the end of some work."""
    json_answer: bool = False
    """Its value is printed as JSON, strings in quotes, so that no two values look alike."""
    own_text: bool = False
    """Its text is Boathook's and contains nothing from pages, so it is never quoted or enclosed in a boundary."""
    fails_on_findings: bool = False
    """A check that did not pass makes the program exit with an error."""
    whole_output: bool = False
    """Its output is never shortened."""
    script_helpers: tuple[ScriptHelper, ...] = ()
    """What scripts call it by."""
    core: bool = False
    """It is in the short help."""
    examples: tuple[str, ...] = ()
    """Command lines, without the program's name; the first one is shown in lists."""
    aliases: tuple[tuple[str, ...], ...] = ()
    """Aliases on the command line, such as `navigate` for `goto`."""
    bare_aliases: tuple[str, ...] = ()
    """The aliases that may be written without arguments; if there are any, the others require the first one."""
    method: str = ""
    """The name of its Python method if it differs: `tab close` is `tab.close()`."""
    as_property: bool = False
    """A property in the Python API, since it does not wait."""
    cli_only: bool = False
    """Only on command lines: it stands for one of several other commands."""
    tool_set: str = ""
    """The only tool set that has it, for compatibility with other programs; command lines and the Python API do not."""

    @property
    def method_name(self) -> str:
        """Its name in the Python API; empty if it has none."""
        hidden = self.cli_only or self.tool_set or self.scope is Scope.HOST
        return "" if hidden else self.method or self.name

    @property
    def tab_parameter(self) -> Parameter | None:
        """The parameter that selects its tab."""
        return next((parameter for parameter in self.parameters if parameter.selects_tab), None)

    @property
    def free_text(self) -> Parameter | None:
        """The parameter that takes the rest of a command line."""
        return next((parameter for parameter in self.parameters if parameter.free_text), None)

    @property
    def elements(self) -> tuple[Parameter, ...]:
        """The parameters that name elements."""
        return tuple(parameter for parameter in self.parameters if parameter.element)

    @property
    def bounded(self) -> tuple[Parameter, ...]:
        """The parameters that are numbers within a range."""
        return tuple(parameter for parameter in self.parameters if parameter.bounds is not None)

    def side_effects_of(self, arguments: Mapping[str, Any]) -> frozenset[SideEffect]:
        """What a call with these arguments does."""
        given = {name for name, value in arguments.items() if value is not None}
        found = set(self.side_effects)
        found.update(*(self.side_effects_when(arguments),) if self.side_effects_when else ())
        for effect, parameters in (
            (SideEffect.RUNS_PAGE_SCRIPT, self.page_scripts),
            (SideEffect.READS_FILE, self.reads_files),
            (SideEffect.WRITES_FILE, self.writes_files),
            (SideEffect.WRITES_DOWNLOAD, (self.saves_download,)),
        ):
            if given.intersection(parameters):
                found.add(effect)
        if self.may_navigate and not self.same_origin and given.intersection(URL_PARAMETERS):
            found.add(SideEffect.REACHES_HOST)
            if any(_is_document_of_caller(arguments.get(name)) for name in URL_PARAMETERS):
                found.add(SideEffect.RUNS_PAGE_SCRIPT)
        return frozenset(found)

    @property
    def for_people(self) -> bool:
        """Whether a call from a model is denied, whatever its arguments are."""
        return self.human_only or not FOR_PEOPLE.isdisjoint(self.side_effects)

    @property
    def takes_stdin(self) -> bool:
        """Whether it can read standard input."""
        return self.reads_stdin or bool(self.from_stdin)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter with this name."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    @property
    def cli_name(self) -> str:
        """The name as a command line writes it."""
        return self.name.replace("_", " ") if not self.aliases else " ".join(self.aliases[0])


_INERT_DATA = re.compile(
    r"\s*data:(?:text/plain|image/(?:png|jpeg|gif|webp)|application/(?:json|pdf))\s*[;,]", re.IGNORECASE
)
_DATA = re.compile(r"\s*data\s*:", re.IGNORECASE)


def _is_document_of_caller(url: Any) -> bool:
    """Whether a URL contains a document that the caller has written, which may have scripts."""
    return isinstance(url, str) and _DATA.match(url) is not None and _INERT_DATA.match(url) is None


_COMMANDS: dict[str, Command] = {}
_BY_HANDLER: dict[Callable[..., Awaitable[Any]], Command] = {}


def command(
    *, group: str, examples: Sequence[str], aliases: Sequence[str] = (), **facts: Any
) -> Callable[[Handler], Handler]:
    """Register a function; its first parameter is what it works on and is not shown."""

    def register(function: Handler) -> Handler:
        made = _read(
            function,
            group=group,
            examples=tuple(examples),
            aliases=tuple(tuple(word.split()) for word in aliases),
            **facts,
        )
        if made.name in _COMMANDS:
            raise TypeError(f"duplicate command: {made.name!r}")
        _COMMANDS[made.name] = made
        _BY_HANDLER[function] = made
        return function

    return register


def registered() -> dict[str, Command]:
    """All commands that have been declared so far, by name."""
    return dict(_COMMANDS)


def command_of(handler: Callable[..., Awaitable[Any]]) -> Command:
    """The command that a function is the handler of."""
    return _BY_HANDLER[handler]


def forget(name: str) -> None:
    """Remove a command: for tests that declare one."""
    _BY_HANDLER.pop(_COMMANDS.pop(name).run)


def _read(function: Callable[..., Awaitable[Any]], **facts: Any) -> Command:
    name = function.__name__
    summary, _, details = (inspect.getdoc(function) or "").partition("\n")
    if not summary:
        raise TypeError(f"command {name!r} has no docstring")
    if not facts["examples"]:
        raise TypeError(f"command {name!r} has no example")
    hints = get_type_hints(function, include_extras=True)
    signature = list(inspect.signature(function).parameters.values())[1:]
    shown = [declared for declared in signature if hints[declared.name] is not Deadline]
    parameters = tuple(_parameter(name, declared, hints[declared.name]) for declared in shown)
    if facts.get("tab_name"):
        parameters = (_tab_name(facts["tab_name"]), *parameters)
    if facts.get("timeout") is not None:
        parameters += (_timeout(facts["timeout"]),)
    known = {parameter.name for parameter in parameters}
    for fact in ("reads_files", "writes_files", "stored_by_name", "from_stdin", "secrets", "page_scripts"):
        if unknown := set(facts.get(fact, ())) - known:
            raise TypeError(f"command {name!r}: {fact} names {min(unknown)!r}, which is not a parameter")
    return Command(
        name=name,
        summary=summary,
        details=details.strip(),
        parameters=parameters,
        run=function,
        returns=hints.get("return", NoneType),
        takes_deadline=len(shown) < len(signature),
        **facts,
    )


def _tab_name(doc: str) -> Parameter:
    return Parameter(name="name", kind="text", doc=doc, required=False, positional=True, selects_tab=True)


def _timeout(default: float) -> Parameter:
    return Parameter(
        name="timeout", kind="number", doc=TIMEOUT_DOC, required=False, default=default, duration=SECONDS
    )


def _parameter(command_name: str, declared: inspect.Parameter, hint: Any) -> Parameter:
    inner: Any
    extras: list[Any]
    inner, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    doc = next((extra.text for extra in extras if isinstance(extra, Doc)), "")
    if not doc:
        raise TypeError(f"command {command_name!r}: parameter {declared.name!r} has no Doc")
    kind, choices = _kind(inner)
    variadic = declared.kind is inspect.Parameter.VAR_POSITIONAL
    if variadic:
        kind = {"text": "texts", "path": "paths"}.get(kind, kind)  # type: ignore[assignment]
    required = declared.default is inspect.Parameter.empty and not variadic
    return Parameter(
        name=declared.name,
        kind=kind,
        doc=doc,
        required=required,
        default=None if declared.default is inspect.Parameter.empty else declared.default,
        positional=declared.kind is not inspect.Parameter.KEYWORD_ONLY,
        variadic=variadic,
        choices=choices,
        bounds=next((extra for extra in extras if isinstance(extra, Between)), None),
        short=next((extra.letter for extra in extras if isinstance(extra, Short)), ""),
        also=tuple(extra for extra in extras if isinstance(extra, Also)),
        duration=next((extra for extra in extras if isinstance(extra, Duration)), None),
        element=any(isinstance(extra, ElementTarget) for extra in extras),
        requires=next((extra for extra in extras if isinstance(extra, Requires)), None),
        free_text=any(isinstance(extra, FreeText) for extra in extras),
    )


_PATH_OR_PATHS = {("text", ()), ("path", ()), ("paths", ())}
"""Of a variadic parameter, which Python callers may give as lists too."""
_PLAIN: dict[Any, Kind] = {
    str: "text",
    bool: "flag",
    int: "integer",
    float: "number",
    Path: "path",
    Any: "json",
}


def _kind(hint: Any) -> tuple[Kind, tuple[str, ...]]:
    """The kind of a type, with its choices; types that a command line cannot express are refused."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "choice", tuple(str(choice) for choice in inner)
    if origin in {Union, UnionType}:
        kinds = {_kind(option) for option in inner if option is not NoneType}
        if kinds in ({("text", ()), ("path", ())}, _PATH_OR_PATHS):
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
            f"invalid parameter type: {hint!r} (use strings, numbers, flags, choices, lists or points)"
        )
    return single, ()


def _compound(origin: Any, inner: tuple[Any, ...]) -> Kind | None:
    if origin is tuple and inner == (float, float):
        return "point"
    return None
