package widget

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// stripGap is the space between two thumbnails.
const stripGap = 4

// Strip shows a row of thumbnails that render.Strip has drawn as one image: one object per list row.
type Strip struct {
	widget.BaseWidget
	tiles int
	size  float32
	image *canvas.Image
}

// NewStrip makes an empty strip with room for so many square thumbnails, each size high and wide.
func NewStrip(tiles int, size float32) *Strip {
	s := &Strip{tiles: tiles, size: size, image: &canvas.Image{FillMode: canvas.ImageFillContain, ScaleMode: canvas.ImageScalePixels}}
	s.ExtendBaseWidget(s)
	return s
}

// SetImage shows a picture made off Fyne's goroutine, nil for none. Giving the same picture again costs nothing.
func (s *Strip) SetImage(img image.Image) {
	if s.image.Image == img {
		return
	}
	s.image.Image = img
	s.image.Hidden = img == nil
	if img != nil {
		s.image.Refresh()
	}
	s.Refresh()
}

// MinSize implements fyne.CanvasObject.
func (s *Strip) MinSize() fyne.Size {
	s.ExtendBaseWidget(s)
	return fyne.NewSize(float32(s.tiles)*(s.size+stripGap)-stripGap, s.size)
}

// CreateRenderer implements fyne.Widget.
func (s *Strip) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return widget.NewSimpleRenderer(s.image)
}
