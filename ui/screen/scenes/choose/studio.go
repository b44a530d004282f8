package choose

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// shot names a picture of a selection.
type shot struct {
	target, image int  // image 0 is the target itself
	alone         bool // the scene without the foreground, in its own proportions
	height, width int  // of the model's input
	// preview asks for another feather and alignment than the selection's.
	preview bool
	feather float64
	align   background.Alignment
}

// sceneSide bounds the longer side of scenes that are shown alone.
const sceneSide = 320

// hatchSide is the side of what stands for a picture that cannot be made.
const hatchSide = 16

// studio makes pictures of one selection at a time. It is safe for many goroutines.
type studio struct {
	ws     *store.Workspace
	ending atomic.Bool
	mu     sync.Mutex
	opened *scenes.Composites
}

// maker makes the pictures of a selection. A single image that cannot be read or composed is hatched; the error is for a selection whose suites
// cannot be opened.
func (s *studio) maker(selection string) picture.Maker[shot] {
	return func(ctx context.Context, keys []shot) ([]picture.Made[shot], error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.open(ctx, selection); err != nil {
			return nil, err
		}
		var made []picture.Made[shot]
		for _, k := range keys {
			if s.ending.Load() || ctx.Err() != nil {
				return made, context.Canceled
			}
			img, err := s.make(k)
			if err != nil {
				made = append(made, picture.Made[shot]{Key: k, Picture: render.Hatch(hatchSide)})
				continue
			}
			made = append(made, picture.Made[shot]{Key: k, Picture: img.RGBA()})
		}
		return made, nil
	}
}

func (s *studio) open(ctx context.Context, selection string) error {
	if s.ending.Load() {
		return context.Canceled
	}
	if s.opened != nil && s.opened.Selection() == selection {
		return nil
	}
	if err := s.letGo(); err != nil {
		return err
	}
	opened, err := scenes.OpenContext(ctx, s.ws, selection)
	if err != nil {
		return err
	}
	s.opened = opened
	return nil
}

func (s *studio) make(k shot) (suite.Image, error) {
	switch {
	case k.preview:
		return s.opened.Preview(k.target, k.image, k.height, k.width, k.feather, k.align)
	case !k.alone || k.image == 0:
		return s.opened.Picture(k.target, k.image, k.height, k.width)
	}
	img, err := s.opened.Background(k.target, k.image)
	if longest := max(img.Height, img.Width); err == nil && longest > sceneSide {
		to := suite.Fitting{Height: max(1, img.Height*sceneSide/longest), Width: max(1, img.Width*sceneSide/longest)}
		img = suite.Fit(img, to)
	}
	return img, err
}

// release closes files until they are needed again.
func (s *studio) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.letGo()
}

func (s *studio) letGo() error {
	opened := s.opened
	s.opened = nil
	if opened == nil {
		return nil
	}
	return opened.Close()
}

// close ends making pictures, and closes files after the picture that is being made.
func (s *studio) close() {
	s.ending.Store(true)
	_ = s.release() // nothing was written
}
