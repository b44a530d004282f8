package kit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Option is an entry of a menu: the text that the option gets, and its name for people.
type Option = widget.Option

// Form asks for the options of a struct (engine/option), each by what its field says: choices and
// named sources by menus, lists of choices by a menu of ticks, switches by checks, all else by
// entries, in declared order and in one line. The help of an option stands in the status line while
// the pointer is on its name.
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
// longer taken falls back to the default. A Screen makes its form and fills its menus; elsewhere
// set Host, Key and OnChange, call Make, and call Offer as soon as Choices can answer, and whenever
// they change. A form in a dialog is made by Ask.
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
	// one another two in a line, and all scrolls above what is wrong. Help stands in the status
	// line.
	Narrow bool
	// Folded are options that stand at the end, below a heading "Advanced" that opens and closes;
	// for rows without pages.
	Folded []string
	// Choices are what a named source offers now. Where the current value is not among them, first
	// takes its place, or the first of the list where that is not there, either; an empty list
	// keeps the value. Options are asked in declared order: Options() has what stands before. The
	// key of a list's option is its whole text (option.Field.Join), such as all marked models.
	Choices func(source string) (list []Option, first string)
	// Trees, which may be nil, lay the menus of these named sources out: entries that belong
	// together stand in submenus, where an option is called by the name that Choices gives it.
	Trees map[string]func() []widget.ChoiceNode
	// Named, which may be nil, is the name for people of a choice of an option without a source, in
	// place of that of the tag names.
	Named func(name, choice string) string
	// Hide are names of options that the form has and does not show. Those that only the command
	// line has and those that are hidden are not shown, either.
	Hide []string
	// Refuse, which may be nil, says what is wrong with options that go together, such as with data
	// that they name; Err says that, too.
	Refuse func(O) error
	// Ticks are what options that are lists (their names) are ticked from, a check for each; asked
	// whenever menus are. Lists with choices of their own need none. Others are placeholders of the
	// entries, beside these checks, for values that are not among them; without one none is there.
	Ticks  map[string]func() []Option
	Others map[string]string
	// Shown, which may be nil, tells of an option whether it has a meaning with what is chosen and
	// with the data; the value of one that has none stays. It says more than the tag when.
	Shown func(name string) bool
	// Headings stand above options (their names) in rows.
	Headings map[string]string
	// Own, which may be nil, makes what asks for an option in another way than the form does: it
	// calls take with each text that it has. The zero Part leaves the option to the form.
	Own func(name string, take func(text string)) Part
	// Hint, which may be nil, is what stands in small letters below an option, "" for nothing; it
	// is asked after each change. For rows only.
	Hint func(name string) string
	// Menus are what buttons beside the entries of options (their names) offer, such as Texts: the
	// label of a menu is that of its button.
	Menus map[string]*fyne.Menu
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
	menus          *fyne.Container   // of a line
	folded         fyne.CanvasObject // nil for nothing
	object         *fyne.Container
}

// FormPage is a page of a form: its title, and the name of the option that stands first on it. What
// Own makes for the only option of a page has the whole page.
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
	ticks  *ticks
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
	k := f.place(name)
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

// Texts is a menu whose entries give an option a text. That of a list comes to those that are
// there.
func (f *Form[O]) Texts(name, title string, list []Option) *fyne.Menu {
	menu := fyne.NewMenu(title)
	for _, one := range list {
		menu.Items = append(menu.Items, fyne.NewMenuItem(one.Name, func() {
			text, field := one.Key, f.fields[f.place(name)]
			if field.List {
				values := slices.DeleteFunc(field.Values(), func(value string) bool { return value == text })
				text = field.Join(append(values, text))
			}
			_ = f.Put(name, text) // another text stays out
		}))
	}
	return menu
}

// place is where an option stands among the fields, -1 for none of that name.
func (f *Form[O]) place(name string) int {
	return slices.IndexFunc(f.fields, func(field option.Field) bool { return field.Name == name })
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
		if it.ticks != nil {
			it.ticks.fill(f.ticked(field), field.Values())
		}
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
	name := field.Choice(choice)
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
func (f *Form[O]) Entries() []*fyne.MenuItem { return f.Saver().Command(f.CommandLine()) }

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
			return errors.New(words(option.Of(&f.options, err)))
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
		if it.refuse != nil && it.visible() {
			return it.refuse
		}
	}
	return nil
}

// visible tells whether the option is asked for and has a meaning.
func (it *item) visible() bool { return len(it.shown) > 0 && it.shown[len(it.shown)-1].Visible() }

// missing are the options that are required, shown and not given, by their places.
func (f *Form[O]) missing() (places []int) {
	for k, field := range f.fields {
		if field.Missing() && f.items[k].visible() {
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
