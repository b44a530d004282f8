package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/lookup"
)

// Options say how a model file is run that lies outside of any workspace.
type Options struct {
	SkipCorrupt bool `help:"For a model file: leave corrupt images of the suite out and count them."`
	job.ClassTable
	Workspace string `help:"For a model file: workspace that knows it. It is run as it is there, unless other options say otherwise." type:"path" placeholder:"DIR"`
	intake.CorrectionOptions
}

// Given tells whether one of the options is given.
func (o Options) Given() bool { return !reflect.ValueOf(o).IsZero() }

// File is a model file that is run on a suite, both outside any workspace.
type File struct {
	*Store // of the signals of its runs
	Options
	Subject  model.Model
	Settings model.Settings
	Images   suite.Manifest
	Notes    []string // what a reader must know of how the model is run
}

// Read reads a model file and a suite at a path. want are the signals that are kept of runs. A
// model that no workspace knows is tried by runtime; what is to be known of its file is told.
func Read(
	ctx context.Context, runtime func() (engine.Runtime, error), read intake.Reader, path, on string, o Options,
	want signal.Want, tell func(intake.Note),
) (*File, error) {
	f := &File{Options: o}
	known := false
	var err error
	if at := cmp.Or(o.Workspace, above(path), above(on)); at != "" {
		if known, err = f.readKnown(ctx, read, path, at); err != nil {
			return nil, err
		}
		if !known && o.Workspace != "" {
			f.note("no model of %s has the bytes of %s; what the file says counts", at, path)
		}
	}
	if !known { // it is what its file and those beside it say
		rt, err := runtime()
		if err != nil {
			return nil, err
		}
		var notes []intake.Note
		if f.Subject, notes, err = intake.File(ctx, rt, read, path, o.CorrectionOptions); err != nil {
			return nil, err
		}
		for _, note := range notes {
			tell(note)
		}
	}
	if f.Settings, err = f.Subject.Settings(); err != nil {
		return nil, err
	}
	if f.Unsaid() {
		f.note("%s", f.SayUnsaid())
	}
	f.Images, err = suite.Scan(ctx, on, suite.Options{SkipCorrupt: o.SkipCorrupt}, engine.NoProgress{})
	if err != nil {
		return nil, err
	}
	f.Store = New(f.Subject, path, f.Images, want)
	return f, nil
}

// readKnown takes the model as a workspace has it, with what is corrected there and for this run;
// the workspace is needed for nothing else. known is false where it does not have these bytes.
func (f *File) readKnown(ctx context.Context, read intake.Reader, path, at string) (known bool, err error) {
	_, open, err := read(path)
	if err != nil {
		return false, err
	}
	hash, err := intake.Hash(ctx, open)
	if err != nil {
		return false, err
	}
	var there model.Model
	ws, err := store.Open(at) // for as long as it takes to look
	if err == nil {
		there, err = ws.Model(hash)
		err = errors.Join(err, ws.Close())
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err != nil && f.Workspace == "":
		f.note("what %s says of the model is not known; what the file says counts: %v", at, err)
		return false, nil
	case err != nil:
		return false, err
	}
	f.Subject = there
	if err := f.Correct(&f.Subject); err != nil {
		return false, err
	}
	was, err := there.Settings()
	if err != nil {
		return false, err
	}
	is, err := f.Subject.Settings()
	if err != nil {
		return false, err
	}
	before, now := inventory.Difference(inventory.SettingsOf(there, was), inventory.SettingsOf(f.Subject, is))
	if now != "" {
		f.note("%s in %s is measured with %s; here it is run with %s", there.ID, at, before, now)
	}
	return true, nil
}

// above is the workspace in whose folder a file lies, "" where it lies in none.
func above(path string) string {
	path, err := filepath.Abs(path)
	for err == nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if store.Is(path) {
			return path
		}
	}
	return ""
}

// Unsaid tells that nothing says how an image becomes the model's input.
func (f *File) Unsaid() bool { return f.Settings.By(recipe.All) == model.ByDefault }

// SayUnsaid says what a model is given that has nothing but the default recipe.
func (f *File) SayUnsaid() string {
	return "nothing says how an image becomes the input of " + f.Subject.ID + ": it is stretched to the input's size " +
		"and has values of 0..1; where the model wants others, what is shown is wrong; say it with --recipe, in a " +
		"file beside the model, or with --workspace where one knows the model"
}

func (f *File) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// Doubt adds to the notes what they do not have, and tells whether it did.
func (f *File) Doubt(doubt string) bool {
	if slices.Contains(f.Notes, doubt) {
		return false
	}
	f.Notes = append(f.Notes, doubt)
	return true
}

// Row is the model as an assessor looks at it, measured on the signals of its run under a family,
// and what it was measured on.
func (f *File) Row(ctx context.Context, by saved.File, family string) (row assess.Row, on assess.Basis, err error) {
	images, err := variance.ParseImages(by.Images)
	if err != nil {
		return row, on, err
	}
	layout, err := by.Layout.Validate()
	if err != nil {
		return row, on, err
	}
	set, info := f.Set(family)
	if set == nil {
		return row, on, errors.New("the model has no features; run it again")
	}
	lacks, err := store.Lacking(f.Subject, info.Spec, layout.Modalities)
	if err != nil {
		return row, on, err
	}
	if lacks.None() {
		labels := lookup.Labels(f.Images)
		measured, err := assess.FeaturesOf(ctx, set, labels, info.ClassMap, layout, images, nil)
		if err == nil {
			on, err = assess.NewBasis(set, labels, info.ClassMap, layout, images)
		}
		if err == nil {
			one := measured[0]
			return assess.Row{
				ID: f.Subject.ID, Hash: f.Subject.Hash, X: one.Vector.Values, Scores: one.Scores,
				Accuracy: one.Accuracy,
			}, on, nil
		}
		lacks.Text = err.Error()
	}
	if ctx.Err() != nil {
		return row, on, ctx.Err()
	}
	return row, on, fmt.Errorf("model %s cannot be judged by assessor %s, which needs the matrices %s: %s",
		f.Subject.ID, by.Name, strings.Join(layout.Modalities, ", "), lacks)
}
