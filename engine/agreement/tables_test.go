package agreement

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// round is a round of three classes whose raters r1 and r2 gave labels by letters, and r1 those of
// again a second time.
func round(opts Options, r1, r2, again string) *Round {
	r := label.Round{ID: "R", Name: "first", Classes: 3, Annotators: []string{"a", "b"}}
	var events []label.Event
	for a, row := range []string{r1, r2, again} {
		for k, c := range row {
			hash := strings.Repeat(string(rune('a'+k)), 16)
			if a == 0 {
				r.Models = append(r.Models, hash)
			}
			at := strings.IndexRune("ibv", c)
			if at < 0 {
				continue
			}
			events = append(events, label.Event{
				ID: string(rune('A'+a)) + hash, Round: "R", Model: hash, Annotator: r.Annotators[a%2],
				Kind: label.Label, Pass: 1 + a/2, Value: label.Values(3)[at],
			})
		}
	}
	models := make([]string, len(r.Models))
	for k := range models {
		models[k] = "m" + string(rune('0'+k))
	}
	return OfRound(r, events, models, []string{"r1", "r2"}, opts)
}

func TestTablesHoldWhatWasMeasured(t *testing.T) {
	err := errors.Join(Measures.Check(), OfAll.Check(), Confusions.Check(), Items.Check(), Rounds.Check(),
		Kinds.Check(), KindsOf.Check(), PointsOverTime.Check(),
		option.Verify(&RoundOptions{}), option.Verify(&OverTimeOptions{}), option.Verify(&KindOptions{}),
		option.Verify(&PlanOptions{}), Widths.Check(), Needs.Check(), Drifts.Check())
	testdata.OK(t, err)
	r := round(Options{Intervals: true}, "iibvvibviv", "iivvvibbi.", "iv")
	measures := Measures.Sheet(r.Lines())
	testdata.OK(t, measures.Check())
	// eleven of all, four of the pair, two raters and the majority, r1 again, and two of each class
	testdata.Is(t, "lines", measures.Len(), 11+4+2*4+3*2+4)
	testdata.OK(t, errors.Join(measures.Text(io.Discard), measures.CSV(io.Discard, true)))
	for _, c := range []struct{ id, key, want string }{
		{"cohen_vs_majority_linear/r2/(majority)/", "measure", "Cohen's kappa, linear, r2 and the majority"},
		{"self_percent/r1/r1/", "value", "50.0 %"},
		{"self/r1/r1/", "no_interval", "fewer than 8 items"},
		{"fleiss_generalised///", "n", "9"},
	} {
		testdata.Is(t, c.key+" of "+c.id, measures.Fields[measures.Field(c.key)].Say(measures.Row("R/"+c.id)), c.want)
	}
	counts, total := r.Counts(), 0
	if err := Confusions.Sheet(counts).Check(); err != nil || len(counts) != 4*9 {
		t.Errorf("%d counts, %v", len(counts), err)
	}
	for _, c := range counts[:9] {
		if total += c.N; c.ClassA == "borderline" && c.ClassB == "variant" && c.N != 1 {
			t.Errorf("%+v", c)
		}
	}
	if total != 9 || counts[0].Total != 9 {
		t.Errorf("%d counted of %d", total, counts[0].Total)
	}
	items := Items.Sheet(r.Items())
	for key, want := range map[string]string{
		"label.r1": "borderline", "label.r2": "variant", "majority": "", "majority_lowest": "borderline",
		"majority_highest": "variant", "model_id": "m2", "model_hash": strings.Repeat("c", 16),
	} {
		testdata.Is(t, key+" of item 2", items.Fields[items.Field(key)].Write(2), want)
	}
	if got := r.Items()[2].Tell(); got != "m2: r1 borderline, r2 variant; no majority" || !r.Items()[2].Divided() ||
		r.Items()[9].Divided() {
		t.Error(got)
	}
	if s := Rounds.Sheet([]*Round{r}); s.Fields[s.Field("twice")].Number(0) != 9 {
		t.Error("not nine items have two labels")
	}
}

func TestReasonsStandBesideTheirValues(t *testing.T) {
	r := round(Options{LeaveOneOut: true}, "iii...", "...vvv", "")
	sheet := Measures.Sheet(r.Lines())
	value := sheet.Fields[sheet.Field("value")]
	for id, want := range map[string]result.Reason{
		"fleiss///": NoItemTwice, "cohen/r1/r2/": NoCommonItems, "class_percent///borderline": NoItemTwice,
	} {
		if row := sheet.Row("R/" + id); value.Why(row) != want || !math.IsNaN(value.Number(row)) {
			t.Errorf("%s: %v", id, value.Why(row))
		}
	}
	if sheet.Row("R/cohen_vs_majority_of_others/r1/(majority)/") < 0 {
		t.Error("the majority of the others is not named")
	}
}

func TestFiguresAreThePoints(t *testing.T) {
	points := OverTime([][]int{{0, 1, 0}, {0, 1, 1}}, 2, []int{2, 0, 1}, 2)
	fleiss, percent := Figures(points, 2)
	if err := errors.Join(fleiss.Check(), percent.Check()); err != nil || len(percent.Lines) != 2 {
		t.Fatal(err, len(percent.Lines))
	}
	if y := percent.Lines[0].Y; y[0] != 0 || y[1] != 0.5 || !math.IsNaN(percent.Lines[1].Y[0]) ||
		percent.Lines[1].Y[2] != 1 {
		t.Errorf("%+v", percent.Lines)
	}
	if _, short := Figures(points, 10); len(short.Lines) != 1 {
		t.Error("a window that is never full has a line")
	}
}

// TestKindsCountTheLabels: every model of a kind is counted once, under its majority or under none,
// and the boxes of a kind end at 1.
func TestKindsCountTheLabels(t *testing.T) {
	r := round(Options{}, "iibvvi.i", "iivvvi.b", "")
	kinds := MeasureGroups(r.Ratings, 3, GroupBy([]string{"x", "x", "x", "y", "y", "y", "y", "x"}),
		Options{Classes: label.Words(3), Intervals: true})
	sheet := Kinds.Sheet(kinds)
	for name, want := range map[string]string{"x": "2 0 0 2", "y": "1 0 2 1"} {
		var got []string
		for _, key := range []string{"invariant", "borderline", "variant", "undecided"} {
			got = append(got, sheet.Fields[sheet.Field(key)].Say(sheet.Row(name)))
		}
		testdata.Is(t, "labels of "+name, strings.Join(got, " "), want)
	}
	agreed, labels := KindFigures(kinds, "architecture", "", strings.ToLower)
	testdata.OK(t, errors.Join(agreed.Check(), labels.Check()))
	testdata.Is(t, "boxes", len(labels.Boxes), 2*4)
	testdata.Is(t, "end", labels.Boxes[3].X1, 1.0)
	testdata.Is(t, "read-out", labels.Tell(6), "y: variant 2 of 4")
	testdata.Is(t, "read-out of agreement", agreed.Tell(0), "x: 50.0 %, n = 4, no interval: fewer than 8 items")
	two := MeasureGroups([][]int{{0, 1}, {0, 1}}, 2, GroupBy([]string{"x", "x"}), Options{Classes: label.Words(2)})
	cell := Kinds.Sheet(two)
	testdata.Is(t, "of two classes", cell.Fields[cell.Field("borderline")].Say(0), result.None)
}
