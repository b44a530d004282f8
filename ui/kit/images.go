package kit

import (
	"container/list"
	"context"
	"errors"
	"image"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
)

const (
	// cacheBytes bounds the pictures that a cache keeps.
	cacheBytes = 48 << 20
	// batchSize and batchTime end a batch, whichever is reached first: then the screen gets the
	// pictures that were made.
	batchSize, batchTime = 16, 100 * time.Millisecond
	// mostWanted is how many pictures wait to be made: what has scrolled by is not worth making.
	mostWanted = 256
	// hatchSide is the side of what stands for a picture that cannot be made.
	hatchSide = 16
)

// ImageSource makes pictures off the main goroutine, one at a time. A picture that it cannot make
// is shown hatched.
type ImageSource[K comparable] interface {
	Image(key K) (image.Image, error)
	Close() error
}

// OpenImages opens a source. Its error is for what leaves no picture at all.
type OpenImages[K comparable] func(ctx context.Context) (ImageSource[K], error)

// ImageCache makes pictures when they are first wanted, those that were wanted last first, and
// keeps them up to a bound. It is used on the main goroutine only.
type ImageCache[K comparable] struct {
	work    *jobs.Group
	arrived func()
	name    string // of the source
	sources int    // how many there were: what an earlier one made is not wanted
	reader  *imageReader[K]
	kept    map[K]*list.Element
	order   *list.List // of kept, the one that was used last in front
	bytes   int
	wanted  []K // the one that was wanted last at the end
	busy    bool
	problem error
	doubted bool // the problem may be gone
}

// keptImage is a picture in a cache.
type keptImage[K comparable] struct {
	key     K
	picture image.Image
}

// bytes is what a picture takes in memory.
func (k keptImage[K]) bytes() int { return 4 * k.picture.Bounds().Dx() * k.picture.Bounds().Dy() }

// NewImageCache makes an empty cache. Arrived is called on the main goroutine when pictures have
// come or a problem was found: whoever still waits for pictures then asks for them again.
func NewImageCache[K comparable](work *jobs.Group, arrived func()) *ImageCache[K] {
	c := &ImageCache[K]{work: work, arrived: arrived}
	c.forget()
	return c
}

func (c *ImageCache[K]) forget() {
	c.kept, c.order, c.bytes, c.wanted, c.problem = map[K]*list.Element{}, list.New(), 0, nil, nil
}

// Use takes pictures from a source, "" and nil for none. The pictures of another one are
// forgotten; under the same name they stay.
func (c *ImageCache[K]) Use(name string, open OpenImages[K]) {
	if name == c.name {
		return
	}
	c.Close()
	if c.name = name; name != "" {
		c.reader = &imageReader[K]{open: open}
	}
}

// Problem is why no picture can be made; nil while all is well.
func (c *ImageCache[K]) Problem() error { return c.problem }

// Busy tells whether pictures are being made.
func (c *ImageCache[K]) Busy() bool { return c.busy }

// Picture is a picture that is ready; nil means that it is being made, unless there is a problem
// or no source.
func (c *ImageCache[K]) Picture(key K) image.Image {
	if e, ok := c.kept[key]; ok {
		c.order.MoveToFront(e)
		return e.Value.(keptImage[K]).picture
	}
	if c.problem == nil && c.reader != nil {
		if !slices.Contains(c.wanted, key) {
			c.wanted = append(c.wanted, key)
			c.wanted = c.wanted[max(0, len(c.wanted)-mostWanted):]
		}
		c.next()
	}
	return nil
}

// next makes some of the wanted pictures, one batch at a time.
func (c *ImageCache[K]) next() {
	if c.busy || len(c.wanted) == 0 {
		return
	}
	from := max(0, len(c.wanted)-batchSize)
	keys, reader, source := slices.Clone(c.wanted[from:]), c.reader, c.sources
	slices.Reverse(keys)
	c.wanted, c.busy = c.wanted[:from], true
	var made []keptImage[K]
	c.work.Quiet("make pictures", func(ctx context.Context) (err error) {
		made, err = reader.read(ctx, keys)
		return err
	}, func(err error) {
		c.busy = false
		if source == c.sources {
			c.put(made, err)
		}
		c.next()
	})
}

func (c *ImageCache[K]) put(made []keptImage[K], err error) {
	for _, m := range made {
		if _, ok := c.kept[m.key]; !ok {
			c.kept[m.key] = c.order.PushFront(m)
			c.bytes += m.bytes()
		}
		c.wanted = slices.DeleteFunc(c.wanted, func(k K) bool { return k == m.key })
	}
	for c.bytes > cacheBytes && c.order.Len() > len(made) {
		last := c.order.Remove(c.order.Back()).(keptImage[K])
		delete(c.kept, last.key)
		c.bytes -= last.bytes()
	}
	if err != nil && !present.Cancelled(err) && !errors.Is(err, jobs.ErrClosed) {
		c.problem, c.wanted = err, nil
	}
	c.arrived()
}

