package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Part is a part of the files of an export, by its name on the command line.
type Part string

// The parts. README.md and columns.csv are always written.
const (
	Labels      Part = "labels"       // labels_long.csv, labels_wide.csv
	Agreement   Part = "agreement"    // agreement.csv and its like, agreement.json
	Models      Part = "models"       // models.csv
	Matrices    Part = "matrices"     // matrices.npz, axes.json
	Pictures    Part = "pictures"     // matrices/ID/MODALITY.png
	Parquet     Part = "parquet"      // labels.parquet
	LabelStudio Part = "label-studio" // label_studio.json
	Features    Part = "features"     // features.csv, features.parquet
	Invariance  Part = "invariance"   // invariance/
	Ranking     Part = "ranking"      // ranking/
	DScore      Part = "dscore"       // dscore/
	Background  Part = "background"   // background/
)

var partNames = map[Part]string{
	Labels: "label tables (CSV)", Agreement: "agreement (CSV, JSON)", Models: "model table (CSV)", Matrices: "matrices (NPZ)",
	Pictures: "matrix pictures (PNG)", Parquet: "labels (Parquet)", LabelStudio: "labels (Label Studio)", Features: "features (CSV, Parquet)",
	Invariance: "effective invariance (CSV)", Ranking: "rankings (CSV)", DScore: "D-Scores (CSV)",
	Background: "models in scenes (CSV, NPZ)",
}

// Name is the name of a part for people.
func (p Part) Name() string { return partNames[p] }

// Options say what is exported and where to, as the command export takes them.
type Options struct {
	Out     string   `required:"" help:"Folder to write; made where there is none." label:"Folder" placeholder:"DIR" type:"path"`
	Round   string   `help:"Round, by name or id (default: all rounds and models)." source:"rounds"`
	Models  []string `help:"Models, by id: their rows, matrices and labels, and the agreement on them (default: all)." source:"models" placeholder:"ID"`
	Signals bool     `help:"Write the signals of every model, too: softmax, prediction and every reducer per image and transformation, as .npz and Parquet." label:"Signals, too (NPZ, Parquet)"`
	// ForSpreadsheets guards texts of CSV files; see comma.ForSpreadsheets.
	ForSpreadsheets bool   `help:"Put an apostrophe before texts of tables that a spreadsheet would take for formulas." label:"For spreadsheets"`
	Without         []Part `help:"Parts that are left out: labels, agreement, models, matrices, pictures, parquet, label-studio, features, invariance, ranking, dscore or background." label:"Leave out" placeholder:"PART" enum:"labels,agreement,models,matrices,pictures,parquet,label-studio,features,invariance,ranking,dscore,background"`
	Force           bool   `help:"Write into a folder that holds other files; those stay."`
	// Version of the program, for the card.
	Version string `kong:"-" window:"-"`
}

func (o Options) has(p Part) bool { return !slices.Contains(o.Without, p) }

// Files is the table of the files that an export wrote, by their paths.
var Files = result.Table[string]{
	Name: "files", Title: "Files", Noun: "file", ID: func(path string) string { return path },
	Columns: []result.Column[string]{
		result.Texts("file", "file", "path of the file", func(path string) string { return path }),
	},
}

// Export writes the labelled set of a workspace and everything that it rests on (DESIGN.md section
// 8), and what the other methods say of its models, and returns the paths of the files. Progress
// counts models read and measured, pictures drawn and the steps of the methods; p may be nil.
// Features are those of the default layout, of the models that have all of its matrices, with the
// training labels of the exported rounds. What has no rows has no files; the card says why.
//
// The files are written beside their place and moved there when all are complete: after an error,
// also that of an ended ctx, the folder is as it was. An export into the folder of an earlier one
// replaces it. The same workspace and options give the same bytes. Models of the options are
// hashes here. A *ForeignError refuses a folder with files of others.
func Export(ctx context.Context, ws *store.Workspace, opts Options, p engine.Progress) (files []string, err error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	out, err := openFolder(opts.Out, opts.Force)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("export to %s: %w", opts.Out, errors.Join(err, out.discard()))
		}
	}()
	e := &exporting{ws: ws, opts: opts, out: out, progress: &stages{Progress: p}}
	if e.set, err = gather(ctx, ws, opts, e.progress); err == nil {
		err = e.limit()
	}
	if err != nil {
		return nil, err
	}
	for _, step := range []struct {
		wanted bool
		do     func(context.Context) error
	}{
		{true, e.tables},
		{opts.has(Pictures), e.pictures},
		{opts.has(Invariance), e.invariance},
		{opts.has(Ranking), e.ranking},
		{opts.has(DScore), e.dScores},
		{opts.has(Background), e.scenes},
		{opts.Signals, e.signals},
		{true, e.card},
	} {
		if !step.wanted {
			continue
		}
		if err := step.do(ctx); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out.publish()
}

