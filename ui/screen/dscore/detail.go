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

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
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
	latest  jobs.Latest
	one     *Single // the image that is shown; nil for the average
	wanted  string  // the image that is shown or on its way
	alone   bool    // one image in place of the average
	walk    Walk
	cache   *picture.Cache
	missing *kit.MissingImages

	marks marks
	trio  *trio
	table *kit.Records[Region]

	mode           *fynewidget.RadioGroup
	previous, next *widget.HintButton
	number         *widget.Entry
	class          *widget.Picker
	augment        *fynewidget.Button
	title          *fynewidget.Label
	walking        []fyne.Disableable
	quiet          bool // widgets are being filled: their callbacks do not count
	beside         *fyne.Container
	object         *fyne.Container
}

func newDetail(s *Screen, host *kit.Host) *detail {
	d := &detail{s: s}
	d.cache = picture.NewCache(host.Work, s.store, d.draw)
	d.missing = kit.NewMissingImages(host.Locate)
	d.trio = newTrio(&d.marks)
	d.table = &kit.Records[Region]{
		Host: host, Table: besideMaps(false), Plain: true, Empty: "No model is selected.",
		OnSelect: func(r Region, ok bool) {
			if ok && r.Number != d.marks.chosen {
				d.marks.set(r.Number)
			}
		},
	}
	d.marks.follow(func([]int) { d.mark() })
	d.marks.changed = d.marked
	for kind, m := range d.trio.maps {
		m.Menu = func() []*fyne.MenuItem { return s.Saver().Entries(d.figure(kind)) }
	}
	head := d.buildHead(host)
	d.beside = container.New(besideLayout{tableLeast, d.table.Width}, d.trio.object, d.table.Object())
	d.object = container.NewBorder(container.NewVBox(head, d.missing.Object()), nil, nil, nil, d.beside)
	return d
}

// tableLeast is the least width of the table of regions.
const tableLeast = 300

func (d *detail) buildHead(host *kit.Host) fyne.CanvasObject {
	d.mode = fynewidget.NewRadioGroup([]string{"all images", "one image"}, func(string) { d.choseMode() })
	d.mode.Horizontal, d.mode.Required = true, true
	d.mode.SetSelected(d.mode.Options[0])
	d.previous = host.IconButton(theme.NavigateBackIcon(), "The image before", func() { d.walkTo(d.walk.Step(-1)) })
	d.next = host.IconButton(theme.NavigateNextIcon(), "The next image", func() { d.walkTo(d.walk.Step(1)) })
	d.number = widget.NewEntry()
	d.number.OnSubmitted = func(text string) {
		walk, err := d.walk.To(text)
		if err != nil {
			d.s.Say(present.Sentence(err))
			return
		}
		d.walkTo(walk)
	}
	d.number.OnEscape = func() { d.s.Focus() }
	d.class = widget.NewPicker(func(key string) {
		if class, err := strconv.Atoi(key); err == nil && !d.quiet {
			d.walkTo(d.walk.Of(class))
		}
	})
	d.walking = []fyne.Disableable{d.previous, d.next, d.number, d.class}
	d.augment = fynewidget.NewButtonWithIcon("Augmentation…", theme.ContentAddIcon(), func() { d.s.augment(d.row) })
	d.augment.Hidden = d.s.augment == nil
	d.title = fynewidget.NewLabel("")
	d.title.Truncation = fyne.TextTruncateEllipsis
	number := container.NewGridWrap(fyne.NewSize(numberWidth*widget.Grown(), d.number.MinSize().Height), d.number)
	class := container.NewGridWrap(fyne.NewSize(classWidth*widget.Grown(), d.class.MinSize().Height), d.class.Select)
	left := container.NewHBox(d.mode, d.previous, number, d.next, class)
	return container.NewBorder(nil, nil, left, d.augment, d.title)
}

// The widths of the number of an image and of the menu of classes.
const numberWidth, classWidth = 72, 130

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
		d.walk = newWalk(d.s.data().Suite)
	}
	d.fillWalk()
	d.load()
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
	jobs.Load(d.s.Work, &d.latest, "read one image", func(ctx context.Context) (Single, error) {
		return readSingle(ctx, d.s.store, r, at)
	}, func(one Single, err error) {
		if err != nil {
			d.wanted, d.one = "", nil
			d.trio.show(score.Distributions{}, nil, present.Sentence(err))
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
	problem := d.s.data().problem
	if d.alone {
		problem = d.cache.Problem()
	}
	if d.missing.Show(problem, d.row.Suite) {
		d.object.Refresh()
	}
	switch {
	case !d.has:
		d.trio.show(score.Distributions{}, nil, "Select a model in the table.")
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
	return fmt.Sprintf("%s on %s of %s", d.row.Model.ID, result.Counted(d.row.Images, "image"), d.row.SuiteName)
}

// maps are the maps that are shown, with their own colours.
func (d *detail) maps() score.Distributions {
	list := []score.Distributions{d.row.Distributions()}
	if d.one != nil {
		list[0] = d.one.distributions()
	}
	score.ScaleTogether(list, d.s.data().Colours)
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
		return d.s.data().picture
	}
	d.cache.Use(picture.Lens{Suite: d.one.Row.Suite, Root: d.s.data().Suite.Root, Spec: d.one.Spec})
	return d.cache.Picture(picture.Key{Image: d.one.Image.Index})
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
			d.s.Say(r.Line())
			return
		}
	}
	d.s.Say("")
}

// rest lets go of the suite's files while the screen is not shown.
func (d *detail) rest() {
	d.marks.hover(0)
	d.cache.Rest()
}

// figure is one of the maps that are shown, as it is saved.
func (d *detail) figure(kind int) figures.Figure {
	saved := mapFigure(d.row, d.maps(), kind, d.saved(), d.regions())
	if d.one == nil { // the command knows all images
		saved.Command = command(d.row, d.s.store.Path(), false)
	}
	return saved
}

// figures are the three maps side by side as they are saved.
func (d *detail) figures() figures.Figure {
	m := d.maps()
	return figures.Figure{
		Name: []string{m.Name, "dscore", d.row.SuiteName}, CSV: regionsCSV(d.regions()),
		Write: figures.Rows([][]result.Figure{m.Figures(d.saved())}, m.Title()),
	}
}

// saved is what lies below the maps, for files.
func (d *detail) saved() suite.Image {
	if d.one == nil {
		return d.s.data().average
	}
	if p := d.picture(); p != nil {
		return imageOf(p)
	}
	return suite.Image{}
}

// mapFigure is one map as it is saved; regions are its numbers.
func mapFigure(r Row, m score.Distributions, kind int, over suite.Image, regions []Region) figures.Figure {
	saved := figures.Of(m.Figure(kind, over), m.Name, score.KindKey(kind), r.SuiteName)
	saved.CSV = regionsCSV(regions)
	return saved
}
