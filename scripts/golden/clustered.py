#!/usr/bin/env python3
"""Writes testdata/further/clustered.json: intervals of shares whose items come in clusters.

Written from the definition alone (docs/guide/background.md, accuracy over distance), in fractions
of the standard library. The two ends solve (p - x)^2 = z^2 x (1 - x) / m for x; they are found by
halving, as are the quantiles of Student's t from its distribution (Abramowitz and Stegun 26.7.3 and
26.7.4).
"""
import json
import math
import pathlib
import random
from fractions import Fraction
from statistics import NormalDist

Z2 = Fraction(NormalDist().inv_cdf(0.975)) ** 2


def within(t, freedom):
    """The share of Student's t that is not farther from 0 than t."""
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for k in range(2 + odd, freedom + 1, 2):
        total += term
        term *= (k - 1) / k * math.cos(angle) ** 2
    return (angle + math.sin(angle) * total) * 2 / math.pi if odd else math.sin(angle) * total


def student(freedom):
    low, high = 0.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < 0.95 else (low, middle)
    return Fraction(low)


def effective(right, of):
    n, clusters = sum(of), sum(1 for k in of if k)
    size = Fraction(sum(k * k for k in of), n)
    known, best = (student(n) / student(clusters)) ** 2, Fraction(n)
    for more in (Fraction(0), size):  # right items of one more cluster
        share = (sum(right) + more) / (n + size)
        squares = sum((r - share * k) ** 2 for r, k in zip(right + [more], of + [size]))
        if squares:
            variance = squares / (n + size) ** 2
            best = min(best, n / (n + size) * share * (1 - share) / variance * known)
    return best


def end(p, m, inside, outside):
    """The place between two where the score test begins to refuse the share p of m items."""
    for _ in range(80):
        x = (inside + outside) / 2
        if (p - x) ** 2 * m <= Z2 * x * (1 - x):
            inside = x
        else:
            outside = x
    return float(inside)


def interval(right, of):
    p, m = Fraction(sum(right), sum(of)), effective(right, of)
    low = 0.0 if p == 0 else end(p, m, p, Fraction(0))
    high = 1.0 if p == 1 else end(p, m, p, Fraction(1))
    return {"low": low, "high": high}


def main():
    rng, cases = random.Random(20), []

    def case(name, right, of):
        cases.append({"name": name, "how": "scripts/golden/clustered.py: python3, fractions; ends of the score test by halving",
                      "input": {"right": right, "of": of}, "expected": interval(right, of)})

    case("all_right", [3, 2, 5], [3, 2, 5])
    case("none_right", [0, 0, 0, 0], [3, 0, 5, 1])
    case("same_share", [2, 1, 3], [4, 2, 6])
    for k, clusters in enumerate((2, 9, 48, 200)):
        of = [rng.randrange(0, 9) for _ in range(clusters - 1)] + [4]
        case(f"clusters{k}", [sum(rng.random() < rng.choice((0.2, 0.95)) for _ in range(n)) for n in of], of)
    case("alike", [6, 0, 6, 6, 0, 6, 6], [6] * 7)
    out = pathlib.Path(__file__).parents[2] / "testdata/further/clustered.json"
    head = '{"topic":"clustered","format":1,"spec":"doc comments and guide","tolerance":{"abs":1e-9},"cases":[\n'
    out.write_text(head + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]}\n")


if __name__ == "__main__":
    main()
