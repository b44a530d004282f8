package kit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
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
// and not taken. What depends on another option (the tag when) is shown only where it has a
// meaning. Every change is remembered under Key; what is remembered and no longer taken falls back
// to the default. A Screen makes its form and fills its menus; elsewhere set Host, Key and
// OnChange, call Make, and call Offer as soon as Choices can answer, and whenever they change. A
// form in a dialog is made by Ask.
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

// Make makes the widgets and takes in what is remembered. Choices are asked by Offer alone.
func (f *Form[O]) Make() {
	f.Rows = f.Rows || f.Narrow
	f.options, f.tried, f.parked = defaults[O](), defaults[O](), map[string]string{}
	f.fields, f.trial = option.Fields(&f.options), option.Fields(&f.tried)
	f.recall()
	f.wrong, f.help = fynewidget.NewLabel(""), fynewidget.NewLabel("\n")
	f.wrong.Importance, f.wrong.Wrapping = fynewidget.DangerImportance, fyne.TextWrapWord
	f.help.Importance, f.help.Wrapping = fynewidget.LowImportance, fyne.TextWrapWord
	f.wrong.Hide()
	rows := []*fyne.Container{container.New(layout.NewFormLayout())} // by page
	rare := container.New(layout.NewFormLayout())                    // those that are folded
	narrow, folded := narrowRows{rows: container.NewVBox()}, narrowRows{rows: container.NewVBox()}
	var menus, others []fyne.CanvasObject
	for k, field := range f.fields {
		it := &item{}
		f.items = append(f.items, it)
		if n := len(rows); n < len(f.Pages) && f.Pages[n].First == field.Name {
			rows = append(rows, container.New(layout.NewFormLayout()))
		}
		if field.NoWindow || field.Hidden || slices.Contains(f.Hide, field.Name) {
			continue
		}
		label := newHinted(field.Label, field.Help, f.tell)
		var name fyne.CanvasObject = label
		object := f.ask(k)
		if it.check != nil {
			name = layout.NewSpacer()
		}
		if f.Hint != nil {
			it.hint = fynewidget.NewLabel("")
			it.hint.SizeName, it.hint.Importance = theme.SizeNameCaptionText, fynewidget.LowImportance
			it.hint.Wrapping = fyne.TextWrapWord
			object = container.NewVBox(object, it.hint)
		}
		switch {
		case f.Narrow:
			if it.check == nil {
				label.SizeName, label.Importance = theme.SizeNameCaptionText, fynewidget.LowImportance
				object = container.NewVBox(name, object)
			}
			it.shown = []fyne.CanvasObject{object}
			to := &narrow
			if slices.Contains(f.Folded, field.Name) {
				to = &folded
			}
			to.add(object, it.entry != nil && !field.List && (field.Kind == option.Whole || field.Kind == option.Number))
			continue
		case f.Rows:
			it.shown = []fyne.CanvasObject{name, object}
			page := rows[len(rows)-1]
			if slices.Contains(f.Folded, field.Name) {
				page = rare
			}
			page.Objects = append(page.Objects, it.shown...)
			continue
		case it.menu != nil:
			object = widget.Named(name, object)
			menus = append(menus, object)
		case it.check != nil:
			others = append(others, object)
		default:
			object = container.NewHBox(name, object)
			others = append(others, object)
		}
		it.shown = []fyne.CanvasObject{object}
	}
	var line fyne.CanvasObject = container.NewHBox(others...)
	switch {
	case f.Narrow:
		if len(folded.rows.Objects) > 0 {
			narrow.add(fold(folded.rows), false)
		}
		line = container.NewVScroll(container.NewPadded(narrow.rows))
	case f.Rows:
		line = f.paged(rows)
		if len(rare.Objects) > 0 {
			line = container.NewVBox(line, fold(rare))
		}
	case len(menus) > 0:
		f.menus = container.NewGridWithColumns(len(menus), menus...)
		line = container.NewBorder(nil, nil, nil, line, f.menus)
	}
	below := container.NewVBox(f.wrong)
	if f.Rows && !f.InPage && !f.Narrow {
		below.Add(f.help)
	}
	if f.object = container.NewVBox(line, below); f.Narrow || len(f.Pages) > 0 {
		f.object = container.NewBorder(nil, below, nil, nil, line)
	}
	f.fill()
	f.showThose()
	for k, it := range f.items {
		if it.check != nil {
			it.check.OnChanged = func(on bool) { f.take(k, strconv.FormatBool(on)) }
		}
	}
}

// fold is what stands below a heading that opens and closes.
func fold(rows fyne.CanvasObject) fyne.CanvasObject {
	return fynewidget.NewAccordion(fynewidget.NewAccordionItem("Advanced", rows))
}

