package kit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/layout"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Option is an entry of a menu: the text that the option gets, and its name for people.
type Option = widget.Option

// Form asks for the options of a struct (engine/option), each by what its field says: choices and
// named sources by menus, switches by checks, all else by entries, in declared order and in one
// line. The help of an option stands in the status line while the pointer is on its name.
//
//	form := &kit.Form[Options]{
//		Choices: func(source string) (list []kit.Option, first string) {
//			return suites(data), data.Current // for `source:"suites"`
//		},
//		Hide: []string{"resamples"},
//	}
//
// The form owns its options: a text that an option does not take is said in words below the line
// and not taken. Nothing is said to be wrong before a person has changed something, and what is
// required and missing only by Complete. What depends on another option (the tag when) is shown
// only where it has a meaning. Every change is remembered under Key; what is remembered and no
// longer taken falls back to the default. A Screen makes its form and fills its menus; elsewhere set
// Host, Key and OnChange, call Make, and call Offer as soon as Choices can answer, and whenever they
// change. A form in a dialog is made by Ask.
//
// Beside the entry of a path stand buttons that browse for what it takes: a file or a folder that
// is there by its type, a folder where the placeholder is DIR, and the folder of a file to write
// where the placeholder is a name with an ending, such as NAME.csv.
type Form[O any] struct {
	*Host
	// Key names the form among remembered settings. "", and Forget, remember nothing.
	Key    string
	Forget bool
	// Rows gives each option a row of its own, takes texts while they are typed, and options that
	// do not go together, too: Err says what is wrong with them. Help stands below the rows; where
	// InPage is set, for rows that are not in a dialog, in the status line.
	Rows, InPage bool
	// Pages, which may be nil, spread rows over pages, in declared order.
	Pages []FormPage
	// Narrow is Rows for a pane at the side: each name stands above its option, numbers that follow
	// one another two in a line, and all scrolls above what is wrong. Help stands in the status line.
	Narrow bool
	// Folded are options that stand at the end, below a heading "Advanced" that opens and closes;
	// for rows without pages.
	Folded []string
	// Choices are what a named source offers now. Where the current value is not among them, first
	// takes its place, or the first of the list where that is not there, either; an empty list
	// keeps the value. Options are asked in declared order: Options() has what stands before. The
	// key of a list's option is its whole text (option.Field.Join), such as all marked models.
	Choices func(source string) (list []Option, first string)
	// Trees, which may be nil, lay the menus of these named sources out: entries that belong together
	// stand in submenus, where an option is called by the name that Choices gives it.
	Trees map[string]func() []widget.ChoiceNode
	// Named, which may be nil, is the name for people of a choice of an option without a source.
	Named func(name, choice string) string
	// Hide are names of options that the form has and does not show. Those that only the command
	// line has and those that are hidden are not shown, either.
	Hide []string
	// Refuse, which may be nil, says what is wrong with options that go together, such as with data
	// that they name; Err says that, too.
	Refuse func(O) error
	// Own, which may be nil, makes what asks for an option in another way than the form does: it
	// calls take with each text that it has. The zero Part leaves the option to the form.
	Own func(name string, take func(text string)) Part
	// Hint, which may be nil, is what stands in small letters below an option, "" for nothing; it is
	// asked whenever values are shown. For rows only.
	Hint func(name string) string
	// Menu, which may be nil, is what a button beside the entry of an option offers, such as texts to
	// begin with: its label is that of the button. Nil for no button.
	Menu func(name string) *fyne.Menu
	// Command is the command that does the same as these options: its words, such as "variscope",
	// "ei" and the workspace, and a pointer to its own options. Nil, or no words, for none.
	Command func(O) (words []string, options any)
	// OnChange hears the options after each change by a person or by Put.
	OnChange func(O)
	// OnSubmit, which may be nil, hears that Return was pressed in an entry whose text is taken.
	OnSubmit func()

	options, tried O // tried takes in texts before they are taken
	fields, trial  []option.Field
	items          []*item
	parked         map[string]string // texts of options that have no meaning now
	typed          bool              // a person has changed something, or asked for what is not complete
	wrong, help    *fynewidget.Label
	menus          *fyne.Container // of a line
	object         *fyne.Container
}

// FormPage is a page of a form: its title, and the name of the option that stands first on it. What Own
// makes for the only option of a page has the whole page.
type FormPage struct{ Title, First string }

