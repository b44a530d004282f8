package dialogs

import (
	"context"
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/background"
)

// imageSource opens suites; *store.Workspace is one.
type imageSource interface {
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
}

// preview shows what a form would make of some images: pictures with a note below. They are made
// in the background; what is shown stays until the answer is there, and an answer to an older
// question is dropped.
type preview[Ask comparable, Shown any] struct {
	work   *background.Group
	name   string // of its jobs
	load   func(ctx context.Context, ask Ask) (Shown, error)
	draw   func(shown Shown) (pictures fyne.CanvasObject, note string)
	grid   *fyne.Container
	note   *widget.Label
	latest background.Latest
	asked  Ask
}

func newPreview[Ask comparable, Shown any](work *background.Group, name string, load func(context.Context, Ask) (Shown, error),
	draw func(Shown) (fyne.CanvasObject, string),
) *preview[Ask, Shown] {
	p := &preview[Ask, Shown]{work: work, name: name, load: load, draw: draw, grid: container.NewStack(), note: widget.NewLabel("")}
	p.note.Wrapping = fyne.TextWrapWord
	return p
}

// ask shows what is asked now, unless that is what was asked last.
func (p *preview[Ask, Shown]) ask(ask Ask) {
	if ask == p.asked {
		return
	}
	p.asked = ask
	p.say("drawing …", widget.MediumImportance)
	background.Load(p.work, &p.latest, p.name, func(ctx context.Context) (Shown, error) {
		return p.load(ctx, ask)
	}, func(shown Shown, err error) {
		switch {
		case err == nil:
			pictures, note := p.draw(shown)
			p.grid.Objects = []fyne.CanvasObject{pictures}
			p.grid.Refresh()
			p.say(note, widget.MediumImportance)
		case !cancelled(err):
			p.clear()
			p.say(sentence(err), widget.WarningImportance)
		}
	})
}

// clear takes the pictures away.
func (p *preview[Ask, Shown]) clear() {
	p.grid.RemoveAll()
	p.grid.Refresh()
}

func (p *preview[Ask, Shown]) say(text string, importance widget.Importance) {
	p.note.Importance = importance
	p.note.SetText(text)
}

// spread are so many images of a page, evenly far apart.
func spread(n, count, page int) []int {
	count = min(n, count)
	list := make([]int, count)
	for k := range list {
		list[k] = (k*n/count + page) % n
	}
	return list
}

// captionOf is an image's class, or its name in a suite without classes.
func captionOf(s *suite.Suite, i int) string {
	if class := s.Label(i); class >= 0 && class < len(s.Manifest().Classes) {
		return s.Manifest().Classes[class]
	}
	return s.Name(i)
}

// pictureOf is an image in 8 bits, rounded as in files (store/imageset).
func pictureOf(img suite.Image) image.Image {
	size, area := image.Rect(0, 0, img.Width, img.Height), img.Height*img.Width
	m := image.NewNRGBA(size)
	for i := range area {
		pixel := color.NRGBA{A: 255}
		for c, at := range []*uint8{&pixel.R, &pixel.G, &pixel.B} {
			*at = uint8(float64(img.Pix[min(c, img.Channels-1)*area+i])*255 + 0.5)
		}
		m.SetNRGBA(i%img.Width, i/img.Width, pixel)
	}
	return m
}

func newPreviewPicture(picture image.Image) fyne.CanvasObject {
	shown := canvas.NewImageFromImage(picture)
	shown.FillMode, shown.ScaleMode = canvas.ImageFillContain, canvas.ImageScalePixels
	if picture.Bounds().Dx() > 128 {
		shown.ScaleMode = canvas.ImageScaleSmooth
	}
	shown.SetMinSize(fyne.NewSquareSize(56))
	return shown
}

// small is a caption in the middle, cut where it is too long.
func small(text string) *widget.Label {
	label := widget.NewLabelWithStyle(text, fyne.TextAlignCenter, fyne.TextStyle{})
	label.SizeName, label.Truncation = theme.SizeNameCaptionText, fyne.TextTruncateEllipsis
	return label
}

// columns gives the left object its smallest width, but at least so much, and the right one the
// rest.
type columns struct{ left float32 }

func newColumns(left, right fyne.CanvasObject) *fyne.Container {
	return container.New(columns{left: 330}, left, right)
}

// Layout implements fyne.Layout.
func (c columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 16
	width := max(c.left, objects[0].MinSize().Width)
	objects[0].Resize(fyne.NewSize(width, size.Height))
	objects[1].Move(fyne.NewPos(width+gap, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-width-gap), size.Height))
}

// MinSize implements fyne.Layout.
func (c columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	left, right := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(c.left, left.Width)+right.Width+16, max(left.Height, right.Height))
}