// paged lays the rows of each page out, and leaves out pages without any.
func (f *Form[O]) paged(rows []*fyne.Container) fyne.CanvasObject {
	if len(f.Pages) == 0 {
		return rows[0]
	}
	tabs := container.NewAppTabs()
	for k, page := range rows {
		switch len(page.Objects) {
		case 0:
		case 2:
			tabs.Append(container.NewTabItem(f.Pages[k].Title, page.Objects[1]))
		default:
			tabs.Append(container.NewTabItem(f.Pages[k].Title, container.NewVScroll(page)))
		}
	}
	return tabs
}

// narrowRows are rows one below the other, and numbers that follow one another two in a line.
type narrowRows struct {
	rows  *fyne.Container
	pairs *fyne.Container // the last row where it holds numbers, nil otherwise
}

func (n *narrowRows) add(object fyne.CanvasObject, number bool) {
	switch {
	case number && n.pairs == nil:
		n.pairs = container.NewGridWithColumns(2, object)
		n.rows.Add(n.pairs)
	case number:
		n.pairs.Add(object)
	default:
		n.pairs = nil
		n.rows.Add(object)
	}
}

// ask makes the widget of an option.
func (f *Form[O]) ask(k int) fyne.CanvasObject {
	it, field := f.items[k], f.fields[k]
	if f.Own != nil {
		if it.own = f.Own(field.Name, func(text string) { f.take(k, text) }); it.own.Object != nil {
			return it.own.Object
		}
	}
	switch {
	case field.Kind == option.Switch && !field.List:
		it.check = newCheck(field.Label, field.Help, f.tell)
		return it.check
	case field.List && len(field.Choices) > 0:
		it.group = fynewidget.NewCheckGroup(nil, nil)
		it.group.Horizontal = len(field.Choices) <= 6 && !f.Narrow
		return it.group
	case field.Source != "" || field.Kind == option.Choice:
		it.menu = widget.NewPicker(func(key string) { f.take(k, key) })
		if f.Trees[field.Source] != nil {
			it.menu = widget.NewTreePicker(func(key string) { f.take(k, key) })
		}
		return it.menu.Object()
	}
	it.entry = f.newEntry(k)
	width := ofWidth(64)
	if field.Kind == option.Text || field.Kind == option.Path || field.List {
		width = 160
	}
	var object fyne.CanvasObject = it.entry
	if !f.Rows || field.Slide != [3]float64{} {
		object = container.New(width, it.entry)
	}
	if f.Menu != nil {
		if menu := f.Menu(field.Name); menu != nil {
			button := fynewidget.NewButton(menu.Label, nil)
			button.OnTapped = func() { widget.PopUpBelow(button, f.Window.Canvas(), menu.Items...) }
			object = container.NewBorder(nil, nil, nil, button, object)
		}
	}
	switch {
	case field.Slide != [3]float64{}:
		it.slider = fynewidget.NewSlider(field.Slide[0], field.Slide[1])
		it.slider.Step = field.Slide[2]
		var slider fyne.CanvasObject = it.slider
		if !f.Rows {
			slider = container.New(ofWidth(120), it.slider)
		}
		return container.NewBorder(nil, nil, nil, object, slider)
	case field.Kind == option.Path && field.Existing == "file":
		var extensions []string
		if ext := filepath.Ext(field.Placeholder); ext != "" {
			extensions = []string{ext}
		}
		return container.NewBorder(nil, nil, nil, f.BrowseFile(it.entry.put, extensions...), object)
	case field.Kind == option.Path && (field.Existing == "dir" || field.Placeholder == "DIR"):
		return container.NewBorder(nil, nil, nil, f.BrowseFolder(it.entry.put), object)
	case field.Kind == option.Path && filepath.Ext(field.Placeholder) != "": // a file to write
		keepName := func(folder string) { it.entry.put(filepath.Join(folder, filepath.Base(Path(it.entry.Text)))) }
		return container.NewBorder(nil, nil, nil, f.BrowseFolder(keepName), object)
	case field.Kind == option.Path:
		return container.NewBorder(nil, nil, nil, f.Browse(it.entry.put), object)
	case f.Rows && field.Unit != "":
		return container.NewBorder(nil, nil, nil, fynewidget.NewLabel(field.Unit), object)
	}
	return object
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
		f.say(f.Err())
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
	if err := f.fault(); err != nil {
		return errors.New(words(err))
	}
	if f.Refuse != nil {
		if err := f.Refuse(f.options); err != nil {
			return errors.New(present.Sentence(err))
		}
	}
	return nil
}

func (f *Form[O]) fault() error {
	for _, it := range f.items {
		if it.refuse != nil {
			return it.refuse
		}
	}
	return option.Check(&f.options)
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
	it.refuse = nil
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
	if f.say(nil); f.Rows {
		f.say(f.fault())
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
