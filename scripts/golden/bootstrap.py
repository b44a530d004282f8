#!/usr/bin/env python3
"""Writes testdata/further/bootstrap.json: bands of variance matrices by resamples of the images.

Written from the definitions alone (docs/guide/inspect.md, "How certain a matrix is"), in the
standard library: PCG-DXSM with seed and stream, Lemire's bounded numbers, weights of images,
math.fsum, and quantiles by linear interpolation.
"""
import json
import math
import pathlib
import random

M64 = 2**64 - 1
MUL = 2549297995355413924 << 64 | 4865540595714422341
INC = 6364136223846793005 << 64 | 1442695040888963407


class PCG:
    def __init__(self, seed, stream):
        self.state = seed << 64 | stream

    def next(self):
        self.state = (self.state * MUL + INC) % 2**128
        high, low = self.state >> 64, self.state & M64
        high ^= high >> 32
        high = high * 0xDA942042E4DD58B5 & M64
        high ^= high >> 48
        return high * (low | 1) & M64

    def below(self, n):
        if n & (n - 1) == 0:
            return self.next() & (n - 1)
        product = self.next() * n
        while product & M64 < 2**64 % n:
            product = self.next() * n
        return product >> 64


def weights(count, seed, resample):
    pcg, times = PCG(seed, resample + 1), [0] * count
    for _ in range(count):
        times[pcg.below(count)] += 1
    return times


def quantile(values, q):
    values = sorted(values)
    at = (len(values) - 1) * q
    below = math.floor(at)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (at - below)


def case(name, n, square, images, resamples, seed, **given):
    drawn = [weights(len(images), seed, r) for r in range(resamples)]
    low, high = [[0.0] * n for _ in range(n)], [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            values = [math.sqrt(math.fsum(w * square(i, j, k) for w, k in zip(times, images)) / len(images))
                      for times in drawn]
            low[i][j] = low[j][i] = quantile(values, 0.025)
            high[i][j] = high[j][i] = quantile(values, 0.975)
    first = [[k for w, k in zip(times, images) for _ in range(w)] for times in drawn[:3]]
    return {
        "name": name, "how": "scripts/golden/bootstrap.py: weights of images, math.fsum",
        "input": {"kind": "band", "images": images, "resamples": resamples, "seed": seed, **given},
        "expected": {"drawn": first, "low": low, "high": high},
    }


def numbers(rows, count):
    return [[random.randrange(-2048, 2048) / 1024 for _ in range(count)] for _ in range(rows)]


def write(head, cases):
    """Writes the cases of a topic to testdata/further, a line each."""
    path = pathlib.Path(__file__).parents[2] / "testdata" / "further" / (head["topic"] + ".json")
    text = ",\n".join(" " + json.dumps(key) + ": " + json.dumps(value) for key, value in head.items())
    path.write_text("{\n" + text + ",\n \"cases\": [\n" + ",\n".join("  " + json.dumps(c) for c in cases) + "\n]}\n")


def main():
    random.seed(20261129)
    signals = numbers(5, 24)
    distances = [[abs(v) for v in row] for row in numbers(6, 20)]
    constant = [[0.5] * 16, [0.25] * 16, [1.0] * 15 + [9.0]]

    def scalar(rows):
        return lambda i, j, k: (rows[i][k] - rows[j][k])**2
    cases = [
        case("scalar", 5, scalar(signals), list(range(24)), 200, 1, signals=signals),
        case("chosen-images", 5, scalar(signals), [0, 2, 3, 5, 8, 13, 14, 19, 21, 22, 23], 150, 7, signals=signals),
        case("vector", 4, lambda i, j, k: distances[i * (i - 1) // 2 + j][k]**2, list(range(20)), 300, 2,
             distances=distances),
        case("one-image-stands-out", 3, scalar(constant), list(range(16)), 400, 3, signals=constant),
    ]
    write({"topic": "bootstrap", "format": 1, "tolerance": {"abs": 1e-12, "rel": 1e-12},
           "note": "Resample r of a seed has stream r + 1; drawn are the first three, as lists of images."}, cases)


if __name__ == "__main__":
    main()
