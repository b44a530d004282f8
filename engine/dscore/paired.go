package dscore

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// Differences are the intervals of what sets two models apart on the same images, of the second
// minus the first.
type Differences struct{ Original, Robust, Fitness, DScore Interval }

// Differ draws the same images for both models (the samples of Bootstrap), which must have the
// same n and images. The intervals of scores reach over all that the errors of the difference
// leave possible, for each of the accuracies that could be the true ones of the first model with
// each of the second (see pivot). That of the accuracies' difference is discordant's. p (may be
// nil) counts samples of both. The errors are those of Bootstrap.
func Differ(ctx context.Context, a, b Hits, o BootstrapOptions, p progress.Progress) (d Differences, err error) {
	if a.Grid != b.Grid || len(a.Original) != len(b.Original) {
		return d,
			fmt.Errorf("models are compared on the same images and regions, not on %d with n = %d and %d with n = %d",
				len(a.Original), a.Grid, len(b.Original), b.Grid)
	}
	if o, err = o.Filled(); err != nil {
		return d, err
	}
	p = progress.Or(p)
	p.SetTotal(2 * int64(o.Samples))
	var of [2]pivot
	for k, h := range []Hits{a, b} {
		if of[k], err = draw(ctx, h, o, p); err != nil {
			return d, err
		}
	}
	d.Original = discordant(a.Original, b.Original, (1-o.Level)/2)
	into := [3]*Interval{&d.Robust, &d.Fitness, &d.DScore}
	if len(a.Original) < MinImages {
		for _, i := range into {
			i.Reason = TooFewImages
		}
		return d, nil
	}
	first, second := of[0].scores(of[0].at), of[1].scores(of[1].at)
	errors := [2][][3][]float64{of[0].errors(), of[1].errors()}
	between := make([]float64, o.Samples)
	for k, i := range into {
		value := second[k] - first[k]
		*i = Interval{Low: value, High: value}
		for _, x := range errors[0] {
			for _, y := range errors[1] {
				for s := range between {
					between[s] = y[k][s] - x[k][s]
				}
				i.reach(value, between, o.Level)
			}
		}
	}
	return d, ctx.Err()
}

// discordant is the interval of the difference of two accuracies, second minus first, from the
// images that one of the models alone has right; each end has the given tail. It reaches over two
// intervals. That of Newcombe (1998, method 10, over exact intervals of both shares) allows for
// such images where none was seen. That given their number holds 0 just where McNemar's exact
// test sees no difference.
func discordant(first, second []bool, tail float64) Interval {
	var only [2]int
	for i := range first {
		switch {
		case first[i] && !second[i]:
			only[0]++
		case second[i] && !first[i]:
			only[1]++
		}
	}
	all := float64(len(first))
	down, up, together := float64(only[0])/all, float64(only[1])/all, 0.0
	if only[0] > 0 && only[1] > 0 {
		together = 2 * math.Sqrt(down*up/((1-down)*(1-up))) // minus twice the correlation of both shares
	}
	apart := func(a, b float64) float64 { return math.Sqrt(float64(a*a) + float64(b*b) + float64(together*a*b)) }
	leastDown, mostDown := exact(only[0], len(first), tail)
	leastUp, mostUp := exact(only[1], len(first), tail)
	least, most := exact(only[1], only[0]+only[1], tail)
	return Interval{
		Low:  min(up-down-apart(up-leastUp, mostDown-down), (up+down)*(2*least-1)),
		High: max(up-down+apart(mostUp-up, down-leastDown), (up+down)*(2*most-1)),
	}
}

// exact is the interval of a share of n items by Clopper and Pearson (1934), each end with the
// tail.
func exact(hits, n int, tail float64) (low, high float64) {
	if hits > 0 {
		low = distuv.Beta{Alpha: float64(hits), Beta: float64(n - hits + 1)}.Quantile(tail)
	}
	if high = 1; hits < n {
		high = distuv.Beta{Alpha: float64(hits + 1), Beta: float64(n - hits)}.Quantile(1 - tail)
	}
	return low, high
}

// Pair is two models on one suite with one grid.
type Pair struct {
	Models [2]Diagnosis
	Differences
}

