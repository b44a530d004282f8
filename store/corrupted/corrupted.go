// Package corrupted writes the images that corruptions and shifts make of a suite to files: for
// other programs, which cannot compute them as they read. Variscope itself needs no files
// (store.Workspace.DeriveSuite).
//
// Every change becomes a folder of its own below the one that is asked for:
//
//	shift-3-5-region-7/  n, t and region of padded translation
//	fog-3/               the corruption and its severity; frost-synthetic-3 without photographs
//	    README.md        what it was made of
//	    classes.txt      format folder: the classes in order; a folder of PNG files for each
//	    zero/00017.png   the number is that of the image in the suite
//	    images-idx3-ubyte, labels-idx1-ubyte    format idx
//
// Values of corruptions are cut to 8 bits by truncation, as the published data are; those of
// shifts are rounded.
package corrupted

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/imageset"
)

// Format is how images are written.
type Format = imageset.Format

// The formats: PNG files in class folders, and a pair of IDX files, which hold gray images of one
// size.
const (
	Folder = imageset.Folder
	IDX    = imageset.IDX
)

// Options say what is written and where.
type Options struct {
	Out     string // folder, made where there is none
	Format  Format // empty is Folder
	Changes []derive.Change
	// Frost are photographs for frost; without any it is synthetic.
	Frost   []suite.Image
	Version string // of the program, for the README
}

// Written is what became of one change.
type Written struct {
	Folder string
	Change derive.Change // a corruption with Truncate set
	Images int
	There  bool // the same images lay there already and were not made again
}

// FolderName is the name of a change's folder: "gaussian_noise-1", "shift-3-5-region-7". With a
// seed other than 1, and for the copies of glass_blur, it says so.
func FolderName(change derive.Change, photographs bool) string {
	if s, ok := change.(derive.Shift); ok {
		return fmt.Sprintf("%s-%d-%d-region-%d", transform.ShiftSet, s.N, s.T, s.Region)
	}
	s, ok := change.(corrupt.Setting)
	if !ok {
		panic(fmt.Sprintf("corrupted: no name for the folder of %s", change))
	}
	name := s.Name
	if name == "frost" && !photographs {
		name = "frost-synthetic"
	}
	name = fmt.Sprintf("%s-%d", name, s.Severity)
	if s.Compat {
		name += "-copies"
	}
	if s.Seed != 1 {
		name += fmt.Sprintf("-seed%d", s.Seed)
	}
	return name
}

// Write writes every change's images of an opened suite, one change after the other, and says what
// became of each. p (may be nil) counts images. A change's folder is written beside its place and
// renamed when it is complete: after an error, or when ctx ends, the folders of earlier changes
// are there whole and that of the current one is not. A folder that holds just what would be
// written is left as it is, so a write that was stopped goes on where it was; any other folder of
// that name is an error, before anything is written.
func Write(ctx context.Context, s *suite.Suite, o Options, p engine.Progress) ([]Written, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	jobs, err := plan(s, o)
	if err != nil {
		return nil, err
	}
	p.SetTotal(int64(len(jobs) * s.Len()))
	undo, err := imageset.Parent(o.Out)
	if err != nil {
		return nil, fmt.Errorf("write changed images: %w", err)
	}
	done := make([]Written, 0, len(jobs))
	for _, j := range jobs {
		if !j.There {
			err = j.set.Write(ctx, p)
		} else {
			p.Add(int64(s.Len()))
		}
		if err != nil {
			if len(done) == 0 {
				err = errors.Join(err, undo())
			}
			return done, fmt.Errorf("%s of suite %s: %w", j.Change.Short(), s.Manifest().Name, err)
		}
		done = append(done, j.Written)
	}
	return done, nil
}

// job is one change to be written.
type job struct {
	Written
	set imageset.Set
}

// plan prepares all changes and refuses what cannot be written.
func plan(s *suite.Suite, o Options) ([]job, error) {
	m := s.Manifest()
	switch {
	case m.Derived != nil:
		return nil, fmt.Errorf("suite %s is changed already (%s); start from the suite that it is made from",
			m.Name, m.Derived.Change)
	case o.Out == "":
		return nil, errors.New("name a folder to write the images to")
	case len(o.Changes) == 0:
		return nil, errors.New("name at least one corruption or shift")
	}
	if o.Format == "" {
		o.Format = Folder
	}
	if err := o.Format.Check(m); err != nil {
		return nil, err
	}
	var jobs []job
	for _, change := range o.Changes {
		change, apply, err := prepared(change, o.Frost)
		if err != nil {
			return nil, err
		}
		folder := filepath.Join(o.Out, FolderName(change, len(o.Frost) > 0))
		if slices.ContainsFunc(jobs, func(j job) bool { return j.Folder == folder }) {
			continue // asked for twice
		}
		j := job{Written: Written{Folder: folder, Change: change, Images: s.Len()}}
		j.set = imageset.Set{Folder: folder, Suite: s, Format: o.Format, Card: card(m, change, o), Image: apply}
		if j.There, err = j.set.There(); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// prepared is a change as it is written, ready to be applied: a corruption is truncated to 8 bits,
// and has the photographs of frost.
func prepared(change derive.Change, frost []suite.Image) (derive.Change, suite.Change, error) {
	s, ok := change.(corrupt.Setting)
	if !ok {
		apply, err := change.Prepare()
		return change, apply, err
	}
	s.Truncate = true
	c, err := corrupt.New(s, frost)
	if err != nil {
		return nil, nil, err
	}
	return s, c.Apply, nil
}
