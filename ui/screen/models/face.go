package models

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	parts "github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets.
type face struct {
	table   *table
	gallery *gallery
	bar     *parts.ColourBar
	pictures,
	empty, none *fyne.Container // none: nothing meets the filter

	filter   *parts.Entry
	filters  *widget.Button
	columns  *widget.Button
	toggle   *widget.Button
	inspect  *widget.Button
	run      *widget.Button
	more     *widget.Button
	caption  *widget.Label
	detail   *widget.Label
	chips    *fyne.Container
	second   *fyne.Container // the gallery's controls and the chips
	modality *widget.Select
	size     *widget.Slider
	badge    *parts.Badge
	galleryControls,
	roundControls *fyne.Container
	third  *fyne.Container // the line that they stand on
	round  *widget.Select
	blind  *widget.Label
	object *fyne.Container
}

// roundWidth is the width of the menu of rounds in device-independent pixels.
const roundWidth = 160

// build makes the widgets.
func (s *Screen) build() {
	s.filter = s.newFilterEntry()
	s.caption, s.detail = widget.NewLabel(""), widget.NewLabel("")
	s.caption.Truncation, s.detail.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	s.table, s.gallery = newTable(s), newGallery(s)
	s.bar = parts.NewColourBar()
	s.pictures = container.NewBorder(nil, nil, nil, container.NewPadded(s.bar), s.gallery)
	s.empty, s.none = s.welcome(), s.nothing()
	s.buildControls()
	buttons := container.NewHBox(s.filters, s.columns, s.toggle)
	actions := container.NewHBox(s.roundControls, s.inspect, s.run, s.more)
	first := container.NewBorder(nil, nil, nil, buttons, s.filter)
	s.third = container.NewBorder(nil, nil, nil, actions, s.caption)
	top := container.NewVBox(first, s.third, s.second)
	s.object = container.NewBorder(container.NewPadded(top), s.detail, nil, nil, container.NewStack(s.table, s.pictures, s.empty, s.none))
}

func (s *Screen) buildControls() {
	s.filters = widget.NewButtonWithIcon("Filter", theme.NavigateNextIcon(), s.openFilters)
	s.filters.SetIcon(theme.MenuDropDownIcon())
	s.columns = widget.NewButtonWithIcon("Columns", theme.MenuDropDownIcon(), s.openColumns)
	s.toggle = widget.NewButtonWithIcon("Gallery", theme.GridIcon(), s.toggleGallery)
	s.inspect = widget.NewButtonWithIcon("Inspect", theme.SearchIcon(), s.openSelected)
	s.run = widget.NewButtonWithIcon("Run chosen…", theme.MediaPlayIcon(), func() {
		s.Focus()
		call1(s.deps.Run, s.view.Chosen())
	})
	s.more = widget.NewButtonWithIcon("More", theme.MenuDropDownIcon(), func() {
		s.Focus()
		s.openMenu(below(s.more))
	})
	s.chips = container.NewHBox()
	s.modality = widget.NewSelect(evidence.DefaultModalities(), nil)
	s.modality.SetSelected(s.looks.Modality)
	s.modality.OnChanged = s.chooseModality
	s.size = widget.NewSlider(smallestTile, largestTile)
	s.size.Step = 4
	s.size.SetValue(float64(s.looks.Tile))
	s.size.OnChanged = func(v float64) {
		s.looks.Tile = float32(v)
		s.gallery.resized()
	}
	s.size.OnChangeEnded = func(float64) {
		s.Focus()
		s.remember()
	}
	slider := container.NewGridWrap(fyne.NewSize(130, s.size.MinSize().Height), s.size)
	s.badge = parts.NewBadge()
	s.badge.OnTapped = s.takeScales
	s.galleryControls = container.NewHBox(s.modality, widget.NewLabel("size"), container.NewCenter(slider), container.NewCenter(s.badge))
	s.round = widget.NewSelect(nil, nil)
	s.blind = widget.NewLabel("")
	s.blind.Importance = widget.LowImportance
	chooser := container.NewGridWrap(fyne.NewSize(roundWidth, s.round.MinSize().Height), s.round) // names may be long
	s.roundControls = container.NewHBox(s.blind, widget.NewLabel("Labels of"), chooser)
	s.second = container.NewBorder(nil, nil, s.galleryControls, nil, container.NewHScroll(s.chips))
}

