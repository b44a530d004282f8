package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// testPaper is an empty paper to measure with.
func testPaper(tb testing.TB) *paper {
	tb.Helper()
	return testdata.Must(newPaper(&Document{Title: "x", Program: "Variscope", date: written}))(tb)
}

// Whatever a table holds, it is not wider than the page's text, and no line of a cell is wider than
// its column.
func TestTablesFitThePage(t *testing.T) {
	p := testPaper(t)
	content := rapid.StringMatching(`[a-z0-9@ .\-]{0,60}|[a-f0-9]{64}|[A-Z][a-z]{1,12}( [a-z]{1,9}){0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "columns")
		titles := rapid.SliceOfN(rapid.StringMatching(`[A-Za-z ]{0,20}[#%]?`), n, n).Draw(t, "titles")
		var rows [][]string
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			rows = append(rows, rapid.SliceOfN(content, n, n).Draw(t, "row"))
		}
		groups, size := p.fit(tableOf("", titles, rows...).columns())
		shown := 0
		for _, group := range groups {
			total := cellGap * float64(len(group)-1)
			for _, c := range group {
				total += c.width
				family, size := c.letters(size)
				for _, text := range c.cells {
					for _, l := range p.lines(cell{
						width: c.width, runs: []Run{{Text: text}}, family: family,
						size: size,
					}) {
						if l.width > c.width+0.01 && (len(l.words) > 1 || len([]rune(l.words[0].text)) > 1) {
							t.Fatalf("%v is %g mm wide in a column of %g", l.words, l.width, c.width)
						}
					}
				}
			}
			if total > textWidth+1e-6 {
				t.Fatalf("%d columns are %g mm wide, the text is %g", len(group), total, textWidth)
			}
			shown += len(group)
		}
		if again := shown - n; again < len(groups)-1 || again > 2*(len(groups)-1) {
			t.Fatalf("%d columns of %d in %d groups", shown, n, len(groups))
		}
	})
}

// A table that is too wide for a page goes on below itself, its first column in front again.
func TestWideTablesAreSplit(t *testing.T) {
	var titles, row []string
	for k := range 30 {
		titles, row = append(titles, fmt.Sprintf("column%02d#", k)), append(row, fmt.Sprint(1000000+k))
	}
	table := tableOf("Wide", titles, row, row)
	d := &Document{
		Title: "wide", date: written, Sections: []Section{{Title: "Table", Level: 2, Blocks: []Block{table}}},
	}
	got := flat(pageTexts(t, pdfOf(t, d)))
	if n := strings.Count(got, "column00"); n < 2 {
		t.Errorf("the first column stands %d times", n)
	}
	for k := 1; k < 30; k++ {
		if n := strings.Count(got, fmt.Sprintf("column%02d", k)); n != 1 {
			t.Errorf("column %d stands %d times", k, n)
		}
	}
	expect(t, got, "1,000,029")
}

// A paragraph's words come in their order, whatever their styles, and none is lost.
func TestFlowKeepsWords(t *testing.T) {
	p := testPaper(t)
	rapid.Check(t, func(t *rapid.T) {
		var runs []Run
		want := ""
		for range rapid.IntRange(0, 6).Draw(t, "runs") {
			run := Run{
				Text: rapid.StringMatching(`[a-z ]{0,50}|[a-z]{150}`).Draw(t, "text"),
				Bold: rapid.Bool().Draw(t, "bold"), Italic: rapid.Bool().Draw(t, "italic"),
			}
			runs = append(runs, run)
			want += run.Text
		}
		var list []string
		for _, l := range p.lines(cell{width: 50, runs: runs, size: 9}) {
			end := 0.0
			for _, w := range l.words {
				if len(list) > 0 && (w.x == 0 || w.x > end+0.1) {
					list = append(list, " ")
				}
				list = append(list, w.text)
				p.SetFont(sans, w.style, 9)
				if end = w.x + p.GetStringWidth(w.text); end > 50 {
					t.Fatalf("%q ends at %g", w.text, end)
				}
			}
		}
		got := strings.Join(list, "")
		if strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") {
			t.Fatalf("%q became %q", want, got)
		}
		if len(strings.Fields(got)) < len(strings.Fields(want)) {
			t.Fatalf("words of %q grew together: %q", want, got)
		}
	})
}