// Rest closes the source after the picture that is being made, until the next one is wanted, also
// where there was a problem. Pictures stay.
func (c *ImageCache[K]) Rest() {
	c.wanted, c.problem = nil, nil
	if c.reader != nil {
		c.reader.end()
		c.reader = &imageReader[K]{open: c.reader.open}
	}
}

// Doubt says that what pictures are made from may have changed, and has the next Retry make those
// that could not be made.
func (c *ImageCache[K]) Doubt() { c.doubted = true }

// Retry makes pictures that could not be made, once after each Doubt: a screen may call it
// whenever it shows something anew, which happens all the time while a run goes on. While all is
// well nothing happens.
func (c *ImageCache[K]) Retry() {
	if c.problem != nil && c.doubted {
		c.doubted = false
		c.Rest()
		c.arrived()
	}
}

// Close lets go of the source and of all pictures.
func (c *ImageCache[K]) Close() {
	if c.reader != nil {
		c.reader.end()
	}
	c.name, c.reader = "", nil
	c.sources++
	c.forget()
}

// imageReader is the part of a cache that works off the main goroutine. It opens its source when
// it first reads.
type imageReader[K comparable] struct {
	open   OpenImages[K]
	ending atomic.Bool
	mu     sync.Mutex
	source ImageSource[K]
}

func (r *imageReader[K]) read(ctx context.Context, keys []K) (made []keptImage[K], err error) {
	defer r.closeIfEnding()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.source == nil && !r.ending.Load() {
		source, err := r.open(ctx)
		if err != nil {
			return nil, err
		}
		r.source = source
	}
	for began := time.Now(); len(keys) > 0 && (made == nil || time.Since(began) < batchTime); keys = keys[1:] {
		if ctx.Err() != nil || r.ending.Load() {
			return made, context.Canceled
		}
		picture, err := r.source.Image(keys[0])
		if err != nil {
			picture = render.Hatch(hatchSide)
		}
		made = append(made, keptImage[K]{keys[0], picture})
	}
	return made, nil
}

// end ends reading after the picture that is being made, and closes the source.
func (r *imageReader[K]) end() {
	r.ending.Store(true)
	r.closeIfEnding()
}

// closeIfEnding closes the source after end, unless a batch is under way, which does so when it is
// over.
func (r *imageReader[K]) closeIfEnding() {
	if r.ending.Load() && r.mu.TryLock() {
		defer r.mu.Unlock()
		if r.source != nil {
			_ = r.source.Close() // it was only read from
			r.source = nil
		}
	}
}

// MissingImages is the line above pictures that cannot be made: why, and a button to locate the
// images where that helps. It is hidden while all is well.
type MissingImages struct {
	box    *fyne.Container
	text   *fynewidget.Label
	button *fynewidget.Button
	suite  string
}

// NewMissingImages makes a hidden line. Locate is asked to find a suite's images; nil leaves the
// button away.
func NewMissingImages(locate func(suite string)) *MissingImages {
	m := &MissingImages{text: fynewidget.NewLabel("")}
	m.text.Importance, m.text.Truncation = fynewidget.WarningImportance, fyne.TextTruncateEllipsis
	m.button = fynewidget.NewButtonWithIcon("Locate…", theme.FolderOpenIcon(), func() { locate(m.suite) })
	m.button.Hidden = locate == nil
	m.box = container.NewBorder(nil, nil, nil, m.button, m.text)
	m.box.Hide()
	return m
}

// Object is what a screen shows.
func (m *MissingImages) Object() fyne.CanvasObject { return m.box }

// Show says the problem of a cache, nil for none, and offers to locate the suite that it is about:
// the one that the problem names, else suiteHash, "" for none. It tells whether the line came or
// went.
func (m *MissingImages) Show(problem error, suiteHash string) (rearrange bool) {
	m.suite = suiteHash
	var of *store.SuiteError
	if errors.As(problem, &of) {
		m.suite = of.Suite
	}
	before := m.box.Visible()
	if problem == nil {
		m.box.Hide()
		return before
	}
	m.text.SetText(present.Sentence(problem))
	gone := errors.Is(problem, store.ErrNoImages) || errors.Is(problem, suite.ErrMissing) ||
		errors.Is(problem, suite.ErrChanged)
	if m.button.Disable(); m.suite != "" && gone {
		m.button.Enable()
	}
	m.box.Show()
	return !before
}