// welcome is what an empty workspace shows in place of the list.
func (s *Screen) welcome() *fyne.Container {
	text := widget.NewLabelWithStyle("This workspace has no models yet.", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	hint := widget.NewLabelWithStyle("Import .onnx files, or a folder with models.csv and curves.csv, and a test suite.\nOr drop them on the window.",
		fyne.TextAlignCenter, fyne.TextStyle{})
	add := widget.NewButtonWithIcon("Import…", theme.ContentAddIcon(), func() { call(s.deps.Import) })
	add.Importance = widget.HighImportance
	return container.NewCenter(container.NewVBox(text, hint, container.NewCenter(add)))
}

// nothing is what a filter shows that no model meets.
func (s *Screen) nothing() *fyne.Container {
	text := widget.NewLabelWithStyle("No model meets the filter.", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	clear := widget.NewButton("Clear the filter", func() { s.setQuery(Query{}) })
	return container.NewCenter(container.NewVBox(text, container.NewCenter(clear)))
}

// apply shows the view from the ground up: other rows, perhaps other columns. The scroll position
// stays.
func (s *Screen) apply() {
	s.table.columnsChanged()
	gallery, any := s.looks.Gallery, s.view.Total() > 0
	parts.Show(s.empty, s.loaded && !any)
	parts.Show(s.table, any && !gallery)
	parts.Show(s.pictures, any && gallery)
	parts.Show(s.columns, !gallery)
	s.toggle.SetText(map[bool]string{false: "Gallery", true: "Table"}[gallery])
	s.toggle.SetIcon(map[bool]fyne.Resource{false: theme.GridIcon(), true: theme.ListIcon()}[gallery])
	s.refreshRounds()
	s.refreshChips()
	s.arranged()
}

// arranged shows rows in another order or choice.
func (s *Screen) arranged() {
	s.hovered, s.anchor = -1, -1
	parts.Show(s.none, s.view.Total() > 0 && s.view.Len() == 0)
	s.redraw()
	s.refreshChoice()
}

// redraw draws the cells that can be seen anew.
func (s *Screen) redraw() {
	if s.looks.Gallery {
		s.gallery.Refresh()
	} else {
		s.table.Refresh()
	}
}

func (s *Screen) showRow(at int) {
	if s.looks.Gallery {
		s.gallery.ScrollTo(at)
	} else {
		s.table.showRow(at)
	}
}

// refreshChoice shows checks and selection.
func (s *Screen) refreshChoice() {
	s.caption.SetText(s.view.Caption())
	chosen := len(s.view.Chosen())
	parts.Enable(s.run, chosen > 0)
	parts.Enable(s.more, chosen > 0)
	_, selected := s.view.Selected()
	parts.Enable(s.inspect, selected)
	s.refreshDetail()
}

// refreshDetail says more about the row under the pointer, else about the selected one.
func (s *Screen) refreshDetail() {
	row, ok := s.view.At(s.hovered)
	if !ok {
		row, ok = s.view.Selected()
	}
	text := "Double-click or press Enter to inspect a model; Space checks it, Shift and arrows check several, Ctrl+A all; right-click for more."
	if ok {
		text = row.Detail()
	}
	if unknown := s.view.Unknown(); len(unknown) > 0 {
		text = fmt.Sprintf("There is no column %s; the filter looks for it as a word.", unknown[0])
	}
	if s.loaded && (s.list.current.Suite == "" || s.list.current.Family == "") {
		text = "Choose a test suite (import one first where there is none) and a family above: states, matrices and accuracies refer to them."
	}
	s.detail.SetText(text)
}

// refreshChips shows every clause of the filter, to be removed by a click.
func (s *Screen) refreshChips() {
	s.chips.RemoveAll()
	query := s.view.Query()
	for i, c := range query.Clauses {
		chip := widget.NewButtonWithIcon(c.Words(), theme.CancelIcon(), func() { s.setQuery(query.Without(i)) })
		chip.IconPlacement = widget.ButtonIconTrailingText
		s.chips.Add(chip)
	}
	if len(query.Clauses) > 1 {
		clear := widget.NewButton("Clear all", func() { s.setQuery(Query{}) })
		clear.Importance = widget.LowImportance
		s.chips.Add(clear)
	}
	parts.Show(s.galleryControls, s.looks.Gallery)
	s.second.Refresh()
	if needed := len(query.Clauses) > 0 || s.looks.Gallery; needed != s.second.Visible() {
		parts.Show(s.second, needed)
		s.object.Refresh() // the list gives or takes the room
	}
}

// setQuery writes a filter; the list follows its entry.
func (s *Screen) setQuery(q Query) {
	s.Focus()
	s.filter.SetText(q.String())
}

// refreshRounds offers the rounds whose labels can be shown.
func (s *Screen) refreshRounds() {
	choices := s.list.choices
	parts.Show(s.roundControls, len(choices) > 0)
	s.third.Refresh() // those beside them make room
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = c.Name
	}
	s.round.OnChanged = nil
	s.round.SetOptions(names)
	at := slices.IndexFunc(choices, func(c RoundChoice) bool { return c.ID == s.list.round.ID })
	if at >= 0 {
		s.round.SetSelectedIndex(at)
	}
	s.round.OnChanged = func(string) {
		if i := s.round.SelectedIndex(); i >= 0 {
			s.looks.Round = choices[i].ID
			s.remember()
			s.Refresh()
		}
		s.Focus()
	}
	s.blind.SetText(s.list.round.Hidden)
	parts.Show(s.blind, s.list.round.Hidden != "")
}

// toggleGallery changes between table and gallery; the selected model stays in sight.
func (s *Screen) toggleGallery() {
	s.looks.Gallery = !s.looks.Gallery
	s.remember()
	s.apply()
	s.rescale()
	s.Focus()
	if r, ok := s.view.Selected(); ok {
		if at := s.view.Index(r.Model.Hash); at >= 0 {
			s.showRow(at)
		}
	}
}

// offer puts the modalities into the gallery's menu.
func (s *Screen) offer(names []string) {
	if !slices.Contains(names, s.looks.Modality) {
		names = append(names, s.looks.Modality)
	}
	s.modality.OnChanged = nil
	s.modality.SetOptions(names)
	s.modality.SetSelected(s.looks.Modality)
	s.modality.OnChanged = s.chooseModality
}

func (s *Screen) chooseModality(name string) {
	if name == "" || name == s.looks.Modality {
		return
	}
	s.looks.Modality = name
	s.remember()
	s.shelf.clear()
	s.ranging.again()
	s.rescale()
	s.redraw()
	s.Focus()
}

// shownScale shows the gallery's scale.
func (s *Screen) shownScale() {
	scale, badge, ok := s.galleryScale()
	parts.Show(s.bar, ok)
	s.badge.SetText(badge)
	if ok {
		s.bar.SetScale(scale)
	}
	s.galleryControls.Refresh()
}
