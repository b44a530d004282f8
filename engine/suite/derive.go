package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Derived says that a suite is made from another one, image by image: the same number, order,
// labels and names. Its images are computed when they are read and lie nowhere
// (spec/corruptions.md; DESIGN.md section 1, "source").
type Derived struct {
	Of string `json:"of"` // content hash of the suite that it is made from; that one is not derived
	// Change is the canonical text of what is done to its images, such as
	// "corruption:fog:3;seed=1".
	Change string `json:"change"`
}

// Derive is the manifest of the suite that change makes of m, under a name. Its Hash is SHA-256
// over m.Hash and change; what belongs to the files is m's. m must not be derived itself. The time
// of adding is left to who adds it.
func (m Manifest) Derive(change, name string) Manifest {
	sum := sha256.Sum256(fmt.Appendf(nil, "variscope derived suite 1\n%s\n%s", m.Hash, change))
	of := m.Hash
	m.Hash, m.Name, m.Added = hex.EncodeToString(sum[:]), name, time.Time{}
	m.Derived = &Derived{Of: of, Change: change}
	return m
}

// Change makes image i of a derived suite from image i of its base. It must be pure and safe for
// many goroutines.
type Change func(i int, img Image) (Image, error)

// Through is the derived suite with manifest m over the opened s: image i is change(i, image i of
// s). Up to cacheBytes of the first images that are read are kept, so that a run over many models
// computes them once; cacheBytes 0 keeps none. Closing it closes s.
func (s *Suite) Through(m Manifest, change Change, cacheBytes int64) *Suite {
	through := &changed{base: s, change: change, limit: cacheBytes}
	if cacheBytes > 0 {
		through.kept = make([]atomic.Pointer[Image], s.manifest.Images)
	}
	return &Suite{manifest: m, reader: through}
}

// changed reads the images of a derived suite and keeps some of them.
type changed struct {
	base   *Suite
	change Change
	limit  int64 // of the bytes of kept images
	used   atomic.Int64
	kept   []atomic.Pointer[Image] // by image; empty where nothing is kept
}

// bytesPerPixel is what a kept value of an image takes.
const bytesPerPixel = 4

func (c *changed) image(i int) (Image, error) {
	if len(c.kept) > 0 {
		if img := c.kept[i].Load(); img != nil {
			return img.clone(), nil
		}
	}
	img, err := c.base.reader.image(i)
	if err != nil {
		return Image{}, err
	}
	if img, err = c.change(i, img); err != nil {
		return Image{}, fmt.Errorf("image %s: %w", c.base.Name(i), err)
	}
	c.keep(i, img)
	return img, nil
}

// keep keeps a copy of an image if there is room for it. The room is taken before the copy is made,
// so the images never take more than the limit, whatever many goroutines do at once.
func (c *changed) keep(i int, img Image) {
	size := bytesPerPixel * int64(len(img.Pix))
	if len(c.kept) == 0 || c.used.Load() >= c.limit { // the second is a short cut once it is full
		return
	}
	if c.used.Add(size) > c.limit {
		c.used.Add(-size)
		return
	}
	if own := img.clone(); !c.kept[i].CompareAndSwap(nil, &own) {
		c.used.Add(-size) // another goroutine was faster
	}
}

func (c *changed) close() error {
	c.kept = nil
	return c.base.Close()
}

func (img Image) clone() Image {
	img.Pix = slices.Clone(img.Pix)
	return img
}
