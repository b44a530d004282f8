package dialogs

import (
	"context"
	"image"
	"image/color"
	"path"

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
	var set *scenes.Masks
	if ask.set != "" {
		record, err := ws.MaskSet(ask.set)
		if err != nil {
			return nil, err
		}
		if set, err = scenes.OpenMasks(ctx, ws, record); err != nil {
			return nil, err
		}
	}
	some := spread(maskedImages, ask.page)
	err = eachImage(ctx, ws, ask.suite, some, func(s *suite.Suite, i int, img suite.Image) (err error) {
		var mask background.Mask // without one the image is shown as it is
		switch {
		case set != nil:
			mask, err = set.Mask(i, img.Height, img.Width)
		case ask.folder != "":
			mask, err = scenes.ReadMask(ask.folder, scenes.MaskFile(s.Name(i)), img.Height, img.Width)
		}
		picture := img.RGBA()
		for at, foreground := range mask.Set {
			if x, y := at%mask.Width, at/mask.Width; !foreground {
				dark := color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y / 4
				picture.SetRGBA(x, y, color.RGBA{R: dark, G: dark, B: dark, A: 255})
			}
		}
		list = append(list, masked{path.Base(s.Name(i)), picture})
		return err
	})
	return list, err
}
