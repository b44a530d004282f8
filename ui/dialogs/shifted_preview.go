package dialogs

import (
	"context"
	"image"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/derive"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/kit"
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

// previewOf computes what is asked for.
func previewOf(ctx context.Context, ws imageSource, ask previewAsk) (previewed, error) {
	if ask.shifts() {
		return shiftOne(ctx, ws, ask)
	}
	return corruptSome(ctx, ws, ask)
}

// corruptSome computes a preview of a corruption. The images are spread over the suite, each page
// takes the next ones.
func corruptSome(ctx context.Context, ws imageSource, ask previewAsk) (shown previewed, err error) {
	var corruptions [corrupt.Severities]*corrupt.Corruption
	for k := range corruptions {
		setting := corrupt.Setting{Name: ask.corruption, Severity: k + 1, Seed: ask.seed, Truncate: ask.truncate}
		if corruptions[k], err = corrupt.New(setting, nil); err != nil {
			return previewed{}, err
		}
	}
	s, err := ws.OpenSuiteContext(ctx, ask.suite)
	if err != nil {
		return previewed{}, err
	}
	defer func() { _ = s.Close() }() // it was only read from
	for _, i := range spread(s.Len(), previewImages, ask.page) {
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

// shiftPreview shows some images of a suite under one corruption, or one image in all regions.
type shiftPreview struct {
	*preview[previewAsk, previewed]
	form   func() previewAsk // what the form says: suite, seed and form of values
	menu   *widget.Select
	page   int
	object fyne.CanvasObject
}

func newShiftPreview(host *kit.Host, ws imageSource, form func() previewAsk) *shiftPreview {
	p := &shiftPreview{form: form}
	p.preview = newPreview(host.Work, "preview of corruptions", func(ctx context.Context, ask previewAsk) (previewed, error) {
		return previewOf(ctx, ws, ask)
	}, p.pictures)
	var titles []string
	for _, name := range corrupt.Names() {
		titles = append(titles, derive.Title(name))
	}
	titles = append(titles, "padded translation")
	p.menu = widget.NewSelect(titles, nil)
	p.menu.SetSelectedIndex(0)
	p.menu.OnChanged = func(string) { p.show() }
	other := widget.NewButton("Other images", func() {
		p.page++
		p.show()
	})
	top := container.NewBorder(nil, nil, widget.NewLabel("Preview"), other, p.menu)
	p.object = container.NewBorder(top, p.note, nil, nil, p.grid)
	return p
}

// choose shows a corruption by name, or padded translation.
func (p *shiftPreview) choose(name string) {
	p.menu.SetSelectedIndex(slices.Index(previewChoices(), name))
}

// show shows what is asked now.
func (p *shiftPreview) show() {
	ask := p.form()
	ask.corruption, ask.page = previewChoices()[max(0, p.menu.SelectedIndex())], p.page
	if ask.shifts() {
		ask.seed, ask.truncate = 0, false
	} else {
		ask.n, ask.t = 0, 0
	}
	if ask.suite != "" {
		p.ask(ask)
	}
}

func (p *shiftPreview) pictures(shown previewed) (pictures fyne.CanvasObject, note string) {
	if shown.regions.n > 0 {
		return shown.regions.object(), shown.regions.remark()
	}
	headings := []fyne.CanvasObject{small(""), small("original")}
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
	return container.NewBorder(container.NewGridWithColumns(len(headings), headings...), nil, nil, nil, rows), p.remarks(shown)
}

// remarks says what one should know of what is shown.
func (p *shiftPreview) remarks(shown previewed) string {
	text := ""
	if shown.scaled {
		text = "The parameters are made for 28 pixels a side (gray) and 32 (RGB); lengths are scaled to these images."
	}
	if p.asked.corruption == "frost" {
		text = "Frost is synthetic here; photographs can be given where images are saved." + " " + text
	}
	return text
}
