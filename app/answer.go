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

// answer is what a command has found: a document, a folder for files of it, and what people read.
type answer struct {
	result.Document
	name, folder    string // NAME.json and a CSV file for each sheet; no files where the folder is ""
	forSpreadsheets bool
	tables          []*result.Sheet // for people; nil for the first sheet of the document
	card            bool            // the first row of the first table, a line for each column
	lines           []string        // below the tables
}

// give writes the files of an answer and prints it: with --json the document, else its tables,
// with an empty line between them, and its lines.
func (s *session) give(a answer) error {
	if done, err := s.answer(a.Document, a.name, a.folder, a.forSpreadsheets); done || err != nil {
		return err
	}
	if a.tables == nil {
		a.tables = a.Sheets[:1]
	}
	for k, sheet := range a.tables {
		if k > 0 {
			fmt.Fprintln(s.stdout)
		}
		show := sheet.Text
		if a.card {
			show = func(w io.Writer) error { return sheet.Card(w, 0) }
		}
		if err := show(s.stdout); err != nil {
			return err
		}
	}
	printLines(s.stdout, a.lines)
	return nil
}

// writeDocument writes each sheet of a document, and more sheets that are for files only, as
// NAME.csv into a folder, and the document as JSON.
func writeDocument(folder, name string, doc result.Document, forSpreadsheets bool, more ...*result.Sheet) error {
	for _, sheet := range slices.Concat(doc.Sheets, more) {
		if err := (spreadsheetFlag{forSpreadsheets}).write(filepath.Join(folder, sheet.Name+".csv"), sheet); err != nil {
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
