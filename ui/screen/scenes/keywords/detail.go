package keywords

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// detail is the chosen image in large with its keywords by level, and the figure of all targets.
type detail struct {
	p        *Page
	latest   background.Latest
	wanted   scenes.Place // the image that is shown or on its way
	row      int          // of the table, whose chips are shown; -1 for none
	frame    *picture.Frame
	lines    *fynewidget.Label
	note     *fynewidget.Label
	make     *fynewidget.Button
	onward   *fyne.Container // of make
	keywords *widget.Chips
	least    *widget.Entry
	most     *widget.Entry
	chart    *widget.Chart
	counts   Expanded
	one      *fyne.Container // picture, lines and keywords
	tabs     *container.AppTabs
	object   fyne.CanvasObject
	quiet    bool
}

func newDetail(p *Page) *detail {
	d := &detail{p: p, row: -1, frame: picture.NewFrame(120), lines: fynewidget.NewLabel(""), note: fynewidget.NewLabel("")}
	d.lines.Wrapping, d.note.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	d.lines.SizeName, d.note.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText
	d.keywords = widget.NewChips(present.LevelName)
	d.keywords.OnHover = p.deps.Host.Say
	d.keywords.OnTapped = d.pick
	d.make = fynewidget.NewButton("Make an ontology…", func() { p.deps.Open(page.Ontology, p.subject) })
	d.chart = widget.NewChart()
	d.chart.OnHover = func(_ float64, text string) { p.deps.Host.Say(text) }
	d.chart.Menu = func() []*fyne.MenuItem {
		return p.saver.Menu(d.drawing, func() []string { return []string{p.view.Record.Name, "keywords per level"} })
	}
	save := fynewidget.NewButtonWithIcon("Save figure…", theme.DocumentSaveIcon(), nil)
	save.OnTapped = func() {
		menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", d.chart.Menu()...), p.deps.Host.Window.Canvas())
		menu.ShowAtRelativePosition(fyne.NewPos(0, save.Size().Height), save)
	}
	d.onward = container.NewCenter(d.make)
	foot := container.NewBorder(nil, nil, nil, d.onward, d.note)
	d.one = container.New(portrait{}, d.frame, d.lines, d.keywords)
	all := container.NewBorder(nil, container.NewHBox(save), nil, nil, d.chart)
	d.tabs = container.NewAppTabs(container.NewTabItem("Image", d.one), container.NewTabItem("All targets", all))
	d.tabs.OnSelected = func(tab *container.TabItem) {
		p.deps.Host.Say("")
		tab.Content.Refresh() // the theme may have changed while it was hidden
	}
	d.object = container.NewBorder(d.fields(), foot, nil, nil, d.tabs)
	return d
}

// fields ask how far keywords are expanded.
func (d *detail) fields() fyne.CanvasObject {
	d.least, d.most = widget.NewEntry(), widget.NewEntry()
	for _, e := range []*widget.Entry{d.least, d.most} {
		e.OnChanged = func(string) { d.edited() }
		e.OnEscape = d.p.Focus
	}
	return container.NewHBox(
		fynewidget.NewLabel("expand: keywords"), picture.Wide(numberWidth, d.least),
		fynewidget.NewLabel("levels"), picture.Wide(numberWidth, d.most))
}

func (d *detail) edited() {
	if d.quiet {
		return
	}
	e, err := parseExpansion(d.least.Text, d.most.Text)
	if err != nil {
		d.say(present.Sentence(err), true)
		return
	}
	d.remark()
	d.p.expand(e)
}

// mostLevels bounds the levels of an expansion that are looked at.
const mostLevels = 20

func parseExpansion(least, most string) (e bg.Expansion, err error) {
	if e.MinKeywords, err = strconv.Atoi(strings.TrimSpace(least)); err != nil {
		return e, errors.New("the number of keywords is a whole number; 0 for no bound")
	}
	if e.MaxLevels, err = strconv.Atoi(strings.TrimSpace(most)); err != nil {
		return e, fmt.Errorf("the number of levels is a whole number from 0 to %d", mostLevels)
	}
	return e, checkExpansion(e)
}

func checkExpansion(e bg.Expansion) error {
	switch {
	case e.MinKeywords < 0:
		return errors.New("the number of keywords is a whole number; 0 for no bound")
	case e.MaxLevels < 0 || e.MaxLevels > mostLevels:
		return fmt.Errorf("the number of levels is a whole number from 0 to %d", mostLevels)
	}
	return nil
}

