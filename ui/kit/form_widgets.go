package kit

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/widget"
)

// entry is a line of text that is looked at while it is typed, and taken at Return and when the
// keyboard leaves it; in rows it is taken while it is typed, and a list of paths, or of texts that
// each have a line, has several lines. Escape brings the last text back that was taken.
type entry struct {
	widget.Entry
	leave func()
	quiet bool // it is being filled
}

func (f *Form[O]) newEntry(k int) *entry {
	e := &entry{}
	e.ExtendBaseWidget(e)
	field := f.fields[k]
	take := func() {
		text := e.Text
		if field.Kind == option.Text && !field.List {
			text = strings.TrimSpace(text)
		}
		f.take(k, text)
	}
	if f.Rows {
		e.SetPlaceHolder(prompt(field))
		if e.MultiLine = field.List && (field.Kind == option.Path ||
			field.Join([]string{"", ""}) == "\n"); e.MultiLine {
			e.SetMinRowsVisible(3)
			e.Wrapping = fyne.TextWrapWord
		}
	}
	e.OnChanged = func(text string) {
		switch {
		case e.quiet:
		case f.Rows:
			take()
		default:
			f.tried = f.options
			f.say(f.trial[k].Set(text))
		}
	}
	e.OnSubmitted = func(string) {
		take()
		switch {
		case f.wrong.Text != "":
		case f.OnSubmit != nil:
			f.OnSubmit()
		case f.Refocus != nil:
			f.Refocus()
		}
	}
	if !f.Rows || f.InPage { // in a dialog Escape is the dialog's
		e.OnEscape = func() {
			e.SetText(field.Text())
			if f.Refocus != nil {
				f.Refocus()
			}
		}
	}
	e.leave = take
	return e
}

// suchAs finds an example in the help of an option, in quotation marks or up to a blank.
var suchAs = regexp.MustCompile(`such as (?:"([^"]+)"|([^ "]+[^ ".,]))`)

// prompt is what an empty entry says: what nothing stands for, or an example. Names in capitals are
// for the command line.
func prompt(field option.Field) string {
	_, after, _ := strings.Cut(field.Help, "(default: ")
	usual, _, _ := strings.Cut(after, ")")
	example := field.Placeholder
	if example == strings.ToUpper(example) {
		example = map[string]string{"DIR": "a folder", "FILE": "a file", "N": "a number"}[example]
	}
	if strings.Contains(usual, "--") || strings.Contains(usual, "$") {
		usual = ""
	}
	if such := suchAs.FindStringSubmatch(field.Help); such != nil && example == "" {
		example = "such as " + such[1] + such[2]
	}
	return cmp.Or(field.Zero, usual, example)
}

// show shows the value of an option, unless what is typed already means it.
func (e *entry) show(field option.Field) {
	text := field.Text()
	if field.Kind == option.Path && field.List {
		text = strings.Join(field.Values(), "\n")
	}
	if e.Text == text || strings.TrimSpace(e.Text) == text || field.Kind == option.Path &&
		slices.Equal(Paths(e.Text), field.Values()) {
		return
	}
	e.quiet = true
	e.SetText(text)
	e.quiet = false
}

// put takes in a path that was chosen: below the others of a list, otherwise in place of the last.
func (e *entry) put(path string) {
	if e.MultiLine {
		path = strings.Join(Paths(e.Text+"\n"+path), "\n") // each once
	}
	e.SetText(path)
	e.leave()
}

// drop takes paths that are dropped on a dialog: all of them to the first list of paths, otherwise
// each to an option of files with its ending, or with none, the first that is empty or the last. A
// path without an ending may also be a folder.
func (f *Form[O]) drop(paths []string) {
	for k, it := range f.items {
		if field := f.fields[k]; it.entry != nil && it.entry.Visible() && field.List && field.Kind == option.Path {
			it.entry.put(strings.Join(paths, "\n"))
			return
		}
	}
	for _, path := range paths {
		var to *entry
		for _, ending := range []string{strings.ToLower(filepath.Ext(path)), ""} {
			for k, it := range f.items {
				takes := f.fields[k].Existing == "file" || f.fields[k].Existing == "dir" && filepath.Ext(path) == ""
				takes = takes || f.fields[k].Kind == option.Path && f.fields[k].Existing+f.fields[k].Placeholder == ""
				takes = takes && strings.ToLower(filepath.Ext(f.fields[k].Placeholder)) == ending
				if takes && it.entry != nil && it.shown[len(it.shown)-1].Visible() && (to == nil || to.Text != "") {
					to = it.entry
				}
			}
			if to != nil {
				break
			}
		}
		if to != nil {
			to.put(path)
		}
	}
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

// overhang is the layout of one object that asks for no room and lies over what is below it.
type overhang struct{}

// Layout implements fyne.Layout.
func (overhang) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(size.Width, objects[0].Size().Height)) // its height follows from its width
	objects[0].Resize(fyne.NewSize(size.Width, objects[0].MinSize().Height))
}

// MinSize implements fyne.Layout.
func (overhang) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// check is a switch that is explained while the pointer is on it.
type check struct {
	fynewidget.Check
	hint string
	tell func(string)
}

// MouseIn implements desktop.Hoverable.
func (c *check) MouseIn(ev *desktop.MouseEvent) {
	c.Check.MouseIn(ev)
	c.tell(c.hint)
}

// MouseOut implements desktop.Hoverable.
func (c *check) MouseOut() {
	c.Check.MouseOut()
	c.tell("")
}

// hinted is a name that is explained while the pointer is on it.
type hinted struct {
	fynewidget.Label
	hint string
	tell func(string)
}

var _ desktop.Hoverable = (*hinted)(nil)

func newHinted(name, hint string, tell func(string)) *hinted {
	h := &hinted{hint: strings.ReplaceAll(hint, "\n", " "), tell: tell}
	h.Text = name
	h.ExtendBaseWidget(h)
	return h
}

// MouseIn implements desktop.Hoverable.
func (h *hinted) MouseIn(*desktop.MouseEvent) { h.tell(h.hint) }

// MouseMoved implements desktop.Hoverable.
func (h *hinted) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *hinted) MouseOut() { h.tell("") }
