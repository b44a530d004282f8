package dscore

import (
	"context"
	"fmt"
	"image"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// detail shows the selected model: its three maps over the average image or over one image, and
// its regions as a table.
type detail struct {
	s       *Screen
	row     Row
	has     bool // whether there is a model
	average *average
	latest  background.Latest
	one     *Single // the image that is shown; nil for the average
	wanted  string  // the image that is shown or on its way
	alone   bool    // one image in place of the average
	walk    Walk
	shelf   *picture.Shelf
	missing *picture.Missing

	marks marks
	trio  *trio
	table *kit.Records[Region]

	mode           *fynewidget.RadioGroup
	previous, next *fynewidget.Button
	number         *widget.Entry
	class          *widget.Picker
	augment        *fynewidget.Button
	title          *fynewidget.Label
	walking        []fyne.Disableable
	quiet          bool // widgets are being filled: their callbacks do not count
	beside         *fyne.Container
	object         *fyne.Container
}

func newDetail(s *Screen) *detail {
	d := &detail{s: s}
	d.average = &average{s: s}
	d.shelf = picture.NewShelf(s.deps.Work, s.deps.Store, d.draw)
	d.missing = picture.NewMissing(s.deps.Locate)
	d.trio = newTrio(&d.marks)
	d.buildTable()
	d.marks.changed = d.marked
	for kind, m := range d.trio.maps {
		m.Menu = func() []*fyne.MenuItem { return s.saver.Entries(d.figure(kind)) }
	}
	head := d.buildHead()
	d.beside = &fyne.Container{Layout: besideLayout{tableLeast, d.table.Width}, Objects: []fyne.CanvasObject{d.trio.object, d.table.Object()}}
	d.object = container.NewBorder(container.NewVBox(head, d.missing.Object()), nil, nil, nil, d.beside)
	return d
}

// tableLeast is the least width of the table of regions.
const tableLeast = 300

func (d *detail) buildHead() fyne.CanvasObject {
	d.mode = fynewidget.NewRadioGroup([]string{"all images", "one image"}, func(string) { d.choseMode() })
	d.mode.Horizontal, d.mode.Required = true, true
	d.mode.SetSelected(d.mode.Options[0])
	d.previous = fynewidget.NewButtonWithIcon("", theme.NavigateBackIcon(), func() { d.walkTo(d.walk.Step(-1)) })
	d.next = fynewidget.NewButtonWithIcon("", theme.NavigateNextIcon(), func() { d.walkTo(d.walk.Step(1)) })
	d.number = widget.NewEntry()
	d.number.OnSubmitted = func(text string) {
		walk, err := d.walk.To(text)
		if err != nil {
			d.s.deps.Status(present.Sentence(err))
			return
		}
		d.walkTo(walk)
	}
	d.number.OnEscape = d.s.Focus
	d.class = widget.NewPicker(func(key string) {
		if class, err := strconv.Atoi(key); err == nil && !d.quiet {
			d.walkTo(d.walk.Of(class))
		}
	})
	d.walking = []fyne.Disableable{d.previous, d.next, d.number, d.class}
	d.augment = fynewidget.NewButtonWithIcon("Augmentation…", theme.ContentAddIcon(), func() { d.s.deps.Augment(d.row) })
	d.augment.Hidden = d.s.deps.Augment == nil
	d.title = fynewidget.NewLabel("")
	d.title.Truncation = fyne.TextTruncateEllipsis
	number := container.NewGridWrap(fyne.NewSize(numberWidth*widget.Grown(), d.number.MinSize().Height), d.number)
	class := container.NewGridWrap(fyne.NewSize(classWidth*widget.Grown(), d.class.MinSize().Height), d.class.Select)
	left := container.NewHBox(d.mode, d.previous, number, d.next, class)
	return container.NewBorder(nil, nil, left, d.augment, d.title)
}

// The widths of the number of an image and of the menu of classes.
const numberWidth, classWidth = 72, 130

func (d *detail) buildTable() {
	d.table = &kit.Records[Region]{
		Host: d.s.host(), Table: besideMaps(false), Bare: true, Empty: "No model is selected.",
		OnSelect: func(r Region, ok bool) {
			if ok && r.Number != d.marks.chosen {
				d.marks.set(r.Number)
			}
		},
	}
	d.marks.follow(func([]int) { d.mark() })
}

// mark selects the region in the table that is marked in the maps.
func (d *detail) mark() {
	at := ""
	for _, r := range d.table.Shown() {
		if r.Number == d.marks.region() {
			at = d.table.Table.ID(r)
		}
	}
	if r, ok := d.table.Selected(); !ok && at != "" || ok && d.table.Table.ID(r) != at {
		d.table.Select(at)
	}
}

// show shows a model; ok is false for none.
func (d *detail) show(r Row, ok bool) {
	other := d.walk.suite.Hash != r.Suite
	d.row, d.has = r, ok
	if !ok {
		d.latest.Next()
		d.one, d.wanted = nil, ""
		d.draw()
		return
	}
	d.marks.within(r.N)
	if other {
		d.walk = newWalk(d.s.view.Suite)
	}
	d.fillWalk()
	d.load()
	d.average.want(d.s.view.Suite)
	d.draw()
}

// choseMode changes between the average and one image.
func (d *detail) choseMode() {
	if d.walking == nil { // while it is being built
		return
	}
	d.alone = d.mode.Selected == d.mode.Options[1]
	d.fillWalk()
	d.load()
	d.draw()
}

// walkTo shows another image.
func (d *detail) walkTo(w Walk) {
	d.walk = w
	d.fillWalk()
	d.load()
	d.draw()
}

// fillWalk shows which image is chosen.
func (d *detail) fillWalk() {
	d.quiet = true
	defer func() { d.quiet = false }()
	d.class.Offer(d.walk.classes(), strconv.Itoa(d.walk.Class()))
	text := ""
	if d.walk.At() >= 0 {
		text = strconv.Itoa(d.walk.At())
	}
	if d.number.Text != text {
		d.number.SetText(text)
	}
	for _, o := range d.walking {
		switch can := d.alone && d.walk.At() >= 0; {
		case can && o.Disabled():
			o.Enable()
		case !can && !o.Disabled():
			o.Disable()
		}
	}
}

// load reads the chosen image for the model, where that is not what is shown or on its way.
func (d *detail) load() {
	wanted := ""
	if d.alone && d.has && d.walk.At() >= 0 {
		wanted = d.row.MaskKey + "/" + d.row.ShiftKey + "/" + strconv.Itoa(d.walk.At())
	}
	if wanted == d.wanted {
		return
	}
	d.wanted = wanted
	if wanted == "" {
		d.latest.Next()
		d.one = nil
		return
	}
	r, at := d.row, d.walk.At()
	background.Load(d.s.deps.Work, &d.latest, "read one image", func(ctx context.Context) (Single, error) {
		return readSingle(ctx, d.s.deps.Store, r, at)
	}, func(one Single, err error) {
		if err != nil {
			d.wanted, d.one = "", nil
			d.trio.show(Maps{}, nil, present.Sentence(err))
			d.fillTable(nil)
			d.title.SetText(present.Sentence(err))
			return
		}
		d.one = &one
		d.draw()
	})
}

// draw shows what is there: maps, image and table. What is on its way is drawn when it arrives.
func (d *detail) draw() {
	problem := d.average.problem
	if d.alone {
		problem = d.shelf.Problem()
	}
	if d.missing.Show(problem, d.row.Suite) {
		d.object.Refresh()
	}
	switch {
	case !d.has:
		d.trio.show(Maps{}, nil, "Select a model in the table.")
		d.fillTable(nil)
		d.title.SetText("")
		d.augment.Disable()
		return
	case d.alone && d.one == nil:
		return // it is on its way
	}
	d.augment.Enable()
	maps := d.maps()
	d.trio.show(maps, d.picture(), "")
	d.fillTable(d.regions())
	d.title.SetText(d.caption())
}

// caption says what the maps are of.
func (d *detail) caption() string {
	if d.one != nil {
		return d.one.Title()
	}
	return fmt.Sprintf("%s on %s of %s", d.row.Model.ID, present.Counted(int64(d.row.Images), "image"), d.row.SuiteName)
}

// maps are the maps that are shown, with their own colours.
func (d *detail) maps() Maps {
	m := newMaps(d.row.Model.ID, d.row.N, d.row.Score.Features, d.row.Score.Attention)
	if d.one != nil {
		m = d.one.maps()
	}
	list := []Maps{m}
	setScales(list, d.s.view.Colours)
	return list[0]
}

// regions are the lines of the table.
func (d *detail) regions() []Region {
	if d.one != nil {
		return regionsOfImage(d.one.Row, d.one.Image, d.one.Class)
	}
	return regionsOf(d.row)
}

// picture is what lies below the maps, nil while it is being made.
func (d *detail) picture() image.Image {
	if d.one == nil {
		return d.average.picture
	}
	d.shelf.Use(picture.Lens{Suite: d.one.Row.Suite, Root: d.s.view.Suite.Root, Spec: d.one.Spec})
	return d.shelf.Picture(picture.Key{Image: d.one.Image.Index})
}

// fillTable shows regions.
func (d *detail) fillTable(list []Region) {
	before := d.table.Width()
	d.table.Select("")
	d.table.Table = besideMaps(d.one != nil)
	d.table.Set(list)
	d.mark()
	if d.table.Width() != before {
		d.beside.Refresh()
	}
}

// marked says everything about the region under the pointer, or the chosen one.
func (d *detail) marked(region int) {
	for _, r := range d.table.Shown() {
		if r.Number == region {
			d.s.deps.Status(r.Line())
			return
		}
	}
	d.s.deps.Status("")
}

// rest lets go of the suite's files while the screen is not shown.
func (d *detail) rest() {
	d.marks.hover(0)
	d.shelf.Rest()
}

func (d *detail) close() {
	d.average.end()
	d.shelf.Close()
}
