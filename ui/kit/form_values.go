package kit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"fyne.io/fyne/v2/layout"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/widget"
)

// set changes an option where the text is taken and, outside of rows, the options go together.
// Options that thereby lose their meaning have their defaults until they have one again.
func (f *Form[O]) set(k int, text string) error {
	f.tried = f.options
	if err := f.trial[k].Set(text); err != nil {
		return err
	}
	parked := f.park(maps.Clone(f.parked))
	if err := option.Check(&f.tried); err != nil && !f.Rows && option.Check(&f.options) == nil {
		return err
	}
	f.options, f.parked = f.tried, parked
	return nil
}

// park gives those of the tried options that have no meaning their defaults, keeps their texts in
// parked, and takes back texts of those that have one again.
func (f *Form[O]) park(parked map[string]string) map[string]string {
	for _, field := range f.trial {
		before, kept := parked[field.Name]
		switch applies := field.Applies(f.trial); {
		case !applies && !field.IsDefault():
			parked[field.Name] = field.Text()
			field.Reset()
		case applies && kept:
			delete(parked, field.Name)
			_ = field.Set(before) // it was taken before
		}
	}
	return parked
}

// take is set on behalf of a person.
func (f *Form[O]) take(k int, text string) {
	it, field := f.items[k], f.fields[k]
	switch {
	case field.Kind == option.Path && field.List:
		text = field.Join(Paths(text))
	case field.Kind == option.Path:
		text = Path(text)
	}
	if field.Text() == text {
		if it.refuse != nil {
			it.refuse = nil
			f.changed()
		}
		f.say(nil)
		return
	}
	it.refuse, f.typed = nil, true
	if err := f.set(k, text); err != nil {
		switch {
		case it.menu != nil:
			list, _ := f.choices(field)
			it.menu.Offer(list, field.Text())
		case it.check != nil:
			it.check.Checked = !it.check.Checked
			it.check.Refresh()
		case it.ticks != nil && !f.Rows:
			it.ticks.fill(f.ticked(field), field.Values())
		case f.Rows:
			it.refuse = err
			f.changed()
		}
		f.say(err)
		return
	}
	f.slide(k)
	f.showThose()
	f.changed()
	switch fault := f.fault(); {
	case f.Rows && !f.Narrow && fault != nil:
		f.say(fault)
	case f.Rows:
		f.say(f.Wrong())
	default:
		f.say(nil)
	}
}

func (f *Form[O]) say(err error) {
	text := ""
	if err != nil {
		text = words(err)
	}
	if text == f.wrong.Text {
		return
	}
	f.wrong.SetText(text)
	widget.Show(f.wrong, text != "")
	f.object.Refresh()
}

func (f *Form[O]) changed() {
	f.keep()
	for k := range f.items {
		f.hint(k)
	}
	if f.OnChange != nil {
		f.OnChange(f.options)
	}
}

// show puts all values into their widgets.
func (f *Form[O]) show() {
	f.Offer()
	f.fill()
	f.showThose()
}

// showThose shows the options that have a meaning and hides the others.
func (f *Form[O]) showThose() {
	changed := false
	for k, it := range f.items {
		applies := f.fields[k].Applies(f.fields) && (f.Shown == nil || f.Shown(f.fields[k].Name))
		for _, o := range it.shown {
			changed = changed || o.Visible() != applies
			widget.Show(o, applies)
		}
	}
	if f.folded != nil {
		widget.Show(f.folded, slices.ContainsFunc(f.fields, func(field option.Field) bool {
			return slices.Contains(f.Folded, field.Name) && f.items[f.place(field.Name)].visible()
		}))
	}
	if !changed {
		return
	}
	if f.menus != nil { // those that are there share the width
		visible := 0
		for _, o := range f.menus.Objects {
			if o.Visible() {
				visible++
			}
		}
		f.menus.Layout = layout.NewGridLayoutWithColumns(max(1, visible))
	}
	f.fill()
	f.object.Refresh()
}

// fill puts values into all widgets but the menus of named sources.
func (f *Form[O]) fill() {
	for k, it := range f.items {
		text := f.fields[k].Text()
		f.hint(k)
		switch {
		case it.own.Show != nil:
			it.own.Show(text)
		case it.menu != nil && f.fields[k].Source == "":
			list, _ := f.choices(f.fields[k])
			it.menu.Offer(list, text)
		case it.check != nil && it.check.Checked != (text == "true"):
			it.check.SetChecked(text == "true")
		case it.ticks != nil:
			it.ticks.fill(f.ticked(f.fields[k]), f.fields[k].Values())
		case it.entry != nil:
			it.entry.show(f.fields[k])
			f.slide(k)
		}
	}
}

// slide moves the slider of an option, which has none in most cases, to its value.
func (f *Form[O]) slide(k int) {
	it := f.items[k]
	if it.slider == nil {
		return
	}
	it.slider.OnChanged = nil
	if v, err := strconv.ParseFloat(f.fields[k].Text(), 64); err == nil {
		it.slider.SetValue(v)
	}
	it.slider.OnChanged = func(v float64) {
		f.take(k, fmt.Sprint(math.Round(1e9*v)/1e9))
		it.entry.show(f.fields[k])
	}
}

// hint shows the small letters below an option.
func (f *Form[O]) hint(k int) {
	if hint := f.items[k].hint; hint != nil {
		hint.SetText(f.Hint(f.fields[k].Name))
		widget.Show(hint, hint.Text != "")
	}
}

func (f *Form[O]) setting() string { return "options." + f.Key }

// keep remembers what differs from the defaults, by name.
func (f *Form[O]) keep() {
	if f.Key == "" || f.Forget {
		return
	}
	texts := map[string]string{}
	for _, field := range f.fields {
		if !field.IsDefault() {
			texts[field.Name] = field.Text()
		}
	}
	if data, err := json.Marshal(texts); err == nil { // texts by name: it cannot fail
		f.remember(f.setting(), string(data))
	}
}

// recall takes in what is remembered and still taken.
func (f *Form[O]) recall() {
	texts := map[string]string{}
	if f.Key == "" || f.Forget || json.Unmarshal([]byte(f.remembered(f.setting())), &texts) != nil {
		return // nothing, or what another version wrote: the defaults
	}
	for k, field := range f.fields {
		for _, name := range append(slices.Clone(field.Aliases), field.Name) {
			if text, ok := texts[name]; ok {
				_ = f.set(k, text) // what is no longer taken stays the default
			}
		}
	}
}
