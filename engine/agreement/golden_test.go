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
	r := g.report
	single := map[string]*Estimate{
		"cohen_mean": &r.CohenMean, "gwet_ac2_linear": r.GwetAC2Linear, "gwet_ac2_quadratic": r.GwetAC2Quadratic,
		"krippendorff_nominal": &r.KrippendorffNominal, "krippendorff_ordinal": r.KrippendorffOrdinal,
		"krippendorff_interval": r.KrippendorffInterval,
	}
	name, isReason := strings.CutSuffix(key, "_reason")
	e, known := single[name]
	switch {
	case known && isReason:
		g.reason(key, data, e)
	case known:
		g.value(key, data, e)
	case key == "majority":
		g.majority(data)
	case key == "cohen_pairs":
		g.pairs(data)
	case key == "cohen_vs_majority":
		g.againstMajority(data)
	case key == "multi":
		g.multi(data)
	case key == "bootstrap":
		g.bootstrap(data)
	default:
		g.Errorf("expected key %q is not known", key)
	}
}

func (g golden) value(key string, data []byte, e *Estimate) {
	var want *float64
	testdata.Strict(g, data, &want)
	switch {
	case e == nil:
		g.Errorf("%s is not in the report, want %s", key, data)
	case want == nil && e.Value.Defined():
		g.Errorf("%s = %v, want undefined", key, e.Value.Value)
	case want != nil && (!e.Value.Defined() || !(math.Abs(e.Value.Value-*want) <= g.tolerance)):
		g.Errorf("%s = %+v, want %v", key, e.Value, *want)
	}
}

func (g golden) reason(key string, data []byte, e *Estimate) {
	var want string
	testdata.Strict(g, data, &want)
	if e == nil || e.Value.Reason.Text != want {
		g.Errorf("%s: %+v, want %q", key, e, want)
	}
}

func (g golden) number(key string, data []byte, got int) {
	var want int
	testdata.Strict(g, data, &want)
	testdata.Is(g, key, got, want)
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

func (g golden) cohen(where string, c Cohen, fields map[string]json.RawMessage) {
	for key, data := range fields {
		name := where + " " + key
		switch key {
		case "raters", "rater": // checked by the caller
		case "n":
			g.number(name, data, c.N)
		case "percent":
			g.value(name, data, &c.Percent)
		case "kappa":
			g.value(name, data, &c.Kappa)
		case "kappa_linear":
			g.value(name, data, c.Linear)
		case "kappa_quadratic":
			g.value(name, data, c.Quadratic)
		case "reason":
			g.reason(name, data, &c.Kappa)
		default:
			g.Errorf("%s: key is not known", name)
		}
	}
}

func (g golden) pairs(data []byte) {
	var want []map[string]json.RawMessage
	testdata.Strict(g, data, &want)
	if len(want) != len(g.report.Cohen) {
		g.Fatalf("%d pairs, want %d", len(g.report.Cohen), len(want))
	}
	for k, fields := range want {
		var raters [2]int
		testdata.Strict(g, fields["raters"], &raters)
		p := g.report.Cohen[k]
		if p.A != raters[0] || p.B != raters[1] {
			g.Errorf("pair %d is of raters %d and %d, want %v", k, p.A, p.B, raters)
		}
		g.cohen(fmt.Sprintf("pair %d-%d", p.A, p.B), p.Cohen, fields)
	}
}

func (g golden) againstMajority(data []byte) {
	var want []map[string]json.RawMessage
	testdata.Strict(g, data, &want)
	if len(want) != len(g.report.VsMajority) {
		g.Fatalf("%d comparisons with the majority, want %d", len(g.report.VsMajority), len(want))
	}
	for k, fields := range want {
		a := g.report.VsMajority[k]
		g.number("rater", fields["rater"], a.Index)
		g.cohen(fmt.Sprintf("majority %d", a.Index), a.Cohen, fields)
	}
}

func (g golden) multi(data []byte) {
	var want map[string]json.RawMessage
	testdata.Strict(g, data, &want)
	for key, data := range want {
		switch key {
		case "items":
			g.number(key, data, g.report.ItemsRated) // the file counts items with a rating
		case "items_2plus":
			g.number(key, data, g.report.ItemsTwo)
		case "percent":
			g.value(key, data, &g.report.Percent)
		case "fleiss":
			g.value(key, data, &g.report.Fleiss)
		case "fleiss_reason":
			g.reason(key, data, &g.report.Fleiss)
		case "gwet":
			g.value(key, data, &g.report.GwetAC1)
		case "gwet_reason":
			g.reason(key, data, &g.report.GwetAC1)
		default:
			g.Errorf("multi: key %q is not known", key)
		}
	}
}

// measureNamed is the estimate that the bootstrap block calls by that name, "cohen_0_1" or a group
// measure.
func measureNamed(r Report, name string) *Estimate {
	var a, b int
	if n, err := fmt.Sscanf(name, "cohen_%d_%d", &a, &b); err == nil && n == 2 {
		if p, ok := r.Pair(a, b); ok {
			return &p.Kappa
		}
		return nil
	}
	return map[string]*Estimate{
		"percent": &r.Percent, "fleiss": &r.Fleiss, "gwet": &r.GwetAC1, "cohen_mean": &r.CohenMean,
		"gwet_ac2_linear": r.GwetAC2Linear, "gwet_ac2_quadratic": r.GwetAC2Quadratic,
		"krippendorff_nominal": &r.KrippendorffNominal, "krippendorff_ordinal": r.KrippendorffOrdinal,
		"krippendorff_interval": r.KrippendorffInterval,
	}[name]
}

func (g golden) bootstrap(data []byte) {
	var want map[string]struct {
		Replicates []*float64 `json:"replicates"`
		Defined    int        `json:"defined"`
		Low, High  *float64   // of the percentile bootstrap, which is not what we give
	}
	testdata.Strict(g, data, &want)
	for name, w := range want {
		e := measureNamed(g.report, name)
		if e == nil {
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
	v := measureNamed(Measure(sample, g.classes, make([]string, len(sample)), Options{}), name).Value
	if v.Defined() != (want != nil) || want != nil && !(math.Abs(v.Value-*want) <= g.tolerance) {
		g.Errorf("bootstrap %s, replicate %d = %+v, want %v", name, k, v, want)
	}
	return v
}
