// Package models is the screen that lists the workspace's models, as a table or as a gallery of one
// matrix each: their matrices, their state, accuracies and training records (engine/inventory);
// with the ways to import, run, compare and inspect them.
package models

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	parts "github.com/variscope/variscope/ui/widget"
)

// Ways are what can be done with models (hashes) elsewhere; what is nil is not offered.
type Ways struct {
	AddToRound, Export, Report func(hashes []string)
	Compare                    func(hashes []string) // two to four
	// Blind is the blind round that somebody labels at this moment, nil where nobody does: the list
	// shows no more of models than the round.
	Blind func() *label.Round
	// Did takes changes of data that can be taken back.
	Did func(history.Step)
}

// Screen is the list of models. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, list]
	store        Store
	ways         Ways
	pictures     *kit.ImageCache[thumb]
	failedThumbs *sync.Map
	data         list
	rows         []inventory.Row // those of data with what the runs at work do to them
	looks        looks
	scales       scales
	looking      bool // the scales were shown since the screen came to the front
	statuses     []engine.Status
	scaling      jobs.Latest
	ranging      ranging
	keeper       *jobs.Keeper // of the looks
	known        bool         // the remembered looks were read

	list    *kit.Records[inventory.Row]
	gallery *gallery
	detail  *widget.Label
	toggle  *widget.Button
	bar     *parts.ColourBar
	badge   *parts.Badge
	size    *widget.Slider
	modality,
	round *widget.Select
	blind *widget.Label
	galleryControls,
	roundControls, scale *fyne.Container
}

// New makes the screen; it reads when it is shown.
func New(host *kit.Host, from Store, ways Ways) *Screen {
	s := &Screen{store: from, ways: ways, looks: firstLooks()}
	s.pictures = kit.NewImageCache[thumb](host.Work, func() { s.list.Refresh() })
	s.usePictures()
	s.keeper = jobs.NewKeeper(host.Work, from.SetSetting, func(err error) { s.failed(err) })
	s.list = s.newList(host)
	g := &gallery{screen: s, hatch: render.Hatch(hatchSize), hovered: -1}
	g.Length = func() int { return s.list.Len() }
	g.CreateItem = func() fyne.CanvasObject { return newMatrixTile(s) }
	g.UpdateItem = func(at int, o fyne.CanvasObject) { g.update(at, o.(*matrixTile)) }
	g.ExtendBaseWidget(g)
	s.gallery = g
	s.bar, s.detail = parts.NewColourBar(), widget.NewLabel("")
	s.detail.Truncation = fyne.TextTruncateEllipsis
	s.scale = container.NewPadded(s.bar)
	s.scale.Hide()
	s.buildControls()
	s.Screen = kit.New(kit.Screen[struct{}, list]{
		Host: host, Name: "Read models", Doing: "Reading models…", Key: "models", Quiet: true, About: &answers,
		Load: func(struct{}) kit.Work[list] {
			look, blind := (*looks)(nil), s.labelled()
			if s.known {
				now := s.looks
				look = &now
			}
			return func(ctx context.Context, _ engine.Progress) (list, error) { return load(ctx, from, look, blind) }
		},
		On: []store.ChangeKind{
			store.ModelChanged, store.SuiteChanged, store.SignalsChanged, store.RunChanged, store.CurrentChanged,
			store.RoundChanged, store.LabelsChanged, store.SettingChanged,
		},
		Heeds: func(c store.Change) bool {
			return c.Kind != store.SettingChanged ||
				slices.Contains([]string{settingMap, settingPreset, settingOwn}, c.ID)
		},
		Body: container.NewBorder(nil, s.detail, nil, s.scale, s.list.Object()),
		Head: []fyne.CanvasObject{container.NewHBox(s.galleryControls, s.roundControls, s.toggle)},
		Empty: func(l list) (kit.Empty, bool) {
			return kit.Empty{
				Text: "This workspace has no models yet.\n\nImport .onnx files, or a folder with models.csv and " +
					"curves.csv, and a test suite.\nOr drop them on the window.",
				Help: []kit.Help{{Text: "Import…", Icon: theme.ContentAddIcon(), Do: host.Import}},
			}, len(l.rows) == 0
		},
		Show: s.take, Line: list.line, Keys: s.list.Focus,
		OnShown: func() {
			s.ranging.again()
			s.looking, s.scales.was = false, nil
			s.takeScales()
		},
		OnRuns: s.follow, OnHidden: s.pictures.Rest, OnClosed: s.pictures.Close, Margin: true,
	})
	return s
}

