package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Part is a part of the files of an export, by its name on the command line.
type Part string

// The parts; see parts for what they hold.
const (
	Labels      Part = "labels"
	Agreement   Part = "agreement"
	Models      Part = "models"
	Matrices    Part = "matrices"
	Pictures    Part = "pictures"
	Parquet     Part = "parquet"
	LabelStudio Part = "label-studio"
	Features    Part = "features"
	Invariance  Part = "invariance"
	Calibration Part = "calibration"
	Ranking     Part = "ranking"
	DScore      Part = "dscore"
	Background  Part = "background"
	signalsPart Part = "signals" // asked for, not left out
)

// part is an entry of an export: its name, the same for people, and what yields its files, of all
// or of each view. Its line on the card is made of its files.
type part struct {
	name   Part
	title  string
	files  func(*exporting, context.Context) ([]file, error)
	ofView func(*exporting, View) []file
}

// parts are all of an export, in the order of their files on the card and in columns.csv, which are
// always written. Parts of views that follow each other are written view by view.
var parts = []part{
	{name: Labels, title: "label tables (CSV)", files: (*exporting).labels},
	{name: Parquet, title: "labels (Parquet)", files: (*exporting).parquetLabels},
	{name: LabelStudio, title: "labels (Label Studio)", files: (*exporting).labelStudio},
	{name: Agreement, title: "agreement (CSV, JSON)", files: (*exporting).agreement},
	{name: Models, title: "model table (CSV)", ofView: (*exporting).models},
	{name: Matrices, title: "matrices (NPZ)", ofView: (*exporting).matrices},
	{name: Features, title: "features (CSV, Parquet)", ofView: (*exporting).features},
	{name: Pictures, title: "matrix pictures (PNG)", ofView: (*exporting).pictures},
	{name: Invariance, title: "effective invariance (CSV)", files: (*exporting).invariance},
	{name: Calibration, title: "calibration (CSV, SVG)", files: (*exporting).calibration},
	{name: Ranking, title: "rankings (CSV)", files: (*exporting).ranking},
	{name: DScore, title: "D-Scores (CSV)", files: (*exporting).dScores},
	{name: Background, title: "models in scenes (CSV, NPZ)", files: (*exporting).scenes},
	{name: signalsPart, files: (*exporting).signals},
}

// Name is the name of a part for people.
func (p Part) Name() string {
	at := slices.IndexFunc(parts, func(of part) bool { return of.name == p })
	if at < 0 {
		return ""
	}
	return parts[at].title
}

// Options say what is exported and where to, as the command export takes them.
type Options struct {
	Out     string   `required:"" help:"Folder to write; made where there is none." label:"Folder" placeholder:"DIR" type:"path"`
	Round   string   `help:"Round, by name or id (default: all rounds and models)." source:"rounds"`
	Models  []string `help:"Models, by id: their rows, matrices and labels, and the agreement on them (default: all)." source:"models" placeholder:"ID"`
	Signals bool     `help:"Write the signals of every model, too: softmax, prediction and every reducer per image and transformation, as .npz and Parquet." label:"Signals, too (NPZ, Parquet)"`
	// ForSpreadsheets guards texts of CSV files; see comma.ForSpreadsheets.
	ForSpreadsheets bool   `help:"Put an apostrophe before texts of tables that a spreadsheet would take for formulas." label:"For spreadsheets"`
	Without         []Part `help:"Parts that are left out: labels, agreement, models, matrices, pictures, parquet, label-studio, features, invariance, calibration, ranking, dscore or background." label:"Leave out" placeholder:"PART" enum:"labels,agreement,models,matrices,pictures,parquet,label-studio,features,invariance,calibration,ranking,dscore,background"`
	Force           bool   `help:"Write into a folder that holds other files; those stay."`
	// Version of the program, for the card.
	Version string `kong:"-" window:"-"`
}

func (o Options) has(p Part) bool {
	return !slices.Contains(o.Without, p) && (p != signalsPart || o.Signals)
}

// Files is the table of the files that an export wrote, by their paths.
var Files = result.Table[string]{
	Name: "files", Title: "Files", Noun: "file", ID: func(path string) string { return path },
	Columns: []result.Column[string]{
		result.Texts("file", "file", "path of the file", func(path string) string { return path }),
	},
}

// Export writes the labelled set of a workspace and everything that it rests on (DESIGN.md section
// 8), and what the other methods say of its models, and returns the paths of the files. Progress
// is in percent of all parts; p may be nil.
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
	e := &exporting{ws: ws, opts: opts, out: out}
	pieces := e.pieces()
	e.progress = progress.NewParts(p, len(pieces)+2) // gathering, and the card
	if e.set, err = gather(ctx, ws, opts, e.progress); err == nil {
		err = e.limit()
	}
	if err != nil {
		return nil, err
	}
	for _, one := range pieces {
		e.progress.Next()
		if err := e.writeParts(ctx, one); err != nil {
			return nil, err
		}
	}
	e.progress.Next()
	if err := e.card(ctx); err != nil {
		return nil, err
	}
	e.progress.Next()
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
	progress *progress.Parts
	set      Set
	scope    scope
	known    []file           // files that the card tells how to load
	columns  []result.Meaning // of the tables among them
	methods  []string         // what each method gave, for the card
}

