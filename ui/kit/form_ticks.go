package kit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// ticksMenu looks like a menu and opens a list of ticks: in a line of options there is no room for
// it.
type ticksMenu struct {
	fynewidget.Select
	open func()
}

// Tapped opens the list.
func (m *ticksMenu) Tapped(*fyne.PointEvent) { m.open() }

// TypedKey opens the list, too.
func (m *ticksMenu) TypedKey(key *fyne.KeyEvent) {
	if key.Name == fyne.KeySpace || key.Name == fyne.KeyDown || key.Name == fyne.KeyUp {
		m.open()
	}
}

// newTicksMenu makes the menu of ticks, which says the names of those that are chosen.
func (f *Form[O]) newTicksMenu(t *ticks) fyne.CanvasObject {
	t.menu = &ticksMenu{}
	t.menu.ExtendBaseWidget(t.menu)
	t.menu.open = func() {
		if t.menu.Disabled() {
			return
		}
		size := t.object.MinSize().AddWidthHeight(32, 16)
		f.popUp(t.menu, container.NewVScroll(t.object), size, func() {
			if f.Refocus != nil {
				f.Refocus()
			}
		})
	}
	return t.menu
}

// ticked are what a list is ticked from.
func (f *Form[O]) ticked(field option.Field) (list []Option) {
	if ticks := f.Ticks[field.Name]; ticks != nil {
		return ticks()
	}
	for _, choice := range field.Choices {
		list = append(list, Option{Key: choice, Name: f.named(field, choice)})
	}
	return list
}

// A line of ticks has at most fewTicks, three columns at most someTicks.
const fewTicks, someTicks = 6, 18

// ticks asks for a list by a check for each value: few stand in a line, some in three columns, many
// in one that scrolls below a filter.
type ticks struct {
	object *fyne.Container
	filter *widget.Entry
	others *fynewidget.Entry // for values that are not in the list, nil for none
	groups []*fynewidget.CheckGroup
	menu   *ticksMenu // that opens them, nil where they stand in the form
	narrow bool       // they stand one below the other
	list   []Option
	chosen []string // keys, in the order of the list
	names  []string // that are shown
	tell   func(values []string)
	quiet  bool // others are being filled
}

func newTicks(others string, narrow bool, tell func(values []string)) *ticks {
	t := &ticks{object: container.NewVBox(), filter: widget.NewEntry(), narrow: narrow, tell: tell}
	t.filter.SetPlaceHolder("filter")
	t.filter.OnChanged = func(string) { t.show() }
	if others != "" {
		t.others = fynewidget.NewEntry()
		t.others.SetPlaceHolder(others)
		t.others.OnChanged = func(string) {
			if !t.quiet {
				t.tell(t.values())
			}
		}
	}
	return t
}

// values are what is ticked, and what was written beside: the name of a value stands for it.
func (t *ticks) values() []string {
	values := slices.Clone(t.chosen)
	if t.others == nil {
		return values
	}
	for text := range strings.FieldsFuncSeq(t.others.Text, func(r rune) bool { return r == ',' || r == ';' }) {
		text = strings.TrimSpace(text)
		if k := slices.IndexFunc(t.list, func(o Option) bool { return o.Name == text }); k >= 0 {
			text = t.list[k].Key
		}
		if text != "" && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	return values
}

// fill shows a list with these values ticked, without telling.
func (t *ticks) fill(list []Option, values []string) {
	if t.object.Objects != nil && slices.Equal(values, t.values()) && slices.Equal(list, t.list) {
		return // what is written stays as it is
	}
	t.list, t.chosen = list, nil
	for _, o := range list {
		if slices.Contains(values, o.Key) {
			t.chosen = append(t.chosen, o.Key)
		}
	}
	if t.others != nil {
		t.quiet = true
		t.others.SetText(strings.Join(slices.DeleteFunc(slices.Clone(values), func(value string) bool {
			return slices.Contains(t.chosen, value)
		}), ", "))
		t.quiet = false
	}
	t.show()
}

// show shows the part of the list that has the words of the filter.
func (t *ticks) show() {
	var names, ticked []string
	for _, o := range t.list {
		if len(t.list) <= someTicks || strings.Contains(strings.ToLower(o.Name),
			strings.ToLower(strings.TrimSpace(t.filter.Text))) {
			names = append(names, o.Name)
		}
		if slices.Contains(t.chosen, o.Key) {
			ticked = append(ticked, o.Name)
		}
	}
	if t.object.Objects == nil || !slices.Equal(names, t.names) {
		t.names = names
		t.build()
	}
	for _, group := range t.groups {
		group.Selected = slices.DeleteFunc(slices.Clone(ticked), func(name string) bool {
			return !slices.Contains(group.Options, name)
		})
		group.Refresh()
	}
	if t.menu != nil {
		text := result.Some(ticked)
		t.menu.Options = []string{text}
		t.menu.SetSelected(text)
	}
}

// build makes the checks.
func (t *ticks) build() {
	n, columns := len(t.list), 1
	if n > fewTicks && n <= someTicks && !t.narrow {
		columns = 3
	}
	grid := container.NewGridWithColumns(columns)
	t.groups = nil
	for names := range slices.Chunk(t.names, max(1, (len(t.names)+columns-1)/columns)) {
		t.groups = append(t.groups, t.group(names))
		grid.Add(t.groups[len(t.groups)-1])
	}
	t.object.Objects = []fyne.CanvasObject{grid}
	if n > someTicks && !t.narrow {
		scroll := container.NewVScroll(grid)
		scroll.SetMinSize(fyne.NewSize(0, 200))
		t.object.Objects = []fyne.CanvasObject{t.filter, scroll}
	}
	if t.others != nil {
		t.object.Objects = append([]fyne.CanvasObject{t.others}, t.object.Objects...)
	}
	t.object.Refresh()
}

func (t *ticks) group(names []string) *fynewidget.CheckGroup {
	group := fynewidget.NewCheckGroup(names, nil)
	group.Horizontal = len(t.list) <= fewTicks && !t.narrow
	group.OnChanged = func(ticked []string) {
		chosen := t.chosen
		t.chosen = nil
		for _, o := range t.list {
			from, value := chosen, o.Key
			if slices.Contains(names, o.Name) {
				from, value = ticked, o.Name
			}
			if slices.Contains(from, value) {
				t.chosen = append(t.chosen, o.Key)
			}
		}
		t.tell(t.values())
		t.show()
	}
	return group
}
