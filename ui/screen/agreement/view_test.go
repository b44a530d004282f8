package agreement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
)

// table makes a round and its events from rows of letters, one row per annotator: i, b, v, or a
// dot for no label.
func table(classes int, blind bool, rows ...string) Input {
	r := label.Round{ID: "R", Name: "table", Classes: classes, Blind: blind}
	names := map[string]string{}
	for k := range rows[0] {
		hash := fmt.Sprintf("hash%02d", k)
		r.Models = append(r.Models, hash)
		names[hash] = fmt.Sprintf("m%02d", k)
	}
	words := map[rune]label.Value{'i': label.Invariant, 'b': label.Borderline, 'v': label.Variant}
	var events []label.Event
	for a, row := range rows {
		name := []string{"r1", "r2", "r3"}[a]
		r.Annotators = append(r.Annotators, name)
		for k, c := range row {
			if v, ok := words[c]; ok {
				events = append(events, label.Event{
					ID: fmt.Sprintf("E%d-%03d", a, k), Round: "R", Model: r.Models[k], Annotator: name,
					Kind: label.Label, Pass: 1, Value: v, Sure: k%2 == 0,
				})
			}
		}
	}
	in := Input{Round: r, Events: events, Names: names, Ratings: label.Ratings(r, events)}
	in.Report = measure.Measure(in.Ratings, classes, r.Annotators, measure.Options{Classes: label.Words(classes), Intervals: true})
	return in
}

func TestViewEqualsMeasure(t *testing.T) {
	in := table(3, false, "iibvvibvi", "iivvvibbi", "ibbvvivb.")
	v := Build(in)
	r := in.Report
	for k, want := range []measure.Estimate{
		r.Percent, r.Fleiss, r.CohenMean, r.GwetAC1, r.KrippendorffNominal, *r.CohenMeanLinear, *r.CohenMeanQuadratic, *r.GwetAC2Linear,
		*r.GwetAC2Quadratic, *r.KrippendorffOrdinal, *r.KrippendorffInterval,
	} {
		if v.Measures[k].Value.Text != present.Kappa(want.Value.Value) ||
			v.Measures[k].Estimate.Words != want.Words || interval(v.Measures[k].Estimate) == "" {
			t.Errorf("measure %s: %+v, want %+v", v.Measures[k].Name, v.Measures[k], want)
		}
	}
	if v.Measures[1].Name != "Fleiss, generalised" {
		t.Errorf("with a missing label it is named %q", v.Measures[1].Name)
	}
	for a := range 3 {
		if v.Matrix[a][a].Text != "" {
			t.Error("a rater against itself has a kappa")
		}
		for b := range 3 {
			if pair, ok := r.Pair(a, b); ok && v.Matrix[a][b].Text != present.Kappa(pair.Kappa.Value.Value) {
				t.Errorf("cell %d,%d is %q", a, b, v.Matrix[a][b].Text)
			}
		}
		if want := present.Kappa(r.VsMajority[a].Kappa.Value.Value); v.Matrix[a][3].Text != want {
			t.Errorf("majority of %d is %q, want %q", a, v.Matrix[a][3].Text, want)
		}
	}
	if !strings.Contains(v.Note, "biased upward") || !strings.Contains(v.Matrix[0][3].Hint, "biased upward") {
		t.Errorf("the majority's note is missing: %q, %q", v.Note, v.Matrix[0][3].Hint)
	}
}

func TestViewPairs(t *testing.T) {
	v := Build(table(2, false, "iivv", "ivvv", "iviv"))
	for a := range 3 {
		for b := range 4 {
			c, ok := v.PairAt(a, b)
			if ok != (a != b) {
				t.Fatalf("pair %d,%d: %v", a, b, ok)
			}
			if !ok {
				continue
			}
			total := 0
			for _, row := range c.Counts {
				for _, n := range row {
					total += n
				}
			}
			if total != c.Items || total == 0 {
				t.Errorf("%s/%s: %d counted of %d", c.First, c.Second, total, c.Items)
			}
			if b == 3 && c.Second != majorityName {
				t.Errorf("last column is %q", c.Second)
			}
		}
	}
	if c, _ := v.PairAt(1, 0); c.First != "r1" || c.Second != "r2" || !slices.Equal(c.Counts[0], []int{1, 1}) {
		t.Errorf("pair 1,0: %+v", c)
	}
	for _, at := range [][2]int{{-1, 0}, {3, 0}, {0, 4}} {
		if _, ok := v.PairAt(at[0], at[1]); ok {
			t.Errorf("pair %v exists", at)
		}
	}
}

func TestViewAnnotatorNamedMajority(t *testing.T) {
	in := table(2, false, "iivv", "ivvv")
	in.Round.Annotators[1], in.Report.Raters[1] = majorityName, majorityName
	v := Build(in)
	pair, _ := v.PairAt(0, 1)
	against, _ := v.PairAt(0, 2)
	if pair.Items != 4 || against.Items != 3 {
		t.Errorf("pair %d items, majority %d items", pair.Items, against.Items)
	}
}

