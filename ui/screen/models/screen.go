package models

import (
	"context"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
)

// Deps is what the screen is made from. Store and Work are needed; the callbacks may be nil.
type Deps struct {
	Store Store
	Work  *background.Group
	// Open opens a model on the inspect screen.
	Open func(modelHash string)
	// Import opens the import dialog, Run the run dialog for these models (hashes).
	Import func()
	Run    func(chosen []string)
	// ShowError shows an error to the person.
	ShowError func(err error)
}

// Screen is the list of models.
type Screen struct {
	deps     Deps
	view     *View
	thumbs   thumbnails
	list     list
	statuses []engine.Status
	latest   background.Latest
	silence  func()
	waiting  atomic.Bool  // a refresh is on its way
	took     atomic.Int64 // nanoseconds of the last load
	loaded   bool
	hovered  int

	table   *table
	filter  *widget.Entry
	caption *widget.Label
	detail  *widget.Label
	run     *widget.Button
	inspect *widget.Button
	empty   *fyne.Container
	object  fyne.CanvasObject
}

// New makes the screen; it shows nothing before Shown or Refresh.
func New(deps Deps) *Screen {
	s := &Screen{deps: deps, view: NewView(), hovered: -1}
	s.filter = widget.NewEntry()
	s.filter.SetPlaceHolder("Filter by id or record: vgg  architecture=cnn  anomaly=none")
	s.filter.OnChanged = func(text string) {
		s.view.SetFilter(text)
		s.arranged()
	}
	s.filter.OnSubmitted = func(string) { s.table.focus() }
	s.caption, s.detail = widget.NewLabel(""), widget.NewLabel("")
	s.detail.Truncation = fyne.TextTruncateEllipsis
	s.run = widget.NewButtonWithIcon("Run chosen…", theme.MediaPlayIcon(), func() { call1(deps.Run, s.view.Chosen()) })
	s.inspect = widget.NewButtonWithIcon("Inspect", theme.SearchIcon(), s.openSelected)
	add := widget.NewButtonWithIcon("Import…", theme.ContentAddIcon(), func() { call(deps.Import) })
	s.table = newTable(s)
	s.empty = s.welcome()
	top := container.NewBorder(nil, nil, nil, container.NewHBox(s.caption, s.inspect, s.run, add), s.filter)
	s.object = container.NewBorder(container.NewPadded(top), s.detail, nil, nil, container.NewStack(s.table, s.empty))
	s.apply()
	return s
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

func call(f func()) {
	if f != nil {
		f()
	}
}

func call1[T any](f func(T), v T) {
	if f != nil {
		f(v)
	}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Chosen are the hashes of the checked models, or of the selected one.
func (s *Screen) Chosen() []string { return s.view.Chosen() }

// Shown starts to follow the workspace and gives the list the keyboard.
func (s *Screen) Shown() {
	if s.silence == nil {
		s.silence = s.deps.Store.Subscribe(s.heard)
	}
	s.Refresh()
	s.Focus()
}

// Close ends the screen; it is not shown again.
func (s *Screen) Close() { s.Hidden() }

// Hidden stops following the workspace.
func (s *Screen) Hidden() {
	if s.silence != nil {
		s.silence()
		s.silence = nil
	}
}

// Focus gives the list the keyboard.
func (s *Screen) Focus() { s.table.focus() }

// heard is called on any goroutine after a change in the workspace. Many changes become one refresh; the more a refresh
// costs, the rarer it is.
func (s *Screen) heard(c store.Change) {
	switch c.Kind {
	case store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.RunChanged, store.CurrentChanged:
	default:
		return
	}
	if !s.waiting.CompareAndSwap(false, true) {
		return
	}
	pause := max(200*time.Millisecond, 4*time.Duration(s.took.Load()))
	if c.Kind == store.CurrentChanged {
		pause = 0
	}
	s.deps.Work.Quiet("refresh models", func(ctx context.Context) error {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		return ctx.Err()
	}, func(err error) {
		s.waiting.Store(false)
		if err == nil && s.silence != nil {
			s.Refresh()
		}
	})
}

// Refresh reads the list anew in the background; an answer to an older request is dropped.
func (s *Screen) Refresh() {
	background.Load(s.deps.Work, &s.latest, "load models", func(ctx context.Context) (list, error) {
		started := time.Now()
		l, err := load(ctx, s.deps.Store, &s.thumbs)
		s.took.Store(int64(time.Since(started)))
		return l, err
	}, func(l list, err error) {
		if err != nil {
			call1(s.deps.ShowError, err)
			return
		}
		s.list, s.loaded = l, true
		s.view.SetRows(l.rows)
		s.view.Overlay(l.follow(s.statuses))
		s.apply()
	})
}

// Follow shows what the engine is doing; the window calls it at most ten times a second.
func (s *Screen) Follow(statuses []engine.Status) {
	s.statuses = statuses
	if changed := s.view.Overlay(s.list.follow(statuses)); len(changed) > 0 {
		s.table.Refresh()
		s.refreshDetail()
	}
}

// apply shows the view from the ground up: other rows, perhaps other columns. The scroll position stays.
func (s *Screen) apply() {
	s.table.columnsChanged()
	show(s.empty, s.loaded && s.view.Total() == 0)
	show(s.table, s.view.Total() > 0)
	s.arranged()
}

// arranged shows rows in another order or choice.
func (s *Screen) arranged() {
	s.hovered = -1
	s.table.Refresh()
	s.refreshChoice()
}

// refreshChoice shows checks and selection.
func (s *Screen) refreshChoice() {
	s.caption.SetText(s.view.Caption())
	enable(s.run, len(s.view.Chosen()) > 0)
	_, selected := s.view.Selected()
	enable(s.inspect, selected)
	s.refreshDetail()
}

func enable(b *widget.Button, on bool) {
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}

// refreshDetail says more about the row under the pointer, else about the selected one.
func (s *Screen) refreshDetail() {
	row, ok := s.view.At(s.hovered)
	if !ok {
		row, ok = s.view.Selected()
	}
	text := "Double-click or press Enter to inspect a model; Space checks it for a run."
	if ok {
		text = row.Detail()
	}
	if s.loaded && (s.list.current.Suite == "" || s.list.current.Family == "") {
		text = "Choose a suite and a family above: states, matrices and accuracies refer to them."
	}
	s.detail.SetText(text)
}

// pressed is a press of the mouse on a row: it selects; on the check mark, or with Ctrl, it checks; with Shift it checks
// everything from the selected row on.
func (s *Screen) pressed(row, col int, modifier fyne.KeyModifier) {
	r, ok := s.view.At(row)
	if !ok {
		return
	}
	hash := r.Model.Hash
	onCheck := s.view.Columns()[col].Key == keyCheck
	switch {
	case modifier&fyne.KeyModifierShift != 0:
		if selected, ok := s.view.Selected(); ok {
			s.view.CheckRange(s.view.Index(selected.Model.Hash), row)
		}
	case onCheck || modifier&fyne.KeyModifierShortcutDefault != 0:
		s.view.Check(hash, !s.view.Checked(hash))
	}
	s.view.Select(hash)
	s.table.focus()
	s.table.Refresh()
	s.refreshChoice()
}

func (s *Screen) openRow(row, col int) {
	if r, ok := s.view.At(row); ok && s.view.Columns()[col].Key != keyCheck {
		call1(s.deps.Open, r.Model.Hash)
	}
}

func (s *Screen) openSelected() {
	if r, ok := s.view.Selected(); ok {
		call1(s.deps.Open, r.Model.Hash)
	}
}

func (s *Screen) hover(row int) {
	if s.hovered == row {
		return
	}
	s.hovered = row
	s.table.Refresh()
	s.refreshDetail()
}

// sortBy orders by a column; the head of the check column checks or clears all rows shown.
func (s *Screen) sortBy(col int) {
	columns := s.view.Columns()
	if col < 0 || col >= len(columns) {
		return
	}
	if columns[col].Key == keyCheck {
		s.view.CheckShown(!s.view.AllShownChecked())
	} else {
		s.view.SortBy(columns[col].Key)
	}
	s.arranged()
}
