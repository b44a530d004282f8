package kit

import (
	"fmt"
	"io"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
)

// FileItems are the entries that copy and save, for menus of the screen.
func (r *Records[R]) FileItems() []*fyne.MenuItem {
	which, saver := "shown rows", r.Saver()
	if len(r.marked) > 0 {
		which = "marked rows"
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy "+which+" (CSV)", func() { saver.Copy(r.copied(sheetCSV)) }),
		fyne.NewMenuItem("Copy "+which+" (text)", func() { saver.Copy(r.copied((*result.Sheet).Text)) }),
	}
	if r.Command != nil {
		items = append(items, saver.Command(r.Command())...)
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for _, format := range []string{"csv", "parquet", "json"} {
		items = append(items, fyne.NewMenuItem(fmt.Sprintf("Save %s as %s…", which, formatNames[format]),
			func() { r.save(format, r.taken()) }))
	}
	if n := len(r.taken()); n != len(r.rows) {
		for _, format := range []string{"csv", "parquet", "json"} {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("Save all rows as %s…", formatNames[format]),
				func() { r.save(format, r.all()) }))
		}
	}
	return items
}

var formatNames = map[string]string{"csv": "CSV", "parquet": "Parquet", "json": "JSON"}

// taken are the rows that are copied and saved: the marked ones in the order of the table, also
// those that the filter hides; without marks the shown ones.
func (r *Records[R]) taken() []int {
	if len(r.marked) == 0 {
		return slices.Clone(r.shown)
	}
	rows := r.sheet.Arrange(result.Filter{}, r.order)
	return slices.DeleteFunc(rows, func(row int) bool { return !r.marked[r.sheet.ID(row)] })
}

func (r *Records[R]) all() []int { return r.sheet.Arrange(result.Filter{}, r.order) }

// copied writes the rows that are taken in the columns that are shown. It is called in the
// background.
func (r *Records[R]) copied(write func(*result.Sheet, io.Writer) error) func(io.Writer) error {
	sheet, rows, fields := r.sheet, r.taken(), slices.Clone(r.fields)
	return func(w io.Writer) error { return write(sheet.With(fields).Take(rows), w) }
}

func sheetCSV(s *result.Sheet, w io.Writer) error { return s.CSV(w, false) }

// save asks for a file and writes these rows with all columns.
func (r *Records[R]) save(format string, rows []int) {
	r.Saver().Ask(figures.FileName(format, r.Table.Name), r.writer(format, rows))
}

// writer writes rows as csv, parquet or json. It is called in the background.
func (r *Records[R]) writer(format string, rows []int) func(io.Writer) error {
	sheet, doc := r.sheet, r.Document
	if doc.Schema == "" {
		doc.Schema, doc.Version = "variscope."+r.Table.Name, 1
	}
	return func(w io.Writer) error {
		taken := sheet.Take(rows)
		switch format {
		case "csv":
			return taken.CSV(w, false)
		case "parquet":
			return taken.Parquet(w)
		}
		doc.Sheets = []*result.Sheet{taken}
		return doc.JSON(w)
	}
}
