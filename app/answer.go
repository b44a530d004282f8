package app

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/durable"
)

// document is the head of what a command answers, with its options as they were used.
func (s *session) document(name string, options any, sheets ...*result.Sheet) result.Document {
	return result.Document{Schema: "variscope." + name, Version: 1, Notes: s.notes(), Options: option.Record(options), Sheets: sheets}
}

// writeDocument writes each sheet of a document, and more sheets that are for files only, as
// NAME.csv into a folder, and the document as JSON.
func writeDocument(folder, name string, doc result.Document, forSpreadsheets bool, more ...*result.Sheet) error {
	for _, sheet := range slices.Concat(doc.Sheets, more) {
		fill := func(w io.Writer) error { return sheet.CSV(w, forSpreadsheets) }
		if err := durable.WriteFile(filepath.Join(folder, sheet.Name+".csv"), fill); err != nil {
			return err
		}
	}
	return durable.WriteFile(filepath.Join(folder, name), doc.JSON)
}

// writeFigure draws a figure as NAME.svg and NAME.png into a folder and returns the number of
// files.
func writeFigure(folder, name string, figure result.Figure) (files int, err error) {
	return writeDrawing(folder, name, []string{"svg", "png"}, func(w io.Writer, format string) error {
		return render.Draw(w, figure, render.Part{}, format)
	})
}

// writeDrawing draws NAME.FORMAT for each format into a folder and returns the number of files.
func writeDrawing(folder, name string, formats []string, draw func(w io.Writer, format string) error) (files int, err error) {
	for _, format := range formats {
		fill := func(w io.Writer) error { return draw(w, format) }
		if err := durable.WriteFile(filepath.Join(folder, name+"."+format), fill); err != nil {
			return files, err
		}
		files++
	}
	return files, nil
}

// printLines writes lines to a terminal. What is in them is visible, so that it is not taken for
// orders.
func printLines(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, outside.Visible(line))
	}
}
