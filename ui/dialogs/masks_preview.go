package dialogs

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"os"
	"path"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/kit"
)

// maskedImages is how many images the preview of masks shows.
const maskedImages = 6

// maskAsk is what masks are shown of: a set of a suite, or the files of a folder; neither shows
// the images alone.
type maskAsk struct {
	suite, set, folder string
	page               int
}

// masked is an image with its mask.
type masked struct {
	caption string
	picture image.Image
}

// maskPreview shows some images of a suite, what lies outside of the foreground darkened.
type maskPreview struct {
	*preview[maskAsk, []masked]
	now    maskAsk
	page   int
	object fyne.CanvasObject
}

func newMaskPreview(host *kit.Host, ws *store.Workspace) *maskPreview {
	p := &maskPreview{}
	p.preview = newPreview(host.Work, "preview of masks", func(ctx context.Context, ask maskAsk) ([]masked, error) {
		return maskSome(ctx, ws, ask)
	}, drawMasked)
	other := widget.NewButton("Other images", func() {
		p.page++
		p.show(p.now)
	})
	p.object = container.NewBorder(container.NewBorder(nil, nil, nil, other, widget.NewLabel("Foregrounds")), p.note, nil, nil, p.grid)
	return p
}

// show shows what is asked now, unless it is shown.
func (p *maskPreview) show(ask maskAsk) {
	if ask.suite != p.now.suite {
		p.page = 0
	}
	p.now = ask
	ask.page = p.page
	p.ask(ask)
}

func drawMasked(list []masked) (fyne.CanvasObject, string) {
	grid := container.NewGridWithColumns(3)
	for _, m := range list {
		grid.Add(container.NewBorder(nil, small(m.caption), nil, nil, newPreviewPicture(m.picture)))
	}
	return grid, ""
}

// maskSome reads some images with their masks. Errors name the file of a mask that is missing or
// wrong.
func maskSome(ctx context.Context, ws *store.Workspace, ask maskAsk) ([]masked, error) {
	s, err := ws.OpenSuiteContext(ctx, ask.suite)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // it was only read from
	masks, err := masksFor(ctx, ws, ask)
	if err != nil {
		return nil, err
	}
	var list []masked
	for _, i := range spread(s.Len(), maskedImages, ask.page) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img, err := s.Image(i)
		if err != nil {
			return nil, err
		}
		mask, err := masks(i, s.Name(i), img)
		if err != nil {
			return nil, err
		}
		list = append(list, masked{path.Base(s.Name(i)), darkened(img, mask)})
	}
	return list, nil
}

// masksFor gives the masks that are asked for; a nil mask where there are none.
func masksFor(ctx context.Context, ws *store.Workspace, ask maskAsk) (func(i int, name string, of suite.Image) (*background.Mask, error), error) {
	switch {
	case ask.folder != "":
		return func(_ int, name string, of suite.Image) (*background.Mask, error) {
			name = scenes.MaskFile(name)
			data, err := os.ReadFile(filepath.Join(ask.folder, filepath.FromSlash(name)))
			if os.IsNotExist(err) {
				return nil, fmt.Errorf("mask %s is not in %s", name, ask.folder)
			}
			if err != nil {
				return nil, err
			}
			mask, err := background.DecodeMask(data, of.Height, of.Width)
			if err != nil {
				return nil, fmt.Errorf("mask %s: %w", name, err)
			}
			return &mask, nil
		}, nil
	case ask.set != "":
		set, err := ws.MaskSet(ask.set)
		if err != nil {
			return nil, err
		}
		opened, err := scenes.OpenMasks(ctx, ws, set)
		if err != nil {
			return nil, err
		}
		return func(i int, _ string, of suite.Image) (*background.Mask, error) {
			mask, err := opened.Mask(i, of.Height, of.Width)
			return &mask, err
		}, nil
	}
	return func(int, string, suite.Image) (*background.Mask, error) { return nil, nil }, nil
}

// darkened is an image whose pixels outside of a mask are dark and gray; the image itself without
// one.
func darkened(img suite.Image, mask *background.Mask) image.Image {
	picture := img.RGBA()
	if mask == nil {
		return picture
	}
	for at, set := range mask.Set {
		if set {
			continue
		}
		x, y := at%mask.Width, at/mask.Width
		gray := color.GrayModel.Convert(picture.RGBAAt(x, y)).(color.Gray).Y / 4
		picture.SetRGBA(x, y, color.RGBA{R: gray, G: gray, B: gray, A: 255})
	}
	return picture
}
