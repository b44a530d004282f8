#!/usr/bin/env python3
"""Writes testdata/further/calibration.json: how well made-up models are calibrated.

Written from docs/guide/invariance.md, "Calibration", in the standard library alone. Means, bins and
Brier scores are exact fractions of the float32 probabilities, for Brier divided by their sum. The
cuts between bins are found in the sorted list of the images: ceil(b n / B), and then behind all of
equal confidence. NLL is summed by
math.fsum, with the logarithm of max(p, 2^-149). The temperature is the root of the derivative by 200
halvings of 1/T from 0.01 to 100. The interval and the ECE by chance draw by the numbers of
bootstrap.py: stream 1 of the seed draws the images of all resamples, stream 2 the answers.

    python3 scripts/golden/calibration.py
"""
import math
import random
import struct
from fractions import Fraction

from bootstrap import PCG, quantile, write


def narrow(v):
    return struct.unpack("f", struct.pack("f", v))[0]


def softmax(z):
    e = [math.exp(v - max(z)) for v in z]
    return [narrow(v / sum(e)) for v in e]


def bins(confidence, correct, most):
    """Lists of (confidence, correct) of the images in each bin."""
    images = sorted(zip(confidence, correct))
    n, cuts = len(images), set()
    for b in range(1, most + 1):
        at = -(-b * n // most)
        while at < n and images[at][0] == images[at - 1][0]:
            at += 1
        cuts.add(at)
    edges = sorted(cuts)
    return [images[low:high] for low, high in zip([0] + edges, edges)]


def gaps(parts):
    return [(len(part), abs(sum(Fraction(c) for c, _ in part) - sum(r for _, r in part)) / len(part)) for part in parts]


def ece(confidence, correct, most):
    return float(sum(n * gap for n, gap in gaps(bins(confidence, correct, most))) / len(confidence))


def fitted(p, label):
    """The temperature of the largest likelihood."""
    z = [[math.log(max(v, 2.0**-149)) for v in row] for row in p]

    def slope(b):
        terms = []
        for row, truth in zip(z, label):
            e = [math.exp(b * (v - max(row))) for v in row]
            terms.append(math.fsum(w * v for w, v in zip(e, row)) / math.fsum(e) - row[truth])
        return math.fsum(terms)
    low, high = math.log(0.01), math.log(100)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if slope(math.exp(middle)) > 0 else (middle, high)
    return math.exp(-(low + high) / 2)


def scaled(row, temperature):
    z = [math.log(max(v, 2.0**-149)) / temperature for v in row]
    e = [math.exp(v - max(z)) for v in z]
    return narrow(max(e) / math.fsum(e))


def measure(p, label, most, resamples, seed):
    n, confidence = len(p), [max(row) for row in p]
    correct = [row.index(max(row)) == truth for row, truth in zip(p, label)]
    parts = bins(confidence, correct, most)
    halves = [fitted(p[h::2], label[h::2]) for h in (0, 1)]
    value = ece(confidence, correct, most)
    draw, answer = PCG(seed, 1), PCG(seed, 2)
    again = [[draw.below(n) for _ in range(n)] for _ in range(resamples)]
    values = [ece([confidence[i] for i in items], [correct[i] for i in items], most) for items in again]
    chance = [ece(confidence, [(answer.next() & 2**53 - 1) / 2**53 < c for c in confidence], most) for _ in range(resamples)]
    low, high = max(0, 2 * value - quantile(values, 0.975)), max(0, 2 * value - quantile(values, 0.025))
    return {
        "accuracy": sum(correct) / n, "confidence": float(sum(map(Fraction, confidence)) / n), "sizes": [len(part) for part in parts],
        "ece": value, "low": 0.0 if value <= quantile(chance, 0.975) else low, "high": high,
        "chance": math.fsum(chance) / resamples, "mce": float(max(gap for _, gap in gaps(parts))),
        "brier": float(sum(sum((Fraction(v) / sum(map(Fraction, row)) - (c == truth))**2 for c, v in enumerate(row))
                           for row, truth in zip(p, label)) / n),
        "nll": math.fsum(-math.log(max(row[truth], 2.0**-149) / math.fsum(row)) for row, truth in zip(p, label)) / n,
        "temperature": fitted(p, label),
        "ece_scaled": ece([scaled(row, halves[1 - i % 2]) for i, row in enumerate(p)], correct, most),
    }


def main():
    random.seed(20261202)
    cases = []
    for name, images, classes, most, sharp, step in (
            ("small", 23, 4, 15, 1.0, 0), ("overconfident, zeros", 80, 3, 5, 40.0, 0), ("ties", 36, 3, 7, 1.0, 2.0),
            ("underconfident", 120, 2, 10, 0.3, 0)):
        label = [random.randrange(classes) for _ in range(images)]
        p = []
        for truth in label:
            z = [random.gauss(0, 1) + (c == truth) for c in range(classes)]
            if step:
                z = [step * round(v / step) for v in z]
                z[z.index(max(z))] += step  # one class is the largest
            p.append(softmax([sharp * v for v in z]))
        cases.append({"name": name, "how": "scripts/golden/calibration.py",
                      "input": {"kind": "model", "bins": most, "resamples": 200, "seed": 5, "p": p, "label": label},
                      "expected": measure(p, label, most, 200, 5)})
    write({"topic": "calibration", "format": 1, "tolerance": {"abs": 1e-11}}, cases)


if __name__ == "__main__":
    main()
