package graph

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// edgesPane lists edges, with a form below in which one is changed, added or removed.
type edgesPane struct {
	p        *Page
	list     *kit.Records[itemset.NamedEdge]
	taken    string // ID of the selected edge
	from, to *fynewidget.SelectEntry
	weight   *fynewidget.Entry
	note     *fynewidget.Entry
	about    *fynewidget.Label
	set      *fynewidget.Button
	remove   *fynewidget.Button
	cut      *fynewidget.Button
	all      *fynewidget.Button
	object   fyne.CanvasObject
}

func newEdgesPane(p *Page) *edgesPane {
	e := &edgesPane{p: p, about: fynewidget.NewLabel("")}
	e.about.Truncation = fyne.TextTruncateEllipsis
	e.list = &kit.Records[itemset.NamedEdge]{
		Host: p.Host, Table: itemset.EdgeTable, OnOpen: func(edge itemset.NamedEdge) { p.choose(edge.To) },
		Note: func([]itemset.NamedEdge) string { return p.view.EdgesCaption() },
		OnSelect: func(edge itemset.NamedEdge, ok bool) {
			if !ok {
				e.taken = ""
			} else if id := itemset.EdgeTable.ID(edge); id != e.taken { // not after another reading
				e.taken = id
				e.take(edge)
			}
		},
	}
	e.object = container.NewBorder(nil, e.form(), nil, nil, e.list.Object())
	return e
}

func (e *edgesPane) form() fyne.CanvasObject {
	p := e.p
	e.from, e.to = e.keyword("from"), e.keyword("to")
	e.weight, e.note = fynewidget.NewEntry(), fynewidget.NewEntry()
	e.weight.SetPlaceHolder("weight")
	e.note.SetPlaceHolder("why (recorded with the edit)")
	e.weight.OnChanged = func(string) { e.check() }
	e.weight.OnSubmitted = func(string) { e.store() }
	e.note.OnSubmitted = func(string) { e.store() }
	e.set = fynewidget.NewButtonWithIcon("Set weight", theme.ConfirmIcon(), e.store)
	e.remove = fynewidget.NewButtonWithIcon("Remove edge", theme.ContentRemoveIcon(), func() {
		if edit, err := p.view.edit(change{e.from.Text, e.to.Text, "1", e.note.Text}); err == nil {
			edit.Weight = 0
			p.addEdits(p.view.editText(edit), edit)
		}
	})
	e.cut = fynewidget.NewButtonWithIcon("Cut off", theme.ContentCutIcon(), func() {
		if list := p.view.cutOff(p.view.chosen, e.note.Text); len(list) > 0 {
			p.addEdits(fmt.Sprintf("all edges of %s removed", p.view.Chosen()), list...)
		}
	})
	e.all = fynewidget.NewButton("All edges", func() { p.choose(-1) })
	ends := container.NewGridWithColumns(2, e.from, e.to)
	last := container.NewBorder(nil, nil, picture.Wide(weightWidth, e.weight), nil, e.note)
	return container.NewVBox(fynewidget.NewSeparator(), ends, last, e.about,
		container.NewHBox(e.set, e.remove, e.cut, e.all))
}

// weightWidth is the width of the field for the weight.
const weightWidth = 110

// keyword is an entry of a keyword, whose menu offers those that hold what is typed.
func (e *edgesPane) keyword(place string) *fynewidget.SelectEntry {
	entry := fynewidget.NewSelectEntry(nil)
	entry.SetPlaceHolder(place)
	entry.OnChanged = func(text string) {
		entry.SetOptions(e.p.view.offered(text))
		e.check()
	}
	entry.OnSubmitted = func(string) { e.store() }
	return entry
}

// offered are the names of all keywords that hold a text, all of them where the text is one of
// them.
func (v *View) offered(text string) []string {
	text = strings.ToLower(strings.TrimSpace(text))
	list := slices.Clone(v.Shown.Names)
	if v.find(text) < 0 {
		list = slices.DeleteFunc(list, func(name string) bool { return !strings.Contains(strings.ToLower(name), text) })
	}
	slices.SortFunc(list, result.Natural)
	return list
}

// typed is what the form says.
func (e *edgesPane) typed() change {
	return change{e.from.Text, e.to.Text, e.weight.Text, e.note.Text}
}

// take fills the form in with an edge, and says what it is.
func (e *edgesPane) take(edge itemset.NamedEdge) {
	v := e.p.view
	e.from.SetText(v.Shown.Names[edge.From])
	e.to.SetText(v.Shown.Names[edge.To])
	e.weight.SetText(result.Number.Say(edge.Weight, 0))
	e.check()
	e.p.Say(edge.String())
}

// store stores what the form says.
func (e *edgesPane) store() {
	edit, err := e.p.view.edit(e.typed())
	if err != nil {
		e.check()
		return
	}
	e.p.addEdits(e.p.view.editText(edit), edit)
}

// check says what the form means, or what is wrong, and lets only what makes sense be pressed.
func (e *edgesPane) check() {
	v, typed := e.p.view, e.typed()
	_, there := v.edge(v.find(typed.from), v.find(typed.to))
	_, err := v.edit(typed)
	text := v.about(typed)
	e.about.Importance = fynewidget.MediumImportance
	if err != nil && (text == "" || typed.weight != "") {
		text = present.Sentence(err)
		if typed.from != "" && typed.to != "" && typed.weight != "" {
			e.about.Importance = fynewidget.WarningImportance
		}
	}
	e.about.SetText(text)
	e.set.SetText("Set weight")
	if !there {
		e.set.SetText("Add edge")
	}
	widget.Enable(e.set, err == nil)
	widget.Enable(e.remove, there)
	widget.Enable(e.cut, v.chosen >= 0 && len(v.edges()) > 0)
	if name := v.Chosen(); name != "" {
		e.cut.SetText(fmt.Sprintf("Cut %s off", name))
	} else {
		e.cut.SetText("Cut off")
	}
}

// show brings list and form up to date.
func (e *edgesPane) show() {
	v := e.p.view
	e.list.Set(v.edges())
	widget.Enable(e.all, v.chosen >= 0)
	for _, entry := range []*fynewidget.SelectEntry{e.from, e.to} {
		entry.SetOptions(v.offered(entry.Text))
	}
	e.check()
}

// choose shows an edge where it can be changed.
func (e *edgesPane) choose(from, to int) {
	if edge, ok := e.p.view.edge(from, to); ok {
		e.p.tabs.Select("edges")
		e.list.Select(itemset.EdgeTable.ID(edge))
		e.taken = itemset.EdgeTable.ID(edge)
		e.take(edge)
	}
}
