#!/usr/bin/env python3
"""Writes testdata/further/planning.json: how wide the intervals of simulated rounds are.

Written from docs/guide/planning.md and the printed formulas of the coefficients in the standard
library alone: kappas and alpha in exact fractions, the jackknife item by item, quantiles of
Student's t by halving its distribution, which is integrated by Simpson's rule. The random numbers
are those of bootstrap.py.

    python3 scripts/golden/planning.py
"""
import math
import random
from fractions import Fraction
from itertools import combinations, permutations

from bootstrap import PCG, quantile, write

M = None  # a label that is missing


def rating(pcg):
    return (pcg.next() & (2**53 - 1)) / 2**53


def given(item):
    return [c for c in item if c is not M]


def percent(items, classes):
    shares = [Fraction(sum(a == b for a, b in permutations(g, 2)), len(g) * (len(g) - 1))
              for g in map(given, items) if len(g) > 1]
    return sum(shares) / len(shares) if shares else None


def class_shares(items, classes):
    rated = [g for g in map(given, items) if g]
    return [sum(Fraction(g.count(k), len(g)) for g in rated) / len(rated) for k in range(classes)]


def fleiss(items, classes):
    observed = percent(items, classes)
    if observed is None:
        return None
    chance = sum(p * p for p in class_shares(items, classes))
    return None if chance == 1 else (observed - chance) / (1 - chance)


def cohen(items, a, b, classes):
    pairs = [(i[a], i[b]) for i in items if i[a] is not M and i[b] is not M]
    n = len(pairs)
    if not n:
        return None
    chance = sum(Fraction(sum(x == k for x, _ in pairs) * sum(y == k for _, y in pairs), n * n) for k in range(classes))
    return None if chance == 1 else (Fraction(sum(x == y for x, y in pairs), n) - chance) / (1 - chance)


def cohen_mean(items, classes):
    found = [v for a, b in combinations(range(len(items[0])), 2) if (v := cohen(items, a, b, classes)) is not None]
    return sum(found) / len(found) if found else None


def alpha(items, classes):
    observed = sum(Fraction(sum(a != b for a, b in permutations(g, 2)), len(g) - 1) for g in map(given, items) if len(g) > 1)
    totals = [sum(g.count(k) for g in map(given, items) if len(g) > 1) for k in range(classes)]
    chance = sum(x * y for x, y in permutations(totals, 2))
    return None if chance == 0 else 1 - (sum(totals) - 1) * observed / chance


MEASURES = {"percent": percent, "fleiss": fleiss, "cohen_mean": cohen_mean, "krippendorff_nominal": alpha}


def within(t, freedom):
    """The share of Student's t that is not farther from 0 than t: with t = sqrt(v) tan(a), the integral of cos(a)^(v-1)."""
    end, steps = math.atan(t / math.sqrt(freedom)), 2000
    values = [math.cos(end * k / steps) ** (freedom - 1) for k in range(steps + 1)]
    area = end / steps / 3 * (values[0] + values[-1] + 4 * math.fsum(values[1:-1:2]) + 2 * math.fsum(values[2:-1:2]))
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    return 2 * scale * area


def student(freedom):
    low, high = 1.9, 13.0
    for _ in range(46):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < 0.95 else (low, middle)
    return low


def half_width(measure, items, classes):
    """Half the width of the jackknife interval; of the widest one where there is none."""
    share, value, n = measure is percent, measure(items, classes), sum(len(given(i)) > 1 for i in items)
    widest = 0.5 if share else 1.0
    if value is None or n < 8:
        return widest
    if not share:
        votes = [sum(given(i).count(k) for i in items) for k in range(classes)]
        top = votes.index(max(votes))
        second = sum(any(i.count(k) > 1 for k in range(classes) if k != top) for i in items)
        agreeing = sum(len(g) > 1 and max(g.count(k) for k in range(classes)) > math.ceil(len(g) / classes)
                       for g in map(given, items))
        if second < 3 or classes == 2 and agreeing < 2:
            return widest
    differences, seen = [], {}
    for k, item in enumerate(items):
        key = tuple(item)
        if key not in seen:
            less = measure(items[:k] + items[k + 1:], classes)
            if less is None:
                return widest
            seen[key] = float(less - value)
        if abs(seen[key]) > 1e-9:
            differences.append(seen[key])
    value = float(value)
    if not differences or abs(value) == 1 or share and value == 0:
        return (1 - 0.025 ** (1 / n)) / 2 if share and value in (0, 1) else widest
    squares, fourths = math.fsum(d**2 for d in differences), math.fsum(d**4 for d in differences)
    kurtosis = n * fourths / squares**2
    freedom = max(1, min(n - 2 - classes, 2 / (2 / (n - 1) + max(0, kurtosis - 3) / n)))
    wide = student(freedom) * math.sqrt((n - 1) / n * squares)
    if share:
        middle, half = math.log(value / (1 - value)), wide / (value * (1 - value))
        return (1 / (1 + math.exp(-middle - half)) - 1 / (1 + math.exp(-middle + half))) / 2
    middle, half = math.atanh(value), wide / (1 - value**2)
    return (math.tanh(middle + half) - math.tanh(middle - half)) / 2


