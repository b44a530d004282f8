package studies

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/report"
)

// Answer is what the command of a step has found.
type Answer struct {
	Line    string // the command line that does the same
	Sheets  []*result.Sheet
	Shown   []string // names of the sheets that the command shows people
	Figures []result.Drawn
	Remarks []string // lines below the tables, such as what was left out and why
}

// Found is a study with what its steps have found, an answer for each.
type Found struct {
	Study
	Program string // "Variscope 0.1.0"
	Answers []Answer
}

// Done is a step in the record of a study.
type Done struct {
	Step
	Answer
	tables, figures []string // names of those that were kept
}

// Steps is the record of a study: how each table and figure was made.
var Steps = result.Table[Done]{
	Name: "steps", Title: "Steps", Noun: "step", ID: func(d Done) string { return d.Name },
	Columns: []result.Column[Done]{
		result.Texts("step", "step", "its name, which is that of its folder", func(d Done) string { return d.Name }),
		result.Texts("title", "title", "its heading in the report", func(d Done) string { return d.Heading() }),
		result.Texts("command", "command", "command line that does the same", func(d Done) string { return d.Line }).In(result.FileOnly),
		result.Texts("tables", "tables", "that were kept", func(d Done) string { return strings.Join(d.tables, ", ") }).Told(func(d Done) string { return result.Some(d.tables) }),
		result.Texts("figures", "figures", "that were kept", func(d Done) string { return strings.Join(d.figures, ", ") }).Told(func(d Done) string { return result.Some(d.figures) }),
	},
}

// File is one that a study has written.
type File struct {
	Path   string // in the folder, with slashes
	Bytes  int64
	SHA256 string // hexadecimal
}

// Files is the table of the files of a study.
var Files = result.Table[File]{
	Name: "files", Title: "Files", Noun: "file", ID: func(f File) string { return f.Path },
	Columns: []result.Column[File]{
		result.Texts("file", "file", "path in the folder", func(f File) string { return f.Path }),
		result.Numbers("bytes", "size", "of the file", result.Bytes, func(f File) float64 { return float64(f.Bytes) }),
		result.Texts("sha256", "SHA-256", "of the file's bytes", func(f File) string { return f.SHA256 }),
	},
}

// Formats are the kinds of files that are written of each table and figure.
func Formats() []string { return append(slices.Clone(tableFormats), figureFormats...) }

var (
	tableFormats  = []string{"csv", "parquet", "tex", "html"}
	figureFormats = []string{"svg", "pdf", "png"}
)

// Write writes the tables and figures of a study in these formats, its report and its record
// (study.json) into a folder, and returns the record's sheets. Equal answers give equal bytes. Every
// file takes its place when it is whole.
func (f Found) Write(ctx context.Context, folder string, formats []string) ([]*result.Sheet, error) {
	w := &writing{ctx: ctx, folder: folder, formats: formats}
	doc := &report.Document{Title: f.Title, Program: f.Program, Lines: []string{f.Program}}
	if f.Note != "" {
		doc.Add(2, "What is asked", report.Paragraph(report.Plain, f.Note))
	}
	var steps []Done
	var compared []Compared
	for k, answer := range f.Answers {
		done := Done{Step: f.Steps[k], Answer: answer}
		tables, figures, err := done.kept()
		var beside []Compared
		if err == nil {
			beside, err = compare(done.Step, answer.Sheets)
		}
		if err != nil {
			return nil, fmt.Errorf("step %d (%s): %w", k+1, done.Name, err)
		}
		for _, s := range tables {
			done.tables = append(done.tables, s.Name)
			w.table(done.Name, f.Program, s)
		}
		for _, d := range figures {
			done.figures = append(done.figures, d.Name)
			w.figure(done.Name, d)
		}
		if len(beside) > 0 {
			w.table(done.Name, f.Program, Comparison.Sheet(beside))
		}
		if w.err == nil {
			w.err = section(doc, done, tables, figures, beside)
		}
		compared, steps = append(compared, beside...), append(steps, done)
	}
	w.document("report", doc, "html", "pdf")
	sheets := []*result.Sheet{Steps.Sheet(steps), Comparison.Sheet(compared), Files.Sheet(w.files)}
	record := result.Document{Schema: "variscope.study", Version: 1, Options: map[string]string{"title": f.Title, "program": f.Program}, Sheets: sheets}
	w.write("study.json", record.JSON)
	return sheets, w.err
}

