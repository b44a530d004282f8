#!/usr/bin/env python3
"""Writes testdata/further/variance.json: how certain elements of variance matrices are by Hoeffding's
bound, and which images are flagged and removed as extreme.

Written from docs/guide/inspect.md in the standard library alone: exact fractions, logarithms and
roots with 50 digits.

    python3 scripts/golden/certainty.py
"""
import decimal
import math
import random
from fractions import Fraction

from bootstrap import write

decimal.getcontext().prec = 50


def certain(images, delta, largest, confidence, share):
    """Half-widths of delta^2 and delta, and the images for one of delta of that share of it."""
    d, f, c, s = (decimal.Decimal(v) for v in (delta, largest, confidence, share))
    log = (2 / (1 - c)).ln()
    eps = f**2 * (log / (2 * images)).sqrt()
    half = min(eps.sqrt(), eps / d) if d > 0 else eps.sqrt()
    needed = math.ceil(f**4 * log / (2 * (s * d * d)**2)) if d > 0 else 0
    return {"squares": float(eps), "half_width": float(half), "needed": needed}


def contributions(square, n, images):
    parts = {k: sum(square(i, j, k) for i in range(n) for j in range(i)) for k in images}
    total = sum(parts.values())
    return {k: part / total if total else Fraction(0) for k, part in parts.items()}


def flagged(square, n, images):
    if len(images) < 40:
        return []
    part = contributions(square, n, images)
    return sorted((k for k in images if part[k] >= Fraction(20, len(images))), key=lambda k: (-part[k], k))


def clean(square, n, images):
    images, gone, budget = list(images), [], max(1, len(images) // 100)
    while len(gone) < budget and (extreme := flagged(square, n, images)):
        gone += extreme[:budget - len(gone)]
        images = [k for k in images if k not in gone]
    return gone


def main():
    random.seed(20261201)
    cases = []
    for k, given in enumerate(((10000, 0.25, 1.0, 0.95, 0.1), (1, 0.5, 1.0, 0.9, 0.5), (256, 3.5, 12.25, 0.99, 0.1),
                               (50, 0.0, 1.0, 0.95, 0.1), (1000000, 0.001, 0.5, 0.95, 0.25), (40, 0.01, 1.0, 0.95, 1.0))):
        cases.append({"name": f"certain-{k + 1}", "how": "scripts/golden/certainty.py: 50 digits",
                      "input": {"kind": "certain", **dict(zip(("images", "delta", "largest", "confidence", "share"), given))},
                      "expected": certain(*given)})
    for name, images, chosen, outliers in (
            ("none", 60, range(60), {}), ("too-few-images", 39, range(39), {4: 90}),
            ("three-of-four-hundred", 400, range(400), {3: 40, 200: 30, 201: 30}),
            ("more-than-one-percent", 250, range(250), {9: 50, 10: 51, 11: 52}),
            ("hidden-behind-a-larger-one", 300, range(300), {5: 900, 8: 12, 299: 11}),
            ("chosen-images", 90, range(0, 90, 2), {4: 30, 5: 1000})):
        for kind in ("signals", "distances"):
            rows = [[random.randrange(-8, 9) / 16 for _ in range(images)] for _ in range(3)]
            for k, size in outliers.items():
                for r, row in enumerate(rows):
                    row[k] = float(size * (r % 2 + 0.25))
            if kind == "signals":
                def square(i, j, k, rows=rows):
                    return (Fraction(rows[i][k]) - Fraction(rows[j][k]))**2
            else:
                rows = [[abs(v) for v in row] for row in rows]

                def square(i, j, k, rows=rows):
                    return Fraction(rows[i * (i - 1) // 2 + j][k])**2
            part = contributions(square, 3, chosen)
            found = flagged(square, 3, chosen)
            cases.append({"name": f"{name}-{kind}", "how": "scripts/golden/certainty.py: exact fractions",
                          "input": {"kind": "extremes", kind: rows, "images": list(chosen)},
                          "expected": {"flagged": found, "shares": [float(part[k]) for k in found],
                                       "removed": clean(square, 3, chosen)}})
    write({"topic": "variance", "format": 1, "tolerance": {"abs": 0, "rel": 1e-12}}, cases)


if __name__ == "__main__":
    main()
