package result

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v             float64
		three, atMost string
	}{
		{0, "0", "0"},
		{0.041, "0.0410", "0.041"},
		{-2.5, "-2.50", "-2.5"},
		{999.6, "1,000", "1,000"},
		{12345.6, "12,346", "12,346"},
		{0.00001234, "1.23e-05", "1.23e-05"},
		{1e9, "1.00e+09", "1e+09"},
		{math.Inf(-1), "-∞", "-∞"},
		{math.NaN(), None, None},
	} {
		testdata.Is(t, fmt.Sprintf("%v with three digits", c.v), Significant(c.v, 3), c.three)
		testdata.Is(t, fmt.Sprintf("%v with at most three digits", c.v), Digits(c.v, 3), c.atMost)
	}
	testdata.Is(t, "a column of four significant digits", Number.Say(0.123456, -4), "0.1235")
}

func TestHTML(t *testing.T) {
	type row struct {
		name, hash string
		v          float64
	}
	hash := strings.Repeat("ab", 32)
	s := Table[row]{
		Name: "t", Title: "Things <1>", Noun: "thing", ID: func(r row) string { return r.name },
		Columns: []Column[row]{
			Texts("name", "name", "", func(r row) string { return r.name }),
			{Key: "hash", Title: "hash", Format: ID, Text: func(r row) string { return r.hash }},
			Numbers("v", "share", "of all", Share,
				func(r row) float64 { return r.v }).Because(func(row) Reason { return Because("x", "no labels") }),
			Texts("hidden", "hidden", "", func(row) string { return "hidden" }).In(FileOnly),
		},
	}.Sheet([]row{{"<b>a</b>", hash, 0.966}, {"b", "", math.NaN()}})
	page := string(s.Table())
	for _, want := range []string{
		"&lt;b&gt;a&lt;/b&gt;", `<td class="id">` + hash, `<td class="number">96.6 %</td>`,
		`<td class="number" title="no labels">-</td>`, `<th scope="col" class="number" title="of all">share</th>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	if strings.Contains(page, "hidden") || strings.Contains(page, "<b>") || strings.Contains(page, "<script") {
		t.Errorf("the page has what it must not have:\n%s", page)
	}
}
