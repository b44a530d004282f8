package dialogs

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/ui/kit"
)

// How many images a preview of augmentation shows, and how many beside each other.
const augmentImages, augmentColumns = 12, 3

// augmentAsked is what a preview of augmentation is of.
type augmentAsked struct {
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
func augmentSome(ctx context.Context, ws imageSource, ask augmentAsked) (shown augmentShown, err error) {
	shown.seed = ask.seed
	choose := func(n int) []int {
		shown.total, shown.padded = n, augmented.Count(ask.p, ask.seed, n)
		list := spread(augmentImages, ask.page)(n)
		if ask.padded && shown.padded > 0 {
			list = paddedOnes(list, n, ask)
		}
		return list
	}
	err = eachImage(ctx, ws, ask.suite, choose, func(_ *suite.Suite, i int, img suite.Image) error {
		out, padding, padded, err := augmented.Image(ask.p, ask.seed, i, img)
		shown.images = append(shown.images, augmentedImage{img.RGBA(), out.RGBA(), padding, padded})
		return err
	})
	return shown, err
}

// paddedOnes moves each image of a list on to the next one of n that is padded; none comes twice.
func paddedOnes(list []int, n int, ask augmentAsked) (found []int) {
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
type augmentPreview = preview[augmentAsked, augmentShown]

// newAugmentPreview calls again for another draw.
func newAugmentPreview(host *kit.Host, ws imageSource, form func() augmentAsk, again func()) *augmentPreview {
	only := widget.NewCheck("Padded images only", nil)
	only.Checked = true
	p := &augmentPreview{
		host: host, name: "preview of augmentation", draw: augmentShown.draw,
		load: func(ctx context.Context, ask augmentAsked) (augmentShown, error) { return augmentSome(ctx, ws, ask) },
		want: func(page int) augmentAsked {
			o := form()
			return augmentAsked{suite: o.Suite, p: o.P, seed: o.Seed, padded: only.Checked, page: page}
		},
	}
	only.OnChanged = func(bool) { p.look() }
	p.build(widget.NewLabel("Preview: before, after"), only, widget.NewButton("Draw again", again))
	return p
}

func (shown augmentShown) draw() (pictures fyne.CanvasObject, note string) {
	grid := container.NewGridWithColumns(augmentColumns)
	for _, one := range shown.images {
		arrow, room := canvas.NewText("→", theme.Color(theme.ColorNameForeground)), canvas.NewText("→", color.Transparent)
		pair := container.NewGridWithColumns(2, container.NewBorder(nil, nil, nil, arrow, newPreviewPicture(one.before)),
			container.NewBorder(nil, nil, nil, room, newPreviewPicture(one.after))) // both are of one size
		text := "not padded"
		if p := one.padding; one.padded {
			text = fmt.Sprintf("top %d, bottom %d, left %d, right %d", p.Top, p.Bottom, p.Left, p.Right)
		}
		grid.Add(container.NewBorder(nil, small(text), nil, nil, pair))
	}
	return grid, fmt.Sprintf("With seed %d, %s of %s are padded.", shown.seed, result.Whole(shown.padded),
		result.Counted(shown.total, "image"))
}
