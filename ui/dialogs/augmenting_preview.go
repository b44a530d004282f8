package dialogs

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// How many images a preview of augmentation shows, and how many beside each other.
const augmentImages, augmentColumns = 12, 3

// augmentAsk is what a preview of augmentation is of.
type augmentAsk struct {
	suite  string
	p      float64
	seed   uint64
	padded bool // show images that are padded where there are any
	page   int
}

// augmentedImage is one image as it is and as it becomes.
type augmentedImage struct {
	before, after image.Image
	padding       region.Padding
	padded        bool
}

// augmentShown is a preview that can be shown.
type augmentShown struct {
	images        []augmentedImage
	seed          uint64
	padded, total int // of the suite's images
}

// augmentSome makes a preview: images as an augmented set has them, spread over the suite.
func augmentSome(ctx context.Context, ws imageSource, ask augmentAsk) (shown augmentShown, err error) {
	s, err := ws.OpenSuiteContext(ctx, ask.suite)
	if err != nil {
		return augmentShown{}, err
	}
	defer func() { _ = s.Close() }() // it was only read from
	shown.total, shown.seed = s.Len(), ask.seed
	shown.padded = augmented.Count(ask.p, ask.seed, s.Len())
	list := spread(s.Len(), augmentImages, ask.page)
	if ask.padded && shown.padded > 0 {
		list = paddedOnes(list, s.Len(), ask)
	}
	for _, i := range list {
		if err := ctx.Err(); err != nil {
			return augmentShown{}, err
		}
		one, err := augmentOne(s, i, ask)
		if err != nil {
			return augmentShown{}, err
		}
		shown.images = append(shown.images, one)
	}
	return shown, nil
}

func augmentOne(s *suite.Suite, i int, ask augmentAsk) (one augmentedImage, err error) {
	img, err := s.Image(i)
	if err != nil {
		return augmentedImage{}, err
	}
	one.before = pictureOf(img)
	out, padding, padded, err := augmented.Image(ask.p, ask.seed, i, img)
	if err != nil {
		return augmentedImage{}, err
	}
	one.after, one.padding, one.padded = pictureOf(out), padding, padded
	return one, nil
}

// paddedOnes moves each image of a list on to the next one of n that is padded; none comes twice.
func paddedOnes(list []int, n int, ask augmentAsk) (found []int) {
	used := map[int]bool{}
	for _, start := range list {
		for step := range n {
			i := (start + step) % n
			if !used[i] && augmented.Padded(ask.p, ask.seed, i) {
				used[i] = true
				found = append(found, i)
				break
			}
		}
	}
	return found
}

// augmentPreview shows training images before and after.
type augmentPreview struct {
	*preview[augmentAsk, augmentShown]
	only   *widget.Check // padded images only
	page   int
	object fyne.CanvasObject
}

// newAugmentPreview calls changed when what it shows is to be asked for again, and again for
// another draw.
func newAugmentPreview(host *kit.Host, ws imageSource, changed, again func()) *augmentPreview {
	p := &augmentPreview{}
	p.preview = newPreview(host.Work, "preview of augmentation", func(ctx context.Context, ask augmentAsk) (augmentShown, error) {
		return augmentSome(ctx, ws, ask)
	}, p.pictures)
	p.only = widget.NewCheck("Padded images only", func(bool) { changed() })
	p.only.Checked = true
	other := widget.NewButton("Other images", func() {
		p.page++
		changed()
	})
	draw := widget.NewButton("Draw again", again)
	top := container.NewBorder(nil, nil, widget.NewLabel("Preview: before, after"), container.NewHBox(p.only, other, draw))
	p.object = container.NewBorder(top, p.note, nil, nil, p.grid)
	return p
}

// showOf shows what the form asks.
func (p *augmentPreview) showOf(ask augmentAsk) {
	if ask.suite != "" {
		ask.padded, ask.page = p.only.Checked, p.page
		p.ask(ask)
	}
}

func (p *augmentPreview) pictures(shown augmentShown) (pictures fyne.CanvasObject, note string) {
	grid := container.NewGridWithColumns(augmentColumns)
	for _, one := range shown.images {
		arrow := canvas.NewText("→", theme.Color(theme.ColorNameForeground))
		pair := container.New(beforeAfter{}, newPreviewPicture(one.before), arrow, newPreviewPicture(one.after))
		grid.Add(container.NewBorder(nil, small(paddingText(one)), nil, nil, pair))
	}
	return grid, fmt.Sprintf("With seed %d, %s of %s are padded.", shown.seed, present.Count(int64(shown.padded)), present.Counted(int64(shown.total), "image"))
}

// beforeAfter lays two pictures of one size side by side in the middle, an arrow between them.
type beforeAfter struct{}

// arrowRoom is the width between the pictures.
const arrowRoom = 22

// Layout implements fyne.Layout.
func (beforeAfter) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	side := max(0, min((size.Width-arrowRoom)/2, size.Height))
	left, top := (size.Width-2*side-arrowRoom)/2, (size.Height-side)/2
	for k, at := range []float32{left, left + side + arrowRoom} {
		objects[2*k].Resize(fyne.NewSquareSize(side))
		objects[2*k].Move(fyne.NewPos(at, top))
	}
	arrow := objects[1].MinSize()
	objects[1].Resize(arrow)
	objects[1].Move(fyne.NewPos((size.Width-arrow.Width)/2, (size.Height-arrow.Height)/2))
}

// MinSize implements fyne.Layout.
func (beforeAfter) MinSize(objects []fyne.CanvasObject) fyne.Size {
	one := objects[0].MinSize()
	return fyne.NewSize(2*one.Width+arrowRoom, one.Height)
}

// paddingText says what is put around an image.
func paddingText(one augmentedImage) string {
	if !one.padded {
		return "not padded"
	}
	p := one.padding
	return fmt.Sprintf("top %d, bottom %d, left %d, right %d", p.Top, p.Bottom, p.Left, p.Right)
}
