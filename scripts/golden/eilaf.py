#!/usr/bin/env python3
"""Golden values of lines of fit (testdata/further/ei-lines.json) and of rankers over suites
(testdata/further/laf-suites.json), by the standard library alone and independent of the program:

    python3 scripts/golden/eilaf.py

Formulas: docs/guide/invariance.md, docs/guide/ranking.md.
"""
import json
import math
import os
import random
import statistics

FURTHER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "further")


def huber(x, y):
    """(intercept, slope, scale) of the robust line, None where all x are equal."""
    if max(x) == min(x):
        return None

    def fit(w):
        total = math.fsum(w)
        mx = math.fsum(a * b for a, b in zip(w, x)) / total
        my = math.fsum(a * b for a, b in zip(w, y)) / total
        sxx = math.fsum(a * (b - mx) ** 2 for a, b in zip(w, x))
        slope = math.fsum(a * (b - mx) * (c - my) for a, b, c in zip(w, x, y)) / sxx
        return my - slope * mx, slope

    c0, c1 = fit([1.0] * len(x))
    for _ in range(5000):
        r = [abs(b - c0 - c1 * a) for a, b in zip(x, y)]
        scale = statistics.median(r) / 0.6744897501960817
        if scale <= 1e-12 * max(1, max(abs(b) for b in y)):
            break
        w = [1.0 if v <= 1.345 * scale else 1.345 * scale / v for v in r]
        d0, d1 = fit(w)
        done = abs(d0 - c0) < 1e-12 * (1 + abs(d0)) and abs(d1 - c1) < 1e-12 * (1 + abs(d1))
        c0, c1 = d0, d1
        if done:
            break
    r = [abs(b - c0 - c1 * a) for a, b in zip(x, y)]
    return c0, c1, statistics.median(r) / 0.6744897501960817


def quantile(values, q):
    """The q-quantile by linear interpolation."""
    values = sorted(values)
    at = q * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def line_case(name, score, accuracy, eps, resamples, rng):
    y = [math.log(a / (1 - a)) for a in (min(1 - eps, max(eps, a)) for a in accuracy)]
    n = len(score)
    index = [[rng.randrange(n) for _ in range(n)] for _ in range(resamples)]
    grid = [min(score), (min(score) + max(score)) / 2, max(score)]
    c0, c1, _ = huber(score, y)
    lines = [huber([score[k] for k in items], [y[k] for k in items]) for items in index]
    lines = [line for line in lines if line]
    at = [[a + b * x for a, b, _ in lines] for x in grid]
    both = lambda values: [quantile(values, 0.025), quantile(values, 0.975)]
    return {
        "name": name,
        "how": "scripts/golden/eilaf.py: standard library of Python, sums by fsum",
        "input": {"kind": "study", "score": score, "accuracy": accuracy, "logit_eps": eps,
                  "bootstrap_index": index, "grid": grid},
        "expected": {
            "huber_intercept": c0, "huber_slope": c1,
            "intercept_interval": both([a for a, _, _ in lines]), "slope_interval": both([b for _, b, _ in lines]),
            "band_low": [both(v)[0] for v in at], "band_high": [both(v)[1] for v in at],
        },
    }


def lines():
    rng = random.Random(25)
    cases = []
    for name, n, noise, odd in (("twelve models", 12, 0.4, 0), ("one odd model", 15, 0.3, 1), ("three models", 3, 0.2, 0)):
        score = [round(0.2 + 0.7 * rng.random(), 4) for _ in range(n)]
        accuracy = [1 / (1 + math.exp(3 - 6 * x - noise * rng.gauss(0, 1))) for x in score]
        accuracy = [round(a, 4) for a in accuracy]
        for k in range(odd):
            accuracy[k] = 0.1
        cases.append(line_case(name, score, accuracy, 0.001, 40, rng))
    # Ties in the score, and an accuracy of 1, which is clipped.
    cases.append(line_case("ties and a perfect model", [0.5, 0.5, 0.5, 0.8, 0.9], [0.6, 0.5, 0.7, 0.9, 1.0], 0.005, 40, rng))
    return {"topic": "ei", "format": 1, "spec": "ei.md",
            "tolerance": {"pairs_abs": 1e-12, "corr_abs": 1e-10, "huber_abs": 1e-7}, "cases": cases}


def write(name, data):
    with open(os.path.join(FURTHER, name), "w", encoding="utf-8") as f:
        json.dump(data, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    write("ei-lines.json", lines())
