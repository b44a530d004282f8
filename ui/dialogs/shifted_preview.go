package dialogs

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/kit"
)

// previewImages is how many images a preview of corruptions shows.
const previewImages = 4

// previewAsk is what a preview is of. It is compared to tell whether anything changed.
type previewAsk struct {
	suite, corruption string
	seed              uint64
	truncate          bool
	n, t              int // of padded translation, which corruption names transform.ShiftSet
	page              int
}

// previewChoices are what a preview can show: the corruptions by name, then padded translation.
func previewChoices() []string { return append(corrupt.Names(), transform.ShiftSet) }

// previewRow is one image: as it is, and under severities 1 to 5 or shifted to each region.
type previewRow struct {
	caption       string
	plain         image.Image
	changed       []image.Image
	height, width int
}

// previewed is a preview that can be shown.
type previewed struct {
	ask    previewAsk
	rows   []previewRow
	scaled bool
}

// previewOf computes what is asked for. The images of corruptions are spread over the suite, each
// page takes the next ones; padded translation shows one image a page.
func previewOf(ctx context.Context, ws imageSource, ask previewAsk) (previewed, error) {
	shown := previewed{ask: ask}
	var changes []derive.Change
	choose := spread(previewImages, ask.page)
	if ask.corruption == transform.ShiftSet {
		shifts, err := derive.Shifts(ask.n, ask.t)
		if err != nil {
			return shown, err
		}
		for _, s := range shifts {
			changes = append(changes, s)
		}
		choose = func(n int) []int { return []int{oneOf(n, ask.page)} }
	} else {
		for k := range corrupt.Severities {
			changes = append(changes, corrupt.Setting{
				Name: ask.corruption, Severity: k + 1, Seed: ask.seed, Truncate: ask.truncate,
			})
		}
	}
	var applied []suite.Change
	for _, c := range changes {
		apply, err := c.Prepare()
		if err != nil {
			return shown, err
		}
		applied = append(applied, apply)
	}
	return shown, eachImage(ctx, ws, ask.suite, choose, func(s *suite.Suite, i int, img suite.Image) error {
		row := previewRow{caption: captionOf(s, i), plain: img.RGBA(), height: img.Height, width: img.Width}
		for _, apply := range applied {
			if err := ctx.Err(); err != nil {
				return err
			}
			out, err := apply(i, img)
			if err != nil {
				return err
			}
			row.changed = append(row.changed, out.RGBA())
		}
		shown.scaled = shown.scaled || corrupt.Scaled(img.Channels, img.Height, img.Width) != ""
		shown.rows = append(shown.rows, row)
		return nil
	})
}

// oneOf is the image of a page: the four that corruptions are shown on, one after the other, then
// the next four.
func oneOf(n, page int) int {
	list := spread(previewImages, page/previewImages)(n)
	return list[page%len(list)]
}

// shiftPreview shows some images of a suite under one corruption, or one image in all regions.
type shiftPreview struct {
	*preview[previewAsk, previewed]
	menu *widget.Select
}

func newShiftPreview(host *kit.Host, ws imageSource, form func() shiftAsk) *shiftPreview {
	var titles []string
	for _, name := range corrupt.Names() {
		titles = append(titles, derive.Title(name))
	}
	p := &shiftPreview{menu: widget.NewSelect(append(titles, "padded translation"), nil)}
	p.preview = &preview[previewAsk, previewed]{
		host: host, name: "preview of corruptions", draw: previewed.draw,
		load: func(ctx context.Context, ask previewAsk) (previewed, error) { return previewOf(ctx, ws, ask) },
		want: func(page int) previewAsk {
			o := form()
			ask := previewAsk{suite: o.Suite, corruption: previewChoices()[p.menu.SelectedIndex()], page: page}
			if ask.corruption == transform.ShiftSet {
				ask.n, ask.t = o.N, o.T
			} else {
				ask.seed, ask.truncate = o.Seed, o.Store != ""
			}
			return ask
		},
	}
	p.menu.SetSelectedIndex(0)
	p.menu.OnChanged = func(string) { p.look() }
	p.build(container.NewBorder(nil, nil, widget.NewLabel("Preview"), nil, p.menu))
	return p
}

func (shown previewed) draw() (pictures fyne.CanvasObject, note string) {
	if shown.ask.corruption == transform.ShiftSet {
		return shown.rows[0].regions(shown.ask.n, shown.ask.t)
	}
	headings := []fyne.CanvasObject{small(""), small("original")}
	for severity := range corrupt.Severities {
		headings = append(headings, small(strconv.Itoa(severity+1)))
	}
	rows := container.NewGridWithRows(max(1, len(shown.rows)))
	for _, row := range shown.rows {
		caption := container.NewVBox(layout.NewSpacer(), small(row.caption), layout.NewSpacer())
		cells := container.NewGridWithColumns(len(headings), caption, newPreviewPicture(row.plain))
		for _, picture := range row.changed {
			cells.Add(newPreviewPicture(picture))
		}
		rows.Add(cells)
	}
	if shown.ask.corruption == "frost" {
		note = "Frost is synthetic here; photographs can be given where images are saved. "
	}
	if shown.scaled {
		note += "The parameters are made for 28 pixels a side (gray) and 32 (RGB); lengths are scaled to these images."
	}
	return container.NewBorder(container.NewGridWithColumns(len(headings), headings...), nil, nil, nil, rows), note
}

// regions shows the image beside its shifted forms, which lie as the regions do.
func (row previewRow) regions(n, t int) (pictures fyne.CanvasObject, note string) {
	gap := max(1, row.width/16)
	grid := image.NewRGBA(image.Rect(0, 0, n*(row.width+gap)-gap, n*(row.height+gap)-gap))
	for k, picture := range row.changed {
		at := image.Pt(k%n*(row.width+gap), k/n*(row.height+gap))
		draw.Draw(grid, picture.Bounds().Add(at), picture, image.Point{}, draw.Src)
	}
	plain, all := newPreviewPicture(row.plain), newPreviewPicture(grid)
	all.ScaleMode = plain.ScaleMode
	plain.SetMinSize(fyne.NewSquareSize(112))
	pictures = container.NewBorder(nil, nil, container.NewVBox(small("original"), plain, small(row.caption)), nil, all)
	high, wide := region.PaddedSize(row.height, row.width, n, t) // with all the black around the image
	if high == row.height && wide == row.width {
		return pictures,
			"Nothing moves: t is larger than the sides of these images, so that no pixel is put around them."
	}
	return pictures,
		fmt.Sprintf("Regions are numbered row by row from the upper left. The %d × %d pixels of an image are "+
			"placed on %d × %d black ones, and the whole is resized back.", row.width, row.height, wide, high)
}
