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
	"github.com/variscope/variscope/store"
)

// Part is a set of the files of an export.
type Part uint

// The parts. README.md is always written.
const (
	Labels      Part = 1 << iota // labels_long.csv, labels_wide.csv
	Agreement                    // agreement.csv, agreement.json
	Models                       // models.csv
	Matrices                     // matrices.npz, axes.json
	Pictures                     // matrices/ID/MODALITY.png
	Parquet                      // labels.parquet
	LabelStudio                  // label_studio.json
	Features                     // features.csv, features.parquet
)

var partNames = []string{
	"label tables (CSV)", "agreement (CSV, JSON)", "model table (CSV)", "matrices (NPZ)", "matrix pictures (PNG)",
	"labels (Parquet)", "labels (Label Studio)", "features (CSV, Parquet)",
}

// Parts lists the single parts in the order of a form.
func Parts() []Part {
	list := make([]Part, len(partNames))
	for k := range list {
		list[k] = 1 << k
	}
	return list
}

// String names a single part for people.
func (p Part) String() string {
	if k := slices.Index(Parts(), p); k >= 0 {
		return partNames[k]
	}
	return fmt.Sprintf("parts %b", uint(p))
}

// Options say what is exported and where to.
type Options struct {
	Out string // folder; it is made when it is not there
	// Round is the id or the name of a round; empty takes all rounds and models.
	Round string
	// Models limits the export to these models (hashes): their rows, matrices and labels, and agreement on them. Nil takes all.
	Models []string
	// Without leaves parts out; 0 writes all.
	Without Part
	// Force writes also into a folder that holds files which no export wrote; those stay.
	Force bool
	// Version of the program, for the card.
	Version string
}

// Export writes the labelled set of a workspace and everything that it rests on (DESIGN.md section 8) and returns the
// paths of the files. Progress counts models read and measured and pictures drawn; p may be nil. Features are those of the
// default layout, of the models that have all of its matrices, with the training labels of the exported rounds; without any
// such model there is no table of them.
//
// The files are written beside their place and moved there when all are complete: after an error, also that of an ended
// ctx, the folder is as it was. An export into the folder of an earlier one replaces it. The same workspace and options
// give the same bytes. A *ForeignError refuses a folder with files of others.
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
	if err := writeTables(ctx, out, set, opts.Without); err != nil {
		return nil, err
	}
	if opts.Without&Pictures == 0 {
		if err := writePictures(ctx, out, set, p); err != nil {
			return nil, err
		}
	}
	if err := out.create(cardName, func(w io.Writer) error { return Card(w, set, out.listed()) }); err != nil {
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

func writeTables(ctx context.Context, out *folder, set Set, without Part) error {
	rows := set.longRows()
	files := []file{
		{Labels, "labels_long.csv", func(w io.Writer) error { return LabelsLong(w, rows) }},
		{Labels, "labels_wide.csv", func(w io.Writer) error { return LabelsWide(w, WideOf(set.Rounds, set.Events, set.id)) }},
		{Parquet, "labels.parquet", func(w io.Writer) error { return LabelsParquet(w, rows) }},
		{LabelStudio, "label_studio.json", func(w io.Writer) error { return LabelStudioJSON(w, set) }},
	}
	files = append(files, agreementFiles(set.Agreement)...)
	for _, v := range set.Views {
		files = append(files, file{Models, path.Join(v.Folder, "models.csv"), func(w io.Writer) error { return ModelsCSV(w, v.Items) }})
		if v.Family != "" {
			files = append(files,
				file{Matrices, path.Join(v.Folder, "matrices.npz"), func(w io.Writer) error { return MatricesNPZ(w, v) }},
				file{Matrices, path.Join(v.Folder, "axes.json"), func(w io.Writer) error { return AxesJSON(w, v) }})
		}
		if table := v.Features.FeatureTable; len(table.Rows) > 0 {
			files = append(files,
				file{Features, path.Join(v.Folder, FeaturesCSVName), func(w io.Writer) error { return FeaturesCSV(w, table) }},
				file{Features, path.Join(v.Folder, FeaturesParquetName), func(w io.Writer) error { return FeaturesParquet(w, table) }})
		}
	}
	for _, f := range files {
		if without&f.part != 0 {
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
