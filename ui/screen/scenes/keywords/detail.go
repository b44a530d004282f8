package keywords

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// detail is the chosen image in large with its keywords by level, and the figure of all targets.
type detail struct {
	p        *Page
	large    *kit.ImageCache[int] // of the suite that the chosen image is in
	row      int                  // of the table, whose chips are shown; -1 for none
	frame    *kit.Frame
	lines    *fynewidget.Label
	note     *fynewidget.Label
	make     *fynewidget.Button
	onward   *fyne.Container // of make
	keywords *widget.Chips
	chart    *kit.Figure
	counts   answer
	one      *fyne.Container // picture, lines and keywords
	tabs     *container.AppTabs
	object   fyne.CanvasObject
}

func newDetail(p *Page) *detail {
	d := &detail{p: p, row: -1, frame: kit.NewFrame(120), lines: fynewidget.NewLabel(""), note: fynewidget.NewLabel("")}
	d.large = kit.NewImageCache[int](p.Work, d.picture)
	d.lines.Wrapping, d.note.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	d.lines.SizeName, d.note.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText
	d.keywords = widget.NewChips(bg.LevelName)
	d.keywords.OnHover = p.Say
	d.keywords.OnTapped = d.pick
	d.make = fynewidget.NewButton("Make an ontology…", func() { p.site.Open(page.Ontology, p.subject) })
	d.chart = &kit.Figure{
		Host: p.Host, Name: func() []string { return []string{p.view.Record.Name, "keywords per level"} },
		Command: func() string {
			// The command has no bound.
			if of := d.counts.data; of.Graph.Record.ID != "" && d.counts.expansion.MinKeywords == 0 {
				return p.site.Ontology(of.Graph.Record, of.Table.Classes(), d.counts.expansion.MaxLevels)
			}
			return ""
		},
	}
	var save *fynewidget.Button
	save = fynewidget.NewButtonWithIcon("Save figure…", theme.DocumentSaveIcon(), func() {
		widget.PopUpBelow(save, p.Window.Canvas(), d.chart.Entries()...)
	})
	d.onward = container.NewCenter(d.make)
	foot := container.NewBorder(nil, nil, nil, d.onward, d.note)
	d.one = container.New(portrait{}, d.frame, d.lines, d.keywords)
	all := container.NewBorder(nil, container.NewHBox(save), nil, nil, d.chart.Object())
	d.tabs = container.NewAppTabs(widget.NewTab("Image", d.one), widget.NewTab("All targets", all))
	d.tabs.OnSelected = func(*container.TabItem) { p.Say("") }
	d.object = container.NewBorder(p.far.Object(), foot, nil, nil, d.tabs)
	return d
}

// show brings everything up to date.
func (d *detail) show() {
	d.remark()
	d.chips()
	d.picture()
}

// remark says what the expansion rests on.
func (d *detail) remark() {
	v := d.p.view
	d.onward.Hidden = v.Graph.Record.ID != ""
	text := fmt.Sprintf("Expanded with the ontology %s.", v.Graph.Record.Name)
	d.note.Importance = fynewidget.LowImportance
	switch {
	case v.Graph.Record.ID == "":
		text = "There is no ontology of this table yet, so that nothing is expanded."
	case v.OtherRule():
		text = fmt.Sprintf("Expanded with the ontology %s, "+
			"which was made with another rule than the one on the left.", v.Graph.Record.Name)
		d.note.Importance = fynewidget.WarningImportance
	}
	d.note.SetText(text)
}

// chips shows the chosen image's keywords.
func (d *detail) chips() {
	v := d.p.view
	d.row = v.Chosen()
	if d.row < 0 {
		d.keywords.SetChips(nil, 0)
		d.write("No image has these keywords.")
		return
	}
	d.write(strings.Join(v.Details(d.row), "\n"))
	chips, levels := v.Chips(d.row, d.p.expansion()), d.p.expansion().MaxLevels
	if levels == 0 && len(chips) > 0 {
		levels = chips[len(chips)-1].Level
	}
	d.keywords.SetChips(chips, max(1, levels))
}

// write puts lines below the picture, which take the room that they need.
func (d *detail) write(lines string) {
	d.lines.SetText(lines)
	d.one.Refresh()
}

// pick looks for the images of a chip's keyword.
func (d *detail) pick(k int) {
	v := d.p.view
	if list := v.expansion(d.row, d.p.expansion()); k < len(list) {
		d.p.list.Unmark()
		d.p.list.Select(v.items()[list[k].Item])
		d.p.want()
	}
}

// largeSide bounds the large picture, in pixels.
const largeSide = 1024

// picture shows the chosen image; the last one stays until it is read. Where it cannot be read, the
// gallery says why.
func (d *detail) picture() {
	v := d.p.view
	place := v.Place(v.Chosen())
	if place.Suite == "" {
		d.large.Use("", nil)
		d.frame.SetPicture(nil)
		return
	}
	d.large.Use(place.Suite+v.Homes[place.Suite].Root, picture.Whole(d.p.site.Workspace, place.Suite, largeSide))
	if made := d.large.Picture(place.Image); made != nil || d.large.Problem() != nil {
		d.frame.SetPicture(made)
	}
}

// levels draws the figure of all targets.
func (d *detail) levels(x answer) {
	d.counts = x
	note := fmt.Sprintf("%s; %s; expanded to %d keywords, %s", result.Counted(x.targets, "target"),
		x.data.Graph.Record.Name, x.expansion.MinKeywords, x.expansion.LevelsText())
	d.chart.Set(bg.LevelFigure(x.data.Record.Name, note, x.levels))
}

// portrait gives the picture up to half of the height, the lines what they need, and the keywords
// the rest.
type portrait struct{}

// Layout implements fyne.Layout.
func (portrait) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	frame, lines, chips := objects[0], objects[1], objects[2]
	side := min(size.Width, 0.45*size.Height)
	frame.Move(fyne.NewPos(0, 0))
	frame.Resize(fyne.NewSize(size.Width, side))
	lines.Resize(fyne.NewSize(size.Width, lines.MinSize().Height))
	lines.Resize(fyne.NewSize(size.Width, lines.MinSize().Height)) // its lines were broken anew
	lines.Move(fyne.NewPos(0, side))
	top := side + lines.Size().Height
	chips.Move(fyne.NewPos(theme.InnerPadding(), top))
	chips.Resize(fyne.NewSize(size.Width-theme.InnerPadding(), max(0, size.Height-top)))
}

// MinSize implements fyne.Layout.
func (portrait) MinSize(objects []fyne.CanvasObject) fyne.Size {
	frame, lines, chips := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	return fyne.NewSize(max(frame.Width, chips.Width), frame.Height+min(lines.Height, 60)+chips.Height)
}
