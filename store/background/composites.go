package background

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store"
)

// room is the memory of opened composites: scenes fitted to a model's input, among them all 600 of
// the demo at every size that it has, and foregrounds, of which a run needs those of the batches
// at work.
var room = background.Room{Scenes: 384 << 20, Foregrounds: 64 << 20}

// Composites are the images of a selection; an engine.Composer whose ingredients can travel to
// other machines. They are safe for many goroutines, apart from Close. Scenes and foregrounds are
// kept in memory up to a bound and read again beyond it.
type Composites struct {
	record      store.SelectionRecord
	targets     *suite.Suite
	backgrounds *suite.Suite
	masks       *Masks
	compositor  *background.Compositor
}

var _ wire.Composed = (*Composites)(nil)

// Open is OpenContext for who has nothing to end it with.
func Open(ws *store.Workspace, selection string) (*Composites, error) {
	return OpenContext(context.Background(), ws, selection)
}

// OpenContext opens the targets of a selection with their masks and scenes, for a run or for
// looking at composites. Close frees it. Images or masks that are gone or changed are errors that
// name them (store.ErrNoImages, suite.ErrChanged). It is as quick as
// store.Workspace.OpenSuiteContext and MaskFolder.
func OpenContext(ctx context.Context, ws *store.Workspace, selection string) (*Composites, error) {
	record, err := ws.Selection(selection)
	if err != nil {
		return nil, err
	}
	c := &Composites{record: record}
	c.compositor = background.NewCompositor(ingredients{c}, room)
	if err := c.open(ctx, ws); err != nil {
		return nil, fmt.Errorf("selection %s: %w", record.Name, errors.Join(err, c.Close()))
	}
	return c, nil
}

func (c *Composites) open(ctx context.Context, ws *store.Workspace) error {
	set, err := ws.MaskSet(c.record.Selection.Masks)
	if err != nil {
		return err
	}
	if c.masks, err = OpenMasks(ctx, ws, set); err != nil {
		return err
	}
	if c.targets, err = ws.OpenSuiteContext(ctx, c.record.Targets); err != nil {
		return fmt.Errorf("targets: %w", err)
	}
	if c.backgrounds, err = ws.OpenSuiteContext(ctx, c.record.Backgrounds); err != nil {
		return fmt.Errorf("backgrounds: %w", err)
	}
	if n := len(c.record.Selection.Chosen); n != c.targets.Len() || c.masks.Len() != n {
		return fmt.Errorf("it has scenes for %d targets, and there are %d images and %d masks: %w", n, c.targets.Len(),
			c.masks.Len(), store.ErrDamaged)
	}
	return nil
}

// Record is the selection, whole.
func (c *Composites) Record() store.SelectionRecord { return c.record }

// Selection is the selection's hash.
func (c *Composites) Selection() string { return c.record.Hash }

// Len is the number of targets.
func (c *Composites) Len() int { return c.targets.Len() }

// Encoded implements engine.Encoded.
func (c *Composites) Encoded(i int) (suite.Raw, error) {
	return c.targets.Encoded(i)
}

// Label is the class of target i, -1 without label.
func (c *Composites) Label(i int) int { return c.targets.Label(i) }

// Name is the target's name for messages.
func (c *Composites) Name(i int) string { return c.targets.Name(i) }

// Image decodes target i.
func (c *Composites) Image(i int) (suite.Image, error) { return c.targets.Image(i) }

// Compose writes target i's foreground on its scene t = 1..N into dst: channels x height x width
// pixels before normalisation, as to says. fitted is target i fitted to the same input.
func (c *Composites) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	if i < 0 || i >= c.Len() || t < 1 || t > c.record.N {
		return fmt.Errorf("selection %s has %d scenes for each of %d targets; there is no scene %d of target %d",
			c.record.Name, c.record.N, c.Len(), t, i)
	}
	return c.compositor.Compose(dst, fitted, i, t, to)
}

// Picture is image j of target i (0: the target itself) at height x width pixels, as a model of
// that input size sees it that stretches images. It has three channels where the target or the
// scene has.
func (c *Composites) Picture(i, j, height, width int) (suite.Image, error) {
	if height < 1 || width < 1 {
		return suite.Image{}, fmt.Errorf("a picture of %d x %d pixels cannot be made", height, width)
	}
	native, err := c.Image(i)
	if err != nil {
		return suite.Image{}, err
	}
	to := suite.Fitting{Channels: 3, Height: height, Width: width}
	if j == 0 {
		to.Channels = native.Channels
		return suite.Fit(native, to), nil
	}
	fitted := suite.Fit(native, to)
	out := suite.Image{Channels: 3, Height: height, Width: width, Pix: make([]float32, len(fitted.Pix))}
	return out, c.Compose(out.Pix, fitted.Pix, i, j, to)
}

// Preview is Picture of j = 1..N with another feather and alignment than the selection's, for
// looking at: a run has the selection's.
func (c *Composites) Preview(
	i, j, height, width int, feather float64, align background.Alignment,
) (suite.Image, error) {
	if j < 1 || j > c.record.N {
		return suite.Image{}, fmt.Errorf("selection %s has no scene %d of target %d", c.record.Name, j, i)
	}
	native, err := c.Image(i)
	if err != nil {
		return suite.Image{}, err
	}
	to := suite.Fitting{Channels: 3, Height: height, Width: width}
	fitted := suite.Fit(native, to)
	front, err := c.compositor.Foreground(i, fitted.Pix, to, background.Compositing{Feather: feather, Align: align})
	if err != nil {
		return suite.Image{}, err
	}
	out := suite.Image{Channels: 3, Height: height, Width: width, Pix: make([]float32, len(fitted.Pix))}
	return out, c.compositor.Onto(out.Pix, front, i, j, to)
}

// Background is scene j = 1..N of target i alone, at its own size.
func (c *Composites) Background(i, j int) (suite.Image, error) {
	if i < 0 || i >= c.Len() || j < 1 || j > c.record.N {
		return suite.Image{}, fmt.Errorf("selection %s has no scene %d of target %d", c.record.Name, j, i)
	}
	return c.backgrounds.Image(c.record.Selection.Chosen[i][j-1].Background)
}

// Close frees files and memory. Closing twice is allowed; nothing may be read at the same time.
func (c *Composites) Close() error {
	var problems []error
	for _, s := range []*suite.Suite{c.targets, c.backgrounds} {
		if s != nil {
			problems = append(problems, s.Close())
		}
	}
	return errors.Join(problems...)
}
