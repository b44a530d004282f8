package widget

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/outside"
)

// Fact is a name and its value.
type Fact struct{ Name, Value string }

// Facts shows names and values below each other, in full: what is too long for one line takes
// several. A place keeps the height of the highest value that it has shown under its name, so
// that nothing moves from one reading to the next.
type Facts struct {
	widget.BaseWidget
	facts  []Fact
	rows   []int // lines of text of each place, at the width in force
	known  bool  // rows are those of facts
	width  float32
	style  style
	longer [][]Fact // readings whose heights are kept, too
}

// NewFacts makes an empty one.
func NewFacts() *Facts {
	f := &Facts{}
	f.ExtendBaseWidget(f)
	return f
}

// Facts are those that are shown.
func (f *Facts) Facts() []Fact { return f.facts }

// Set shows facts.
func (f *Facts) Set(facts []Fact) {
	same := slices.EqualFunc(facts, f.facts, func(a, b Fact) bool { return a.Name == b.Name })
	f.known = false
	if f.facts = facts; !same {
		f.rows, f.longer = nil, nil
	}
	f.Refresh()
}

// Keep keeps the heights that another reading of what is shown needs.
func (f *Facts) Keep(facts []Fact) {
	f.longer, f.rows = append(f.longer, facts), nil
	f.Refresh()
}

// factGap is the room between names and values.
const factGap = 10

// name is the width of the names: as much as the widest needs, and at most 45 % of all.
func (f *Facts) name(width float32, st style) (widest float32) {
	for _, fact := range f.facts {
		widest = max(widest, measure(outside.Visible(fact.Name), st.text, false).Width+1)
	}
	return min(widest, 0.45*width)
}

// measured has the height of each place at a width.
func (f *Facts) measured(width float32, st style) {
	if f.width != width || f.style != st || len(f.rows) != len(f.facts) {
		f.known = false
		f.width, f.style, f.rows = width, st, make([]int, len(f.facts))
		for _, facts := range f.longer {
			f.reserve(facts, width, st)
		}
	}
	if !f.known { // else each frame would measure each text
		f.reserve(f.facts, width, st)
		f.known = true
	}
}

func (f *Facts) reserve(facts []Fact, width float32, st style) {
	name := f.name(width, st)
	for k, fact := range facts[:min(len(facts), len(f.rows))] {
		names, values := broken(fact.Name, st.text, name), broken(fact.Value, st.text, width-name-factGap)
		f.rows[k] = max(f.rows[k], len(names), len(values))
	}
}

// broken is a text in lines of at most a width; a word that is wider is broken, too.
func broken(text string, size, width float32) (lines []string) {
	line := ""
	for _, word := range strings.Fields(outside.Visible(text)) {
		if longer := strings.TrimSpace(line + " " + word); measure(longer, size, false).Width <= width {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		letters := []rune(word)
		for len(letters) > 1 && measure(string(letters), size, false).Width > width {
			n := 1
			for n < len(letters)-1 && measure(string(letters[:n+1]), size, false).Width <= width {
				n++
			}
			lines, letters = append(lines, string(letters[:n])), letters[n:]
		}
		line = string(letters)
	}
	return append(lines, line)
}

// MinSize implements fyne.CanvasObject: the height at the width that the facts have.
func (f *Facts) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	st := styleOf(f)
	f.measured(f.Size().Width, st)
	lines := 0
	for _, n := range f.rows {
		lines += n
	}
	return fyne.NewSize(100, float32(lines)*factLine(st)+float32(len(f.rows))*factBelow)
}

// factBelow is the room below a fact.
const factBelow = 3

func factLine(st style) float32 { return whole(measure("X", st.text, false).Height + 0.99) }

// CreateRenderer implements fyne.Widget.
func (f *Facts) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	r := &factsRenderer{}
	r.drawn = drawn{of: f, draw: func(size fyne.Size) { r.objects = f.texts(size) }}
	r.draw(f.Size())
	return r
}

// texts are the lines of all facts at their places.
func (f *Facts) texts(size fyne.Size) (list []fyne.CanvasObject) {
	st := styleOf(f)
	f.measured(size.Width, st)
	name, line, y := f.name(size.Width, st), factLine(st), float32(0)
	for k, fact := range f.facts {
		for n, text := range broken(fact.Name, st.text, name) {
			t := newText(text, st.faint, st.text)
			placeText(t, 0, y+float32(n)*line)
			list = append(list, t)
		}
		for n, text := range broken(fact.Value, st.text, size.Width-name-factGap) {
			t := newText(text, st.foreground, st.text)
			placeText(t, name+factGap, y+float32(n)*line)
			list = append(list, t)
		}
		y += float32(f.rows[k])*line + factBelow
	}
	return list
}

type factsRenderer struct{ drawn }

// MinSize implements fyne.WidgetRenderer.
func (r *factsRenderer) MinSize() fyne.Size { return r.of.MinSize() }
