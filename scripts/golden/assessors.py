#!/usr/bin/env python3
"""Writes testdata/further/assessors.json: the answers of formulas about assessors, computed with the
standard library alone, by the definitions and none of the program's code.

    python3 scripts/golden/assessors.py > testdata/further/assessors.json
"""
import json
import math
import random
import statistics

HOW = "scripts/golden/assessors.py: python3, standard library; "


def incomplete_beta(a, b, x):
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny, c, d = 1e-300, 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    total = d
    for m in range(1, 500):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + step * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + step / c
            c = c if abs(c) > tiny else tiny
            total *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front * total


def bisect(function, target, low, high):
    for _ in range(300):
        middle = (low + high) / 2
        if function(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def student_above(t, nu):
    return incomplete_beta(nu / 2, 0.5, nu / (nu + t * t)) / 2


def student_quantile(nu):
    return bisect(lambda t: 1 - student_above(t, nu), 0.975, 0.0, 1e6)


def f_below(f, d1, d2):
    return incomplete_beta(d1 / 2, d2 / 2, d1 * f / (d1 * f + d2))


def f_quantile(q, d1, d2):
    return bisect(lambda f: f_below(f, d1, d2), q, 0.0, 1e9)


def corrected_t(differences, ratio):
    n = len(differences)
    mean = statistics.fmean(differences)
    error = math.sqrt((1 / n + ratio) * statistics.variance(differences))
    t = mean / error
    half = student_quantile(n - 1) * error
    return {"mean": mean, "low": mean - half, "high": mean + half, "t": t, "p": 2 * student_above(abs(t), n - 1)}


def oneway(values, groups):
    parts = [[v for v, h in zip(values, groups) if h == g] for g in sorted(set(groups))]
    n, k, grand = len(values), len(parts), statistics.fmean(values)
    between = sum(len(p) * (statistics.fmean(p) - grand) ** 2 for p in parts) / (k - 1)
    within = sum((v - statistics.fmean(p)) ** 2 for p in parts for v in p) / (n - k)
    size = (n - sum(len(p) ** 2 for p in parts) / n) / (k - 1)
    ratio = between / within

    def icc(f):
        return (f - 1) / (f + size - 1)
    return {"mean_between": between, "mean_within": within, "between": math.sqrt(max(0, (between - within) / size)),
            "within": math.sqrt(within), "f": ratio, "p": 1 - f_below(ratio, k - 1, n - k), "icc": icc(ratio),
            "low": icc(ratio / f_quantile(0.975, k - 1, n - k)), "high": icc(ratio / f_quantile(0.025, k - 1, n - k)),
            "singles": sum(len(p) == 1 for p in parts)}


def spreads(rows):
    return {c: statistics.stdev([r[c] for r in rows]) for c in range(len(rows[0])) if len({r[c] for r in rows}) > 1}


def distance(training, row):
    def apart(a, b, spread):
        return math.sqrt(statistics.fmean([((a[c] - b[c]) / spread[c]) ** 2 for c in spread]))
    own = []
    for i, a in enumerate(training):
        others = training[:i] + training[i + 1:]
        scale = spreads(others)
        own.append(min(apart(a, b, scale) for b in others) if scale else 0.0)
    own.sort()
    spread = spreads(training)
    far = [apart(row, t, spread) for t in training]
    value, limit = min(far), own[-max(1, (len(training) + 1) // 20)]
    beyond = {}
    for c, v in enumerate(row):
        low, high = min(t[c] for t in training), max(t[c] for t in training)
        if not low <= v <= high:
            beyond[c] = max(low - v, v - high) / spread[c] if c in spread else None
    return {"value": value, "nearest": far.index(value), "limit": limit, "outside": value > limit,
            "share": sum(o >= value for o in own) / len(own), "beyond": [[c, beyond[c]] for c in sorted(beyond)]}


def ceiling(ratings, labels, classes):
    """ratings are annotators x models, with None for no rating; all models have a label."""
    def others(r, i):
        counts = [sum(own[i] == k for s, own in enumerate(ratings) if s != r) for k in range(classes)]
        best = [k for k in range(classes) if counts[k] == max(counts)]
        return (ratings[r][i] in best) / len(best)

    def value(credit, models):
        return statistics.fmean([credit(r, i) for r, own in enumerate(ratings) for i in models if own[i] is not None])
    models = [i for i in range(len(labels)) if sum(own[i] is not None for own in ratings) >= 2]

    def estimate(credit):
        n, whole = len(models), value(credit, models)
        differences = [value(credit, [m for m in models if m != i]) - whole for i in models]
        differences = [d for d in differences if abs(d) > 1e-9]
        squares, fourths = sum(d ** 2 for d in differences), sum(d ** 4 for d in differences)
        kurtosis = n * fourths / squares ** 2
        freedom = max(1, min(n - 1, 2 / (2 / (n - 1) + max(0, kurtosis - 3) / n)))
        half = student_quantile(freedom) * math.sqrt((n - 1) / n * squares) / (whole * (1 - whole))
        centre = math.log(whole / (1 - whole))
        return {"value": whole, "low": 1 / (1 + math.exp(half - centre)), "high": 1 / (1 + math.exp(-half - centre))}
    return {"models": len(models), "label": estimate(lambda r, i: float(ratings[r][i] == labels[i])),
            "others": estimate(others)}


def wilson(right, n):
    """The shares p at which the score test of right / n, (right/n - p) / sqrt(p (1-p) / n), is -z and z."""
    z, share = statistics.NormalDist().inv_cdf(0.975), right / n

    def score(p):
        return (p - share) / math.sqrt(p * (1 - p) / n)
    low = bisect(score, -z, 1e-300, share) if right else 0.0
    return {"low": low, "high": bisect(score, z, share, 1 - 2**-53) if right < n else 1.0}


def holm(p):
    """Of each test the largest, over all that are not larger, of p times the number of tests that are left."""
    tests = sorted(v for v in p if v is not None)
    return [None if v is None else max(min(1, w * (len(tests) - k)) for k, w in enumerate(tests) if w <= v) for v in p]


def main():
    draw = random.Random(7)
    cases = []

    def case(kind, how, given, expected):
        number = 1 + sum(c["input"]["kind"] == kind for c in cases)
        cases.append({"name": f"{kind}{number}", "how": HOW + how, "input": {"kind": kind, **given}, "expected": expected})
    for n, ratio in ((30, 0.5), (3, 0.25), (10, 1.0)):
        differences = [round(draw.gauss(0.03, 0.08), 6) for _ in range(n)]
        case("corrected_t", "Student's t by the incomplete beta function",
             {"differences": differences, "ratio": ratio}, corrected_t(differences, ratio))
    for sizes, effect in (((3, 3, 3, 3), 2.0), ((5, 1, 2, 7, 1), 0.5), ((2, 2), 0.0), ((4, 4, 4), 0.0)):
        values, groups = [], []
        for g, n in enumerate(sizes):
            own = draw.gauss(10, effect)
            values += [round(draw.gauss(own, 1), 6) for _ in range(n)]
            groups += [g] * n
        case("oneway", "quantiles of F by bisection", {"values": values, "groups": groups}, oneway(values, groups))
    for n, width, shift in ((8, 3, 0.0), (25, 5, 4.0), (45, 4, 1.0)):
        training = [[round(draw.gauss(0, 10 ** c), 6) for c in range(width)] + [1.5] for _ in range(n)]
        row = [round(draw.gauss(shift, 1) * 10 ** c, 6) for c in range(width)] + [1.5 if shift < 2 else 2.0]
        case("distance", "every pair of models", {"training": training, "row": row}, distance(training, row))
    for raters, classes, n in ((2, 2, 20), (3, 2, 25), (5, 3, 30)):
        labels = [draw.randrange(classes) for _ in range(n)]
        ratings = [[None if draw.random() < 0.15 else label if draw.random() < 0.6 else draw.randrange(classes)
                    for label in labels] for _ in range(raters)]
        case("ceiling", "every model left out in turn", {"ratings": ratings, "labels": labels, "classes": classes},
             ceiling(ratings, labels, classes))
    for right, n in ((0, 7), (1, 1), (3, 10), (12, 12), (431, 1000)):
        case("share", "ends of the score test by bisection", {"right": right, "n": n}, wilson(right, n))
    for p in ([0.04, 0.01, None, 0.03, 0.01], [0.9, 0.6], [None], [round(draw.random() ** 4, 6) for _ in range(12)]):
        case("holm", "step by step", {"p": p}, {"adjusted": holm(p)})
    print('{"topic":"assessors","format":1,"spec":"doc comments and guide","tolerance":{"abs":1e-9},"cases":[')
    print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
    print("]}")


main()
