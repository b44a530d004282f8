package clouds

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// freePane turns the knobs of the free interpolant, by sliders and by entries.
type freePane struct {
	p       *Page
	sliders [Knobs]*fynewidget.Slider
	entries [Knobs]*widget.Entry
	note    *fynewidget.Label
	quiet   bool // it is being filled
	object  fyne.CanvasObject
}

// entryDigits is how many digits an entry has room for.
const entryDigits = 8

func newFreePane(p *Page) *freePane {
	f := &freePane{p: p, note: fynewidget.NewLabel("")}
	f.note.Wrapping = fyne.TextWrapWord
	f.note.Importance = fynewidget.WarningImportance
	names, values := container.NewGridWithColumns(1), container.NewGridWithColumns(1)
	bars := container.NewGridWithColumns(1)
	for k := range Knobs {
		facts := k.facts()
		names.Add(fynewidget.NewLabel(facts.name))
		f.sliders[k] = fynewidget.NewSlider(facts.low, facts.high)
		f.sliders[k].Step = facts.step
		f.sliders[k].OnChanged = func(v float64) { f.turn(k, v) }
		bars.Add(f.sliders[k])
		f.entries[k] = widget.NewEntry()
		f.entries[k].OnChanged = func(text string) { f.typed(k, text) }
		f.entries[k].OnSubmitted = func(string) { p.Focus() }
		f.entries[k].OnEscape = func() {
			f.show()
			p.Focus()
		}
		values.Add(picture.Wide(picture.Word(entryDigits)+20, f.entries[k]))
	}
	starts := container.NewGridWithColumns(len(scatter.Interpolants()))
	for _, by := range scatter.Interpolants() {
		starts.Add(fynewidget.NewButton(by.Name(), func() {
			p.choose(func(s *Settings) { s.Free, s.Raster = by, scatter.DefaultRaster })
		}))
	}
	f.object = container.NewVScroll(container.NewVBox(container.NewBorder(nil, nil, names, values, bars),
		container.NewBorder(nil, nil, fynewidget.NewLabel("begin with"), nil, starts), f.note))
	return f
}

// turn takes a slider's value.
func (f *freePane) turn(k Knob, v float64) {
	if f.quiet {
		return
	}
	f.p.choose(func(s *Settings) {
		if next, err := s.turned(k, v); err == nil {
			*s = next
		}
	})
}

// typed takes an entry's value as soon as it is one.
func (f *freePane) typed(k Knob, text string) {
	if f.quiet {
		return
	}
	next, err := f.p.settings.typed(k, text)
	if err != nil {
		f.say(present.Sentence(err))
		return
	}
	f.say("")
	f.p.choose(func(s *Settings) { *s = next })
}

func (f *freePane) say(text string) {
	if f.note.Text != text {
		f.note.SetText(text)
	}
}

// show puts the settings into sliders and entries. An entry in which one is typing keeps what
// stands there as long as it means the same.
func (f *freePane) show() {
	f.quiet = true
	defer func() { f.quiet = false }()
	f.say("")
	for k := range Knobs {
		v := f.p.settings.knob(k)
		f.sliders[k].SetValue(v)
		if now, err := f.p.settings.typed(k, f.entries[k].Text); err != nil || now != f.p.settings {
			f.entries[k].SetText(knobText(v))
		}
	}
}