// line says what rows refer to where that is not chosen yet.
func (l list) line() string {
	if l.current.Suite != "" && l.current.Family != "" {
		return ""
	}
	return "Choose a test suite (import one first where there is none) and a family above: states, matrices and " +
		"accuracies refer to them."
}

// newList makes the table with what can be done with its rows.
func (s *Screen) newList(host *kit.Host) *kit.Records[inventory.Row] {
	noStrip := image.NewNRGBA(image.Rect(0, 0, thumbsWidth, thumbSize)) // has the room of one
	r := &kit.Records[inventory.Row]{
		Host: host, Table: inventory.Models, Ticks: true,
		Clauses:  []kit.Clause{{Name: "raters disagree", Text: "agreement<100%"}},
		OnSelect: func(inventory.Row, bool) { s.refreshDetail() },
		OnOpen:   func(r inventory.Row) { host.Inspect(r.Model.Hash) },
		OnShown:  func([]inventory.Row) { s.remember() },
		Pictures: map[string]func(inventory.Row) image.Image{inventory.Matrices: func(r inventory.Row) image.Image {
			if strip := s.stripOf(r); strip != nil {
				return strip
			}
			return noStrip
		}},
		Colours: map[string]func(inventory.Row) fyne.ThemeColorName{
			"state":  func(r inventory.Row) fyne.ThemeColorName { return colours[r.State] },
			"chance": func(inventory.Row) fyne.ThemeColorName { return theme.ColorNameWarning },
		},
		Keys: parts.Keys{OnKey: func(ev *fyne.KeyEvent) bool {
			if chosen := s.Chosen(); ev.Name == fyne.KeyDelete && len(chosen) > 0 {
				s.remove(chosen)
				return true
			}
			return false
		}},
	}
	r.Actions = s.actions(host)
	return r
}

// colours are those of the states.
var colours = map[inventory.State]fyne.ThemeColorName{
	inventory.Failed: theme.ColorNameError, inventory.Stale: theme.ColorNameWarning,
	inventory.NoSignals: theme.ColorNamePlaceHolder, inventory.Running: theme.ColorNamePrimary,
	inventory.Paused: theme.ColorNamePrimary, inventory.Queued: theme.ColorNamePrimary,
}

const mostCompared = 4

// actions are those that the window offers, in the order of the menu.
func (s *Screen) actions(host *kit.Host) []kit.Action[inventory.Row] {
	var list []kit.Action[inventory.Row]
	add := func(name string, icon fyne.Resource, can func(n int) bool, do func(hashes []string)) {
		if do == nil {
			return
		}
		a := kit.Action[inventory.Row]{Name: name, Icon: icon, Button: icon != nil, Do: func(rows []inventory.Row) {
			s.Focus()
			do(hashesOf(rows))
		}}
		if can != nil {
			a.Can = func(rows []inventory.Row) bool { return can(len(rows)) }
		}
		list = append(list, a)
	}
	if host.Inspect != nil {
		add("Inspect", theme.SearchIcon(), func(int) bool { _, ok := s.list.Selected(); return ok }, func([]string) {
			one, _ := s.list.Selected()
			host.Inspect(one.Model.Hash)
		})
	}
	add("Run chosen…", theme.MediaPlayIcon(), nil, host.Run)
	add("Add to round…", nil, nil, s.ways.AddToRound)
	add("Compare (2 to 4)", nil, func(n int) bool { return n >= 2 && n <= mostCompared }, s.ways.Compare)
	add("Export…", nil, nil, s.ways.Export)
	add("Report…", nil, nil, s.ways.Report)
	add("Edit record…", nil, nil, s.editRecords)
	add("Remove…", nil, nil, s.remove)
	return list
}

func hashesOf(rows []inventory.Row) []string {
	list := make([]string, len(rows))
	for k, r := range rows {
		list[k] = r.Model.Hash
	}
	return list
}

// labelled is the blind round that somebody labels, nil for none.
func (s *Screen) labelled() *label.Round {
	if s.ways.Blind == nil {
		return nil
	}
	return s.ways.Blind()
}

// editRecords opens the dialog of records, which shows all of their fields and is therefore closed
// to who labels a blind round.
func (s *Screen) editRecords(hashes []string) {
	if round := s.labelled(); round != nil {
		s.Say(fmt.Sprintf("Records cannot be edited while %s, a blind round, is labelled here: "+
			"sign out first.", round.Name))
		return
	}
	dialogs.RecordDialog(s.host(), s.store, hashes, s.ways.Did)
}

