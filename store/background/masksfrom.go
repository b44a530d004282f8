package background

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
)

// Segmenter makes masks: the foreground is where a segmentation network finds one of the chosen
// classes.
type Segmenter struct {
	Network string   // path
	Names   []string // of its classes in order; empty takes class_names of the file's metadata
	Classes []string // the chosen ones, by name
	// Workers are the goroutines that run it; 0 for one per processor. Masks do not depend on it.
	Workers int
}

// Made says how these masks were made: what MaskSet.Made keeps.
func (s Segmenter) Made() string {
	return fmt.Sprintf("%s: %s", filepath.Base(s.Network), strings.Join(s.Classes, ", "))
}

// MasksMade is what became of the masks of a suite. Empty and Full are the images in which the
// network finds none of the classes, or nothing else: their masks are written too, but no
// foreground can be taken from them, and AddMasks refuses them.
type MasksMade struct {
	Masks       int
	Empty, Full []string
}

// MasksFromSegmentation writes the mask of every image of a suite into a new folder, as
// Workspace.AddMasks takes it: PNG files of the images' sizes, 255 for foreground, named as the
// images with the ending .png. Scores of another size than the image are brought to it by the
// nearest pixel. They are written beside the folder, which appears when all are there; after an
// error or when ctx ends, nothing is left. Errors name the network, a class that it does not have,
// or the image. Progress counts images.
func MasksFromSegmentation(ctx context.Context, ws *store.Workspace, rt engine.Runtime, s Segmenter, of suite.Manifest,
	folder string, p engine.Progress,
) (made MasksMade, err error) {
	n, err := openNetwork(ctx, ws, rt, segmentation, s.Network, s.Names, of)
	if err != nil {
		return made, err
	}
	chosen, err := n.chosen(s.Classes)
	if err != nil {
		return made, err
	}
	if err := different(of); err != nil {
		return made, err
	}
	folder, err = filepath.Abs(folder)
	if err != nil {
		return made, err
	}
	if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
		return made, fmt.Errorf("%s is there already; write the masks to a new folder", folder)
	}
	draft, err := durable.NewDraft(folder)
	if err != nil {
		return made, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, draft.Discard())
		}
	}()
	c := &cutter{
		gallery: newGallery(ws, of, background.TargetKind, nil), network: n, chosen: chosen, draft: draft,
		areas: make([]area, of.Images),
	}
	if err := errors.Join(c.all(ctx, rt, s.Workers, p), c.closeSuite()); err != nil {
		return made, err
	}
	return c.made(), draft.Place()
}

// chosen are the numbers of classes that are foreground.
func (n *network) chosen(names []string) (chosen []int, err error) {
	for _, name := range names {
		k := slices.IndexFunc(n.classes, func(class string) bool {
			return strings.EqualFold(class, strings.TrimSpace(name))
		})
		if k < 0 {
			return nil, fmt.Errorf("%s has no class %q; choose among %s", n.name, name,
				strings.Join(n.classes[:min(len(n.classes), 30)], ", "))
		}
		chosen = append(chosen, k)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no class of %s is chosen; choose those that are foreground", n.name)
	}
	return chosen, nil
}

// MaskFile is where the mask of an image lies in its folder.
func MaskFile(image string) string { return strings.TrimSuffix(image, path.Ext(image)) + ".png" }

// different refuses suites in which two images would have one mask.
func different(of suite.Manifest) error {
	first := map[string]int{}
	for i := range of.Images {
		name := MaskFile(of.ImageName(i))
		if k, there := first[name]; there {
			return fmt.Errorf("images %s and %s of suite %s would both have the mask %s; rename one of them",
				of.ImageName(k), of.ImageName(i), of.Name, name)
		}
		first[name] = i
	}
	return nil
}

// area is how much of a mask is set.
type area int

const (
	some area = iota
	empty
	full
)

// cutter makes the masks of one suite.
type cutter struct {
	*gallery
	network *network
	chosen  []int
	draft   *durable.Draft
	areas   []area
}

// all makes all masks with several goroutines.
func (c *cutter) all(ctx context.Context, rt engine.Runtime, workers int, p engine.Progress) error {
	p.SetTotal(int64(c.manifest.Images))
	if c.manifest.Images == 0 {
		return fmt.Errorf("suite %s has no images", c.manifest.Name)
	}
	if workers < 1 {
		workers = runtime.NumCPU()
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	batch := c.network.feed.Input.Batch
	for from := 0; from < c.manifest.Images; from += batch {
		work.Go(func() error {
			to := min(from+batch, c.manifest.Images)
			var images []int
			for i := from; i < to; i++ {
				images = append(images, i)
			}
			order := c.network.rows(engine.Foreground, images)
			order.Chosen = c.chosen
			return rt.Rows(ctx, order, c.gallery, func(k int, row []float64) error {
				mask, ok := engine.MaskOfRow(row)
				if !ok {
					return fmt.Errorf("%s gives no mask of image %s", c.network.name, c.manifest.ImageName(from+k))
				}
				p.Add(1)
				return c.write(from+k, mask)
			})
		})
	}
	return work.Wait()
}

// write writes the mask of image i into the draft.
func (c *cutter) write(i int, m background.Mask) error {
	img := image.NewGray(image.Rect(0, 0, m.Width, m.Height))
	set := 0
	for at, on := range m.Set {
		if on {
			img.SetGray(at%m.Width, at/m.Width, color.Gray{Y: 255})
			set++
		}
	}
	switch set {
	case 0:
		c.areas[i] = empty
	case len(m.Set):
		c.areas[i] = full
	}
	name := MaskFile(c.manifest.ImageName(i))
	if _, err := filepath.Localize(name); err != nil {
		return fmt.Errorf("image %s of suite %s: its mask would lie outside of the folder",
			c.manifest.ImageName(i), c.manifest.Name)
	}
	return c.draft.Write(name, func(out io.Writer) error { return png.Encode(out, img) })
}

// made counts what was written.
func (c *cutter) made() MasksMade {
	m := MasksMade{Masks: len(c.areas)}
	for i, a := range c.areas {
		switch a {
		case empty:
			m.Empty = append(m.Empty, c.manifest.ImageName(i))
		case full:
			m.Full = append(m.Full, c.manifest.ImageName(i))
		}
	}
	return m
}
