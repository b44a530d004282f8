package agreement

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/present"
)

func ids(items []Item) (list []string) {
	for _, item := range items {
		list = append(list, item.ID)
	}
	return list
}

func TestBehindAPair(t *testing.T) {
	in := table(3, false, "iibv.", "iiivv", "ibbvi")
	v := Build(in)
	b, ok := v.BehindPair(0, 1)
	if !ok || b.Title != "r1 (rows) and r2" || b.ConcernedN != 1 || !slices.Equal(ids(b.Concerned), []string{"m02"}) {
		t.Errorf("behind r1 and r2: %+v", b)
	}
	want := measure.PerClass(in.Ratings[:2], 3, measure.Options{})
	if len(b.Classes) != 3 || b.Classes[0].Class != "invariant" || b.Classes[0].Percent.Value.Text != present.Kappa(want[0].Percent.Value.Value) ||
		b.Classes[0].Kappa.Value.Text != present.Kappa(want[0].Kappa.Value.Value) {
		t.Errorf("per class %+v, want %+v", b.Classes, want)
	}
	// against the majority: r3 differs on m01 and, with the only label against another, not on m04
	if b, _ := v.BehindPair(2, 3); !slices.Equal(ids(b.Concerned), []string{"m01"}) {
		t.Errorf("behind r3 and the majority: %v", ids(b.Concerned))
	}
	if _, ok := v.BehindPair(1, 1); ok {
		t.Error("something lies behind the diagonal")
	}
}

func TestBehindTheOthersMajority(t *testing.T) {
	in := table(2, false, "iv", "vv", "vi")
	in.Options.LeaveOneOut = true
	in.Report = measure.Measure(in.Ratings, 2, in.Round.Annotators, measure.Options{Classes: label.Words(2), LeaveOneOut: true})
	b, _ := Build(in).BehindPair(0, 3)
	if !slices.Equal(ids(b.Concerned), []string{"m00"}) || b.Items != 1 {
		t.Errorf("behind r1 and the majority of the others: %v of %d", ids(b.Concerned), b.Items)
	}
}

func TestBehindAMeasureOfAll(t *testing.T) {
	v := Build(table(2, false, "iivv", "ivvv", "iivv"))
	b, ok := v.BehindMeasure(1)
	if !ok || !strings.HasPrefix(b.Hint, "Fleiss' kappa: ") || !slices.Equal(ids(b.Concerned), []string{"m01"}) || len(b.Classes) != 2 || b.Counts != nil {
		t.Errorf("behind Fleiss: %+v", b)
	}
	for _, row := range []int{-1, len(v.Measures)} {
		if _, ok := v.BehindMeasure(row); ok {
			t.Errorf("something lies behind line %d", row)
		}
	}
}

// again adds repeats to a table: rows of letters as in table.
func again(in Input, annotator int, row string) Input {
	for k, c := range row {
		if v, ok := map[rune]label.Value{'i': label.Invariant, 'b': label.Borderline, 'v': label.Variant}[c]; ok {
			in.Events = append(in.Events, label.Event{
				ID: fmt.Sprintf("F%d-%03d", annotator, k), Round: in.Round.ID, Model: in.Round.Models[k], Annotator: in.Round.Annotators[annotator],
				Kind: label.Label, Pass: 2, Value: v,
			})
		}
	}
	return in
}

func TestSelfConsistency(t *testing.T) {
	in := again(table(3, false, "iibv", "iivv"), 0, "ib.v")
	in.People = map[string]string{"r1": "annotator 1"}
	v := Build(in)
	last := v.Measures[len(v.Measures)-2:]
	if last[0].Name != "self-consistency, annotator 1" || last[0].Value.Text != "0.667" ||
		last[0].Estimate.N != 3 || !strings.HasSuffix(last[1].Name, "kappa") {
		t.Fatalf("measures %+v", last)
	}
	b, ok := v.BehindMeasure(len(v.Measures) - 1)
	if !ok || !strings.Contains(b.Title, "annotator 1") || b.Counts[0][1] != 1 || !slices.Equal(ids(b.Concerned), []string{"m01"}) {
		t.Errorf("behind it %+v", b)
	}
	if len(v.Self) != 1 {
		t.Errorf("%d annotators saw items again, want 1", len(v.Self))
	}
	// in a blind round it is for oneself alone
	in.Round.Blind = true
	if v := Build(in); len(v.Self) != 0 {
		t.Error("a blind round tells of another's repeats")
	}
	in.Viewer = "r1"
	if v := Build(in); len(v.Self) != 1 || len(v.Self[0].Concerned) != 0 || v.Self[0].ConcernedN != 1 {
		t.Error("one's own self-consistency is hidden")
	}
}

