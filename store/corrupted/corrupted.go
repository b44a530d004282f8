// Package corrupted writes the images that corruptions and shifts make of a suite to files: for other programs, which cannot
// compute them as they read. Variscope itself needs no files (store.Workspace.DeriveSuite).
//
// Every change becomes a folder of its own below the one that is asked for:
//
//	fog-3/               the corruption and its severity; frost-synthetic-3 where no photographs were given
//	shift-3-5-region-7/  n, t and region
//	    README.md        what it was made of
//	    classes.txt      format folder: the classes in order, and one folder per class with PNG files
//	    zero/00017.png   the number is that of the image in the suite
//	    images-idx3-ubyte, labels-idx1-ubyte    format idx
//
// Values of corruptions are cut to 8 bits by truncation, as the published data are; those of shifts are rounded.
package corrupted

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// Format is how images are written.
type Format string

// The formats: PNG files in class folders, and a pair of IDX files, which hold gray images of one size.
const (
	Folder Format = "folder"
	IDX    Format = "idx"
)

// Formats returns all formats, the default first.
func Formats() []Format { return []Format{Folder, IDX} }

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

// FolderName is the name of a change's folder: "gaussian_noise-1", "shift-3-5-region-7". With a seed other than 1, and for the copies
// of glass_blur, it says so.
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

// chunk is how many images are computed before they are written; no more are in memory.
const chunk = 256

// Write writes every change's images of an opened suite, one change after the other, and says what became of each. p (may be nil)
// counts images. A change's folder is written beside its place and renamed when it is complete: after an error, or when
// ctx ends, the folders of earlier changes are there whole and that of the current one is not. A folder that holds just what would be
// written is left as it is, so a write that was stopped goes on where it was; any other folder of that name is an error,
// before anything is written.
func Write(ctx context.Context, s *suite.Suite, o Options, p engine.Progress) ([]Written, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	jobs, err := plan(s, o)
	if err != nil {
		return nil, err
	}
	p.SetTotal(int64(len(jobs) * s.Len()))
	made := madeFolder(o.Out)
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return nil, fmt.Errorf("write changed images: %w", err)
	}
	done := make([]Written, 0, len(jobs))
	for _, j := range jobs {
		if !j.There {
			err = j.write(ctx, p)
		} else {
			p.Add(int64(s.Len()))
		}
		if err != nil {
			if made && len(done) == 0 {
				err = errors.Join(err, os.Remove(o.Out))
			}
			return done, fmt.Errorf("%s of suite %s: %w", j.Change.Short(), s.Manifest().Name, err)
		}
		done = append(done, j.Written)
	}
	return done, nil
}

// madeFolder tells whether the folder will be made by this write.
func madeFolder(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// job is one change to be written.
type job struct {
	Written
	suite   *suite.Suite
	apply   suite.Change
	format  Format
	card    string
	classes []string // folder names
}

// plan prepares all changes and refuses what cannot be written.
func plan(s *suite.Suite, o Options) ([]job, error) {
	m := s.Manifest()
	switch {
	case m.Derived != nil:
		return nil, fmt.Errorf("suite %s is changed already (%s); start from the suite that it is made from", m.Name, m.Derived.Change)
	case o.Out == "":
		return nil, errors.New("name a folder to write the images to")
	case len(o.Changes) == 0:
		return nil, errors.New("name at least one corruption or shift")
	}
	if o.Format == "" {
		o.Format = Folder
	}
	if err := fits(m, o.Format); err != nil {
		return nil, err
	}
	classes := folderNames(m.Classes)
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
		j := job{Written: Written{Folder: folder, Change: change, Images: s.Len()}, suite: s, apply: apply, format: o.Format, classes: classes}
		j.card = card(j, o)
		if j.There, err = lies(folder, j.card); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// prepared is a change as it is written, ready to be applied: a corruption is truncated to 8 bits, and has the photographs of frost.
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

// fits refuses suites that a format cannot hold.
func fits(m suite.Manifest, format Format) error {
	if i := slices.Index(m.Labels, -1); i >= 0 && len(m.Classes) > 0 {
		return fmt.Errorf("suite %s: image %s has no class and others have; write a suite in which all have one, or none", m.Name, m.ImageName(i))
	}
	switch {
	case format == Folder:
		return nil
	case format != IDX:
		return fmt.Errorf("unknown format %q; known are folder, idx", format)
	case m.Shape == [3]int{}:
		return fmt.Errorf("suite %s has images of several sizes, which IDX cannot hold; write the format folder", m.Name)
	case m.Shape[0] != 1:
		return fmt.Errorf("suite %s has RGB images, and IDX holds gray ones; write the format folder", m.Name)
	case len(m.Classes) > 256:
		return fmt.Errorf("suite %s has %d classes, and the labels of IDX have 256 values; write the format folder", m.Name, len(m.Classes))
	}
	return nil
}

// lies tells whether a folder holds what the card describes; it is an error where it holds anything else.
func lies(folder, card string) (bool, error) {
	text, err := os.ReadFile(filepath.Join(folder, cardName))
	if err == nil && string(text) == card {
		return true, nil
	}
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return false, fmt.Errorf("%s is there already and holds something else; remove it, or write to another folder", folder)
}

// write fills a draft beside the folder and renames it.
func (j job) write(ctx context.Context, p engine.Progress) (err error) {
	draft, err := os.MkdirTemp(filepath.Dir(j.Folder), "."+filepath.Base(j.Folder)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(draft))
		}
	}()
	into, err := j.sink(draft)
	if err != nil {
		return err
	}
	if err := errors.Join(j.images(ctx, into, p), into.close()); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(draft, cardName), []byte(j.card), 0o644); err != nil {
		return err
	}
	if err := os.Chmod(draft, 0o755); err != nil { // temporary folders are private
		return err
	}
	return os.Rename(draft, j.Folder)
}

// images changes images chunk by chunk on all processors and hands the images on in order.
func (j job) images(ctx context.Context, into sink, p engine.Progress) error {
	encoded := make([][]byte, chunk)
	for from := 0; from < j.suite.Len(); from += chunk {
		end := min(from+chunk, j.suite.Len())
		work, ctx := errgroup.WithContext(ctx)
		work.SetLimit(runtime.NumCPU())
		for i := from; i < end; i++ {
			work.Go(func() (err error) {
				if err := ctx.Err(); err != nil {
					return err
				}
				encoded[i-from], err = j.encoded(i, into)
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		for i := from; i < end; i++ {
			if err := into.add(i, encoded[i-from]); err != nil {
				return err
			}
		}
		p.Add(int64(end - from))
	}
	return ctx.Err()
}

func (j job) encoded(i int, into sink) ([]byte, error) {
	img, err := j.suite.Image(i)
	if err != nil {
		return nil, err
	}
	out, err := j.apply(i, img)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", j.suite.Name(i), err)
	}
	return into.encode(out)
}

// folderNames are the classes as names of folders: what no file system or list of classes could hold is replaced by an underscore,
// and a number is put behind names that became alike.
func folderNames(classes []string) []string {
	names := make([]string, len(classes))
	taken := map[string]bool{}
	for i, class := range classes {
		name := strings.Map(func(r rune) rune {
			if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
				return '_'
			}
			return r
		}, strings.TrimSpace(class))
		if name == "" || name == "__MACOSX" || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") {
			name = "_" + strings.Trim(name, ".")
		}
		unique := name
		for n := 2; taken[strings.ToLower(unique)]; n++ {
			unique = fmt.Sprintf("%s_%d", name, n)
		}
		taken[strings.ToLower(unique)] = true
		names[i] = unique
	}
	return names
}
