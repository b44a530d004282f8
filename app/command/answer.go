package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/durable"
)

// outFolder is the folder that a command writes into. The tag set of the command says for what:
// set:"out=Folder for eval.json.".
type outFolder struct {
	Out string `help:"${out}" type:"path" study:"-"`
}

// Check refuses what is no folder.
func (o *outFolder) Check() error { return option.NeedFolder("out", o.Out) }

// output is the folder of a command that writes tables.
type output struct {
	outFolder
	spreadsheetFlag
}

// spreadsheetFlag guards texts of CSV files.
type spreadsheetFlag struct {
	ForSpreadsheets bool `help:"Put an apostrophe before texts of tables that a spreadsheet would take for formulas."`
}

// write writes a table as a CSV file, where one is named.
func (f spreadsheetFlag) write(path string, sheet *result.Sheet) error {
	if path == "" {
		return nil
	}
	return durable.WriteFile(path, func(w io.Writer) error { return sheet.CSV(w, f.ForSpreadsheets) })
}

// fileIn is the file that --out names where a command writes one: the name itself where it has an
// ending, else the file of this name in the folder.
func fileIn(out, name string) string {
	info, err := os.Stat(out)
	if out != "" && (err == nil && info.IsDir() || err != nil && filepath.Ext(out) == "") {
		return filepath.Join(out, name)
	}
	return out
}

// schemas is how the names of all schemas begin.
const schemas = "variscope."

// document is the head of what a command answers, with its options as they were used; nil for
// none.
func (s *Session) document(name string, options any, sheets ...*result.Sheet) result.Document {
	doc := result.Document{Schema: schemas + name, Version: 1, Sheets: sheets}
	if options != nil {
		doc.Options = option.Record(options)
	}
	if s.reading != nil {
		doc.Notes = []string{s.reading.String()}
	}
	return doc
}

// answer is what a command has found: a document, a folder for files of it, and what people read.
type answer struct {
	result.Document
	name  string          // of the file NAME.json beside a CSV file for each sheet; "" for that of the schema
	out   output          // where they go; no files for ""
	files []*result.Sheet // more sheets, for files only
	shown []any           // for people, *result.Sheet and []string; nil for the first sheet of the document
	card  bool            // the first row of a table, a line for each column
	lines []string        // below all
	// figures are drawn into the folder in these formats.
	figures []result.Drawn
	formats []string
	named   map[string]bool // figures of draw
}

// draw adds a figure in which there is something to see, under a name that no other one has.
func (a *answer) draw(name string, f result.Figure) {
	if !f.Drawable() {
		return
	}
	if a.named == nil {
		a.named = map[string]bool{}
	}
	a.figures = append(a.figures, result.Drawn{Name: durable.Unused(a.named, durable.FileName(name)), Figure: f})
}

// show shows sheets to people.
func (a *answer) show(sheets ...*result.Sheet) {
	for _, sheet := range sheets {
		a.shown = append(a.shown, sheet)
	}
}

// wants tells whether figures are asked for, which some commands take long to make.
func (s *Session) wants(out output) bool { return out.Out != "" || s.taken != nil }

// give writes the files of an answer and prints it: with --json the document, else what is for
// people, with an empty line between two tables.
func (s *Session) give(a answer) error {
	s.clear()
	if s.taken != nil {
		s.taken(a)
		return nil
	}
	if a.out.Out != "" {
		for _, d := range a.figures {
			err := drawFigure(a.out.Out, d.Name, d.Figure, a.formats...)
			if err = cmp.Or(s.ctx.Err(), err); err != nil {
				return err
			}
		}
		for _, sheet := range slices.Concat(a.Sheets, a.files) {
			if err := a.out.write(filepath.Join(a.out.Out, sheet.Name+".csv"), sheet); err != nil {
				return err
			}
		}
		name := cmp.Or(a.name, strings.TrimPrefix(a.Schema, schemas))
		if err := durable.WriteFile(filepath.Join(a.out.Out, name+".json"), a.JSON); err != nil {
			return err
		}
	}
	if s.common.JSON {
		return a.JSON(s.stdout)
	}
	if a.shown == nil {
		a.shown = []any{a.Sheets[0]}
	}
	table := false // was shown last
	for _, part := range append(a.shown, a.lines) {
		sheet, is := part.(*result.Sheet)
		if is && table {
			fmt.Fprintln(s.stdout)
		}
		if table = is; !is {
			for _, line := range part.([]string) {
				fmt.Fprintln(s.stdout, outside.Visible(line)) // so that it is not taken for orders
			}
			continue
		}
		show := sheet.Text
		if a.card {
			show = func(w io.Writer) error { return sheet.Card(w, 0) }
		}
		if err := show(s.stdout); err != nil {
			return err
		}
	}
	return nil
}

// drawFigure draws NAME.FORMAT for each format into a folder.
func drawFigure(folder, name string, f result.Figure, formats ...string) error {
	for _, format := range formats {
		fill := func(w io.Writer) error { return render.Draw(w, f, render.Part{}, format) }
		if err := durable.WriteFile(filepath.Join(folder, name+"."+format), fill); err != nil {
			return err
		}
	}
	return nil
}

// below are lines with an empty one above them, nil for none.
func below(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return append([]string{""}, lines...)
}

// failures are reasons why some models, or other things that a command is about, could not be
// taken; the rest of its answer is there.
type failures struct{ error }

func (f failures) Unwrap() error { return f.error }

// joined is one sentence per line, nil without any: failures where some of the answer is there.
func joined(reasons []string, some bool) error {
	var err error
	for _, reason := range reasons {
		err = errors.Join(err, errors.New(reason))
	}
	if some && err != nil {
		return failures{err}
	}
	return err
}
