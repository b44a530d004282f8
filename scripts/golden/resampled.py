#!/usr/bin/env python3
"""Writes testdata/further/features.json (features of resamples of the images, with their intervals)
and testdata/further/verdicts.json (what assessors say of these resamples).

Written from docs/guide/features.md and assessors.md, in the standard library alone; the random
numbers are those of bootstrap.py.

    python3 scripts/golden/resampled.py
"""
import math
import random
import statistics

from bootstrap import PCG, numbers, quantile, weights, write

NAMES = ["svm", "mean", "std", "asv", "ssty", "hg_mean", "hg_std", "hg_rstd", "vg_mean", "vg_std", "vg_cstd",
         "dg_mean", "dg_std", "g_overall", "dctny", "asymm"]
HOW = "scripts/golden/resampled.py: weights of images, the formulas element by element, math.fsum"


def sub_sample(images, share, seed):
    """The first places of a Fisher-Yates shuffle of all images of a suite."""
    pcg, order = PCG(seed, 0), list(range(images))
    count = images * round(share * 100) // 100
    for k in range(count):
        other = k + pcg.below(images - k)
        order[k], order[other] = order[other], order[k]
    return set(order[:count])


def matrix(n, square, times):
    """times are (image, how often)."""
    count = sum(w for _, w in times)
    rows = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            rows[i][j] = rows[j][i] = math.sqrt(math.fsum(w * square(i, j, k) for k, w in times) / count)
    return rows


def deviation(values):
    if not values:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean)**2 for v in values) / len(values))


def features(d, reduced):
    n = len(d) - 1
    lower = [(i, j) for i in range(n + 1) for j in range(i)]
    mean = math.fsum(d[i][j] for i, j in lower) / len(lower)
    f = [row[:] for row in d]
    for i in range(n + 1):
        f[i][i] = statistics.fmean(([d[i][i - 1]] if i else []) + ([d[i + 1][i]] if i < n else []))
    rows = [[f[i][j - 1] - f[i][j] for j in range(1, i + 1)] for i in range(1, n + 1)]
    columns = [[f[i + 1][j] - f[i][j] for i in range(j, n)] for j in range(n)]
    diagonal = [f[i + 1][j - 1] - f[i][j] for i in range(1, n) for j in range(1, i + 1)]
    h, v = sum(rows, []), sum(columns, [])
    largest, overall = max(map(max, f)), 0.0
    for g in (h, v, diagonal):
        if deviation(g) > 1e-12 * largest:
            overall += statistics.fmean(g) / deviation(g) / 3
    uneven = 0.0
    for r in range(1, n):
        line = [d[j + r][j] for j in range(n - r + 1)]
        uneven += len(line) * deviation(line)**2
    turned = math.fsum(abs(d[i][j] - d[n - j][n - i]) for i, j in lower)
    return [
        math.fsum(x * x for row in d for x in row) / 2 / (n + 1)**2, mean, deviation([d[i][j] for i, j in lower]),
        sum(d[i][j] > 0.15 for i, j in lower) / len(lower),
        math.fsum((d[i][j] - reduced[i][j])**2 for i, j in lower) / len(lower),
        statistics.fmean(h), deviation(h), statistics.fmean(map(deviation, rows)),
        statistics.fmean(v), deviation(v), statistics.fmean(map(deviation, columns)),
        statistics.fmean(diagonal or [0.0]), deviation(diagonal), overall,
        uneven / mean if mean else 0.0, turned / mean if mean else 0.0,
    ]


def resampled(n, square, total, images, resamples, seed):
    """The features of all images, and those of each resample."""
    few = sub_sample(total, 0.9, 1)

    def measure(times):
        return features(matrix(n, square, times), matrix(n, square, [(k, w) for k, w in times if k in few]))
    drawn = [[(k, w) for k, w in zip(images, weights(len(images), seed, r)) if w] for r in range(resamples)]
    return measure([(k, 1) for k in images]), [measure(times) for times in drawn], drawn


def intervals(whole, all_of, undefined):
    answer = {}
    for c, name in enumerate(NAMES):
        if name in undefined:
            answer[name] = {"value": whole[c], "caveat": undefined[name]}
            continue
        values = [of[c] for of in all_of]
        sd, bias = deviation(values), math.fsum(values) / len(values) - whole[c]
        answer[name] = {"value": whole[c], "low": quantile(values, 0.025), "high": quantile(values, 0.975), "sd": sd,
                        "bias": bias, "caveat": "few_images" if name == "ssty" else "biased" if abs(bias) > sd / 4 else ""}
    return answer


def scalar(rows):
    return lambda i, j, k: (rows[i][k] - rows[j][k])**2


