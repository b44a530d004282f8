package background

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// gallery is the images of one suite on their way to keyword vectors.
type gallery struct {
	ws       *store.Workspace
	manifest suite.Manifest
	kind     string      // of the table's rows
	masks    foregrounds // nil for none
	digests  []digest
	vectors  [][]float64 // per image: pixels counted, shares, scene scores

	mu     sync.Mutex
	opened *suite.Suite
}

// foregrounds are the masks of a suite.
type foregrounds interface {
	Mask(i, height, width int) (background.Mask, error)
	// Hash names their content.
	Hash() string
}

// digest stands for the content of an image and its mask; the zero value for one that is not known.
type digest [sha256.Size]byte

func newGallery(ws *store.Workspace, m suite.Manifest, kind string, masks foregrounds) *gallery {
	return &gallery{
		ws: ws, manifest: m, kind: kind, masks: masks,
		digests: make([]digest, m.Images), vectors: make([][]float64, m.Images),
	}
}

// digestOf is SHA-256 over size and pixels of an image, and over its mask.
func digestOf(img suite.Image, mask *background.Mask) (d digest) {
	sum := sha256.New()
	fmt.Fprintf(sum, "variscope image 1 %d %d %d %t\n", img.Channels, img.Height, img.Width, mask != nil)
	row := make([]byte, 0, 4*max(img.Width, 1))
	for i, v := range img.Pix {
		row = binary.LittleEndian.AppendUint32(row, math.Float32bits(v))
		if len(row) == cap(row) || i == len(img.Pix)-1 {
			sum.Write(row)
			row = row[:0]
		}
	}
	if mask != nil {
		set := make([]byte, len(mask.Set))
		for i, on := range mask.Set {
			if on {
				set[i] = 1
			}
		}
		sum.Write(set)
	}
	sum.Sum(d[:0])
	return d
}

// key names a vector by all that it depends on.
func (u *understanding) key(d digest) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "variscope context vector 1\n%s\n%s\n%s %s\n%x", u.seg.identity(),
		u.scene.identity(), u.rt.Version(), level(), d))
	return hex.EncodeToString(sum[:])
}

// keptName is where the digests of a suite's images with these masks are kept, so that a second
// look reads no image.
func (g *gallery) keptName() string {
	name := "context-images/1/" + g.manifest.Hash
	if g.masks != nil {
		name += "/" + g.masks.Hash()
	}
	return name
}

// load takes over the digests that are known. What cannot be read counts as not known.
func (g *gallery) load() {
	var all []byte
	found, err := g.ws.KeptValue(g.keptName(), &all)
	if err != nil || !found || len(all) != len(g.digests)*sha256.Size {
		return
	}
	for i := range g.digests {
		copy(g.digests[i][:], all[i*sha256.Size:])
	}
}

// close keeps the digests and closes the suite.
func (g *gallery) close() error {
	all := make([]byte, 0, len(g.digests)*sha256.Size)
	for _, d := range g.digests {
		all = append(all, d[:]...)
	}
	if len(all) > 0 {
		_ = g.ws.KeepValue(g.keptName(), all) // without it images are read again, and nothing else
	}
	return g.closeSuite()
}

func (g *gallery) closeSuite() error {
	if g.opened == nil {
		return nil
	}
	return g.opened.Close()
}

// read reads image i with its mask.
func (g *gallery) read(ctx context.Context, i int) (suite.Image, *background.Mask, error) {
	opened, err := g.open(ctx)
	if err != nil {
		return suite.Image{}, nil, err
	}
	img, err := opened.Image(i)
	if err != nil {
		return img, nil, err
	}
	mask, err := g.Mask(i, img.Height, img.Width)
	return img, mask, err
}

// open opens the suite when its first image is read.
func (g *gallery) open(ctx context.Context) (*suite.Suite, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		return g.opened, nil
	}
	var err error
	g.opened, err = g.ws.OpenSuiteContext(ctx, g.manifest.Hash)
	return g.opened, err
}

// Len implements engine.Source.
func (g *gallery) Len() int { return g.manifest.Images }

// Label implements engine.Source.
func (g *gallery) Label(i int) int { return g.manifest.Labels[i] }

// Name implements engine.Source.
func (g *gallery) Name(i int) string { return g.manifest.ImageName(i) }

// Image implements engine.Source.
func (g *gallery) Image(i int) (suite.Image, error) {
	opened, err := g.open(context.Background())
	if err != nil {
		return suite.Image{}, err
	}
	return opened.Image(i)
}

// Encoded implements engine.Encoded.
func (g *gallery) Encoded(i int) (suite.Raw, error) {
	opened, err := g.open(context.Background())
	if err != nil {
		return suite.Raw{}, err
	}
	return opened.Encoded(i)
}

// Mask implements engine.Masked.
func (g *gallery) Mask(i, height, width int) (*background.Mask, error) {
	if g.masks == nil {
		return nil, nil
	}
	mask, err := g.masks.Mask(i, height, width)
	return &mask, err
}