func TestBlindHidesWhatIsBehind(t *testing.T) {
	v := Build(table(2, true, "ivvi", "vvvi"))
	for _, p := range v.Pairs {
		if p.Classes != nil || p.Concerned != nil {
			t.Errorf("behind %s and %s: %+v", p.First, p.Second, p)
		}
	}
	if v.Everybody != nil || v.Course.Hidden == "" || v.Course.Fleiss != nil || v.Kinds.List != nil || v.Cases != nil || !strings.Contains(v.NoQueue, "blind") {
		t.Errorf("blind view shows %+v", v)
	}
}

// Whoever has finished a round that reveals labels then sees them; adjudication still waits for
// the end.
func TestRevealedToWhoHasFinished(t *testing.T) {
	in := table(2, true, "ivvi", "vv..")
	in.Round.Reveal = label.RevealFinished
	for viewer, hidden := range map[string]bool{"r1": false, "r2": true, "": true} {
		in.Viewer = viewer
		v := Build(in)
		if v.Blind != hidden || (len(v.Disagree) != 0) == hidden || v.Cases != nil {
			t.Errorf("for %q: blind %v, %d disagreements, %d cases", viewer, v.Blind, len(v.Disagree), len(v.Cases))
		}
	}
}

func TestCourseView(t *testing.T) {
	in := table(2, false, "iivvi", "ivvvi")
	in.Window = 3
	c := Build(in).Course
	whole := measure.Measure(in.Ratings, 2, in.Round.Annotators, measure.Options{})
	if len(c.Items) != 5 || c.Fleiss[4] != whole.Fleiss.Value.Value || c.Percent[4] != 0.8 || !math.IsNaN(c.Fleiss[0]) || !math.IsNaN(c.WindowFleiss[1]) || c.WindowPercent[2] == 0 {
		t.Errorf("course %+v", c)
	}
	if data := c.chart("Fleiss' kappa", c.Fleiss, c.WindowFleiss); len(data.Series) != 2 || data.Series[1].Name != "the last 3" {
		t.Errorf("chart %+v", data)
	}
	in.Window = 0
	c = Build(in).Course
	if data := c.chart("percent agreement", c.Percent, c.WindowPercent); c.Window != 10 || len(data.Series) != 1 {
		t.Errorf("a window that is never full: %+v", data)
	}
	if c := Build(table(2, false, "i.", ".v")).Course; c.Hidden == "" {
		t.Error("nothing says that there is nothing yet")
	}
}

func TestKindsView(t *testing.T) {
	in := table(2, false, "iivv", "ivvv")
	if k := Build(in).Kinds; !strings.Contains(k.Hidden, "no metadata") {
		t.Errorf("without records: %+v", k)
	}
	in.Records = map[string][]model.Field{}
	for k, hash := range in.Round.Models {
		in.Records[hash] = []model.Field{{Name: "same", Value: "x"}, {Name: "architecture", Value: []string{"vgg", "vgg", "cnn", ""}[k]}}
	}
	k := Build(in).Kinds
	if !slices.Equal(k.Columns, []string{"architecture"}) || k.Column != "architecture" {
		t.Fatalf("columns %v, chosen %q", k.Columns, k.Column)
	}
	var order []string
	for _, one := range k.List {
		order = append(order, one.Name)
	}
	if !slices.Equal(order, []string{"vgg", "cnn", measure.NoValue}) {
		t.Fatalf("kinds %v", order)
	}
	vgg := k.List[0]
	if vgg.Models != 2 || vgg.Percent.Value.Text != "0.500" ||
		vgg.Percent.Estimate.N != 2 || !slices.Equal(ids(vgg.Items), []string{"m01"}) {
		t.Errorf("kind %+v", vgg)
	}
	sheet := kindTable.Sheet(k.List)
	agreed, fleiss := sheet.Fields[sheet.Field("agreed")], sheet.Fields[sheet.Field("fleiss")]
	if !strings.HasPrefix(agreed.Say(0), "0.500") || fleiss.Say(1) != present.None || kindTable.Check() != nil {
		t.Errorf("agreed %s, kappa %s", agreed.Say(0), fleiss.Say(1))
	}
	if got := footnote(k.measures()); !strings.Contains(got, "cnn, kappa") || !strings.Contains(got, measure.ExpectedAgreement) {
		t.Errorf("the footnote %q", got)
	}
	in.Column = "gone"
	if k := Build(in).Kinds; k.Column != "architecture" {
		t.Errorf("a column that is gone is still %q", k.Column)
	}
}
