package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestGuideline(t *testing.T) {
	quote := func(runs ...Run) Text { return Text{Style: Quote, Runs: runs} }
	for _, c := range []struct {
		text string
		want []Block
	}{
		{"", nil},
		{"one\ntwo\n\nthree", []Block{
			quote(Run{Text: "one"}, Run{Text: " "}, Run{Text: "two"}), quote(Run{Text: "three"}),
		}},
		{"## Head\r\n1. first\r\n2) second\n   goes on\n* third", []Block{
			Paragraph(QuoteHeading, "Head"),
			Text{Style: Quote, Mark: "1.", Runs: []Run{{Text: "first"}}},
			Text{Style: Quote, Mark: "2)", Runs: []Run{{Text: "second"}, {Text: " "}, {Text: "goes on"}}},
			Text{Style: Quote, Mark: "•", Runs: []Run{{Text: "third"}}},
		}},
		{"a **b** *c* __d__ e", []Block{quote(
			Run{Text: "a "}, Run{Text: "b", Bold: true}, Run{Text: " "}, Run{Text: "c", Italic: true}, Run{Text: " "},
			Run{Text: "d", Bold: true}, Run{Text: " e"},
		)}},
		{"see ![a calm matrix](file:///x.png)!", []Block{quote(Run{Text: "see [picture: a calm matrix]!"})}},
		{"2 * 3 * 4 <b>", []Block{quote(Run{Text: "2 * 3 * 4 <b>"})}},
	} {
		if diff := cmp.Diff(c.want, guideline(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// No text is lost or doubled: what is shown is the text without its marks.
func TestGuidelineKeepsLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z0-9 .\n<>&]{0,80}`).Draw(t, "text")
		var shown strings.Builder
		for _, b := range guideline(text) {
			shown.WriteString(strings.Join(blockLines(b), ""))
		}
		if squeezed(shown.String()) != squeezed(text) {
			t.Fatalf("%q became %q", text, shown.String())
		}
	})
}

func TestParts(t *testing.T) {
	table := tableOf("c", []string{"A#", "B"}, []string{"0", "x"}, []string{"1", "x"}, []string{"2", "x"},
		[]string{"3", "y"})
	table.Parts = 3
	cells := func(t Table) (list [][]string) {
		for _, c := range t.columns() {
			list = append(list, c.cells)
		}
		return list
	}
	want := [][]string{{"0", "1"}, {"x", "x"}, {"2", "3"}, {"x", "y"}}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, cells(table)))
	table = tableOf("c", []string{"A"}, []string{"0"}, []string{"1"}, []string{"2"})
	table.Parts = 2
	testdata.NoDiff(t, "-want +got", cmp.Diff([][]string{{"0", "1"}, {"2", ""}}, cells(table)))
	if got := tableOf("", nil).Sheets(); len(got) != 1 || got[0].Len() != 0 {
		t.Errorf("%v", got)
	}
}
