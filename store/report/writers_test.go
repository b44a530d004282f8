package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/variscope/variscope/engine/result"
)

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
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
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
