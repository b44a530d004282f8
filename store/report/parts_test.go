package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
)

func TestGuideline(t *testing.T) {
	for _, c := range []struct {
		text string
		want Guideline
	}{
		{"", nil},
		{"one\ntwo\n\nthree", Guideline{
			{Runs: []Run{{Text: "one"}, {Text: " "}, {Text: "two"}}}, {Runs: []Run{{Text: "three"}}},
		}},
		{"## Head\r\n1. first\r\n2) second\n   goes on\n* third", Guideline{
			{Heading: true, Runs: []Run{{Text: "Head"}}},
			{Mark: "1.", Runs: []Run{{Text: "first"}}},
			{Mark: "2)", Runs: []Run{{Text: "second"}, {Text: " "}, {Text: "goes on"}}},
			{Mark: "•", Runs: []Run{{Text: "third"}}},
		}},
		{"a **b** *c* __d__ e", Guideline{{Runs: []Run{
			{Text: "a "}, {Text: "b", Bold: true}, {Text: " "}, {Text: "c", Italic: true}, {Text: " "}, {Text: "d", Bold: true}, {Text: " e"},
		}}}},
		{"see ![a calm matrix](file:///x.png)!", Guideline{{Runs: []Run{{Text: "see [picture: a calm matrix]!"}}}}},
		{"2 * 3 * 4 <b>", Guideline{{Runs: []Run{{Text: "2 * 3 * 4 <b>"}}}}},
	} {
		if diff := cmp.Diff(c.want, readGuideline(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// No text is lost or doubled: what is shown is the text without its marks.
func TestGuidelineKeepsLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z0-9 .\n<>&]{0,80}`).Draw(t, "text")
		var shown strings.Builder
		for _, p := range readGuideline(text) {
			shown.WriteString(p.Mark)
			for _, r := range p.Runs {
				shown.WriteString(r.Text)
			}
		}
		if squeezed(shown.String()) != squeezed(text) {
			t.Fatalf("%q became %q", text, shown.String())
		}
	})
}

func TestParts(t *testing.T) {
	table := tableOf("c", []string{"A#", "B"}, []string{"0", "x"}, []string{"1", "x"}, []string{"2", "x"}, []string{"3", "y"})
	table.Parts = 3
	p := testPaper(t)
	want := [][]string{{"0", "x", "2", "x"}, {"1", "x", "3", "y"}}
	if diff := cmp.Diff(want, p.sheet(table).rows); diff != "" {
		t.Error(diff)
	}
	table = tableOf("c", []string{"A"}, []string{"0"}, []string{"1"}, []string{"2"})
	table.Parts = 2
	if diff := cmp.Diff([][]string{{"0", "2"}, {"1", ""}}, p.sheet(table).rows); diff != "" {
		t.Error(diff)
	}
	if got := tableOf("", nil).Sheets(); len(got) != 1 || got[0].Len() != 0 {
		t.Errorf("%v", got)
	}
}

func TestCurves(t *testing.T) {
	epochs := []model.Epoch{
		{Epoch: 1, Values: map[string]float64{"train_loss": 1, "train_accuracy": 0.5}}, {Epoch: 3, Values: map[string]float64{"train_loss": 0.5, "test_loss": 0.7}},
	}
	list := curves(epochs, "_loss")
	if len(list) != 2 || list[0].Name != "test loss" || list[1].Name != "train loss" || !slices.Equal(list[1].Y, []float64{1, 0.5}) || !slices.Equal(list[1].X, []float64{1, 3}) {
		t.Errorf("%+v", list)
	}
	if !math.IsNaN(list[0].Y[0]) || list[0].Y[1] != 0.7 {
		t.Errorf("an absent cell is %v", list[0].Y)
	}
}