// A row of figures is never wider than the text nor higher than a page; a drawing that is larger
// alone is made smaller, and three matrices stand in a row.
func TestFiguresFitThePage(t *testing.T) {
	axis := render.Axis{Name: "rotation", Unit: "°", Values: []float64{-1, 0, 1}}
	m := variance.Matrix{N: 3, Data: make([]float64, 9)}
	matrix := testdata.Must(render.OnPage(m.Figure(axis, render.Scale{High: 1, Map: &render.Gray}, "max@CONF")))(t)
	wide := render.Tiles(make([]render.Tile, 40), make([]string, 40))
	var bars result.Figure
	for range 200 {
		bars.AddBar("a name", "", "", 0, 1, 0)
	}
	bars.Groups = []result.Group{{}}
	high := testdata.Must(render.OnPage(bars))(t)
	for _, c := range []struct {
		list Figures
		rows []int
	}{
		{Figures{{Drawing: matrix}, {Drawing: matrix}, {Drawing: matrix}, {Drawing: matrix}}, []int{3, 1}},
		{Figures{{Drawing: wide}, {Drawing: matrix}, {Drawing: wide}}, []int{1, 1, 1}},
		{Figures{{Drawing: high}}, []int{1}},
	} {
		for _, want := range c.rows {
			row, rest := nextRow(c.list)
			if total := 0.0; len(row) != want {
				t.Errorf("%d figures in a row, want %d", len(row), want)
			} else {
				for _, f := range row {
					width, height := f.paperSize()
					total += width
					if height > pageBottom-pageMargin {
						t.Errorf("a figure is %g mm high", height)
					}
				}
				if total+figureGap*float64(len(row)-1) > textWidth+0.01 {
					t.Errorf("%d figures are %g mm wide", len(row), total)
				}
			}
			c.list = rest
		}
	}
	d := &Document{
		Title: "figures", date: written,
		Sections: []Section{{Title: "F", Level: 2, Blocks: []Block{Figures{{Drawing: matrix, Caption: "κ below"}}}}},
	}
	expect(t, flat(pageTexts(t, pdfOf(t, d))), "max@CONF", "V_j: rotation (°)", "κ below")
}

// Documents of every odd shape can be written in both forms.
func TestOddDocuments(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 400)
	for name, blocks := range map[string][]Block{
		"nothing":     nil,
		"empty":       {Text{}, Facts{}, tableOf("", nil), Figures{}},
		"no rows":     {tableOf("", []string{"A", "B#", "C%"})},
		"empty cells": {tableOf("", []string{"A"}, []string{""}, []string{""})},
		"long fact":   {Facts{{Name: long, Value: long, Remark: long, Code: true}, {Name: "next", Value: "after"}}},
		"long text":   {Paragraph(Warning, strings.Repeat(long+" ", 10)), Paragraph(Plain, "after")},
		"long cell":   {tableOf("", []string{"A%", "B"}, []string{long, long}, []string{"x", "after"})},
		"controls":    {Paragraph(Plain, "a\x00b\tc\nd\u200e after")},
		"empty run": {
			Text{Style: Quote, Runs: []Run{{}}}, Text{Style: Quote, Mark: "1."}, Paragraph(QuoteHeading, "after"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &Document{
				Title: name, Lines: []string{""}, date: written,
				Sections: []Section{{Title: long, Level: 1, Blocks: blocks}},
			}
			page, pages := htmlOf(t, d), pageTexts(t, pdfOf(t, d))
			if strings.Contains(fmt.Sprint(blocks), "after") {
				expect(t, page, "after")
				expect(t, flat(pages), "after")
			}
			if !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
				t.Errorf("the page ends in %.40q", page[max(0, len(page)-40):])
			}
		})
	}
}

// What cannot be written is an error of both forms.
func TestWritersThatFail(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0))
	for name, write := range map[string]func(io.Writer) error{"html": report.HTML, "pdf": report.PDF} {
		if err := write(&fullWriter{room: 1000}); err == nil {
			t.Errorf("%s: a full disk is no error", name)
		}
	}
}

