package agreement

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestGoldenAgreement(t *testing.T) {
	var tolerance struct{ Abs float64 }
	testdata.Cases(t, testdata.Golden(t, "agreement"), &tolerance, func(t *testing.T, c testdata.Case) {
		var in struct {
			Classes   int
			Ratings   [][]*int
			Bootstrap [][]int `json:"bootstrap_items"`
		}
		var want map[string]json.RawMessage
		c.Read(t, &in, &want)
		g := golden{T: t, classes: in.Classes, given: in.Bootstrap, tolerance: tolerance.Abs}
		for _, row := range in.Ratings {
			g.ratings = append(g.ratings, column(row))
		}
		g.report = Measure(g.ratings, g.classes, names(len(g.ratings)), Options{})
		for key, data := range want {
			g.check(key, data)
		}
	})
}

func column(from []*int) []int {
	list := make([]int, len(from))
	for k, class := range from {
		list[k] = Missing
		if class != nil {
			list[k] = *class
		}
	}
	return list
}

type golden struct {
	*testing.T
	ratings   [][]int
	classes   int
	given     [][]int
	report    Report
	tolerance float64
}

func (g golden) check(key string, data []byte) {
	switch key {
	case "majority":
		g.majority(data)
	case "cohen_pairs":
		g.pairs(data)
	case "cohen_vs_majority":
		g.againstMajority(data)
	case "multi":
		g.fields(key, data, map[string]int{
			"items": g.report.ItemsRated, "items_2plus": g.report.ItemsTwo, // the file counts items with a rating
		}, g.measures())
	case "bootstrap":
		g.bootstrap(data)
	default:
		g.field(key, key, data, nil, g.measures())
	}
}

// measures are the estimates of the group, by the names of the file.
func (g golden) measures() map[string]*Estimate {
	r := &g.report
	return map[string]*Estimate{
		"percent": &r.Percent, "fleiss": &r.Fleiss, "gwet": &r.GwetAC1, "cohen_mean": &r.CohenMean,
		"gwet_ac2_linear": r.GwetAC2Linear, "gwet_ac2_quadratic": r.GwetAC2Quadratic,
		"krippendorff_nominal": &r.KrippendorffNominal, "krippendorff_ordinal": r.KrippendorffOrdinal,
		"krippendorff_interval": r.KrippendorffInterval,
	}
}

// fields compares an object of the file with counts and estimates by their keys.
func (g golden) fields(where string, data []byte, counts map[string]int, estimates map[string]*Estimate) {
	var want map[string]json.RawMessage
	testdata.Strict(g, data, &want)
	for key, data := range want {
		g.field(where+" "+key, key, data, counts, estimates)
	}
}

// field compares one value; null is an undefined one, whose reason has a key of its own.
func (g golden) field(where, key string, data []byte, counts map[string]int, estimates map[string]*Estimate) {
	name, isReason := strings.CutSuffix(key, "_reason")
	e, known := estimates[name]
	count, isCount := counts[key]
	switch {
	case isCount:
		var want int
		testdata.Strict(g, data, &want)
		testdata.Is(g, where, count, want)
	case !known || e == nil:
		g.Errorf("%s is not in the report, want %s", where, data)
	case isReason:
		var want string
		testdata.Strict(g, data, &want)
		testdata.Is(g, where, e.Value.Reason.Text, want)
	default:
		var want *float64
		testdata.Strict(g, data, &want)
		if e.Value.Defined() != (want != nil) || want != nil && !(math.Abs(e.Value.Value-*want) <= g.tolerance) {
			g.Errorf("%s = %+v, want %s", where, e.Value, data)
		}
	}
}

func (g golden) majority(data []byte) {
	var want map[string][]*int
	testdata.Strict(g, data, &want)
	got := map[string][]int{
		"unresolved": g.report.Majority.Unresolved, "lowest": g.report.Majority.Lowest,
		"highest": g.report.Majority.Highest,
	}
	for policy, list := range want {
		if have, ok := got[policy]; !ok || !slices.Equal(have, column(list)) {
			g.Errorf("majority %s = %v, want %s", policy, have, data)
		}
	}
}