// Part asks for one option: what is shown, and how it shows another text without telling.
type Part struct {
	Object fyne.CanvasObject
	Show   func(text string)
}

// item is an option with the widget that asks for it, nil for none.
type item struct {
	menu   *widget.Picker
	check  *check
	entry  *entry
	slider *fynewidget.Slider // beside the entry
	group  *fynewidget.CheckGroup
	own    Part
	hint   *fynewidget.Label
	shown  []fyne.CanvasObject // what is hidden while the option has no meaning
	refuse error               // what was typed and not taken
}

func defaults[O any]() (o O) {
	option.SetDefaults(&o)
	return o
}

// tell explains an option: below the rows, or in the status line.
func (f *Form[O]) tell(help string) {
	if !f.Rows || f.InPage || f.Narrow {
		f.Say(help)
		return
	}
	if help != "" && help != f.help.Text { // the last help stays: nothing moves while the pointer goes on
		f.help.SetText(help)
	}
}

// Object is what the screen shows.
func (f *Form[O]) Object() fyne.CanvasObject { return f.object }

// Options are those that are chosen.
func (f *Form[O]) Options() O { return f.options }

// Put gives an option a text as if a person had: it is shown, remembered and told to OnChange. The
// error says what the option takes.
func (f *Form[O]) Put(name, text string) error {
	k := slices.IndexFunc(f.fields, func(field option.Field) bool { return field.Name == name })
	if k < 0 {
		return fmt.Errorf("there is no option %s", name)
	}
	err := f.set(k, text)
	f.typed = true
	if err == nil {
		f.show()
		f.changed()
	}
	return err
}

// Take takes other options, as Put does one; in rows also those that do not go together.
func (f *Form[O]) Take(o O) error {
	if err := option.Check(&o); err != nil && !f.Rows {
		return err
	}
	f.tried = o
	f.parked = f.park(map[string]string{})
	f.options = f.tried
	f.show()
	f.changed()
	return nil
}

// Offer fills the menus with what Choices offers now. Where a value is no longer among them,
// another takes its place, without a call of OnChange; the result tells whether that happened.
func (f *Form[O]) Offer() (moved bool) {
	for k, field := range f.fields {
		it := f.items[k]
		if it.menu == nil {
			continue
		}
		list, first := f.choices(field)
		has := func(key string) bool { return slices.ContainsFunc(list, func(o Option) bool { return o.Key == key }) }
		if field.Source != "" && len(list) > 0 && !has(field.Text()) {
			if !has(first) {
				first = list[0].Key
			}
			moved = f.set(k, first) == nil || moved
		}
		it.menu.Offer(list, field.Text())
		if tree := f.Trees[field.Source]; tree != nil {
			it.menu.Lay(tree())
		}
	}
	if f.Narrow {
		f.say(f.Wrong())
	}
	return moved
}

// choices are the entries of an option's menu, and the usual one of a named source.
func (f *Form[O]) choices(field option.Field) (list []Option, first string) {
	if field.Source != "" {
		return f.Choices(field.Source)
	}
	for _, choice := range field.Choices {
		list = append(list, Option{Key: choice, Name: f.named(field, choice)})
	}
	return list, ""
}

// named is the name of a choice for people.
func (f *Form[O]) named(field option.Field, choice string) string {
	name := choice
	if f.Named != nil {
		name = f.Named(field.Name, choice)
	}
	if name == "" {
		return "none"
	}
	return name
}

// CommandLine is the command that does the same with these options, "" where there is none.
func (f *Form[O]) CommandLine() string {
	if f.Command == nil {
		return ""
	}
	words, options := f.Command(f.options)
	if len(words) == 0 {
		return ""
	}
	return option.Command(words, options)
}

// Entries are the lines of a menu about the options: Copy as command.
func (f *Form[O]) Entries() []*fyne.MenuItem {
	line := f.CommandLine()
	if line == "" {
		return nil
	}
	return []*fyne.MenuItem{fyne.NewMenuItem("Copy as command", func() {
		fyne.CurrentApp().Clipboard().SetContent(line)
		f.Say("command copied")
	})}
}

// Err is what is wrong with what is shown: a text that was typed and is not taken, or options that
// do not go together, in words; nil where all is well.
func (f *Form[O]) Err() error {
	err := f.refused()
	if err == nil {
		err = option.Check(&f.options)
	}
	if err != nil {
		return errors.New(words(err))
	}
	if f.Refuse != nil {
		if err := f.Refuse(f.options); err != nil {
			return errors.New(present.Sentence(err))
		}
	}
	return nil
}