func (s *Screen) remove(hashes []string) {
	dialogs.RemoveDialog(s.host(), s.store, hashes, func() []string { return busy(s.statuses) }, nil)
}

func (s *Screen) host() *kit.Host {
	return &kit.Host{Window: s.Window, Work: s.Work, ShowError: s.failed, Status: s.Say}
}

// failed shows an error; that the window closes is none.
func (s *Screen) failed(err error) {
	if err != nil && !errors.Is(err, jobs.ErrClosed) {
		s.Fail(err)
	}
}

// Chosen are the hashes of the marked models, or of the selected one.
func (s *Screen) Chosen() []string { return hashesOf(s.list.Chosen()) }

// Filtered are the hashes of the models that the filter lets through, in the order in which they
// are shown.
func (s *Screen) Filtered() []string { return hashesOf(s.list.Shown()) }

// take shows what was read.
func (s *Screen) take(l list) {
	s.data = l
	if !s.known {
		s.looks = l.looks
		s.list.SetOrder(l.looks.order())
		s.showGallery()
		s.known = true
	}
	s.rows = l.under(s.statuses)
	s.retryPictures()
	s.list.Set(s.rows)
	choices := s.data.choices
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = c.Name
	}
	s.round.OnChanged = nil
	s.round.SetOptions(names)
	if at := slices.IndexFunc(choices, func(c RoundChoice) bool { return c.ID == s.data.round.ID }); at >= 0 {
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
	s.blind.SetText(s.data.round.Hidden)
	parts.Show(s.blind, s.data.round.Hidden != "")
	parts.Show(s.roundControls, len(choices) > 0)
	s.refreshDetail()
	s.rescale()
}

// follow shows what the engine is doing.
func (s *Screen) follow(statuses []engine.Status) {
	s.statuses = statuses
	rows := s.data.under(statuses)
	if !slices.EqualFunc(rows, s.rows, func(a, b inventory.Row) bool {
		return a.Said() == b.Said() && a.Reason == b.Reason
	}) {
		s.rows = rows
		s.list.Update(rows)
	}
}

// refreshDetail says more about the selected row.
func (s *Screen) refreshDetail() {
	text := "Double-click or press Enter to inspect a model; Space marks it, Shift and arrows mark several, Ctrl+A " +
		"all; right-click for more."
	if row, ok := s.list.Selected(); ok {
		text = row.Detail()
	}
	s.detail.SetText(text)
}

// remember keeps how the screen looks now, in the background.
func (s *Screen) remember() {
	if !s.known {
		return
	}
	now, by := s.looks, s.list.Order()
	if now.Sort, now.Descending = by.Key, by.Descending; now != s.looks || now != s.data.looks {
		s.looks, s.data.looks = now, now
		s.keeper.Keep(settingLooks, now)
	}
}

// rescale derives the shared colour ranges when the sets or the colour map have changed, then
// shows the matrices.
func (s *Screen) rescale() {
	l, modality, gallery := s.data, s.looks.Modality, s.looks.Gallery
	if _, ok := s.scales.by[modality]; s.scales.sets == digestOf(l.rows) && s.scales.colours == l.colours &&
		(ok || !gallery) {
		s.shownScale()
		return
	}
	var names []string
	jobs.Load(s.Work, &s.scaling, "colour ranges", func(ctx context.Context) (made scales, err error) {
		if made, err = scalesOf(ctx, s.store, l.rows, l.colours); err != nil {
			return made, err
		}
		names, err = modalities(s.store, l)
		return made, err
	}, func(made scales, err error) {
		if err != nil {
			s.failed(err)
			return
		}
		made.current = l.current
		s.scales = s.scales.next(made, s.looking)
		s.looking = true
		s.offer(names)
		s.list.Refresh()
		if _, ok := s.scales.by[modality]; !ok && gallery {
			s.measure(modality)
		}
		s.shownScale()
	})
}

// takeScales takes the colour ranges that wait; the badge says what they were before.
func (s *Screen) takeScales() {
	if s.scales.fresh == nil {
		return
	}
	s.scales = s.scales.taken()
	s.retryPictures()
	s.list.Refresh()
	if _, ok := s.scales.by[s.looks.Modality]; !ok && s.looks.Gallery {
		s.measure(s.looks.Modality)
	}
	s.shownScale()
}
