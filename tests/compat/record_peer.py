"""Record the answers of agent-browser to all scenarios: `python -m tests.compat.record_peer`."""

import json
import sys
import tempfile
from pathlib import Path

from tests.compat.two_programs import BINARY, NO_PEER, RECORDED, SCENARIOS, Peer, run_scenario, serve_pages


def main():
    if not BINARY.exists():
        sys.exit(NO_PEER)
    recorded = {}
    with serve_pages() as site:
        for name, lines in SCENARIOS.items():
            with tempfile.TemporaryDirectory() as home:
                peer = Peer(Path(home))
                try:
                    recorded[name] = run_scenario(peer, lines, site=site)
                finally:
                    peer.stop()
    body = ",\n".join(
        f"{json.dumps(name)}: [\n"
        + ",\n".join(json.dumps(answer, sort_keys=True) for answer in answers)
        + "\n]"
        for name, answers in recorded.items()
    )
    RECORDED.write_text("{\n" + body + "\n}\n")


if __name__ == "__main__":
    main()