def grow(items, classes, models, most, pcg):
    """The labels of a simulated round: models x annotators."""
    items = [list(i) for i in items]
    while len(items) < models:
        items.append(list(items[pcg.below(len(items))]))
    order = list(range(len(items[0])))
    for i in range(len(order) - 1, 0, -1):
        j = pcg.below(i + 1)
        order[i], order[j] = order[j], order[i]
    kappa = fleiss(items, classes)
    kappa = 1.0 if kappa is None else min(1.0, max(0.0, float(kappa)))
    shares = [float(p) for p in class_shares(items, classes)]
    grown = []
    for item in items:
        row = [item[r] for r in order]
        while len(row) < most:
            weights = [(1 - kappa) * p + kappa * row.count(k) for k, p in enumerate(shares)]
            place, k = rating(pcg) * sum(weights), 0
            while place >= weights[k] and k < classes - 1:
                place -= weights[k]
                k += 1
            row.append(k)
        grown.append(row)
    return grown


def case(name, items, classes, models, annotators, rounds, seed):
    half = {key: [] for key in MEASURES}
    for b in range(rounds):
        grown = grow(items, classes, models, annotators, PCG(seed, b + 1))
        for key, measure in MEASURES.items():
            half[key].append(half_width(measure, [row[:annotators] for row in grown], classes))
    summed = {key: {"low": quantile(list_, 0.025), "median": quantile(list_, 0.5), "high": quantile(list_, 0.975),
                    "given": sum(h < (0.5 if key == "percent" else 1.0) for h in list_) / rounds}
              for key, list_ in half.items()}
    return {"name": name, "how": "scripts/golden/planning.py: fractions, the jackknife item by item",
            "input": {"classes": classes, "ratings": [list(r) for r in zip(*items)], "models": models,
                      "annotators": annotators, "rounds": rounds, "seed": seed}, "expected": summed}


def labels(models, annotators, classes, accuracy, missing=0.0):
    items = []
    for _ in range(models):
        truth = random.randrange(classes)
        item = [M if random.random() < missing else truth if random.random() < accuracy else random.randrange(classes)
                for _ in range(annotators)]
        items.append(item if len(given(item)) > 1 else [truth] * annotators)
    return items


def main():
    random.seed(20261129)
    write({"topic": "planning", "format": 1, "tolerance": {"abs": 1e-8, "rel": 0}}, [
        case("more-models", labels(12, 3, 2, 0.8), 2, 40, 3, 24, 1),
        case("fewer-annotators", labels(14, 3, 2, 0.8), 2, 30, 2, 24, 2),
        case("more-annotators", labels(12, 2, 3, 0.7), 3, 30, 4, 24, 3),
        case("missing-labels", labels(15, 4, 3, 0.7, 0.3), 3, 30, 5, 24, 4),
        case("half-of-the-models-each", [[0, 0, M, M], [M, 1, 1, M], [M, M, 1, 0], [0, M, M, 0], [1, 1, M, M], [M, 0, 1, M],
                                         [M, M, 0, 0], [1, M, M, 1], [1, M, 1, M], [M, 0, M, 0]], 2, 40, 4, 24, 5),
        case("all-alike", [[1, 1, 1]] * 9, 2, 30, 4, 20, 6),
        case("too-few-models", [[0, 0], [1, 1], [0, 1], [1, 1]], 2, 6, 2, 20, 7),
    ])


if __name__ == "__main__":
    main()