// exporting is one call of Export.
type exporting struct {
	ws       *store.Workspace
	opts     Options
	out      *folder
	progress *stages
	set      Set
	scope    scope
	known    []file           // files that the card tells how to load
	columns  []result.Meaning // of the tables among them
	methods  []string         // what each method gave, for the card
}

// stages adds up the totals of work that is done one after the other.
type stages struct {
	engine.Progress
	mu    sync.Mutex
	total int64
}

// SetTotal adds the steps of another piece of work.
func (s *stages) SetTotal(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total += n
	s.Progress.SetTotal(s.total)
}

// file is a file of an export. The card tells how to load one that says what it holds.
type file struct {
	path, holds string
	sheet       *result.Sheet // of a table, else nil
	fill        func(io.Writer) error
}

// write writes files and notes what they hold.
func (e *exporting) write(ctx context.Context, files ...file) error {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.out.create(f.path, f.fill); err != nil {
			return err
		}
		if f.sheet != nil {
			e.columns = append(e.columns, f.sheet.Meanings(f.path)...)
		}
		if f.holds != "" {
			e.known = append(e.known, file{path: f.path, holds: f.holds})
		}
	}
	return nil
}

// csv is a table without the ending of its path.
func (e *exporting) csv(path string, sheet *result.Sheet) file {
	return file{path + ".csv", sheet.Title, sheet, func(w io.Writer) error { return sheet.CSV(w, e.opts.ForSpreadsheets) }}
}

func parquetFile(path string, sheet *result.Sheet) file {
	return file{path + ".parquet", sheet.Title, sheet, sheet.Parquet}
}

// tables writes labels, agreement, models, matrices and features.
func (e *exporting) tables(ctx context.Context) error {
	var files []file
	add := func(part Part, list ...file) {
		if e.opts.has(part) {
			files = append(files, list...)
		}
	}
	long, wide := label.Labels.Sheet(e.set.longRows()), WideOf(e.set.Agreement, e.set.Events).Sheet()
	add(Labels, e.csv("labels_long", long), e.csv("labels_wide", wide))
	add(Parquet, parquetFile("labels", long))
	add(LabelStudio, file{
		path: "label_studio.json", holds: "tasks for Label Studio",
		fill: func(w io.Writer) error { return LabelStudioJSON(w, e.set) },
	})
	measured := agreement.Document(e.set.Agreement, nil)
	add(Agreement, file{path: "agreement.json", holds: "all tables of agreement", fill: measured.JSON})
	for _, sheet := range measured.Sheets {
		add(Agreement, e.csv(sheet.Name, sheet))
	}
	for _, v := range e.set.Views {
		add(Models, e.csv(path.Join(v.Folder, "models"), ModelSheet(v)))
		if v.Family != "" {
			add(Matrices, file{
				path: path.Join(v.Folder, "matrices.npz"), holds: "variance matrices as ID/MODALITY; V, the sampling values",
				fill: func(w io.Writer) error { return MatricesNPZ(w, v) },
			}, file{
				path: path.Join(v.Folder, "axes.json"), holds: "what the arrays of matrices.npz mean",
				fill: func(w io.Writer) error { return AxesJSON(w, v) },
			})
		}
		if sheet := v.Features.Sheet(); sheet.Len() > 0 {
			name := path.Join(v.Folder, "features")
			add(Features, e.csv(name, sheet), parquetFile(name, sheet))
		}
	}
	return e.write(ctx, files...)
}

// pictures draws all matrices, several at a time: one takes some 40 ms.
func (e *exporting) pictures(ctx context.Context) error {
	var draw []func() error
	for _, v := range e.set.Views {
		names := fileNames(v.Items)
		for _, it := range v.Items {
			for modality := range it.Matrices {
				draw = append(draw, func() error {
					return e.out.create(path.Join(v.Folder, picturePath(names[it.Hash], modality)),
						func(w io.Writer) error { return MatrixPNG(w, v, it, modality) })
				})
			}
		}
	}
	return lookup.Each(ctx, len(draw), 0, e.progress, func(_ context.Context, k int) error { return draw[k]() })
}

// card writes what the columns of the tables mean, and README.md.
func (e *exporting) card(ctx context.Context) error {
	columns := e.csv(result.Dictionary.Name, result.Dictionary.Sheet(e.columns))
	if err := e.write(ctx, columns); err != nil {
		return err
	}
	return e.write(ctx, file{path: cardName, fill: func(w io.Writer) error {
		_, err := io.WriteString(w, e.cardText(e.out.listed()))
		return err
	}})
}
