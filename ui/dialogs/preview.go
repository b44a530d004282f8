package dialogs

import (
	"context"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// imageSource opens suites; *store.Workspace is one.
type imageSource interface {
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
}

// preview shows what a form would make of some images: pictures with a note below, and a button
// for other images. They are made in the background; what is shown stays until the answer is there,
// and an answer to an older question is dropped.
type preview[Ask comparable, Shown any] struct {
	host *kit.Host
	name string             // of its jobs
	want func(page int) Ask // what is asked now; each page has other images
	load func(ctx context.Context, ask Ask) (Shown, error)
	draw func(shown Shown) (pictures fyne.CanvasObject, note string)

	object fyne.CanvasObject
	grid   *fyne.Container
	note   *widget.Label
	latest jobs.Latest
	asked  Ask
	page   int
}

// build makes what is shown: title and buttons stand above the pictures.
func (p *preview[Ask, Shown]) build(title fyne.CanvasObject, buttons ...fyne.CanvasObject) {
	p.grid, p.note = container.NewStack(), own.Wrapped("")
	other := widget.NewButton("Other images", func() {
		p.page++
		p.look()
	})
	top := container.NewBorder(nil, nil, nil, container.NewHBox(append(buttons, other)...), title)
	p.object = container.NewBorder(top, p.note, nil, nil, p.grid)
}

// look shows what is asked now, unless that is what was asked last.
func (p *preview[Ask, Shown]) look() {
	ask := p.want(p.page)
	if ask == p.asked {
		return
	}
	p.asked = ask
	p.say("drawing …", widget.MediumImportance)
	jobs.Load(p.host.Work, &p.latest, p.name, func(ctx context.Context) (Shown, error) {
		return p.load(ctx, ask)
	}, func(shown Shown, err error) {
		switch {
		case err == nil:
			pictures, note := p.draw(shown)
			p.grid.Objects = []fyne.CanvasObject{pictures}
			p.say(note, widget.MediumImportance)
		case !cancelled(err):
			p.grid.Objects = nil
			p.say(sentence(err), widget.WarningImportance)
		}
		p.grid.Refresh()
	})
}

func (p *preview[Ask, Shown]) say(text string, importance widget.Importance) {
	p.note.Importance = importance
	p.note.SetText(text)
}

// eachImage calls do with some images of a suite, of which choose makes a list of so many.
func eachImage(ctx context.Context, ws imageSource, hash string, choose func(n int) []int,
	do func(s *suite.Suite, i int, img suite.Image) error,
) error {
	s, err := ws.OpenSuiteContext(ctx, hash)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // it was only read from
	for _, i := range choose(s.Len()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		img, err := s.Image(i)
		if err == nil {
			err = do(s, i, img)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// spread chooses so many images of a page, evenly far apart.
func spread(count, page int) func(n int) []int {
	return func(n int) []int {
		list := make([]int, min(n, count))
		for k := range list {
			list[k] = (k*n/len(list) + page) % n
		}
		return list
	}
}

// captionOf is an image's class, or its name in a suite without classes.
func captionOf(s *suite.Suite, i int) string {
	if class := s.Label(i); class >= 0 && class < len(s.Manifest().Classes) {
		return s.Manifest().Classes[class]
	}
	return s.Name(i)
}

func newPreviewPicture(picture image.Image) *canvas.Image {
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
