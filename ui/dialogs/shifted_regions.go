package dialogs

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
)

// regionsPreview is one image, as it is and shifted to n x n regions; n is 0 for none.
type regionsPreview struct {
	n                   int
	caption             string
	plain               image.Image
	shifted             []image.Image // by region
	height, width       int
	highPadded, widePad int // the size with all the black around it
}

// shiftOne computes a preview of padded translation. Each page takes the next image of those that
// are spread over the suite.
func shiftOne(ctx context.Context, ws imageSource, ask previewAsk) (previewed, error) {
	shifts, err := derive.Shifts(ask.n, ask.t)
	if err != nil {
		return previewed{}, err
	}
	s, err := ws.OpenSuiteContext(ctx, ask.suite)
	if err != nil {
		return previewed{}, err
	}
	defer func() { _ = s.Close() }() // it was only read from
	i := oneOf(s.Len(), ask.page)
	img, err := s.Image(i)
	if err != nil {
		return previewed{}, err
	}
	shown := regionsPreview{n: ask.n, caption: captionOf(s, i), plain: pictureOf(img), height: img.Height, width: img.Width}
	shown.highPadded, shown.widePad = region.PaddedSize(img.Height, img.Width, ask.n, ask.t)
	for _, shift := range shifts {
		if err := ctx.Err(); err != nil {
			return previewed{}, err
		}
		out, err := shifted(shift, i, img)
		if err != nil {
			return previewed{}, err
		}
		shown.shifted = append(shown.shifted, pictureOf(out))
	}
	return previewed{regions: shown}, nil
}

func shifted(s derive.Shift, i int, img suite.Image) (suite.Image, error) {
	apply, err := s.Prepare()
	if err != nil {
		return suite.Image{}, err
	}
	return apply(i, img)
}

// oneOf is the image of a page: the four that corruptions are shown on, one after the other, then
// the next four.
func oneOf(n, page int) int {
	list := spread(n, previewImages, page/previewImages)
	return list[page%len(list)]
}

// object lays the image beside its shifted forms, which lie as the regions do.
func (r regionsPreview) object() fyne.CanvasObject {
	grid := container.New(squares{r.n})
	for _, picture := range r.shifted {
		grid.Add(newRegionPicture(picture))
	}
	plain := container.NewBorder(small("original"), small(r.caption), nil, nil, newPreviewPicture(r.plain))
	return container.New(besideGrid{}, plain, grid)
}

// remark says what is shown.
func (r regionsPreview) remark() string {
	if r.highPadded == r.height && r.widePad == r.width {
		return "Nothing moves: t is larger than the sides of these images, so that no pixel is put around them."
	}
	return fmt.Sprintf("Regions are numbered row by row from the upper left. The %d × %d pixels of an image are placed on %d × %d black ones, "+
		"and the whole is resized back.", r.width, r.height, r.widePad, r.highPadded)
}

// newRegionPicture may be very small: there are up to 256 of them.
func newRegionPicture(picture image.Image) fyne.CanvasObject {
	shown := newPreviewPicture(picture)
	if c, ok := shown.(*canvas.Image); ok {
		c.SetMinSize(fyne.NewSquareSize(8))
	}
	return shown
}

// squares lays n x n objects close together, row by row, in the middle of the room that there is.
type squares struct{ n int }

// Layout implements fyne.Layout.
func (s squares) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	side := min(size.Width, size.Height) / float32(s.n)
	gap := min(6, side/10)
	left, top := (size.Width-float32(s.n)*side)/2, (size.Height-float32(s.n)*side)/2
	for k, o := range objects {
		o.Move(fyne.NewPos(left+float32(k%s.n)*side+gap/2, top+float32(k/s.n)*side+gap/2))
		o.Resize(fyne.NewSquareSize(side - gap))
	}
}

// MinSize implements fyne.Layout.
func (s squares) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var side float32
	for _, o := range objects {
		side = max(side, o.MinSize().Width, o.MinSize().Height)
	}
	return fyne.NewSquareSize(float32(s.n) * side)
}

// besideGrid gives the first object a fifth of the width, and the second the rest.
type besideGrid struct{}

// Layout implements fyne.Layout.
func (besideGrid) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := max(objects[0].MinSize().Width, size.Width/5)
	objects[0].Resize(fyne.NewSize(width, min(size.Height, width+60)))
	objects[1].Move(fyne.NewPos(width, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-width), size.Height))
}

// MinSize implements fyne.Layout.
func (besideGrid) MinSize(objects []fyne.CanvasObject) fyne.Size {
	left, right := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(left.Width+right.Width, max(left.Height, right.Height))
}