// file is a file of an export. The card tells how to load one that says what it holds.
type file struct {
	path, holds string
	sheet       *result.Sheet // of a table, else nil
	fill        func(io.Writer) error
}

// pieces are the parts that are wanted, those together that are written view by view.
func (e *exporting) pieces() (list [][]part) {
	for _, p := range parts {
		switch last := len(list) - 1; {
		case !e.opts.has(p.name):
		case p.files == nil && last >= 0 && list[last][0].files == nil:
			list[last] = append(list[last], p)
		default:
			list = append(list, []part{p})
		}
	}
	return list
}

// writeParts writes a part, or those that are written view by view.
func (e *exporting) writeParts(ctx context.Context, together []part) error {
	var files []file
	if p := together[0]; p.files != nil {
		var err error
		if files, err = p.files(e, ctx); err != nil {
			return err
		}
	} else {
		for _, v := range e.set.Views {
			for _, p := range together {
				files = append(files, p.ofView(e, v)...)
			}
		}
	}
	return e.write(ctx, files...)
}

// write writes files, several at a time, since a picture takes some 40 ms, and notes what they
// hold.
func (e *exporting) write(ctx context.Context, files ...file) error {
	err := lookup.Each(ctx, len(files), 0, e.progress, func(_ context.Context, k int) error {
		return e.out.create(files[k].path, files[k].fill)
	})
	for _, f := range files {
		if f.sheet != nil {
			e.columns = append(e.columns, f.sheet.Meanings(f.path)...)
		}
		if f.holds != "" {
			e.known = append(e.known, f)
		}
	}
	return err
}

// csv is a table without the ending of its path.
func (e *exporting) csv(path string, sheet *result.Sheet) file {
	return file{
		path + ".csv", sheet.Title, sheet, func(w io.Writer) error { return sheet.CSV(w, e.opts.ForSpreadsheets) },
	}
}

func parquetFile(path string, sheet *result.Sheet) file {
	return file{path + ".parquet", sheet.Title, sheet, sheet.Parquet}
}

func (e *exporting) labels(context.Context) ([]file, error) {
	wide := WideOf(e.set.Agreement, e.set.Events).Sheet()
	return []file{e.csv("labels_long", e.set.longLabels()), e.csv("labels_wide", wide)}, nil
}

func (e *exporting) parquetLabels(context.Context) ([]file, error) {
	return []file{parquetFile("labels", e.set.longLabels())}, nil
}

func (e *exporting) labelStudio(context.Context) ([]file, error) {
	fill := func(w io.Writer) error { return LabelStudioJSON(w, e.set) }
	return []file{{path: "label_studio.json", holds: "tasks for Label Studio", fill: fill}}, nil
}

func (e *exporting) agreement(context.Context) ([]file, error) {
	measured := agreement.Document(e.set.Agreement, agreement.UsualOverTime, nil)
	files := []file{{path: "agreement.json", holds: "all tables of agreement", fill: measured.JSON}}
	for _, sheet := range measured.Sheets {
		files = append(files, e.csv(sheet.Name, sheet))
	}
	return files, nil
}

func (e *exporting) models(v View) []file {
	return []file{e.csv(path.Join(v.Folder, "models"), ModelSheet(v))}
}

func (e *exporting) matrices(v View) []file {
	if v.Family == "" {
		return nil
	}
	return []file{{
		path: path.Join(v.Folder, "matrices.npz"), holds: "variance matrices as ID/MODALITY; V, the sampling values",
		fill: func(w io.Writer) error { return WriteNPZ(w, v.arrays(v.Items...), v.Axis.Values) },
	}, {
		path: path.Join(v.Folder, "axes.json"), holds: "what the arrays of matrices.npz mean",
		fill: func(w io.Writer) error { return AxesJSON(w, v) },
	}}
}

func (e *exporting) features(v View) []file {
	sheet, name := v.Features.Sheet(), path.Join(v.Folder, "features")
	if sheet.Len() == 0 {
		return nil
	}
	return []file{e.csv(name, sheet), parquetFile(name, sheet)}
}

func (e *exporting) pictures(v View) (files []file) {
	names, axis := fileNames(v.Items), result.Axis{Name: v.Axis.Name, Unit: v.Axis.Unit, Values: v.Axis.Values}
	for _, it := range v.Items {
		for modality, m := range it.Matrices {
			figure := m.Figure(axis, v.scale(modality), modality)
			figure.Title = it.name()
			files = append(files, file{
				path: path.Join(v.Folder, "matrices", names[it.Hash], escape(modality)+".png"),
				fill: func(w io.Writer) error { return render.Draw(w, figure, render.Part{}, "png") },
			})
		}
	}
	return files
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
