package chance

import (
	"fmt"
	"math"

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

// Tried is a candidate under which a model was run.
type Tried struct {
	Name   string `json:"name"`
	Recipe string `json:"recipe"` // text that corrects the model's recipe to it, empty for the default
	Right  int    `json:"right"`  // images that are predicted rightly
}

// Looks is what a look at a model with a default recipe found (spec/recipe.md section 3). The zero
// value is no doubt.
type Looks struct {
	Images int     `json:"images"`
	Tried  []Tried `json:"tried"` // the default first
	Best   int     `json:"best"`  // of Tried, what the model looks as if it wants; 0 for the default
	P      float64 `json:"p"`     // one-sided McNemar test of the best one against the default
}

// Look compares candidates, the default first, by which of the same labelled images the model
// predicts rightly under each. The best one counts where it is right for over 10 points more
// images than the default and p < 0.01.
func Look(list []recipe.Candidate, right [][]bool) Looks {
	l := Looks{Images: len(right[0])}
	best := 0
	for k, c := range list {
		count := 0
		for _, r := range right[k] {
			if r {
				count++
			}
		}
		l.Tried = append(l.Tried, Tried{c.Name, c.Text(), count})
		if count > l.Tried[best].Right {
			best = k
		}
	}
	l.P = McNemar(right[0], right[best])
	if l.share(best)-l.share(0) > betterBy && l.P < betterLevel {
		l.Best = best
	}
	return l
}

// Improvable tells whether some candidate could be better than the default.
func (l Looks) Improvable() bool { return 1-l.share(0) > betterBy }

// share is that of the images that are predicted rightly.
func (l Looks) share(k int) float64 { return float64(l.Tried[k].Right) / float64(max(1, l.Images)) }

// Wanted is what the model looks as if it wants; ok is false where there is no doubt.
func (l Looks) Wanted() (t Tried, ok bool) {
	if l.Best <= 0 || l.Best >= len(l.Tried) {
		return Tried{}, false
	}
	return l.Tried[l.Best], true
}

// Doubtful tells whether the model looks as if it wants another recipe.
func (l Looks) Doubtful() bool {
	_, ok := l.Wanted()
	return ok
}

// Sentence is the badge: "looks as if it wants 0..255: 81.3 % instead of 34.4 %"; empty without a
// doubt.
func (l Looks) Sentence() string {
	t, ok := l.Wanted()
	if !ok {
		return ""
	}
	return fmt.Sprintf("looks as if it wants %s: %s instead of %s", t.Name,
		result.Percent(l.share(l.Best)), result.Percent(l.share(0)))
}

// LookColumns tell what a look at a model found. People see the sentence alone.
var LookColumns = []result.Column[Looks]{
	result.Texts("looks", "looks",
		"another recipe under which more of up to 64 labelled images are right", Looks.Sentence),
	result.Texts("looks_recipe", "looks recipe", "what corrects the model's recipe to it", func(l Looks) string {
		t, _ := l.Wanted()
		return t.Recipe
	}).In(result.FileOnly),
	looked("looks_right", "right", "images that are right under it", result.Count,
		func(l Looks) float64 { return float64(l.Tried[l.Best].Right) }),
	looked("looks_default_right", "right by default", "images that are right under the default recipe", result.Count,
		func(l Looks) float64 { return float64(l.Tried[0].Right) }),
	looked("looks_images", "images", "labelled images that were looked at", result.Count,
		func(l Looks) float64 { return float64(l.Images) }),
	looked("looks_p", "looks p", "one-sided McNemar test of the two", result.P, func(l Looks) float64 { return l.P }),
}

// looked is a column of what is missing without a doubt.
func looked(key, title, help string, format result.Format, value func(Looks) float64) result.Column[Looks] {
	return result.Numbers(key, title, help, format, func(l Looks) float64 {
		if !l.Doubtful() {
			return math.NaN()
		}
		return value(l)
	}).In(result.FileOnly)
}