func (g golden) pairs(data []byte) {
	var want []json.RawMessage
	testdata.Strict(g, data, &want)
	if len(want) != len(g.report.Cohen) {
		g.Fatalf("%d pairs, want %d", len(g.report.Cohen), len(want))
	}
	for k, data := range want {
		p := g.report.Cohen[k]
		g.cohen(fmt.Sprintf("pair %d-%d", p.A, p.B), data, []int{p.A, p.B}, p.Cohen)
	}
}

// cohen compares two columns of labels; the file says whose they are.
func (g golden) cohen(where string, data []byte, raters []int, c Cohen) {
	var of struct {
		Raters []int
		Rater  *int
	}
	testdata.OK(g, json.Unmarshal(data, &of))
	if of.Rater != nil {
		of.Raters = []int{*of.Rater}
	}
	testdata.Equal(g, where+" is of", raters, of.Raters)
	var rest map[string]json.RawMessage
	testdata.Strict(g, data, &rest)
	delete(rest, "raters")
	delete(rest, "rater")
	for key, data := range rest {
		g.field(where+" "+key, strings.Replace(key, "reason", "kappa_reason", 1), data, map[string]int{"n": c.N},
			map[string]*Estimate{
				"percent": &c.Percent, "kappa": &c.Kappa, "kappa_linear": c.Linear, "kappa_quadratic": c.Quadratic,
			})
	}
}

func (g golden) againstMajority(data []byte) {
	var want []json.RawMessage
	testdata.Strict(g, data, &want)
	if len(want) != len(g.report.VsMajority) {
		g.Fatalf("%d comparisons with the majority, want %d", len(g.report.VsMajority), len(want))
	}
	for k, data := range want {
		a := g.report.VsMajority[k]
		g.cohen(fmt.Sprintf("majority %d", a.Index), data, []int{a.Index}, a.Cohen)
	}
}

// measureNamed is the estimate that the bootstrap block calls by that name, "cohen_0_1" or a group
// measure.
func (g golden) measureNamed(name string) *Estimate {
	var a, b int
	if n, err := fmt.Sscanf(name, "cohen_%d_%d", &a, &b); err == nil && n == 2 {
		if p, ok := g.report.Pair(a, b); ok {
			return &p.Kappa
		}
		return nil
	}
	return g.measures()[name]
}

func (g golden) bootstrap(data []byte) {
	var want map[string]struct {
		Replicates []*float64
		Defined    int
		Low, High  *float64 // of the percentile bootstrap, which is not what we give
	}
	testdata.Strict(g, data, &want)
	for name, w := range want {
		if g.measureNamed(name) == nil {
			g.Errorf("bootstrap of %s is not known", name)
			continue
		}
		if len(w.Replicates) != len(g.given) {
			g.Fatalf("bootstrap %s: %d replicates for %d resamples", name, len(w.Replicates), len(g.given))
		}
		defined := 0
		for k, replicate := range w.Replicates {
			if g.replicate(name, k, replicate).Defined() {
				defined++
			}
		}
		testdata.Is(g, "bootstrap "+name+": defined", defined, w.Defined)
	}
}

// replicate measures the resampled items as if they were a round of their own.
func (g golden) replicate(name string, k int, want *float64) Value {
	sample := make([][]int, len(g.ratings))
	for r := range sample {
		for _, i := range g.given[k] {
			sample[r] = append(sample[r], g.ratings[r][i])
		}
	}
	resampled := golden{report: Measure(sample, g.classes, make([]string, len(sample)), Options{})}
	v := resampled.measureNamed(name).Value
	if v.Defined() != (want != nil) || want != nil && !(math.Abs(v.Value-*want) <= g.tolerance) {
		g.Errorf("bootstrap %s, replicate %d = %+v, want %v", name, k, v, want)
	}
	return v
}