// kept are the tables and figures that a step names.
func (d Done) kept() (tables []*result.Sheet, figures []result.Drawn, err error) {
	wanted := d.Tables
	if wanted == nil {
		wanted = d.Shown
	}
	var names []string
	for _, s := range d.Sheets {
		names = append(names, s.Name)
	}
	for _, pattern := range wanted {
		some := false
		for _, s := range d.Sheets {
			if is, _ := path.Match(pattern, s.Name); is && !slices.Contains(tables, s) {
				tables, some = append(tables, s), true
			}
		}
		if !some && !strings.ContainsAny(pattern, "*?[") {
			return nil, nil, fmt.Errorf("%s has no table %s; it has %s", d.Command, pattern, result.Some(names))
		}
	}
	names = nil
	for _, one := range d.Answer.Figures {
		names = append(names, one.Name)
	}
	if d.Step.Figures == nil {
		return tables, d.Answer.Figures, nil
	}
	for _, pattern := range d.Step.Figures {
		some := false
		for _, one := range d.Answer.Figures {
			if is, _ := path.Match(pattern, one.Name); is {
				figures, some = append(figures, one), true
			}
		}
		if !some && !strings.ContainsAny(pattern, "*?[") {
			return nil, nil, fmt.Errorf("%s has no figure %s; it has %s", d.Command, pattern, result.Some(names))
		}
	}
	return tables, figures, nil
}

// longest is how many rows of a table a report shows; files have all.
const longest = 150

// section tells of a step in the report.
func section(doc *report.Document, d Done, tables []*result.Sheet, figures []result.Drawn, beside []Compared) error {
	var blocks []report.Block
	if d.Note != "" {
		blocks = append(blocks, report.Paragraph(report.Plain, d.Note))
	}
	if len(beside) > 0 {
		blocks = append(blocks, report.Titled(Comparison.Sheet(beside))...)
	}
	for _, s := range tables {
		if n := s.Len(); n > longest {
			s = s.Take(upTo(longest))
			blocks = append(blocks, report.Titled(s)...)
			blocks = append(blocks, report.Paragraph(report.Remark, fmt.Sprintf("The first %d of %s; all are in %s/%s.",
				longest, result.Counted(n, s.Noun), d.Name, s.Name)))
			continue
		}
		blocks = append(blocks, report.Titled(s)...)
	}
	var drawn report.Figures
	for _, one := range figures {
		if err := drawn.Draw(one.Figure, one.Figure.Title); err != nil {
			return err
		}
	}
	if len(drawn) > 0 {
		blocks = append(blocks, drawn)
	}
	for _, line := range d.Remarks {
		if line != "" {
			blocks = append(blocks, report.Paragraph(report.Remark, line))
		}
	}
	blocks = append(blocks, report.Facts{{Name: "Command", Value: d.Line, Code: true}})
	doc.Add(2, d.Heading(), blocks...)
	return nil
}

func upTo(n int) []int {
	rows := make([]int, n)
	for k := range rows {
		rows[k] = k
	}
	return rows
}

// writing writes the files of a study until one fails.
type writing struct {
	ctx     context.Context
	folder  string
	formats []string
	files   []File
	err     error
}

func (w *writing) table(step, program string, s *result.Sheet) {
	name := path.Join(step, s.Name)
	for _, format := range w.formats {
		switch format {
		case "csv":
			w.write(name+".csv", func(out io.Writer) error { return s.CSV(out, false) })
		case "parquet":
			w.write(name+".parquet", s.Parquet)
		case "tex":
			w.write(name+".tex", s.LaTeX)
		case "html":
			page := &report.Document{Title: s.Title, Program: program, Lines: []string{program}}
			page.Add(2, s.Title, report.Table{Sheet: s})
			w.document(name, page, "html")
		}
	}
}

func (w *writing) figure(step string, d result.Drawn) {
	for _, format := range figureFormats {
		if slices.Contains(w.formats, format) && d.Figure.Drawable() {
			w.write(path.Join(step, d.Name+"."+format), func(out io.Writer) error {
				return render.Draw(out, d.Figure, render.Part{}, format)
			})
		}
	}
}

func (w *writing) document(name string, doc *report.Document, formats ...string) {
	for _, format := range formats {
		fill := doc.HTML
		if format == "pdf" {
			fill = doc.PDF
		}
		w.write(name+"."+format, fill)
	}
}

func (w *writing) write(name string, fill func(io.Writer) error) {
	if w.err = orEnded(w.ctx, w.err); w.err != nil {
		return
	}
	var content bytes.Buffer
	if w.err = fill(&content); w.err != nil {
		w.err = fmt.Errorf("%s: %w", name, w.err)
		return
	}
	sum := sha256.Sum256(content.Bytes())
	w.files = append(w.files, File{name, int64(content.Len()), hex.EncodeToString(sum[:])})
	w.err = durable.WriteFile(filepath.Join(w.folder, filepath.FromSlash(name)), func(out io.Writer) error {
		_, err := content.WriteTo(out)
		return err
	})
}

func orEnded(ctx context.Context, err error) error {
	if err == nil {
		err = ctx.Err()
	}
	return err
}
