package agreement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
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
	return Input{Round: r, Events: events, Names: names, Options: measure.Options{Intervals: true}}
}

// cells are the plain kappas.
func (v *View) cells() [][]widget.GridCell { return v.kappas(weightings[0].of) }

func TestKappasAreThoseOfMeasure(t *testing.T) {
	v := Build(table(3, false, "iibvvibvi", "iivvvibbi", "ibbvvivb."))
	r := v.Measured.Report
	cells := v.cells()
	for a := range 3 {
		if cells[a][a].Text != "" {
			t.Error("a rater against itself has a kappa")
		}
		for b := range 3 {
			if pair, ok := r.Pair(a, b); ok && cells[a][b].Text != result.Coefficient.Say(pair.Kappa.Value.Value, 0) {
				t.Errorf("cell %d,%d is %q", a, b, cells[a][b].Text)
			}
		}
		if want := result.Coefficient.Say(r.VsMajority[a].Kappa.Value.Value, 0); cells[a][3].Text != want {
			t.Errorf("majority of %d is %q, want %q", a, cells[a][3].Text, want)
		}
	}
	if !strings.Contains(cells[0][3].Hint, "biased upward") || len(v.Lines) != 11 {
		t.Errorf("the majority's note is missing: %q, or lines: %d", cells[0][3].Hint, len(v.Lines))
	}
}

func TestAnAnnotatorMayBeNamedMajority(t *testing.T) {
	in := table(2, false, "iivv", "ivvv")
	in.People = map[string]string{"r2": measure.MajorityName}
	v := Build(in)
	pair, _ := v.BehindPair(0, 1)
	against, _ := v.BehindPair(0, 2)
	if !strings.HasPrefix(pair.Hint, "4 common") || !strings.HasPrefix(against.Hint, "3 common") {
		t.Errorf("pair: %s; majority: %s", pair.Hint, against.Hint)
	}
}

func TestWhatIsUndefinedHasItsReason(t *testing.T) {
	v := Build(table(2, false, "iii...", "...vvv"))
	if c := v.cells()[0][1]; c.Text != result.None || !strings.HasSuffix(c.Hint, measure.NoCommonItems.Text) ||
		c.Shade >= 0 {
		t.Errorf("undefined cell %+v", c)
	}
	if why := footnote(v.Lines); !strings.Contains(why, measure.NoItemTwice.Text) {
		t.Errorf("the footnote is %q", why)
	}
	hint := Build(table(2, false, "iiii", "iiii")).cells()[0][1].Hint
	if !strings.HasSuffix(hint, measure.ExpectedAgreement.Text) {
		t.Errorf("one class only: %s", hint)
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
		v := Build(in)
		for i, hash := range in.Round.Models {
			var given []int
			for _, row := range v.Measured.Ratings {
				if row[i] != measure.Missing {
					given = append(given, row[i])
				}
			}
			slices.Sort(given)
			if len(slices.Compact(slices.Clone(given))) > 1 {
				disagree = append(disagree, hash)
			}
			if len(given) > 0 && v.Measured.Report.Majority.Unresolved[i] == measure.Missing {
				unresolved = append(unresolved, hash)
			}
		}
		for _, c := range []struct {
			want []string
			got  []measure.Item
			n    int
		}{{disagree, v.Disagree, v.DisagreeN}, {unresolved, v.Unresolved, v.UnresolvedN}} {
			if c.n != len(c.want) || !slices.EqualFunc(c.want, c.got,
				func(hash string, item measure.Item) bool { return hash == item.Model() }) {
				t.Fatalf("%d items %+v, want %v", c.n, c.got, c.want)
			}
		}
	})
}

func TestABlindRoundHidesSingleLabels(t *testing.T) {
	rows := []string{"iv..", "vv.i"}
	v := Build(table(2, true, rows...))
	if !v.Blind || len(v.Disagree)+len(v.Unresolved) != 0 || v.DisagreeN != 0 {
		t.Errorf("blind view %+v", v)
	}
	for _, at := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		if b, _ := v.BehindPair(at[0], at[1]); b.Counts != nil || b.Hidden == "" || b.Classes != nil || b.N != 0 ||
			strings.ContainsAny(b.Hint, ".%") {
			t.Errorf("few labels give themselves away: %+v", b)
		}
	}
	for _, t2 := range v.Tallies {
		if t2.Counts != nil || t2.Hidden != hideSmallCounts {
			t.Errorf("few labels give themselves away: %+v", t2)
		}
	}
	for _, l := range append(v.Lines, v.Measured.Lines()...) {
		if l.Value.Reason != hideSmallCounts || l.Interval != nil || l.Words != "" {
			t.Errorf("few labels give themselves away: %+v", l)
		}
	}
	if got := footnote(v.Lines); got != "All of them: "+hideSmallCounts.Text+"." {
		t.Errorf("the footnote of a blind round: %q", got)
	}
	closed := table(2, true, rows...)
	closed.Round.Closed = true
	v = Build(closed)
	if b, _ := v.BehindPair(0, 1); v.Blind || len(v.Disagree) != 1 || b.Counts == nil {
		t.Errorf("a closed round is still blind: %+v", v)
	}
	many := Build(table(2, true, "ivivi", "vvivi"))
	b, _ := many.BehindPair(0, 1)
	if many.cells()[0][1].Shade < 0 || many.DisagreeN != 1 || !many.Lines[0].Value.Defined() || b.Counts == nil ||
		many.Tallies[0].Counts == nil ||
		len(many.Disagree)+len(b.Items) != 0 {
		t.Errorf("with enough labels: %+v", b)
	}
}
