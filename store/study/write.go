package study

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/report"
)

// Answer is what the command of a step has found.
type Answer struct {
	Line    string // the command line that does the same, with paths as the study file has them
	Sheets  []*result.Sheet
	Shown   []string // names of the sheets that the command shows people
	Figures []result.Drawn
	Remarks []string // lines below the tables, such as what was left out and why
	Failed  []string // why models, or what else the command is about, could not be taken
	Written []string // paths of files and folders that the command has written itself, in the step's folder
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
		result.Texts("command", "command", "command line that does the same",
			func(d Done) string { return d.Line }).In(result.FileOnly),
		result.Texts("tables", "tables", "that were kept",
			func(d Done) string { return strings.Join(d.tables, ", ") }).Told(func(d Done) string {
			return result.Some(d.tables)
		}),
		result.Texts("figures", "figures", "that were kept",
			func(d Done) string { return strings.Join(d.figures, ", ") }).Told(func(d Done) string {
			return result.Some(d.figures)
		}),
		result.Texts("failed", "failed", "what the step could not take, and why",
			func(d Done) string { return strings.Join(d.Failed, "; ") }).In(result.FileOnly),
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

// Writing puts what a study finds into its folder, step by step: tables and figures in these
// formats, at the end its report and its record (study.json). Equal answers give equal bytes. Every
// file takes its place when it is whole.
type Writing struct {
	ctx      context.Context
	study    Study
	program  string // "Variscope 0.1.0"
	folder   string
	formats  []string
	former   map[string]string // SHA-256 sums of the files of the study that was written there before
	changing bool              // files are not those of the former record any more
	taken    map[string]bool   // paths in small letters
	files    []File
	doc      *report.Document
	steps    []Done
	compared []Compared
	err      error // of the first file that could not be written
}

// record is the file by which a study's folder is known. While a study is written, and where one
// was cut off, the second one says which files studies have written there.
const record, formerRecord, schema = "study.json", "study.json.former", "variscope.study"

// reportHTML and reportPDF are the report of a study.
const reportHTML, reportPDF = "report.html", "report.pdf"

// Begin makes the folder and tries whether files can be written there. Nothing that is there
// changes.
func Begin(ctx context.Context, study Study, program, folder string, formats []string) (*Writing, error) {
	probe := durable.DraftOf(filepath.Join(folder, record))
	err := durable.WriteFile(probe, func(io.Writer) error { return nil })
	if err == nil {
		err = durable.Delete(probe)
	}
	if err != nil {
		return nil, fmt.Errorf("nothing can be written into the folder of the study: %w", err)
	}
	w := &Writing{
		ctx: ctx, study: study, program: program, folder: folder, formats: formats, former: map[string]string{},
		taken: map[string]bool{}, doc: &report.Document{Title: study.Title, Program: program, Lines: []string{program}},
	}
	if study.Note != "" {
		w.doc.Add(2, "What is asked", report.Paragraph(report.Plain, study.Note))
	}
	for _, name := range []string{formerRecord, record} {
		var was struct {
			Sheets []struct{ Rows []map[string]any }
		}
		data, err := outside.Read(filepath.Join(folder, name), outside.Document)
		if errors.Is(err, outside.ErrTooLarge) {
			return nil, fmt.Errorf("the files of the former study cannot be told from others; "+
				"take another folder: %w", err)
		}
		if err != nil || json.Unmarshal(data, &was) != nil {
			continue
		}
		for _, row := range was.Sheets[max(0, len(was.Sheets)-1):] {
			for _, file := range row.Rows {
				w.former[fmt.Sprint(file["file"])] = fmt.Sprint(file["sha256"])
			}
		}
	}
	return w, nil
}

// Change says that files of the folder are about to change: no record and no report of other files
// lies beside them from here on. Add says so itself; it goes before a command that writes files,
// too.
func (w *Writing) Change() error {
	if w.changing {
		return nil
	}
	w.changing = true
	reports := maps.Clone(w.former)
	maps.DeleteFunc(reports, func(name, _ string) bool { return name != reportHTML && name != reportPDF })
	return cmp.Or(w.remember(), w.remove(record), durable.RemoveWritten(w.folder, reports))
}

// remember keeps which files studies have written into the folder, for the one that comes after
// this one is cut off.
func (w *Writing) remember() error {
	sums, there := maps.Clone(w.former), []File(nil)
	for _, f := range w.files {
		sums[f.Path] = f.SHA256
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		there = append(there, File{Path: name, SHA256: sums[name]})
	}
	sheet := Files.Sheet(there)
	sheet = sheet.With([]int{sheet.Field("file"), sheet.Field("sha256")})
	doc := result.Document{Schema: schema, Version: 1, Sheets: []*result.Sheet{sheet}}
	return durable.WriteFile(filepath.Join(w.folder, formerRecord), doc.JSON)
}

// remove removes a file of the folder where it is there.
func (w *Writing) remove(name string) error {
	if err := durable.Delete(filepath.Join(w.folder, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Add writes what the next step has found.
func (w *Writing) Add(answer Answer) error {
	err := w.add(answer)
	if w.changing {
		err = cmp.Or(err, w.remember())
	}
	return err
}

func (w *Writing) add(answer Answer) error {
	for k, s := range answer.Sheets {
		answer.Sheets[k] = s.Lasting()
	}
	done := Done{Step: w.study.Steps[len(w.steps)], Answer: answer}
	tables, figures, err := done.kept()
	if err != nil {
		return err
	}
	beside, err := compare(done.Step, answer.Sheets)
	if err != nil {
		return err
	}
	if err = w.Change(); err == nil {
		err = w.list(answer.Written)
	}
	if err != nil {
		return err
	}
	for _, s := range tables {
		done.tables = append(done.tables, s.Name)
		w.table(done.Name, s)
	}
	for _, d := range figures {
		done.figures = append(done.figures, d.Name)
		for _, format := range figureFormats {
			if slices.Contains(w.formats, format) && d.Figure.Drawable() {
				w.write(path.Join(done.Name, durable.FileName(d.Name)+"."+format), func(out io.Writer) error {
					return render.Draw(out, d.Figure, render.Part{}, format)
				})
			}
		}
	}
	if len(beside) > 0 {
		w.table(done.Name, Comparison.Sheet(beside))
	}
	w.compared, w.steps = append(w.compared, beside...), append(w.steps, done)
	return cmp.Or(w.err, w.section(done, tables, figures, beside))
}

// End writes report and record and returns the record's sheets. What the study wrote there before
// and does not write now goes.
func (w *Writing) End() ([]*result.Sheet, error) {
	w.write(reportHTML, w.doc.HTML)
	w.write(reportPDF, w.doc.PDF)
	if w.err != nil {
		return nil, w.err
	}
	maps.DeleteFunc(w.former, func(name, _ string) bool { return w.taken[strings.ToLower(name)] })
	if err := durable.RemoveWritten(w.folder, w.former); err != nil {
		return nil, err
	}
	sheets := []*result.Sheet{Steps.Sheet(w.steps), Comparison.Sheet(w.compared), Files.Sheet(w.files)}
	doc := result.Document{
		Schema: schema, Version: 1, Options: map[string]string{"title": w.study.Title, "program": w.program},
		Sheets: sheets,
	}
	if w.write(record, doc.JSON); w.err != nil {
		return nil, w.err
	}
	return sheets, w.remove(formerRecord)
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
	places, err := chosen(d.Command+" has no table", wanted, names)
	for _, k := range places {
		tables = append(tables, d.Sheets[k])
	}
	if err != nil || d.Step.Figures == nil {
		return tables, d.Answer.Figures, err
	}
	names = nil
	for _, one := range d.Answer.Figures {
		names = append(names, one.Name)
	}
	places, err = chosen(d.Command+" has no figure", d.Step.Figures, names)
	for _, k := range places {
		figures = append(figures, d.Answer.Figures[k])
	}
	return tables, figures, err
}

// chosen are the places of the names that patterns mean, in the order of these, each once. A
// pattern without * that means none is an error, which begins with absent.
func chosen(absent string, patterns, names []string) (list []int, err error) {
	for _, pattern := range patterns {
		some := false
		for k, name := range names {
			if is, _ := path.Match(pattern, name); is {
				some = true
				if !slices.Contains(list, k) {
					list = append(list, k)
				}
			}
		}
		if !some && !strings.ContainsAny(pattern, "*?[") {
			return nil, fmt.Errorf("%s %s; it has %s", absent, pattern, result.Some(names))
		}
	}
	return list, nil
}

// longest is how many rows of a table a report shows; files have all.
const longest = 150

// section tells of a step in the report.
func (w *Writing) section(d Done, tables []*result.Sheet, figures []result.Drawn, beside []Compared) error {
	var blocks []report.Block
	if d.Note != "" {
		blocks = append(blocks, report.Paragraph(report.Plain, d.Note))
	}
	if len(beside) > 0 {
		blocks = append(blocks, report.Titled(Comparison.Sheet(beside))...)
	}
	for _, s := range tables {
		if n := s.Len(); n > longest {
			blocks = append(blocks, report.Titled(s.Take(upTo(longest)))...)
			text := fmt.Sprintf("The first %d of %s", longest, result.Counted(n, s.Noun))
			at := slices.IndexFunc(w.formats, func(format string) bool { return slices.Contains(tableFormats, format) })
			if at >= 0 {
				text += "; all are in " + tablePath(d.Name, s) + "." + w.formats[at]
			}
			blocks = append(blocks, report.Paragraph(report.Remark, text+"."))
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
	for _, line := range slices.Concat(d.Remarks, d.Failed) {
		if line != "" {
			blocks = append(blocks, report.Paragraph(report.Remark, line))
		}
	}
	blocks = append(blocks, report.Facts{{Name: "Command", Value: d.Line, Code: true}})
	w.doc.Add(2, d.Heading(), blocks...)
	return nil
}

func upTo(n int) []int {
	rows := make([]int, n)
	for k := range rows {
		rows[k] = k
	}
	return rows
}

// tablePath is the path of a table of a step in the folder, without the ending.
func tablePath(step string, s *result.Sheet) string {
	return path.Join(step, durable.FileName(s.Name))
}

func (w *Writing) table(step string, s *result.Sheet) {
	page := &report.Document{Title: s.Title, Program: w.program, Lines: []string{w.program}}
	page.Add(2, s.Title, report.Table{Sheet: s})
	fills := map[string]func(io.Writer) error{
		"csv":     func(out io.Writer) error { return s.CSV(out, false) },
		"parquet": s.Parquet,
		"tex":     func(out io.Writer) error { return s.LaTeX(out, step+"-"+s.Name) },
		"html":    page.HTML,
	}
	for _, format := range w.formats {
		if fill := fills[format]; fill != nil {
			w.write(tablePath(step, s)+"."+format, fill)
		}
	}
}

// list takes files into the record that a step has written itself, also those in folders.
func (w *Writing) list(paths []string) error {
	for _, top := range paths {
		err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			below, err := filepath.Rel(w.folder, at)
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			sum, err := store.HashFile(w.ctx, at)
			if err != nil {
				return err
			}
			return w.note(File{filepath.ToSlash(below), info.Size(), sum})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// note takes a file into the record; no two of a study have the same path.
func (w *Writing) note(f File) error {
	key := strings.ToLower(f.Path)
	if w.taken[key] {
		return fmt.Errorf("%s would be written twice; two things of the step have this name", f.Path)
	}
	w.taken[key] = true
	w.files = append(w.files, f)
	return nil
}

// write writes a file unless one before it failed.
func (w *Writing) write(name string, fill func(io.Writer) error) {
	if w.err = cmp.Or(w.err, w.ctx.Err()); w.err != nil {
		return
	}
	var content bytes.Buffer
	if w.err = fill(&content); w.err != nil {
		w.err = fmt.Errorf("%s: %w", name, w.err)
		return
	}
	sum := sha256.Sum256(content.Bytes())
	if w.err = w.note(File{name, int64(content.Len()), hex.EncodeToString(sum[:])}); w.err != nil {
		return
	}
	w.err = durable.WriteFile(filepath.Join(w.folder, filepath.FromSlash(name)), func(out io.Writer) error {
		_, err := content.WriteTo(out)
		return err
	})
}
