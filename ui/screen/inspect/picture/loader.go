package picture

import (
	"context"
	"errors"
	"image"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	scenes "github.com/variscope/variscope/store/background"
)

// errClosed is the end of a batch that a closed shelf does not want any more.
var errClosed = errors.New("the pictures are not wanted any more")

// fittedImages is how many images are kept as they are before any transformation.
const fittedImages = 64

// loader is the part of a shelf that works off the main goroutine: it holds the opened suite and
// the tables.
type loader struct {
	store  Store
	ending atomic.Bool

	mu     sync.Mutex
	key    string // of the lens that the rest belongs to
	suite  *suite.Suite
	view   *engine.View
	fitted map[int]suite.Image
	// scenes are in the place of suite and view where the family is a set of scenes; spec is that of
	// the lens.
	scenes *scenes.Composites
	spec   signal.Spec
}

// make makes pictures. An image that cannot be decoded is hatched; the error is for what leaves no
// picture at all.
func (l *loader) make(ctx context.Context, lens Lens, key string, keys []Key) ([]Made[Key], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(ctx, lens, key); err != nil {
		return nil, err
	}
	slices.SortStableFunc(keys, func(a, b Key) int { return a.Image - b.Image })
	made := make([]Made[Key], 0, len(keys))
	for _, k := range keys {
		if err := ctx.Err(); err != nil {
			return made, err
		}
		if l.ending.Load() {
			return made, errClosed
		}
		picture := l.picture(k)
		made = append(made, Made[Key]{k, picture})
	}
	return made, nil
}

func (l *loader) open(ctx context.Context, lens Lens, key string) error {
	if l.ending.Load() {
		return errClosed
	}
	if l.key == key && (l.suite != nil || l.scenes != nil) {
		return nil
	}
	if err := l.release(); err != nil {
		return err
	}
	if from, ok := l.store.(Scenes); ok {
		if family, err := transform.ParseAny(lens.Spec.Family); err == nil {
			if hash, _, scened := family.Scened(); scened {
				return l.openScenes(ctx, from, hash, lens, key)
			}
		}
	}
	view, err := engine.NewView(lens.Spec)
	if err != nil {
		return err
	}
	opened, err := l.store.OpenSuiteContext(ctx, lens.Suite)
	if err != nil {
		return err
	}
	l.key, l.suite, l.view, l.fitted = key, opened, view, map[int]suite.Image{}
	return nil
}

func (l *loader) openScenes(ctx context.Context, from Scenes, selection string, lens Lens, key string) error {
	opened, err := from.OpenComposites(ctx, selection)
	if err != nil {
		return err
	}
	l.key, l.scenes, l.spec = key, opened, lens.Spec
	return nil
}

func (l *loader) picture(k Key) *image.RGBA {
	if l.scenes != nil {
		img, err := l.scenes.Picture(k.Image, k.Transformation, l.spec.Height, l.spec.Width)
		if err != nil {
			return render.Hatch(hatching)
		}
		return img.RGBA()
	}
	fitted, ok := l.fitted[k.Image]
	if !ok {
		img, err := l.suite.Image(k.Image)
		if err != nil || len(img.Pix) == 0 {
			return render.Hatch(hatching)
		}
		if len(l.fitted) >= fittedImages {
			clear(l.fitted)
		}
		fitted = l.view.Fit(img)
		l.fitted[k.Image] = fitted
	}
	shown := l.view.Transform(fitted, k.Transformation)
	if k.Normalised {
		shown = l.view.Spread(l.view.Normalise(shown))
	}
	return shown.RGBA()
}

// rest closes the suite until it is needed again.
func (l *loader) rest() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.release()
}

// close ends a batch under way at its next image and closes the suite.
func (l *loader) close() {
	l.ending.Store(true)
	_ = l.rest() // nothing was written
}

func (l *loader) release() error {
	opened, composites := l.suite, l.scenes
	l.key, l.suite, l.view, l.fitted, l.scenes = "", nil, nil, nil, nil
	if composites != nil {
		return composites.Close()
	}
	if opened == nil {
		return nil
	}
	return opened.Close()
}
