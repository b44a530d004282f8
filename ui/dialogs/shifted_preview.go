package dialogs

import (
	"context"
	"image"
	"image/color"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// previewImages is how many images a preview shows.
const previewImages = 4

// previewAsk is what a preview is of. It is compared to tell whether anything changed.
type previewAsk struct {
	suite, corruption string
	seed              uint64
	truncate          bool
	n, t              int // of padded translation, which corruption names transform.ShiftSet
	page              int
}

// shifts tells whether the preview is of padded translation.
func (a previewAsk) shifts() bool { return a.corruption == transform.ShiftSet }

// previewChoices are what a preview can show: the corruptions by name, then padded translation.
func previewChoices() []string { return append(corrupt.Names(), transform.ShiftSet) }

// previewRow is one image: as it is, and under severities 1 to 5.
type previewRow struct {
	caption  string
	pictures [1 + corrupt.Severities]image.Image
}

// previewed is a preview that can be shown.
type previewed struct {
	rows    []previewRow
	scaled  bool
	regions regionsPreview // of padded translation
}

// imageSource opens suites; *store.Workspace is one.
type imageSource interface {
	OpenSuite(hash string) (*suite.Suite, error)
}

// preview computes what is asked for.
func preview(ctx context.Context, ws imageSource, ask previewAsk) (previewed, error) {
	if ask.shifts() {
		return shiftOne(ctx, ws, ask)
	}
	return corruptSome(ctx, ws, ask)
}

// corruptSome computes a preview of a corruption. The images are spread over the suite, each page takes the next ones.
func corruptSome(ctx context.Context, ws imageSource, ask previewAsk) (shown previewed, err error) {
	var corruptions [corrupt.Severities]*corrupt.Corruption
	for k := range corruptions {
		setting := corrupt.Setting{Name: ask.corruption, Severity: k + 1, Seed: ask.seed, Truncate: ask.truncate}
		if corruptions[k], err = corrupt.New(setting, nil); err != nil {
			return previewed{}, err
		}
	}
	s, err := ws.OpenSuite(ask.suite)
	if err != nil {
		return previewed{}, err
	}
	defer func() { _ = s.Close() }() // it was only read from
	for _, i := range spread(s.Len(), ask.page) {
		img, err := s.Image(i)
		if err != nil {
			return previewed{}, err
		}
		shown.scaled = shown.scaled || corrupt.Scaled(img.Channels, img.Height, img.Width) != ""
		row := previewRow{caption: captionOf(s, i)}
		row.pictures[0] = pictureOf(img)
		for k, c := range corruptions {
			if err := ctx.Err(); err != nil {
				return previewed{}, err
			}
			out, err := c.Apply(i, img)
			if err != nil {
				return previewed{}, err
			}
			row.pictures[1+k] = pictureOf(out)
		}
		shown.rows = append(shown.rows, row)
	}
	return shown, nil
}

// spread are the images of a page, evenly far apart.
func spread(n, page int) []int {
	count := min(n, previewImages)
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

// pictureOf is an image in 8 bits.
func pictureOf(img suite.Image) image.Image {
	size, area := image.Rect(0, 0, img.Width, img.Height), img.Height*img.Width
	m := image.NewNRGBA(size)
	for i := range area {
		pixel := color.NRGBA{A: 255}
		for c, at := range []*uint8{&pixel.R, &pixel.G, &pixel.B} {
			*at = uint8(255*img.Pix[min(c, img.Channels-1)*area+i] + 0.5)
		}
		m.SetNRGBA(i%img.Width, i/img.Width, pixel)
	}
	return m
}

// shiftPreview shows some images of a suite under one corruption, or one image in all regions.
type shiftPreview struct {
	host   Host
	ws     imageSource
	form   func() previewAsk // what the form says: suite, seed and form of values
	menu   *widget.Select
	page   int
	grid   *fyne.Container
	note   *widget.Label
	object fyne.CanvasObject
	latest background.Latest
	asked  previewAsk
}

func newShiftPreview(host Host, ws imageSource, form func() previewAsk) *shiftPreview {
	p := &shiftPreview{host: host, ws: ws, form: form, grid: container.NewStack(), note: widget.NewLabel("")}
	p.note.Wrapping = fyne.TextWrapWord
	var titles []string
	for _, name := range corrupt.Names() {
		titles = append(titles, present.Corruption(name))
	}
	titles = append(titles, words.T("padded translation"))
	p.menu = widget.NewSelect(titles, nil)
	p.menu.SetSelectedIndex(0)
	p.menu.OnChanged = func(string) { p.show() }
	other := widget.NewButton(words.T("Other images"), func() {
		p.page++
		p.show()
	})
	top := container.NewBorder(nil, nil, widget.NewLabel(words.T("Preview")), other, p.menu)
	p.object = container.NewBorder(top, p.note, nil, nil, p.grid)
	return p
}

// choose shows a corruption by name, or padded translation.
func (p *shiftPreview) choose(name string) {
	p.menu.SetSelectedIndex(slices.Index(previewChoices(), name))
}

// show computes the preview of what is asked now, unless that is what was asked last. What is shown stays until the answer is
// there; an answer to an older request is dropped.
func (p *shiftPreview) show() {
	ask := p.form()
	ask.corruption, ask.page = previewChoices()[max(0, p.menu.SelectedIndex())], p.page
	if !ask.shifts() {
		ask.n, ask.t = 0, 0
	} else {
		ask.seed, ask.truncate = 0, false
	}
	if ask == p.asked || ask.suite == "" {
		return
	}
	p.asked = ask
	p.say(words.T("drawing …"), widget.MediumImportance)
	background.Load(p.host.Work, &p.latest, "preview of corruptions", func(ctx context.Context) (previewed, error) {
		return preview(ctx, p.ws, ask)
	}, func(shown previewed, err error) {
		switch {
		case err == nil:
			p.draw(shown)
		case !cancelled(err):
			p.grid.RemoveAll()
			p.say(sentence(err), widget.WarningImportance)
		}
	})
}

func (p *shiftPreview) say(text string, importance widget.Importance) {
	p.note.Importance = importance
	p.note.SetText(text)
}

func (p *shiftPreview) draw(shown previewed) {
	p.grid.Objects = []fyne.CanvasObject{shown.object()}
	p.grid.Refresh()
	p.say(p.remarks(shown), widget.MediumImportance)
}

// object shows a preview of either kind.
func (shown previewed) object() fyne.CanvasObject {
	if shown.regions.n > 0 {
		return shown.regions.object()
	}
	headings := []fyne.CanvasObject{small(""), small(words.T("original"))}
	for severity := range corrupt.Severities {
		headings = append(headings, small(strconv.Itoa(severity+1)))
	}
	rows := container.NewGridWithRows(max(1, len(shown.rows)))
	for _, row := range shown.rows {
		cells := container.NewGridWithColumns(len(headings), container.NewVBox(layout.NewSpacer(), small(row.caption), layout.NewSpacer()))
		for _, picture := range row.pictures {
			cells.Add(newPreviewPicture(picture))
		}
		rows.Add(cells)
	}
	return container.NewBorder(container.NewGridWithColumns(len(headings), headings...), nil, nil, nil, rows)
}

// remarks says what one should know of what is shown.
func (p *shiftPreview) remarks(shown previewed) string {
	if shown.regions.n > 0 {
		return shown.regions.remark()
	}
	text := ""
	if shown.scaled {
		text = words.T("The parameters are made for 28 pixels a side (gray) and 32 (RGB); lengths are scaled to these images.")
	}
	if p.asked.corruption == "frost" {
		text = words.T("Frost is synthetic here; photographs can be given where images are saved.") + " " + text
	}
	return text
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

// columns gives the left object its smallest width, but at least so much, and the right one the rest.
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
