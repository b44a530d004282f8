package kit

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/widget"
)

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
		if f.Hint != nil && it.own.Object == nil {
			it.hint = fynewidget.NewLabel("")
			it.hint.SizeName, it.hint.Wrapping = theme.SizeNameCaptionText, fyne.TextWrapWord
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
			to.add(object, it.entry != nil && !field.List &&
				(field.Kind == option.Whole || field.Kind == option.Number))
			continue
		case f.Rows:
			page := rows[len(rows)-1]
			if slices.Contains(f.Folded, field.Name) {
				page = rare
			}
			if title := f.Headings[field.Name]; title != "" {
				heading := widget.Bold(title)
				it.shown = append(it.shown, layout.NewSpacer(), heading)
			}
			it.shown = append(it.shown, name, object)
			page.Objects = append(page.Objects, it.shown...)
			continue
		case it.menu != nil || it.ticks != nil:
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
			f.folded = fold(folded.rows)
			narrow.add(f.folded, false)
		}
		line = container.NewVScroll(container.NewPadded(narrow.rows))
	case f.Rows:
		line = f.paged(rows)
		if len(rare.Objects) > 0 {
			f.folded = fold(rare)
			line = container.NewVBox(line, f.folded)
		}
	case len(menus) > 0:
		f.menus = container.NewGridWithColumns(len(menus), menus...)
		line = container.NewBorder(nil, nil, nil, line, f.menus)
	}
	below := container.NewVBox(f.wrong)
	switch {
	case !f.Rows: // nothing below the line moves when it is said
		below = container.New(overhang{}, container.NewStack(widget.NewGround(theme.ColorNameBackground), f.wrong))
	case !f.InPage && !f.Narrow:
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
			whole := fyne.CanvasObject(container.NewVScroll(page.Objects[1]))
			if slices.ContainsFunc(f.items, func(it *item) bool { return it.own.Object == page.Objects[1] }) {
				whole = page.Objects[1]
			}
			tabs.Append(container.NewTabItem(f.Pages[k].Title, whole))
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
		c := &check{hint: field.Help, tell: f.tell}
		c.Text = field.Label
		c.ExtendBaseWidget(c)
		it.check = c
		return c
	case field.List && (len(field.Choices) > 0 || f.Ticks[field.Name] != nil):
		take := func(values []string) { f.take(k, field.Join(values)) }
		it.ticks = newTicks(f.Others[field.Name], f.Narrow || !f.Rows, take)
		if !f.Rows {
			return f.newTicksMenu(it.ticks)
		}
		return it.ticks.object
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
	if menu := f.Menus[field.Name]; menu != nil {
		button := fynewidget.NewButton(menu.Label, nil)
		button.OnTapped = func() { widget.PopUpBelow(button, f.Window.Canvas(), menu.Items...) }
		object = container.NewBorder(nil, nil, nil, button, object)
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
	case field.Kind == option.Text && filepath.Ext(field.Placeholder) == ".txt": // or what such a file has
		return container.NewBorder(nil, nil, nil, f.BrowseFile(it.entry.put, ".txt"), object)
	case field.Kind == option.Path && field.Existing == "file":
		var extensions []string
		if ext := filepath.Ext(field.Placeholder); ext != "" && !strings.Contains(ext, " ") {
			extensions = []string{ext}
		}
		return container.NewBorder(nil, nil, nil, f.BrowseFile(it.entry.put, extensions...), object)
	case field.Kind == option.Path && (field.Existing == "dir" || field.Placeholder == "DIR"):
		return container.NewBorder(nil, nil, nil, f.BrowseFolder(it.entry.put), object)
	case field.Kind == option.Path && !field.List && filepath.Ext(field.Placeholder) != "": // a file to write
		keepName := func(folder string) { it.entry.put(filepath.Join(folder, filepath.Base(Path(it.entry.Text)))) }
		return container.NewBorder(nil, nil, nil, f.BrowseFolder(keepName), object)
	case field.Kind == option.Path:
		return container.NewBorder(nil, nil, nil, f.Browse(it.entry.put), object)
	case f.Rows && field.Unit != "":
		return container.NewBorder(nil, nil, nil, container.New(f.unitWidth(), fynewidget.NewLabel(field.Unit)), object)
	}
	return object
}

// unitWidth is room for the longest unit, so that the entries beside units are of one width.
func (f *Form[O]) unitWidth() (w ofWidth) {
	for _, field := range f.fields {
		if !field.NoWindow && !field.Hidden {
			w = max(w, ofWidth(fynewidget.NewLabel(field.Unit).MinSize().Width/widget.Grown()))
		}
	}
	return w
}
