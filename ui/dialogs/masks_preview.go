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
type maskPreview = preview[maskAsk, []masked]

func newMaskPreview(host *kit.Host, ws *store.Workspace, want func(page int) maskAsk) *maskPreview {
	p := &maskPreview{
		host: host, name: "preview of masks", want: want,
		load: func(ctx context.Context, ask maskAsk) ([]masked, error) { return maskSome(ctx, ws, ask) },
		draw: func(list []masked) (fyne.CanvasObject, string) {
			grid := container.NewGridWithColumns(3)
			for _, m := range list {
				grid.Add(container.NewBorder(nil, small(m.caption), nil, nil, newPreviewPicture(m.picture)))
			}
			return grid, ""
		},
	}
	p.build(widget.NewLabel("Foregrounds"))
	return p
}

// maskSome reads some images with their masks. Errors name the file of a mask that is missing or
// wrong.
func maskSome(ctx context.Context, ws *store.Workspace, ask maskAsk) (list []masked, err error) {
	masks, err := masksFor(ctx, ws, ask)
	if err != nil {
		return nil, err
	}
	err = eachImage(ctx, ws, ask.suite, spread(maskedImages, ask.page), func(s *suite.Suite, i int, img suite.Image) error {
		mask, err := masks(i, s.Name(i), img)
		if err == nil {
			list = append(list, masked{path.Base(s.Name(i)), darkened(img, mask)})
		}
		return err
	})
	return list, err
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