func TestViewUndefined(t *testing.T) {
	v := Build(table(2, false, "iii...", "...vvv"))
	for _, c := range []Cell{v.Matrix[0][1], v.Measures[0].Value} {
		if c.Text != present.None || c.Reason == "" || !strings.Contains(c.Hint, c.Reason) || c.Shade >= 0 {
			t.Errorf("undefined cell %+v", c)
		}
	}
	if v.Matrix[0][1].Reason != measure.NoCommonItems || v.Measures[0].Value.Reason != measure.NoItemTwice {
		t.Errorf("reasons %q and %q", v.Matrix[0][1].Reason, v.Measures[0].Value.Reason)
	}
	if why := footnote(v.Measures); interval(v.Measures[0].Estimate) != "" || !strings.Contains(why, measure.NoItemTwice) {
		t.Errorf("the footnote is %q", why)
	}
	same := Build(table(2, false, "iiii", "iiii"))
	if same.Matrix[0][1].Reason != measure.ExpectedAgreement {
		t.Errorf("one class only: %+v", same.Matrix[0][1])
	}
}

func TestViewItems(t *testing.T) {
	v := Build(table(3, false, "ivb.i", "iib.v", "ivv.b"))
	if len(v.Disagree) != 3 || v.DisagreeN != 3 || len(v.Unresolved) != 1 || v.UnresolveN != 1 {
		t.Fatalf("disagreements %+v, without majority %+v", v.Disagree, v.Unresolved)
	}
	if got := v.Disagree[0].Summary(v.Annotators); got != "r1 variant, r2 invariant, r3 variant; majority variant" {
		t.Errorf("summary %q", got)
	}
	if got := v.Unresolved[0]; got.ID != "m04" || !strings.HasSuffix(got.Summary(v.Annotators), "no majority") {
		t.Errorf("unresolved %+v", got)
	}
	if c := v.Columns[0]; c.Done != 4 || !slices.Equal(c.Counts, []int{2, 1, 1}) || c.Unsure != 1 || c.Total != 5 {
		t.Errorf("column %+v", c)
	}
}

// TestViewItemsAgainstRatings: both lists are those of a plain look at the ratings, in the round's
// order.
func TestViewItemsAgainstRatings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.IntRange(1, 6).Draw(t, "items")
		rows := rapid.SliceOfN(rapid.StringMatching(fmt.Sprintf("[ibv.]{%d}", items)), 1, 3).Draw(t, "rows")
		in := table(3, false, rows...)
		var disagree, unresolved []string
		for i, hash := range in.Round.Models {
			var given []int
			for _, row := range in.Ratings {
				if row[i] != measure.Missing {
					given = append(given, row[i])
				}
			}
			slices.Sort(given)
			if len(slices.Compact(slices.Clone(given))) > 1 {
				disagree = append(disagree, hash)
			}
			if len(given) > 0 && in.Report.Majority.Unresolved[i] == measure.Missing {
				unresolved = append(unresolved, hash)
			}
		}
		v := Build(in)
		for _, c := range []struct {
			want []string
			got  []Item
			n    int
		}{{disagree, v.Disagree, v.DisagreeN}, {unresolved, v.Unresolved, v.UnresolveN}} {
			if c.n != len(c.want) || !slices.EqualFunc(c.want, c.got, func(hash string, item Item) bool { return hash == item.Model }) {
				t.Fatalf("%d items %+v, want %v", c.n, c.got, c.want)
			}
		}
	})
}

func TestViewBlindHidesSingleLabels(t *testing.T) {
	rows := []string{"iv..", "vv.i"}
	v := Build(table(2, true, rows...))
	if !v.Blind || len(v.Disagree)+len(v.Unresolved) != 0 || v.DisagreeN != 0 {
		t.Errorf("blind view %+v", v)
	}
	for _, p := range v.Pairs {
		if p.Counts != nil || p.Hidden == "" {
			t.Errorf("few labels give themselves away: %+v", p)
		}
	}
	for _, c := range v.Columns {
		if c.Counts != nil {
			t.Errorf("few labels give themselves away: %+v", c)
		}
	}
	for _, m := range v.Measures {
		if m.Value.Reason != veilReason() || interval(m.Estimate) != "" || m.Estimate.Words != "" {
			t.Errorf("few labels give themselves away: %+v", m)
		}
	}
	if c := v.Matrix[0][1]; c.Reason != veilReason() || strings.Contains(v.Pairs[0].describe(), "0.") || v.Pairs[0].ConcernedN != 0 {
		t.Errorf("few labels give themselves away: %+v, %s", c, v.Pairs[0].describe())
	}
	closed := table(2, true, rows...)
	closed.Round.Closed = true
	if v := Build(closed); v.Blind || len(v.Disagree) != 1 || v.Pairs[0].Counts == nil {
		t.Errorf("a closed round is still blind: %+v", v)
	}
	many := Build(table(2, true, "ivivi", "vvivi"))
	if many.Matrix[0][1].Reason != "" || many.DisagreeN != 1 || many.Measures[0].Value.Reason != "" || many.Pairs[0].Counts == nil || many.Columns[0].Counts == nil || len(many.Disagree) != 0 {
		t.Errorf("with enough labels: %+v", many.Pairs[0])
	}
}
