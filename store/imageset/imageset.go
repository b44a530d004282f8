// Package imageset writes images that are made from those of a suite to files, for other programs:
// a folder per set, with PNG files in class folders or a pair of IDX files, labels and order kept.
//
//	fog-3/                   a set
//	    README.md            what it was made of: the card
//	    classes.txt          format folder: the classes in order; a folder of PNG files for each
//	    zero/00017.png       the number is that of the image in the suite, from 0
//	    images-idx3-ubyte, labels-idx1-ubyte    format idx
//
// Values are rounded to the nearest of 256 levels; who wants others rounds before.
package imageset

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
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/durable"
)

// Format is how images are written.
type Format string

// The formats: PNG files in class folders, and a pair of IDX files, which hold gray images of one
// size.
const (
	Folder Format = "folder"
	IDX    Format = "idx"
)

// Check refuses formats that do not exist, and suites that a format cannot hold.
func (f Format) Check(m suite.Manifest) error {
	if i := slices.Index(m.Labels, -1); i >= 0 && len(m.Classes) > 0 {
		return fmt.Errorf("suite %s: image %s has no class and others have; "+
			"write a suite in which all have one, or none", m.Name, m.ImageName(i))
	}
	switch {
	case f == Folder:
		return nil
	case f != IDX:
		return fmt.Errorf("unknown format %q; known are folder, idx", f)
	case m.Shape == [3]int{}:
		return fmt.Errorf("suite %s has images of several sizes, which IDX cannot hold; "+
			"write the format folder", m.Name)
	case m.Shape[0] != 1:
		return fmt.Errorf("suite %s has RGB images, and IDX holds gray ones; write the format folder", m.Name)
	case len(m.Classes) > 256:
		return fmt.Errorf("suite %s has %d classes, and the labels of IDX have 256 values; write the format folder",
			m.Name, len(m.Classes))
	}
	return nil
}

// CardName is the file by which a written folder is known. Equal cards mean equal files: a card
// names all that they depend on.
const CardName = "README.md"

// Set is one set of images.
type Set struct {
	Folder string // where it is written
	Suite  *suite.Suite
	Format Format // one that passed Check
	Card   string // for people, and for the next write: ends with a line feed
	// Image makes the set's image i from the suite's, in [0, 1] and, for IDX, of the suite's
	// shape. It is called once per image, from many goroutines.
	Image func(i int, img suite.Image) (suite.Image, error)
	// More writes further files into the draft of the folder when all images are there; nil for
	// none.
	More func(draft *durable.Draft) error
}

// There tells whether the set's folder holds it already, by its card; it is an error where the
// folder holds anything else.
func (s Set) There() (bool, error) {
	text, err := outside.Read(filepath.Join(s.Folder, CardName), outside.Document)
	if err == nil && string(text) == s.Card {
		return true, nil
	}
	if _, err := os.Lstat(s.Folder); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return false, fmt.Errorf("%s is there already and holds something else; "+
		"remove it, or write to another folder", s.Folder)
}

// ClassNotes are lines of a card that name the class of every folder that is called otherwise.
func ClassNotes(m suite.Manifest, format Format) (notes []string) {
	if format != Folder {
		return nil
	}
	for i, name := range folderNames(m.Classes) {
		if name != m.Classes[i] {
			notes = append(notes, fmt.Sprintf("- folder `%s` is class %q", name, m.Classes[i]))
		}
	}
	return notes
}

// Parent makes the folder that sets are written to. undo removes it where it was made now; it must
// be empty then.
func Parent(path string) (undo func() error, err error) {
	_, err = os.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	if err := durable.Folders(path); err != nil {
		return nil, err
	}
	return func() error {
		if made {
			return durable.Delete(path)
		}
		return nil
	}, nil
}

// chunk is how many images are computed before they are written; no more are in memory.
const chunk = 256

// Write fills a draft beside the folder and renames it when it is complete: after an error, or
// when ctx ends, nothing is left. p counts images.
func (s Set) Write(ctx context.Context, p engine.Progress) (err error) {
	draft, err := durable.NewDraft(s.Folder)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, draft.Discard())
		}
	}()
	into, err := s.sink(draft)
	if err != nil {
		return err
	}
	if err := errors.Join(s.images(ctx, into, p), into.close()); err != nil {
		return err
	}
	if s.More != nil {
		if err := s.More(draft); err != nil {
			return err
		}
	}
	if err := draft.WriteBytes(CardName, []byte(s.Card)); err != nil {
		return err
	}
	return draft.Place()
}

// images makes chunk by chunk on all processors and hands the images on in order.
func (s Set) images(ctx context.Context, into sink, p engine.Progress) error {
	encoded := make([][]byte, chunk)
	for from := 0; from < s.Suite.Len(); from += chunk {
		end := min(from+chunk, s.Suite.Len())
		work, ctx := errgroup.WithContext(ctx)
		work.SetLimit(runtime.NumCPU())
		for i := from; i < end; i++ {
			work.Go(func() (err error) {
				if err := ctx.Err(); err != nil {
					return err
				}
				encoded[i-from], err = s.encoded(i, into)
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

func (s Set) encoded(i int, into sink) ([]byte, error) {
	img, err := s.Suite.Image(i)
	if err != nil {
		return nil, err
	}
	out, err := s.Image(i, img)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", s.Suite.Name(i), err)
	}
	return into.encode(out)
}

// FolderName is a text as the name of a folder: what no file system or list of classes could hold
// is replaced by an underscore.
func FolderName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.TrimSpace(text))
	if name == "" || name == "__MACOSX" || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") {
		name = "_" + strings.Trim(name, ".")
	}
	return name
}

// folderNames are the classes as names of folders; a number is put behind names that became alike.
func folderNames(classes []string) []string {
	names := make([]string, len(classes))
	taken := map[string]bool{}
	for i, class := range classes {
		name := FolderName(class)
		unique := name
		for n := 2; taken[strings.ToLower(unique)]; n++ {
			unique = fmt.Sprintf("%s_%d", name, n)
		}
		taken[strings.ToLower(unique)] = true
		names[i] = unique
	}
	return names
}
