"""What a run of a client showed: one row of the table, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field

COLUMNS = ("tree", "refs", "changes", "image", "error", "next")
HEAD = ("client", "version", "API", *COLUMNS)


@dataclass(frozen=True)
class Run:
    """One run of one client."""

    client: str
    version: str
    api: str
    isolated: bool
    seconds: float
    exit_status: int | None
    arrived: dict[str, bool]
    evidence: dict[str, str]
    """What the model was sent instead of a part that did not arrive."""
    image_in_mcp: bool
    no_image: str
    """Why this client sends no images to models, when that is known."""
    apis_used: list[str]
    requests: int
    output: str
    model_failures: list[str] = field(default_factory=list)
    had_to_be_killed: list[str] = field(default_factory=list)
    left_running: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        """Everything that makes this row a failure."""
        missing = [name for name in COLUMNS if self._is_missing(name)]
        found = [
            f"{', '.join(names)} did not arrive, the model was sent: {evidence}"
            for evidence in dict.fromkeys(self.evidence[name] for name in missing)
            if (names := [name for name in missing if self.evidence[name] == evidence])
        ]
        if self.exit_status != 0:
            ending = "did not end in time" if self.exit_status is None else f"ended with {self.exit_status}"
            found.append(f"the client {ending}: {self.output[-600:]}")
        if self.apis_used != [self.api]:
            found.append(f"the client spoke {self.apis_used} instead of {self.api}")
        if self.had_to_be_killed:
            found.append(f"running after client and daemon had ended: {', '.join(self.had_to_be_killed)}")
        if self.left_running:
            found.append(f"could not be ended: {', '.join(self.left_running)}")
        return found + [f"the scripted model failed: {failure}" for failure in self.model_failures]

    def _is_missing(self, name: str) -> bool:
        if name == "image" and self.no_image and self.image_in_mcp:
            return False
        return not self.arrived[name]

    @property
    def cells(self) -> tuple[str, ...]:
        marks = ("yes" if self.arrived[name] else "no" for name in COLUMNS)
        return (self.client, self.version, self.api, *marks)


@dataclass(frozen=True)
class NotRun:
    """A client that could not be run here."""

    client: str
    api: str
    reason: str

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.client, "-", self.api, *("-" for _ in COLUMNS))


def plain_table(rows: list[Run | NotRun]) -> str:
    """The table for a terminal."""
    lines = [HEAD, *(row.cells for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def markdown_table(runs: list[Run]) -> str:
    """The table for the documentation, with the reason of each image that did not arrive."""
    lines = [f"| {' | '.join(cells)} |" for cells in (HEAD, *(run.cells for run in runs))]
    lines.insert(1, "|---" * len(HEAD) + "|")
    notes = [f"- {run.client}: {run.no_image}" for run in runs if not run.arrived["image"]]
    return "\n".join([*lines, *(["", *notes] if notes else [])])
