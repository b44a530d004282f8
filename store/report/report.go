// Package report writes what a workspace knows of models, or of a round, as one document for
// people: a single HTML file that needs nothing else (no scripts, no network), or a PDF (DESIGN.md
// sections 8 and 9).
//
// A report is made in two steps. Make reads the workspace and lays the content out as a Document:
// sections of texts, facts, tables and drawings, of which the tables and figures are those that the
// methods' packages declare. Document.HTML and Document.PDF then write the same content in two
// forms. Equal workspaces and questions give equal bytes; the date is part of the question and
// stands in one line.
package report

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
)

// Options say what a report shows, as the command report takes them.
type Options struct {
	Modalities []string `aliases:"modality" help:"Matrices of a model (default: the five of ${ml4ml})." placeholder:"M" label:"Matrices"`
	Images     string   `help:"Images of a model that count: all, correct or wrong." enum:"all,correct,wrong" default:"all"`
	Notes      bool     `help:"Also the notes and flags of a round's annotators." label:"with the notes and flags of the round's annotators"`
}

// Request says what a report is about: Models or a Round, never both.
type Request struct {
	Models []string // hashes, in the order of the report
	Round  string   // id
	// Suite, Family, Modalities and Images are what models are seen by; a round brings its own. No
	// modalities are the five of the paper, the zero Images are all.
	Suite, Family string
	Modalities    []string
	Images        variance.Images
	// Notes also shows the annotators' notes and flags of a round.
	Notes   bool
	Version string    // of the program
	Written time.Time // the date of the report
}

// ErrNoSignals means that none of the models has signals to report on.
var ErrNoSignals = store.ErrNoSignals

// Make reads the workspace and lays the report out. Progress counts models and methods; p may be
// nil. Errors: ErrNoSignals, store.ErrNotFound, variance.ErrNoImages, and those of reading signals.
func Make(ctx context.Context, ws *store.Workspace, q Request, p engine.Progress) (*Document, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	if q.Images.Share == 0 {
		q.Images = variance.AllImages()
	}
	g := &gathering{ws: ws, q: q, progress: p}
	if err := g.begin(); err != nil {
		return nil, fmt.Errorf("report on %s: %w", ws.Name(), err)
	}
	switch {
	case q.Round != "" && len(q.Models) > 0:
		return nil, errors.New("a report is on models or on a round, not on both")
	case q.Round != "":
		return g.round(ctx)
	case len(q.Models) > 0:
		return g.models(ctx)
	}
	return nil, errors.New("a report needs a model or a round")
}

// document is an empty document under the report's view.
func (g *gathering) document(title string) *Document {
	v := g.view
	d := &Document{Title: title, Program: strings.TrimSpace("Variscope " + g.q.Version), date: g.q.Written}
	seen := "on the suite " + v.suite.Name
	if v.family != "" {
		seen = g.ws.FamilyName(v.family) + " " + seen
	}
	d.Lines = []string{seen, d.Program, "Written " + timeText(g.q.Written)}
	return d
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Formats are the endings of the files that Write can write, without the dot.
func Formats() []string { return []string{"html", "pdf"} }

// CheckPath refuses a path whose ending is none of Formats.
func CheckPath(path string) error {
	if !slices.Contains(Formats(), formatOf(path)) {
		return fmt.Errorf("report %s: the ending %q is none of .%s", path, filepath.Ext(path),
			strings.Join(Formats(), ", ."))
	}
	return nil
}

func formatOf(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// File is a written report.
type File struct {
	Title        string // of the document
	Path, Format string
	Bytes        int64
	SHA256       string // hexadecimal
}

// Files is the table of written reports.
var Files = result.Table[File]{
	Name: "files", Title: "Files", Noun: "file", ID: func(f File) string { return f.Path },
	Columns: []result.Column[File]{
		result.Texts("title", "title", "of the report", func(f File) string { return f.Title }).In(result.FileOnly),
		result.Texts("file", "file", "path of the file", func(f File) string { return f.Path }),
		result.Texts("format", "format", "html or pdf", func(f File) string { return f.Format }).In(result.FileOnly),
		result.Counts("bytes", "bytes", "size of the file", func(f File) int { return int(f.Bytes) }),
		result.Texts("sha256", "SHA-256", "of the file's bytes", func(f File) string { return f.SHA256 }),
	},
}

// Write writes the document to each path, as its ending says. Every file is complete before it
// takes its place, so a failure or an ended ctx leaves what was there.
func (d *Document) Write(ctx context.Context, paths []string) ([]File, error) {
	for _, path := range paths {
		if err := CheckPath(path); err != nil {
			return nil, err
		}
	}
	var files []File
	for _, path := range paths {
		write := d.HTML
		if formatOf(path) == "pdf" {
			write = d.PDF
		}
		f, err := writeFile(ctx, path, write)
		if err != nil {
			return files, fmt.Errorf("write report %s: %w", path, err)
		}
		f.Title = d.Title
		files = append(files, f)
	}
	return files, nil
}

func writeFile(ctx context.Context, path string, write func(io.Writer) error) (File, error) {
	var content bytes.Buffer
	if err := write(&content); err != nil || ctx.Err() != nil {
		return File{}, cmp.Or(err, ctx.Err())
	}
	sum := sha256.Sum256(content.Bytes())
	f := File{Path: path, Format: formatOf(path), Bytes: int64(content.Len()), SHA256: hex.EncodeToString(sum[:])}
	return f, durable.WriteFile(path, func(draft io.Writer) error {
		_, err := content.WriteTo(draft)
		return err
	})
}
