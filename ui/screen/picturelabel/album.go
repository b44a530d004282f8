package picturelabel

import (
	"context"
	"fmt"
	"image"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

const (
	// mostSide bounds the sides of pictures that are kept, in pixels.
	mostSide = 1024
	// ahead is how many pictures are read before they are shown.
	ahead = 4
	// behind is how many of those that were shown are kept.
	behind = 4
)

// album reads the pictures of a task in the background, the next ones before they are wanted. A
// table of predictions that came without images has names only. Methods are called on Fyne's main
// goroutine but for open.
type album struct {
	work    *background.Group
	arrived func()
	suite   *suite.Suite // nil where there are no images
	names   []string     // of a table's samples, nil for a suite
	problem error        // why the suite's images cannot be read
	made    map[int]image.Image
	reading map[int]bool
	closed  bool
}

// open finds the images of a suite, or those of a table's suite. That a suite has none here is no
// reason not to label it: the person may know its images by their names.
func open(ctx context.Context, from Store, id string) (*album, error) {
	a := &album{made: map[int]image.Image{}, reading: map[int]bool{}}
	table, ok, err := tableOf(from, id)
	if err != nil {
		return nil, err
	}
	if ok {
		a.names, id = table.SampleNames, table.Suite
	}
	if id != "" {
		a.suite, a.problem = from.OpenSuiteContext(ctx, id)
	}
	return a, nil
}

func tableOf(from Store, id string) (store.PredictionTable, bool, error) {
	tables, err := from.PredictionTables()
	if err != nil {
		return store.PredictionTable{}, false, err
	}
	for _, t := range tables {
		if t.ID == id {
			return t, true, nil
		}
	}
	return store.PredictionTable{}, false, nil
}

// name is what an image is called: without its folder, which often is its class.
func (a *album) name(at int) string {
	switch {
	case at < len(a.names):
		return a.names[at]
	case a.suite != nil && at < a.suite.Len() && a.suite.Name(at) != strconv.Itoa(at):
		return path.Base(a.suite.Name(at))
	}
	return fmt.Sprintf("image %s", strconv.Itoa(at))
}

// picture is an image's picture; ok is false while it is being read, or where there are no images.
func (a *album) picture(at int) (image.Image, bool) {
	p, ok := a.made[at]
	return p, ok
}

// want reads these images, the most urgent one first, and lets all others go that are not among
// keep.
func (a *album) want(images, keep []int) {
	maps.DeleteFunc(a.made, func(at int, _ image.Image) bool {
		return !slices.Contains(images, at) && !slices.Contains(keep, at)
	})
	for _, at := range images {
		if _, there := a.made[at]; !there && !a.reading[at] && a.suite != nil && !a.closed {
			a.read(at)
		}
	}
}

func (a *album) read(at int) {
	a.reading[at] = true
	from := a.suite
	var made image.Image
	a.work.Quiet("read image", func(ctx context.Context) error {
		if ctx.Err() == nil {
			made = picture.Read(from, at, mostSide)
		}
		return ctx.Err()
	}, func(err error) {
		delete(a.reading, at)
		switch {
		case a.closed:
			a.release()
		case err == nil:
			a.made[at] = made
			a.arrived()
		}
	})
}

// close lets the images go as soon as none of them is being read.
func (a *album) close() {
	if !a.closed {
		a.closed = true
		a.release()
	}
}

func (a *album) release() {
	if a.suite != nil && len(a.reading) == 0 {
		_ = a.suite.Close() // it was only read
		a.suite = nil
	}
}
