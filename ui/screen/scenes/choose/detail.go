package choose

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// mostFeather is the end of the slider, in pixels; the command takes more.
const mostFeather, featherStep = 12, 0.5

// detailSide is the least side of the large picture.
const detailSide = 150

// detail shows one tile large: what it is, why it was chosen, what was said about it, and how it
// would look with other edges.
type detail struct {
	p        *Page
	object   fyne.CanvasObject
	inner    *fyne.Container
	frame    *kit.Frame
	facts    *fynewidget.RichText
	approve  *fynewidget.Button
	veto     *fynewidget.Button
	without  *fynewidget.Button
	feather  *fynewidget.Slider
	width    *fynewidget.Label // of the feather
	align    *widget.Picker
	note     *fynewidget.Label
	with     *fynewidget.Button
	chosen   background.Alignment
	of       string  // hash of the selection that the sliders began with
	began    float64 // where the slider of the feather stood then: it has steps and an end
	settling bool    // the sliders are being set: they do not tell
}

func newDetail(p *Page) *detail {
	d := &detail{p: p, frame: kit.NewFrame(detailSide), facts: fynewidget.NewRichText()}
	d.facts.Wrapping = fyne.TextWrapWord
	d.approve = fynewidget.NewButton("Approve (A)", func() { d.judge(Approved) })
	d.veto = fynewidget.NewButton("Veto (V)", func() { d.judge(Vetoed) })
	d.without = fynewidget.NewButtonWithIcon("", theme.ViewRefreshIcon(), p.askWithout)
	d.feather = fynewidget.NewSlider(0, mostFeather)
	d.feather.Step = featherStep
	d.feather.OnChanged = func(float64) { d.tried() }
	d.width, d.note = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	d.note.Wrapping = fyne.TextWrapWord
	d.align = widget.NewPicker(func(key string) {
		d.chosen = background.Alignment(key)
		d.tried()
	})
	d.with = fynewidget.NewButtonWithIcon("Choose with these…", theme.ViewRefreshIcon(), p.askWith)
	slider := container.NewBorder(nil, nil, fynewidget.NewLabel("feather"), d.width, d.feather)
	below := container.NewVBox(d.facts, container.NewGridWithColumns(2, d.approve, d.veto), d.without,
		fynewidget.NewSeparator(),
		slider, evidence.Named("foreground", d.align.Select), d.note, d.with)
	d.inner = container.New(large{}, d.frame, below)
	d.object = container.NewVScroll(d.inner)
	return d
}

// large gives its first child, a picture, a square of the width or what the second one leaves of
// the height.
type large struct{}

// Layout implements fyne.Layout.
func (large) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	o := objects[1]
	if o.Size().Width != size.Width {
		o.Resize(fyne.NewSize(size.Width, o.Size().Height))
	}
	below := o.MinSize().Height
	side := max(min(size.Width, size.Height-below-theme.Padding()), detailSide)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(size.Width, side))
	objects[1].Move(fyne.NewPos(0, side+theme.Padding()))
	objects[1].Resize(fyne.NewSize(size.Width, max(below, size.Height-side-theme.Padding())))
}

// MinSize implements fyne.Layout.
func (large) MinSize(objects []fyne.CanvasObject) fyne.Size {
	below := objects[1].MinSize()
	return fyne.NewSize(max(below.Width, detailSide), detailSide+theme.Padding()+below.Height)
}

// judge notes a verdict and gives the keys back to the wall.
func (d *detail) judge(verdict Verdict) {
	d.p.judge(verdict)
	d.p.wall.Focus()
}

// show shows the tile that is looked at.
func (d *detail) show() {
	v := d.p.view
	if d.of != v.Record.Hash {
		s := d.p.view.Record.Selection
		d.of, d.settling = d.p.view.Record.Hash, true
		d.feather.SetValue(s.Feather)
		d.began = d.feather.Value
		d.chosen = cmp.Or(s.Align, background.Keep)
		var list []widget.Option
		for _, a := range []background.Alignment{background.Keep, background.Centre, background.Ground} {
			list = append(list, widget.Option{Key: string(a), Name: choiceName(string(a))})
		}
		d.align.Offer(list, string(d.chosen))
		d.settling = false
	}
	var segments []fynewidget.RichTextSegment
	for k, f := range v.facts() {
		if k > 0 {
			segments = append(segments, &fynewidget.TextSegment{Style: fynewidget.RichTextStyleInline, Text: "\n"})
		}
		name := fynewidget.RichTextStyleInline
		name.TextStyle.Bold = true
		segments = append(segments, &fynewidget.TextSegment{Style: name, Text: f.name + "  "},
			&fynewidget.TextSegment{Style: fynewidget.RichTextStyleInline, Text: f.text})
	}
	d.facts.Segments = segments
	d.facts.Refresh()
	t, ok := v.Tile()
	scene := ok && t.Image > 0
	verdict := Open
	if scene {
		verdict = v.Verdicts.Of(v.Target(), t.Background)
	}
	pressed(d.approve, verdict == Approved, fynewidget.SuccessImportance)
	pressed(d.veto, verdict == Vetoed, fynewidget.DangerImportance)
	widget.Enable(d.approve, scene)
	widget.Enable(d.veto, scene)
	n := len(d.p.view.Verdicts.Vetoed)
	text := "Choose without vetoed…"
	if n > 0 {
		text = fmt.Sprintf("Choose without %d vetoed…", n)
	}
	if d.without.Text != text {
		d.without.SetText(text)
	}
	widget.Enable(d.without, n > 0)
	d.tried()
	d.inner.Refresh() // the texts may have more lines or fewer
}

// pressed shows a button as the one that was chosen.
func pressed(b *fynewidget.Button, on bool, as fynewidget.Importance) {
	importance := fynewidget.MediumImportance
	if on {
		importance = as
	}
	if b.Importance != importance {
		b.Importance = importance
		b.Refresh()
	}
}

// feathered is the feather as the slider has it, and as the selection has it where it was not
// moved.
func (d *detail) feathered() float64 {
	if d.feather.Value == d.began {
		return d.p.view.Record.Selection.Feather
	}
	return d.feather.Value
}

// other tells whether the sliders say something else than the selection.
func (d *detail) other() bool {
	s := d.p.view.Record.Selection
	return d.feather.Value != d.began || d.chosen != cmp.Or(s.Align, background.Keep)
}

// tried shows the composite as the sliders have it.
func (d *detail) tried() {
	if d.settling {
		return
	}
	d.width.SetText(fmt.Sprintf("%g px", d.feathered()))
	d.note.Importance = fynewidget.LowImportance
	text := "as in the selection"
	if d.other() {
		d.note.Importance = fynewidget.WarningImportance
		text = "a preview: models run on what the selection has"
	}
	if d.note.Text != text {
		d.note.SetText(text)
	}
	widget.Enable(d.with, d.other())
	d.picture()
}

// picture shows the picture, or leaves the last one until it is made.
func (d *detail) picture() {
	t, ok := d.p.view.Tile()
	if !ok {
		d.frame.SetPicture(nil)
		return
	}
	k := d.p.wall.shot(t)
	if d.other() && t.Image > 0 && !k.alone {
		k.preview, k.feather, k.align = true, d.feathered(), d.chosen
	}
	if made := d.p.cache.Picture(k); made != nil || !k.preview {
		d.frame.SetPicture(made)
	}
}
