package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// Part is a part of the files of an export, by its name on the command line.
type Part string

// The parts. README.md is always written.
const (
	Labels      Part = "labels"       // labels_long.csv, labels_wide.csv
	Agreement   Part = "agreement"    // agreement.csv, agreement.json
	Models      Part = "models"       // models.csv
	Matrices    Part = "matrices"     // matrices.npz, axes.json
	Pictures    Part = "pictures"     // matrices/ID/MODALITY.png
	Parquet     Part = "parquet"      // labels.parquet
	LabelStudio Part = "label-studio" // label_studio.json
	Features    Part = "features"     // features.csv, features.parquet
)

var partNames = map[Part]string{
	Labels: "label tables (CSV)", Agreement: "agreement (CSV, JSON)", Models: "model table (CSV)", Matrices: "matrices (NPZ)",
	Pictures: "matrix pictures (PNG)", Parquet: "labels (Parquet)", LabelStudio: "labels (Label Studio)", Features: "features (CSV, Parquet)",
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
	Without         []Part `help:"Parts that are left out: labels, agreement, models, matrices, pictures, parquet, label-studio or features." label:"Leave out" placeholder:"PART" enum:"labels,agreement,models,matrices,pictures,parquet,label-studio,features"`
	Force           bool   `help:"Write into a folder that holds other files; those stay."`
	// Version of the program, for the card.
	Version string `kong:"-" window:"-"`
}

func (o Options) has(p Part) bool { return !slices.Contains(o.Without, p) }

// Export writes the labelled set of a workspace and everything that it rests on (DESIGN.md section
// 8) and returns the paths of the files. Progress counts models read and measured and pictures
// drawn; p may be nil. Features are those of the default layout, of the models that have all of
// its matrices, with the training labels of the exported rounds; without any such model there is
// no table of them.
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
	set, err := gather(ctx, ws, opts, p)
	if err != nil {
		return nil, err
	}
	if err := writeTables(ctx, out, set, opts); err != nil {
		return nil, err
	}
	if opts.has(Pictures) {
		if err := writePictures(ctx, out, set, p); err != nil {
			return nil, err
		}
	}
	if opts.Signals {
		found, err := writeSignals(ctx, ws, out, set, opts.Round != "")
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, errors.New("export: there are no signals to write; run the models first, or leave out --signals (in the window: Signals)")
		}
	}
	if err := out.create(cardName, func(w io.Writer) error { return writeCard(w, set, opts, out.listed()) }); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out.publish()
}

// file is a file of an export, which is left out with its part.
type file struct {
	part Part
	path string
	fill func(io.Writer) error
}

func writeTables(ctx context.Context, out *folder, set Set, opts Options) error {
	csv := func(part Part, folder, name string, sheet *result.Sheet) file {
		return file{part, path.Join(folder, name+".csv"), func(w io.Writer) error { return sheet.CSV(w, opts.ForSpreadsheets) }}
	}
	long, measured := label.Labels.Sheet(set.longRows()), agreement.Document(set.Agreement, nil)
	files := []file{
		csv(Labels, "", "labels_long", long),
		csv(Labels, "", "labels_wide", WideOf(set.Agreement, set.Events).Sheet()),
		{Parquet, "labels.parquet", long.Parquet},
		{LabelStudio, "label_studio.json", func(w io.Writer) error { return LabelStudioJSON(w, set) }},
		{Agreement, "agreement.json", measured.JSON},
	}
	for _, sheet := range measured.Sheets {
		files = append(files, csv(Agreement, "", sheet.Name, sheet))
	}
	for _, v := range set.Views {
		files = append(files, csv(Models, v.Folder, "models", ModelSheet(v)))
		if v.Family != "" {
			files = append(files,
				file{Matrices, path.Join(v.Folder, "matrices.npz"), func(w io.Writer) error { return MatricesNPZ(w, v) }},
				file{Matrices, path.Join(v.Folder, "axes.json"), func(w io.Writer) error { return AxesJSON(w, v) }})
		}
		if sheet := v.Features.Sheet(); sheet.Len() > 0 {
			files = append(files, csv(Features, v.Folder, "features", sheet), file{Features, path.Join(v.Folder, "features.parquet"), sheet.Parquet})
		}
	}
	for _, f := range files {
		if !opts.has(f.part) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := out.create(f.path, f.fill); err != nil {
			return err
		}
	}
	return nil
}

// writePictures draws all matrices, several at a time: one takes some 40 ms.
func writePictures(ctx context.Context, out *folder, set Set, p engine.Progress) error {
	pictures := 0
	for _, v := range set.Views {
		for _, it := range v.Items {
			pictures += len(it.Matrices)
		}
	}
	p.SetTotal(int64(set.steps + pictures))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.NumCPU())
	for _, v := range set.Views {
		names := fileNames(v.Items)
		for _, it := range v.Items {
			for _, modality := range v.Modalities {
				if _, ok := it.Matrices[modality]; !ok {
					continue
				}
				work.Go(func() error {
					if err := ctx.Err(); err != nil {
						return err
					}
					defer p.Add(1)
					return out.create(path.Join(v.Folder, picturePath(names[it.Hash], modality)),
						func(w io.Writer) error { return MatrixPNG(w, v, it, modality) })
				})
			}
		}
	}
	return work.Wait()
}