// Wrong is Err without what is required and not given yet, nil before a person has changed
// something: what the form says, and what keeps a button from being pressed.
func (f *Form[O]) Wrong() error {
	if !f.typed {
		return nil
	}
	if err := f.fault(); err != nil {
		return errors.New(words(err))
	}
	if len(f.missing()) > 0 {
		return nil
	}
	return f.Err()
}

// Complete tells whether nothing is wrong and nothing is missing. Otherwise it says what, and gives
// the keyboard to the first option that is missing. A button asks it before it does anything.
func (f *Form[O]) Complete() bool {
	err, missing := f.Err(), f.missing()
	if err == nil {
		return true
	}
	f.typed = true
	if len(missing) > 0 && f.fault() == nil {
		var names []string
		for _, k := range missing {
			names = append(names, f.fields[k].Label)
		}
		err = fmt.Errorf("%s must be given", strings.Join(names, " and "))
		f.focus(missing[0])
	}
	f.say(err)
	return false
}

// Prepare changes options by do for a person who has not seen them yet: nothing of them is said to
// be wrong.
func (f *Form[O]) Prepare(do func()) {
	before := f.typed
	do()
	f.typed = before
	f.say(f.Wrong())
}

// focus gives the keyboard to what asks for an option.
func (f *Form[O]) focus(k int) {
	it := f.items[k]
	to, ok := it.own.Object.(fyne.Focusable)
	switch {
	case ok:
	case it.entry != nil:
		to = it.entry
	case it.menu != nil:
		to, _ = it.menu.Object().(fyne.Focusable)
	}
	if to != nil && f.Window != nil {
		f.Window.Canvas().Focus(to)
	}
}

// refused is why the first text was not taken that was not, nil where all were.
func (f *Form[O]) refused() error {
	for _, it := range f.items {
		if it.refuse != nil {
			return it.refuse
		}
	}
	return nil
}

// missing are the options that are required, shown and not given, by their places.
func (f *Form[O]) missing() (places []int) {
	for k, field := range f.fields {
		shown := f.items[k].shown
		if field.Missing() && len(shown) > 0 && shown[len(shown)-1].Visible() {
			places = append(places, k)
		}
	}
	return places
}

// fault is what is wrong with the options but what is missing. What goes together is looked at when
// nothing is.
func (f *Form[O]) fault() error {
	if err := f.refused(); err != nil {
		return err
	}
	missing := f.missing()
	if len(missing) == 0 {
		return option.Check(&f.options)
	}
	for k, field := range f.fields {
		if err := field.Check(); err != nil && !slices.Contains(missing, k) {
			return err
		}
	}
	return nil
}

// words are an error of options, or any other one as a sentence.
func words(err error) string {
	if own := (*option.Error)(nil); errors.As(err, &own) {
		return option.Said(err)
	}
	return present.Sentence(err)
}

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
	switch {
	case f.Narrow:
		f.say(f.Wrong())
	case f.Rows:
		f.say(f.fault())
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
		applies := f.fields[k].Applies(f.fields)
		for _, o := range it.shown {
			changed = changed || o.Visible() != applies
			widget.Show(o, applies)
		}
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
		if it.hint != nil {
			it.hint.SetText(f.Hint(f.fields[k].Name))
			widget.Show(it.hint, it.hint.Text != "")
		}
		switch {
		case it.own.Show != nil:
			it.own.Show(text)
		case it.menu != nil && f.fields[k].Source == "":
			list, _ := f.choices(f.fields[k])
			it.menu.Offer(list, text)
		case it.check != nil && it.check.Checked != (text == "true"):
			it.check.SetChecked(text == "true")
		case it.group != nil:
			f.fillGroup(k)
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

// fillGroup ticks the values of a list of choices.
func (f *Form[O]) fillGroup(k int) {
	group, field := f.items[k].group, f.fields[k]
	group.OnChanged = nil
	group.Options = nil
	for _, choice := range field.Choices {
		group.Options = append(group.Options, f.named(field, choice))
	}
	var names []string
	for _, choice := range field.Values() {
		names = append(names, f.named(field, choice))
	}
	group.SetSelected(names)
	group.OnChanged = func(names []string) {
		var values []string
		for _, choice := range field.Choices {
			if slices.Contains(names, f.named(field, choice)) {
				values = append(values, choice)
			}
		}
		f.take(k, field.Join(values))
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
