"""Print a results JSON as tables: median ms, spread, ratio to the raw-CDP floor and to the best peer.

  python compare.py results/main.json [--floor rawcdp] [--ours NAME] [--md]

Best peer: the fastest tool that is neither the floor nor --ours.  Ratios only make sense inside one file.
"""

from __future__ import annotations

import argparse
import json
import statistics as st


def p95(v: list[float]) -> float:
    v = sorted(v)
    return v[min(len(v) - 1, int(round(0.95 * (len(v) - 1))))]


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("files", nargs="+")
    ap.add_argument("--floor", default="rawcdp")
    ap.add_argument("--ours", default="")
    ap.add_argument("--md", action="store_true")
    ap.add_argument("--items", default="")
    a = ap.parse_args()
    S: dict = {}
    F: dict = {}
    E: dict = {}
    for f in a.files:
        j = json.load(open(f))
        for d, items in j["samples"].items():
            for i, v in items.items():
                S.setdefault(i, {}).setdefault(d, []).extend(v)
        for d, items in j["facts"].items():
            for i, v in items.items():
                F.setdefault(i, {}).setdefault(d, {}).update(v)
        for d, items in j["errors"].items():
            E.setdefault(d, {}).update(items)
    for item in sorted(S):
        if a.items and not any(item.startswith(x) for x in a.items.split(",")):
            continue
        row = S[item]
        fl = st.median(row[a.floor]) if a.floor in row else None
        peers = {
            d: st.median(v)
            for d, v in row.items()
            if d not in (a.floor, a.ours) and not d.startswith("rawcdp")
        }
        best = min(peers.values()) if peers else None
        print(f"\n### {item}" if a.md else f"\n== {item}")
        if a.md:
            print(
                "| tool | median ms | min | p95 | n | x floor | x best peer | facts |\n|---|---|---|---|---|---|---|---|"
            )
        for d in sorted(row, key=lambda d: st.median(row[d])):
            v = row[d]
            m = st.median(v)
            facts = " ".join(f"{k}={x}" for k, x in F.get(item, {}).get(d, {}).items())
            cols = [
                d,
                f"{m:.1f}",
                f"{min(v):.1f}",
                f"{p95(v):.1f}",
                str(len(v)),
                f"{m / fl:.1f}" if fl else "-",
                f"{m / best:.2f}" if best else "-",
                facts,
            ]
            print(
                "| " + " | ".join(cols) + " |"
                if a.md
                else f"  {cols[0]:20s} {cols[1]:>9} (min {cols[2]}, p95 {cols[3]}, n {cols[4]})  x{cols[5]} floor  x{cols[6]} best peer  {facts}"
            )
    for item in sorted(F):
        if item not in S:
            print(f"\n== {item}")
            for d, v in F[item].items():
                print(f"  {d:20s} {v}")
    if E:
        print("\nfailed:", json.dumps(E, indent=1))


if __name__ == "__main__":
    main()
