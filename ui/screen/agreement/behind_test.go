package agreement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
)

func ids(items []measure.Item) (list []string) {
	for _, item := range items {
		list = append(list, item.Name())
	}
	return list
}

func TestBehindAPair(t *testing.T) {
	v := Build(table(3, false, "iibv.", "iiivv", "ibbvi"))
	b, ok := v.BehindPair(0, 1)
	if !ok || b.Title != "r1 (rows) and r2" || b.N != 1 || !slices.Equal(ids(b.Items), []string{"m02"}) {
		t.Errorf("behind r1 and r2: %+v", b)
	}
	for _, at := range [][2]int{{-1, 0}, {3, 0}, {0, 4}, {1, 1}} {
		if _, ok := v.BehindPair(at[0], at[1]); ok {
			t.Errorf("pair %v exists", at)
		}
	}
	if last, _ := v.BehindPair(1, 3); last.Second != measure.MajorityName {
		t.Errorf("the last column is %q", last.Second)
	}
	want := measure.PerClass(v.Measured.Ratings[:2], 3, measure.Options{})
	if len(b.Classes) != 3 || b.Classes[0].Class != "invariant" ||
		b.Classes[0].Percent.Value != want[0].Percent.Value ||
		b.Classes[0].Kappa.Value != want[0].Kappa.Value {
		t.Errorf("per class %+v, want %+v", b.Classes, want)
	}
	// against the majority: r3 differs on m01 and, with the only label against another, not on m04
	if b, _ := v.BehindPair(2, 3); !slices.Equal(ids(b.Items), []string{"m01"}) {
		t.Errorf("behind r3 and the majority: %v", ids(b.Items))
	}
}

func TestBehindTheOthersMajority(t *testing.T) {
	in := table(2, false, "iv", "vv", "vi")
	in.Options.LeaveOneOut = true
	b, _ := Build(in).BehindPair(0, 3)
	if !slices.Equal(ids(b.Items), []string{"m00"}) || !strings.HasPrefix(b.Hint, "1 common model,") {
		t.Errorf("behind r1 and the majority of the others: %v, %s", ids(b.Items), b.Hint)
	}
}

// again adds repeats to a table: rows of letters as in table.
func again(in Input, annotator int, row string) Input {
	for k, c := range row {
		if v, ok := map[rune]label.Value{'i': label.Invariant, 'b': label.Borderline, 'v': label.Variant}[c]; ok {
			in.Events = append(in.Events, label.Event{
				ID: fmt.Sprintf("F%d-%03d", annotator, k), Round: in.Round.ID, Model: in.Round.Models[k],
				Annotator: in.Round.Annotators[annotator], Kind: label.Label, Pass: 2, Value: v,
			})
		}
	}
	return in
}

func TestSelfConsistency(t *testing.T) {
	in := again(table(3, false, "iibv", "iivv"), 0, "ib.v")
	in.People = map[string]string{"r1": "annotator 1"}
	v := Build(in)
	last := v.Lines[len(v.Lines)-4:]
	if last[0].Title != "self-consistency, annotator 1" || !strings.HasPrefix(last[0].Tell(), "66.7 %") ||
		last[0].N != 3 || last[1].Title != "self-consistency, annotator 1, kappa" {
		t.Fatalf("lines %+v", last)
	}
	b := v.BehindLine(last[1])
	if !strings.Contains(b.Title, "annotator 1") || b.Counts[0][1] != 1 ||
		!slices.Equal(ids(b.Items), []string{"m01"}) {
		t.Errorf("behind it %+v", b)
	}
	// in a blind round it is for oneself alone
	in.Round.Blind = true
	if v := Build(in); len(v.Measured.Self) != 0 {
		t.Error("a blind round tells of another's repeats")
	}
	in.Viewer = "r1"
	v = Build(in)
	if len(v.Measured.Self) != 1 {
		t.Fatal("one's own self-consistency is hidden")
	}
	if b := v.BehindLine(v.Lines[len(v.Lines)-1]); len(b.Items) != 0 || b.N != 1 || b.Counts == nil {
		t.Errorf("behind one's own: %+v", b)
	}
}

func TestBlindHidesSeries(t *testing.T) {
	v := Build(table(2, true, "ivvi", "vvvi"))
	if c := v.overTime(10); c.hidden == "" || c.fleiss.Drawable() || v.Cases != nil ||
		!strings.Contains(v.NoQueue, "blind") {
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

func TestCourseIsThatOfAllModels(t *testing.T) {
	v := Build(table(2, false, "iivvi", "ivvvi"))
	c := v.overTime(3)
	if y := c.percent.Lines[0].Y; len(y) != 5 || y[4] != v.Measured.Report.Percent.Value.Value {
		t.Errorf("course %+v", c)
	}
	if c := Build(table(2, false, "i.", ".v")).overTime(10); c.hidden == "" {
		t.Error("nothing says that there is nothing yet")
	}
}

func TestKindsAreOfColumnsThatTellModelsApart(t *testing.T) {
	in := table(2, false, "iivv", "ivvv")
	in.Records = map[string][]model.Field{}
	for k, hash := range in.Round.Models {
		in.Records[hash] = []model.Field{
			{Name: "same", Value: "x"}, {Name: "architecture", Value: []string{"vgg", "vgg", "cnn", ""}[k]},
		}
	}
	v := Build(in)
	if columns := v.columns(); !slices.Equal(columns, []string{"architecture"}) {
		t.Fatalf("columns %v", columns)
	}
	list := v.kinds("architecture", in.Options)
	var order []string
	for _, one := range list {
		order = append(order, one.Name)
	}
	if !slices.Equal(order, []string{"vgg", "cnn", measure.NoValue}) ||
		!slices.Equal(ids(v.divided(list[0])), []string{"m01"}) {
		t.Fatalf("kinds %v", order)
	}
}