// Contrast is one number of both models: a row of Contrasts.
type Contrast struct {
	Of        *Pair
	Quantity  string // by the letters of the paper
	words     string
	of        func(Diagnosis) float64
	in        Interval
	up, share bool // the larger the better; a share, else a score
}

// ContrastsOf are accuracy and scores of all pairs, in order.
func ContrastsOf(pairs []Pair) (list []Contrast) {
	for k := range pairs {
		p := &pairs[k]
		list = append(list, Contrast{
			p, "accuracy", "accuracy", func(d Diagnosis) float64 { return d.Accuracies.Original }, p.Original,
			true, true,
		})
		for i, s := range ranked {
			in := [...]Interval{p.Robust, p.Fitness, p.DScore}[i]
			list = append(list, Contrast{p, s.letters, s.title, s.value, in, s.up, false})
		}
	}
	return list
}

// Better is the model whose number is better in all that the interval holds: its place, -1 for
// none.
func (d Contrast) Better() int {
	switch {
	case d.in.Reason != "" || d.in.Low <= 0 && d.in.High >= 0:
		return -1
	case (d.in.Low > 0) == d.up:
		return 1
	}
	return 0
}

const differenceHelp = "second minus first; the interval takes both models on the same images"

// Contrasts is the table of what sets pairs of models apart.
var Contrasts = result.Table[Contrast]{
	Name: "differences", Title: "Two models on the same images", Noun: "number",
	ID: func(d Contrast) string { return d.Of.Models[0].ID() + "/" + d.Of.Models[1].ID() + "/" + d.Quantity },
	Columns: slices.Concat(
		result.Lift(subject.Columns[2:4], func(d Contrast) subject.Subject { return d.Of.Models[0].subject() }),
		[]result.Column[Contrast]{
			side(func(d Contrast) int { return d.Of.Models[0].N }),
			shift(func(d Contrast) int { return d.Of.Models[0].T }),
			result.Texts("quantity", "number", "accuracy, or one of the scores: v_robust, v_fitness, D-Score",
				func(d Contrast) string { return d.Quantity }).
				Told(func(d Contrast) string { return d.words }),
			ofModel(0, "first_model", "first model"), hashOf(0, "first_hash"), valueOf(0, "first", "its number"),
			ofModel(1, "second_model", "second model"), hashOf(1, "second_hash"), valueOf(1, "second", "its number"),
			within(told(result.Numbers("difference", "difference", differenceHelp, result.Number,
				func(d Contrast) float64 { return d.of(d.Of.Models[1]) - d.of(d.Of.Models[0]) }), result.Points,
				Contrast.isShare),
				func(d Contrast) Interval { return d.in }),
			result.Texts("better", "better", "the model that is better in the whole interval; empty where it holds 0",
				func(d Contrast) string {
					if k := d.Better(); k >= 0 {
						return d.Of.Models[k].Model.ID
					}
					return ""
				}).Because(func(d Contrast) result.Reason {
				if d.in.Reason != "" {
					return result.Reason{Code: FewImages, Text: d.in.Reason}
				}
				return result.Because("undecided", "the interval of the difference holds 0")
			}),
		}),
}

func ofModel(k int, key, title string) result.Column[Contrast] {
	return result.Texts(key, title, "name of the model", func(d Contrast) string { return d.Of.Models[k].Model.ID })
}

func hashOf(k int, key string) result.Column[Contrast] {
	return result.Texts(key, "model hash", "SHA-256 of the model's file",
		func(d Contrast) string { return d.Of.Models[k].Model.Hash }).In(result.FileOnly)
}

func valueOf(k int, key, title string) result.Column[Contrast] {
	return told(result.Numbers(key, title, "the model's accuracy or score", result.Number,
		func(d Contrast) float64 { return d.of(d.Of.Models[k]) }), result.Share, Contrast.isShare)
}

func (d Contrast) isShare() bool { return d.share }

// told is a column of scores, with another format in the rows of accuracies and other shares.
func told[R any](c result.Column[R], shares result.Format, isShare func(R) bool) result.Column[R] {
	c.As = func(r R) (result.Format, int) {
		if isShare(r) {
			return shares, 0
		}
		return result.Number, scoreDecimals
	}
	return c
}
