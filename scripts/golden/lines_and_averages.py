#!/usr/bin/env python3
"""Golden values of lines of fit (testdata/further/ei-lines.json) and of rankers over suites
(testdata/further/laf-suites.json), by the standard library alone and independent of the program:

    python3 scripts/golden/lines_and_averages.py

Formulas: docs/guide/invariance.md, docs/guide/ranking.md.
"""
import json
import math
import os
import random
import statistics
from fractions import Fraction

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
        "how": "scripts/golden/lines_and_averages.py: standard library of Python, sums by fsum",
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


def signed_rank(differences):
    """Two-sided p of Wilcoxon's test, counted over all choices of signs; None without a difference."""
    differences = [d for d in differences if d != 0]
    if not differences:
        return None
    sizes = [abs(d) for d in differences]
    # Twice the mean rank, so that all are whole.
    ranks = [2 * sum(o < s for o in sizes) + sum(o == s for o in sizes) + 1 for s in sizes]
    sums = {0: 1}
    for r in ranks:
        after = {}
        for total, ways in sums.items():
            after[total] = after.get(total, 0) + ways
            after[total + r] = after.get(total + r, 0) + ways
        sums = after
    plus = sum(r for r, d in zip(ranks, differences) if d > 0)
    least = min(plus, sum(ranks) - plus)
    return min(1.0, 2 * sum(ways for total, ways in sums.items() if total <= least) / 2 ** len(ranks))


def holm(p):
    tests = sorted(v for v in p if v is not None)
    adjusted = {}
    largest = 0.0
    for k, v in enumerate(tests):
        largest = max(largest, min(1.0, v * (len(tests) - k)))
        adjusted.setdefault(v, largest)
    # Equal p-values have the adjusted value of the first of them, which is the larger factor.
    return [None if v is None else adjusted[v] for v in p]


def suites_case(name, values, draws):
    """values[suite][ranker], None where missing; draws[suite][ranker][repetition], None for rankers that are not sampled."""
    rankers = range(len(values[0]))
    averages, deviations = [], []
    for k in rankers:
        there = [s for s in range(len(values)) if values[s][k] is not None]
        averages.append(math.fsum(values[s][k] for s in there) / len(there) if there else None)
        if not there or draws is None or draws[there[0]][k] is None:
            deviations.append(None)
            continue
        repeated = [statistics.fmean(draws[s][k][r] for s in there) for r in range(len(draws[there[0]][k]))]
        deviations.append(statistics.stdev(repeated))
    pairs, p = [], []
    for a in rankers:
        for b in range(a + 1, len(values[0])):
            d = [Fraction(str(row[a])) - Fraction(str(row[b])) for row in values if row[a] is not None and row[b] is not None]
            pairs.append([len(d), sum(v > 0 for v in d), float(sum(d) / len(d)) if d else None])
            p.append(signed_rank(d))
    return {
        "name": name,
        "how": "scripts/golden/lines_and_averages.py: standard library of Python, all choices of signs",
        "input": {"kind": "suites", "values": values, "draws": draws},
        "expected": {"averages": averages, "deviations": deviations, "pairs": pairs, "p": p, "p_holm": holm(p)},
    }


def suites():
    rng = random.Random(26)
    # Eighths are exact in binary: equal differences are equal, and ties are ties.
    eighth = lambda: rng.randrange(-8, 9) / 8
    tied = [[eighth() for _ in range(4)] for _ in range(15)]
    for row in tied:
        row[2] = min(1, row[0] + 0.25)
    tied[3][1] = tied[7][1] = None
    # Hundredths are not exact: 0.87 - 0.85 is not 0.57 - 0.55, though they tie.
    hundredths = [[rng.randrange(50, 60) / 100 for _ in range(3)] for _ in range(12)]
    same = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.75]]
    draws = [[[rng.random() for _ in range(5)], None] for _ in range(6)]
    sampled = [[statistics.fmean(row[0]), round(rng.random(), 3)] for row in draws]
    return {"topic": "laf", "format": 1, "spec": "laf.md",
            "tolerance": {"exact_specialty": 1e-6, "exact_posterior": 1e-6, "q": 1e-6, "fixed_point": 1e-5,
                          "reference_specialty": 0.02, "other_abs": 1e-12},
            "cases": [suites_case("fifteen suites with ties and missing values", tied, None),
                      suites_case("decimals that tie", hundredths, None),
                      suites_case("no difference", same, None),
                      suites_case("a sampled ranker", sampled, draws),
                      suites_case("nothing in common", [[0.5, None], [None, 0.25]], None),
                      suites_case("one ranker on one suite", [[0.5]], None)]}


def write(name, data):
    with open(os.path.join(FURTHER, name), "w", encoding="utf-8") as f:
        json.dump(data, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    write("ei-lines.json", lines())
    write("laf-suites.json", suites())