def vector(rows):
    return lambda i, j, k: rows[i * (i - 1) // 2 + j][k]**2


def tree(feature, threshold, left, right):
    """Two leaves; left and right are training models per class."""
    both = [a + b for a, b in zip(left, right)]
    return {"classes": len(left), "left": [1, -1, -1], "right": [2, -1, -1], "feature": [feature, -1, -1],
            "threshold": [threshold, 0, 0], "impurity": [0.5, 0, 0], "cover": [sum(both), sum(left), sum(right)],
            "counts": [both, left, right]}, lambda x: [n / sum(leaf) for leaf in [left if x[feature] <= threshold else right] for n in leaf]


def linear(coefficients, intercept, classes):
    """On rows of length 1; positions of the classes are 0 to 1, the nearest one is the verdict."""
    def value(x):
        length = math.sqrt(math.fsum(v * v for v in x))
        return intercept + math.fsum(c * v / length for c, v in zip(coefficients, x))

    def shares(x):
        place = min(max(value(x), 0), 1) * (classes - 1)
        low = min(math.floor(place), classes - 2)
        return [(low + 1 - place) if c == low else (place - low) if c == low + 1 else 0.0 for c in range(classes)]
    return {"coefficients": coefficients, "intercept": intercept, "z_scores": False, "centre": [0.0] * len(coefficients)}, value, shares


def verdicts(classes, verdict, variant, of):
    counts = [0] * classes
    for x in of:
        counts[verdict(x)] += 1
    answer = {"shares": [n / len(of) for n in counts]}
    if variant:
        values = [variant(x) for x in of]
        answer.update(mean=math.fsum(values) / len(values), low=quantile(values, 0.025), high=quantile(values, 0.975))
    return answer


def main():
    random.seed(20261130)
    signals, few = numbers(7, 40), numbers(2, 30)
    distances = [[abs(v) / 8 for v in row] for row in numbers(10, 40)]
    some = [k for k in range(40) if k % 4]
    everything = {"signals": signals, "images": list(range(40)), "resamples": 200, "seed": 3}
    told, all_told = [], {}
    for name, n, square, total, images, resamples, seed, given, undefined in (
            ("scalar", 7, scalar(signals), 40, list(range(40)), 200, 3, {"signals": signals}, {}),
            ("chosen-images", 7, scalar(signals), 40, some, 120, 4, {"signals": signals}, {}),
            ("vector", 5, vector(distances), 40, list(range(40)), 150, 5, {"distances": distances}, {}),
            ("two-transformations", 2, scalar(few), 30, list(range(30)), 100, 1, {"signals": few},
             {"dg_mean": "no_diagonal_gradient", "dg_std": "no_diagonal_gradient", "g_overall": "hg_ratio_undefined"}),
    ):
        whole, of, _ = resampled(n, square, total, images, resamples, seed)
        all_told[name] = of
        told.append({"name": name, "how": HOW,
                     "input": {"kind": "intervals", "transformations": n, "images": images, "total": total,
                               "resamples": resamples, "seed": seed, **given},
                     "expected": intervals(whole, of, undefined)})
    write({"topic": "features", "format": 1, "tolerance": {"abs": 1e-12, "rel": 1e-9},
           "note": "Features by the formulas as printed; resample r of a seed has stream r + 1."}, told)

    of, cases = all_told["scalar"], []
    words = {2: ["invariant", "variant"], 3: ["invariant", "borderline", "variant"]}
    names = ["max@CONF." + name for name in NAMES]

    def judged(name, classes, settings, learned, verdict, variant, rows=of, **more):
        cases.append({"name": name, "how": HOW,
                      "input": {"kind": "resampled", **everything, **more,
                                "assessor": {"settings": {"seed": 0, **settings}, "names": names, "classes": words[classes], **learned}},
                      "expected": verdicts(classes, verdict, variant, rows)})
    # A third of the resamples lie on one side of the threshold, halfway between two of them.
    for c, leaves in ((13, ([6, 2], [1, 5])), (14, ([2, 3, 2], [0, 1, 4]))):
        values = sorted(x[c] for x in of)
        made, shares = tree(c, (values[66] + values[67]) / 2, *leaves)

        def verdict(x, shares=shares):
            p = shares(x)
            return int(p[1] > 0.5) if len(p) == 2 else p.index(max(p))
        judged(f"tree-{len(leaves[0])}-classes", len(leaves[0]), {"algorithm": "tree"}, {"tree": made}, verdict,
               lambda x, shares=shares: shares(x)[-1])
    for classes in (2, 3):
        coefficients = [round(random.gauss(0, 1), 3) for _ in NAMES]
        _, value, _ = linear(coefficients, 0.0, classes)
        made, value, shares = linear(coefficients, 0.6 - round(quantile([value(x) for x in of], 0.5), 3), classes)
        judged(f"linear-{classes}-classes", classes, {"algorithm": "linear"}, {"linear": made},
               lambda x, value=value, classes=classes: math.floor(value(x) * (classes - 1) + 0.5) if 0 <= value(x) <= 1 else
               (classes - 1) * (value(x) > 1), lambda x, shares=shares: shares(x)[-1])
    # The baseline looks at predictions alone: the share of labelled images that are right throughout.
    labels = [random.choice((-1, 0, 1, 2)) for _ in range(40)]
    predictions = [[label if random.random() < 0.93 else random.randrange(3) for label in labels] for _ in range(7)]
    right = [all(p[k] == labels[k] for p in predictions) for k in range(40)]
    drawn = [dict((k, w) for k, w in zip(range(40), weights(40, 3, r))) for r in range(200)]
    scores = [sum(w * right[k] for k, w in times.items() if labels[k] >= 0) /
              sum(w for k, w in times.items() if labels[k] >= 0) for times in drawn]
    limit = quantile(scores, 0.4) + 1e-6
    judged("baseline", 2, {"algorithm": "baseline", "score": "correct_product"},
           {"threshold": {"score": "correct_product", "thresholds": [limit]}}, lambda score: int(score < limit), None, scores,
           labels=labels, predictions=predictions)
    write({"topic": "verdicts", "format": 1, "tolerance": {"abs": 1e-9},
           "note": "Assessors are given as they are, none is trained; their features are those of max@CONF."}, cases)


if __name__ == "__main__":
    main()