// fullWriter fails after so many bytes.
type fullWriter struct{ room int }

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// A PDF's cross-reference table points at its objects: readers trust it.
func TestPDFCrossReferences(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	d.labelAll(r)
	file := pdfOf(t, d.make(roundQuestion(r)))
	_, tail, ok := bytes.Cut(file, []byte("\nxref\n"))
	if !ok {
		t.Fatal("there is no cross-reference table")
	}
	var first, count int
	testdata.Must(fmt.Sscanf(string(tail), "%d %d", &first, &count))(t)
	entries := strings.Split(string(tail), "\n")[1:]
	for k := 1; k < count; k++ {
		var at int
		testdata.Must(fmt.Sscanf(entries[k], "%d", &at))(t)
		if want := fmt.Sprintf("%d 0 obj", k); !bytes.HasPrefix(file[at:], []byte(want)) {
			t.Errorf("object %d is said to be at %d: %.20q", k, at, file[at:])
		}
	}
}

// Names of people appear in place of their ids, in every table and figure of a round.
func TestNamesInPlaceOfIDs(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Annotators = []string{"id-one", "id-two"} })
	for k, id := range r.Annotators {
		d.put(r, id, 0, label.Values(3)[2*k], func(ev *label.Event) { ev.Note = "n" })
		testdata.OK(t, d.PutAnnotator(store.Annotator{ID: id, Name: fmt.Sprintf("annotator %d", k+1)}))
	}
	q := roundQuestion(r)
	q.Notes = true
	page := htmlOf(t, d.make(q))
	for _, id := range r.Annotators {
		if n := strings.Count(page, id); n != 1 { // in the list of annotators, in brackets
			t.Errorf("id %s stands %d times", id, n)
		}
	}
	if n := strings.Count(page, "annotator 2"); n < 7 {
		t.Errorf("the name stands %d times", n)
	}
}

// A column that is declared in a table is in every form of it, with its values: a sheet is all
// that writers know.
func TestAColumnIsInEveryWriter(t *testing.T) {
	table := result.Table[int]{
		Name: "things", Title: "Things", Noun: "thing", ID: func(k int) string { return fmt.Sprint(k) },
		Columns: []result.Column[int]{
			result.Texts("model_id", "model", "", func(k int) string { return fmt.Sprint("m", k) }),
			result.Numbers("fresh_measure", "fresh measure", "of a test", result.Share,
				func(int) float64 { return 0.123456789 }),
		},
	}
	testdata.OK(t, table.Check())
	s := table.Sheet([]int{1, 2})
	d := &Document{
		Title: "things", date: written,
		Sections: []Section{{Title: "Things", Level: 2, Blocks: []Block{Table{Sheet: s}}}},
	}
	html := htmlOf(t, d)
	if !strings.Contains(html, string(s.Table())) {
		t.Errorf("the page of a report has another table than the sheet:\n%s", html)
	}
	forms := map[string]string{"HTML of a report": html, "PDF of a report": flat(pageTexts(t, pdfOf(t, d)))}
	document := result.Document{Schema: "variscope.things", Version: 1, Sheets: []*result.Sheet{s}}
	for name, write := range map[string]func(io.Writer) error{
		"text": s.Text, "Markdown": s.Markdown,
		"CSV":                  func(w io.Writer) error { return s.CSV(w, false) },
		"CSV for spreadsheets": func(w io.Writer) error { return s.CSV(w, true) },
		"JSON":                 document.JSON,
		"Parquet": func(w io.Writer) error {
			var file bytes.Buffer
			if err := s.Parquet(&file); err != nil {
				return err
			}
			type row struct {
				Fresh float64 `parquet:"fresh_measure,optional"`
			}
			rows, err := parquet.Read[row](bytes.NewReader(file.Bytes()), int64(file.Len()))
			fmt.Fprintf(w, "%+v fresh_measure", rows)
			return err
		},
	} {
		var out strings.Builder
		if err := write(&out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		forms[name] = out.String()
	}
	for name, text := range forms {
		key, value := "fresh measure", "12.3 %"
		if strings.HasPrefix(name, "CSV") || name == "JSON" || name == "Parquet" {
			key, value = "fresh_measure", "0.123456789"
		}
		if !strings.Contains(text, key) || strings.Count(text, value) != 2 {
			t.Errorf("%s has not %s with %s twice:\n%s", name, key, value, text)
		}
	}
}
