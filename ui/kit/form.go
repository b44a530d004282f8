package kit

import (
	"encoding/json"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
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
// and not taken. Every change is remembered under Key; what is remembered and no longer taken
// falls back to the default. A Screen makes its form and fills its menus; elsewhere set Host, Key
// and OnChange, call Make, and call Offer as soon as Choices can answer, and whenever they change.
type Form[O any] struct {
	*Host
	// Key names the form among remembered settings. "", and Forget, remember nothing.
	Key    string
	Forget bool
	// Choices are what a named source offers now. Where the current value is not among them, first
	// takes its place, or the first of the list where that is not there, either; an empty list
	// keeps the value. Options are asked in declared order: Options() has what stands before.
	Choices func(source string) (list []Option, first string)
	// Trees, which may be nil, lay the menus of these named sources out: entries that belong together
	// stand in submenus, where an option is called by the name that Choices gives it.
	Trees map[string]func() []widget.ChoiceNode
	// Named, which may be nil, is the name for people of a choice of an option without a source.
	Named func(name, choice string) string
	// Hide are names of options that the form has and does not show. Those that only the command
	// line has and those that are hidden are not shown, either.
	Hide []string
	// Command is the command that does the same as these options: its words, such as "variscope",
	// "ei" and the workspace, and a pointer to its own options. Nil, or no words, for none.
	Command func(O) (words []string, options any)
	// OnChange hears the options after each change by a person or by Put.
	OnChange func(O)

	options, tried O // tried takes in texts before they are taken
	fields, trial  []option.Field
	items          []*item
	wrong          *fynewidget.Label
	object         *fyne.Container
}

// item is an option with the widget that asks for it, nil for none.
type item struct {
	menu  *widget.Picker
	check *check
	entry *entry
}

func defaults[O any]() (o O) {
	option.SetDefaults(&o)
	return o
}

// Make makes the widgets and takes in what is remembered. Choices are asked by Offer alone.
func (f *Form[O]) Make() {
	f.options, f.tried = defaults[O](), defaults[O]()
	f.fields, f.trial = option.Fields(&f.options), option.Fields(&f.tried)
	f.recall()
	f.wrong = fynewidget.NewLabel("")
	f.wrong.Importance, f.wrong.Wrapping = fynewidget.DangerImportance, fyne.TextWrapWord
	f.wrong.Hide()
	var menus, others []fyne.CanvasObject
	for k, field := range f.fields {
		it := &item{}
		f.items = append(f.items, it)
		if field.NoWindow || field.Hidden || slices.Contains(f.Hide, field.Name) {
			continue
		}
		name := newHinted(field.Label, field.Help, f.Host)
		switch {
		case field.Kind == option.Switch && !field.List:
			it.check = newCheck(field.Label, field.Help, f.Host)
			others = append(others, it.check)
		case field.Source != "" || field.Kind == option.Choice:
			it.menu = widget.NewPicker(func(key string) { f.take(k, key) })
			if f.Trees[field.Source] != nil {
				it.menu = widget.NewTreePicker(func(key string) { f.take(k, key) })
			}
			menus = append(menus, widget.Named(name, it.menu.Object()))
		default:
			it.entry = f.newEntry(k)
			width := ofWidth(64)
			if field.Kind == option.Text || field.Kind == option.Path || field.List {
				width = 160
			}
			others = append(others, container.NewHBox(name, container.New(width, it.entry)))
		}
	}
	var line fyne.CanvasObject = container.NewHBox(others...)
	if len(menus) > 0 {
		line = container.NewBorder(nil, nil, nil, line, container.NewGridWithColumns(len(menus), menus...))
	}
	f.object = container.NewVBox(line, f.wrong)
	f.fill()
	for k, it := range f.items {
		if it.check != nil {
			it.check.OnChanged = func(on bool) { f.take(k, map[bool]string{true: "true", false: "false"}[on]) }
		}
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
	err := f.set(k, text)
	if err == nil {
		f.show()
		f.changed()
	}
	return err
}

// Take takes other options, as Put does one.
func (f *Form[O]) Take(o O) error {
	if err := option.Check(&o); err != nil {
		return err
	}
	f.options = o
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
	return moved
}

// choices are the entries of an option's menu, and the usual one of a named source.
func (f *Form[O]) choices(field option.Field) (list []Option, first string) {
	if field.Source != "" {
		return f.Choices(field.Source)
	}
	for _, choice := range field.Choices {
		name := choice
		if f.Named != nil {
			name = f.Named(field.Name, choice)
		}
		if name == "" {
			name = "none"
		}
		list = append(list, Option{Key: choice, Name: name})
	}
	return list, ""
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

// set changes an option where the text is taken and the options go together.
func (f *Form[O]) set(k int, text string) error {
	f.tried = f.options
	if err := f.trial[k].Set(text); err != nil {
		return err
	}
	if err := option.Check(&f.tried); err != nil && option.Check(&f.options) == nil {
		return err
	}
	f.options = f.tried
	return nil
}

// take is set on behalf of a person.
func (f *Form[O]) take(k int, text string) {
	if f.fields[k].Text() == text {
		f.say(nil)
		return
	}
	err := f.set(k, text)
	f.say(err)
	switch it := f.items[k]; {
	case err == nil:
		f.changed()
	case it.menu != nil:
		list, _ := f.choices(f.fields[k])
		it.menu.Offer(list, f.fields[k].Text())
	case it.check != nil:
		it.check.Checked = !it.check.Checked
		it.check.Refresh()
	}
}

func (f *Form[O]) say(err error) {
	text := ""
	if err != nil {
		text = option.Said(err)
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
}

// fill puts values into all widgets but the menus of named sources.
func (f *Form[O]) fill() {
	for k, it := range f.items {
		text := f.fields[k].Text()
		switch {
		case it.menu != nil && f.fields[k].Source == "":
			list, _ := f.choices(f.fields[k])
			it.menu.Offer(list, text)
		case it.check != nil && it.check.Checked != (text == "true"):
			it.check.SetChecked(text == "true")
		case it.entry != nil && it.entry.Text != text:
			it.entry.SetText(text)
		}
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
		if text, ok := texts[field.Name]; ok {
			_ = f.set(k, text) // what is no longer taken stays the default
		}
	}
}

// entry is a line of text that is looked at while it is typed, and taken at Return and when the
// keyboard leaves it. Escape brings the last text back that was taken.
type entry struct {
	widget.Entry
	leave func()
}

func (f *Form[O]) newEntry(k int) *entry {
	e := &entry{}
	e.ExtendBaseWidget(e)
	e.OnChanged = func(text string) {
		f.tried = f.options
		f.say(f.trial[k].Set(text))
	}
	take := func() { f.take(k, e.Text) }
	e.OnSubmitted = func(string) {
		if take(); f.wrong.Text == "" && f.Refocus != nil {
			f.Refocus()
		}
	}
	e.OnEscape = func() {
		e.SetText(f.fields[k].Text())
		if f.Refocus != nil {
			f.Refocus()
		}
	}
	e.leave = take
	return e
}

// FocusLost implements fyne.Focusable.
func (e *entry) FocusLost() {
	e.Entry.FocusLost()
	e.leave()
}

// ofWidth is the layout of one object of a width, for the usual size of text.
type ofWidth float32

// Layout implements fyne.Layout.
func (ofWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (w ofWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(float32(w)*widget.Grown(), objects[0].MinSize().Height)
}

// check is a switch that is explained while the pointer is on it.
type check struct {
	fynewidget.Check
	hint string
	host *Host
}

func newCheck(name, hint string, host *Host) *check {
	c := &check{hint: hint, host: host}
	c.Text = name
	c.ExtendBaseWidget(c)
	return c
}

// MouseIn implements desktop.Hoverable.
func (c *check) MouseIn(ev *desktop.MouseEvent) {
	c.Check.MouseIn(ev)
	c.host.Say(c.hint)
}

// MouseOut implements desktop.Hoverable.
func (c *check) MouseOut() {
	c.Check.MouseOut()
	c.host.Say("")
}

// hinted is a name that is explained while the pointer is on it.
type hinted struct {
	fynewidget.Label
	hint string
	host *Host
}

var _ desktop.Hoverable = (*hinted)(nil)

func newHinted(name, hint string, host *Host) *hinted {
	h := &hinted{hint: strings.ReplaceAll(hint, "\n", " "), host: host}
	h.Text = name
	h.ExtendBaseWidget(h)
	return h
}

// MouseIn implements desktop.Hoverable.
func (h *hinted) MouseIn(*desktop.MouseEvent) { h.host.Say(h.hint) }

// MouseMoved implements desktop.Hoverable.
func (h *hinted) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *hinted) MouseOut() { h.host.Say("") }
