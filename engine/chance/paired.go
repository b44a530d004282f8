package chance

import (
	"fmt"

	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
)

// McNemar is the probability of at least as many images that the second of two classifiers alone
// predicts rightly, were both equally good: the one-sided exact test of McNemar. first and second
// tell of the same images whether they are predicted rightly. It is 1 where they differ nowhere.
func McNemar(first, second []bool) float64 {
	only, differing := 0, 0
	for i, right := range second {
		if right != first[i] {
			differing++
			if right {
				only++
			}
		}
	}
	return upperTail(only, differing, 0.5)
}

// The number of images that a model is looked at with, and when a candidate counts as better.
const (
	LookImages  = 64
	betterBy    = 0.10 // share of images
	betterLevel = 0.01
)

// Looks is what a look at a model with a default recipe found: a candidate under which it is right
// more often. The zero value is no doubt.
type Looks struct {
	Name    string  `json:"name"`    // of the candidate
	Recipe  string  `json:"recipe"`  // canonical text
	Share   float64 `json:"share"`   // of the images that are predicted rightly under the candidate
	Default float64 `json:"default"` // and under the default
	Images  int     `json:"images"`
	P       float64 `json:"p"` // one-sided McNemar test
}

// Look compares candidates, the default first, by which of the same labelled images the model
// predicts rightly under each. The best one counts where it is right for over 10 points more
// images than the default and p < 0.01 (spec section 3).
func Look(list []recipe.Candidate, right [][]bool) Looks {
	n := len(right[0])
	share := func(k int) float64 {
		count := 0
		for _, r := range right[k] {
			if r {
				count++
			}
		}
		return float64(count) / float64(max(1, n))
	}
	best := 0
	for k := range list {
		if share(k) > share(best) {
			best = k
		}
	}
	p := McNemar(right[0], right[best])
	if share(best)-share(0) <= betterBy || p >= betterLevel {
		return Looks{}
	}
	return Looks{Name: list[best].Name, Recipe: list[best].Text(), Share: share(best), Default: share(0), Images: n, P: p}
}

// Doubtful tells whether the model looks as if it wants another recipe.
func (l Looks) Doubtful() bool { return l.Images > 0 }

// String is the badge: "looks as if it wants 0..255: 81.0 % instead of 34.0 % of 64 images right".
func (l Looks) String() string {
	if !l.Doubtful() {
		return ""
	}
	return fmt.Sprintf("looks as if it wants %s: %s instead of %s of %d images right",
		l.Name, result.Percent(l.Share), result.Percent(l.Default), l.Images)
}