// show brings everything up to date.
func (d *detail) show() {
	d.fill()
	d.remark()
	d.chips()
	d.picture()
}

// fill shows the expansion in its fields, unless they say it already.
func (d *detail) fill() {
	e := d.p.expansion
	if now, err := parseExpansion(d.least.Text, d.most.Text); err == nil && now == e {
		return
	}
	d.quiet = true
	d.least.SetText(strconv.Itoa(e.MinKeywords))
	d.most.SetText(strconv.Itoa(e.MaxLevels))
	d.quiet = false
}

// remark says what the expansion rests on.
func (d *detail) remark() {
	v := d.p.view
	none := v.Graph.Record.ID == ""
	d.onward.Hidden = !none
	switch {
	case none:
		d.say("There is no ontology of this table yet, so that nothing is expanded.", false)
	case v.OtherRule():
		d.say(fmt.Sprintf("Expanded with the ontology %s, which was made with another rule than the one on the left.", v.Graph.Record.Name), true)
	default:
		d.say(fmt.Sprintf("Expanded with the ontology %s.", v.Graph.Record.Name), false)
	}
}

func (d *detail) say(text string, warn bool) {
	d.note.Importance = fynewidget.LowImportance
	if warn {
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
	d.keywords.SetChips(v.Chips(d.row, d.p.expansion), max(1, d.p.expansion.MaxLevels))
}

// write puts lines below the picture, which take the room that they need.
func (d *detail) write(lines string) {
	d.lines.SetText(lines)
	d.one.Refresh()
}

// pick looks for the images of a chip's keyword.
func (d *detail) pick(k int) {
	v := d.p.view
	if list := v.expansion(d.row, d.p.expansion); k < len(list) {
		d.p.face.list.pick(v.items()[list[k].Item])
	}
}

// largeSide bounds the large picture, in pixels.
const largeSide = 1024

// picture reads the chosen image, where that is not what is shown or on its way.
func (d *detail) picture() {
	v := d.p.view
	place := scenes.Place{}
	if v.Chosen() >= 0 {
		place = v.Place(v.Chosen())
	}
	if place == d.wanted {
		return
	}
	d.wanted = place
	if place.Suite == "" {
		d.latest.Next()
		d.frame.SetPicture(nil)
		return
	}
	ws := d.p.deps.Workspace
	background.Load(d.p.deps.Host.Work, &d.latest, "read image", func(ctx context.Context) (image.Image, error) {
		opened, err := ws.OpenSuiteContext(ctx, place.Suite)
		if err != nil {
			return nil, err
		}
		defer func() { _ = opened.Close() }() // it was only read from
		return picture.Read(opened, place.Image, largeSide), nil
	}, func(made image.Image, err error) {
		if err != nil {
			made, d.wanted = nil, scenes.Place{} // the gallery says why
		}
		d.frame.SetPicture(made)
	})
}

// levels draws the figure of all targets.
func (d *detail) levels(x Expanded) {
	d.counts = x
	data := widget.ChartData{Empty: "No ontology of this table yet."}
	if x.Targets > 0 {
		curves := d.figure()
		data = widget.ChartData{XName: curves.X.Name, YName: curves.Y.Name, High: curves.Y.High}
		for _, c := range curves.Curves {
			data.Series = append(data.Series, widget.Series{Name: c.Name, X: c.X, Y: c.Y})
			data.XTicks = c.X
		}
	}
	d.chart.SetData(data)
}

// figure is the figure of all targets.
func (d *detail) figure() render.Curves {
	e := d.counts.Expansion
	note := fmt.Sprintf("%s; %s; expanded to %d keywords, in %d levels at most", present.Counted(int64(d.counts.Targets), "target"),
		d.p.view.Graph.Record.Name, e.MinKeywords, e.MaxLevels)
	return render.KeywordLevels(d.p.view.Record.Name, note, d.counts.Levels, render.LevelNames{
		Largest: "largest", Mean: "mean", Smallest: "smallest",
		Level: "level of the expansion", Keywords: "keywords per image",
	})
}

// drawing is the figure as it is now.
func (d *detail) drawing() figures.Drawing {
	curves, data := d.figure(), d.chart.Data()
	return func(w io.Writer, format string) error {
		if format == "csv" {
			return figures.CSV(w, data)
		}
		return curves.Write(w, format)
	}
}

func (d *detail) close() { d.latest.Next() }

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
