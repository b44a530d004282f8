package kit

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/widget"
)

// Work loads data off the main goroutine. It touches no widget and nothing that the main goroutine
// may change; it ends within 2 seconds of the end of its context. Progress may be left alone.
type Work[D any] func(ctx context.Context, p engine.Progress) (D, error)

// Screen loads data of type D by options of type O and shows them: a screen of the window, a page
// of its Tabs, or a part of a page that follows a selection. New makes one from its declaration:
//
//	s.screen = kit.New(kit.Screen[Options, Data]{
//		Host: host, Name: "Measure invariance", Doing: "Measuring invariance…", Key: "invariance",
//		Load: func(o Options) kit.Work[Data] {
//			return func(ctx context.Context, p engine.Progress) (Data, error) {
//				return measure(ctx, store, o, p)
//			}
//		},
//		On:    []store.ChangeKind{store.ModelChanged, store.SignalsChanged},
//		Body:  s.table.Object(),
//		Empty: func(d Data) (kit.Empty, bool) {
//			return kit.Empty{Text: "No models yet."}, len(d.Rows) == 0
//		},
//		Show:  func(d Data) { s.table.Set(d.Rows) },
//	})
//
// The window, Tabs or whoever made it calls Shown, Hidden and Close, and puts Object somewhere.
//
// It loads when it is shown for the first time, and again when the options change, when Changed or
// Refresh is called, and after changes of the workspace: those of a moment together, during a
// loading after it, while it is hidden when it is shown again. A new loading ends the one under
// way, whose answer is dropped. Each loading is a job in the status line with its Cancel.
//
// What was loaded stays in sight until the next answer. A loading that lasts says so: Doing and a
// bar stand in the line, or in place of the body while there is nothing yet. After a failure or a
// cancel the line, or the place of the body, says why, with a button to try again. Nothing moves
// then: a line that says nothing else lies over the body while it speaks.
type Screen[O, D any] struct {
	*Host
	// Name is what a loading is called in the status line: a command, "Measure invariance". Doing
	// says the same while it lasts: "Measuring invariance…".
	Name, Doing string
	// Key names the screen among remembered settings and never changes. A page is "SCREEN.PAGE".
	Key string
	// About says what a screen of the window answers and how it is read; nil for pages and parts.
	About *About
	// Load is called on the main goroutine with the options. It captures what the work needs, such
	// as data of the screen that a page is on, and returns the work. Nil stands for nothing to
	// load: Show gets the zero D at once.
	Load func(O) Work[D]
	// On are the changes of the workspace after which it loads again; where Heeds, which may be
	// nil, is false, a change of these kinds does not count. OnChange, which may be nil, hears each
	// of them at once on the main goroutine, also while the screen is hidden, and "" when somebody
	// asks to load anew.
	On       []store.ChangeKind
	Heeds    func(store.Change) bool
	OnChange func(store.ChangeKind)
	// Form asks for the options; nil where there are none, O is then struct{} or has its defaults.
	// The screen gives it Host and Key, and loads again when the options change. Menus are filled
	// anew before each loading and after it.
	Form *Form[O]
	// Body shows the data. It is hidden while there is nothing to show.
	Body fyne.CanvasObject
	// Tabs are the pages in the body, nil for none. They are shown, hidden and closed with the
	// screen, and all their pages are out of date when data have come (Page.Changed).
	Tabs *Tabs
	// Apart leaves the pages of Tabs as they are when data have come: they hear by themselves of
	// what they show.
	Apart bool
	// Parts stand in the body, too, and are shown, hidden and closed with the screen. What they
	// show is up to the screen.
	Parts []Page
	// Margin leaves a little room around a screen of the window.
	Margin bool
	// Head stands right of the line while the body is shown: buttons. Tools stand before them, also
	// while there is nothing to show.
	Head, Tools []fyne.CanvasObject
	// Empty says why there is nothing to show and what to do about it; nil where that does not
	// happen. Show and Line are then not called.
	Empty func(D) (Empty, bool)
	// Show puts data into the widgets of the body.
	Show func(D)
	// Line is the text over the body, or below it where Below is set: there it may have several
	// lines and keeps their number while loading. Nil for none.
	Line  func(D) string
	Below bool
	// Beside puts the form into the line, right of the text, for parts of a page.
	Beside bool
	// Keys gives the keyboard to what has it on this screen, such as Records.Focus: when the
	// screen is shown, after data have come where nothing else has it, and after dialogs. With
	// Tabs it is up to the page in front. Nil for nothing.
	Keys func()
	// Paced has a change of the options, and Changed, wait for the end of a loading under way, so
	// that what is shown follows a slider that moves all the time.
	Paced bool
	// Quiet keeps loadings out of the status line: for what is over soon or follows a selection.
	Quiet bool
	// OnShown, which may be nil, is called at the beginning of Shown; OnHidden and OnClosed, too,
	// at the end of Hidden and Close.
	OnShown, OnHidden, OnClosed func()
	// OnRuns, which may be nil, hears what the engine is doing, at most ten times a second, also
	// while the screen is hidden.
	OnRuns func([]engine.Status)

	renewal    *jobs.Renewal
	version    int
	pricing    jobs.Latest // what would end the emptiness
	data       D
	known      bool   // data were loaded
	loading    uint64 // counts loadings
	moved      bool   // the options, or what they are chosen from, have changed since the loading began
	stop       func() // ends the subscription
	over       func() // ends what watches the loading
	closed     bool
	object     *fyne.Container
	root       *fyne.Container // in object
	line       *fynewidget.Label
	bar        *widget.Progress
	again      *fynewidget.Button
	row        *fyne.Container   // line and head
	question   fyne.CanvasObject // above the body; nil for none
	asks       bool              // the body has a question of its own
	overlay    *fyne.Container   // lays the row over the body; nil where the row has a place of its own
	emptyState *widget.EmptyState
}

// Empty is what stands in place of a body: why there is nothing, and what helps. Buttons that have
// nothing to do are left out.
type Empty struct {
	Text string
	// Missing is what runs would bring: each has a button before those of Help, and what all of
	// them take is said below Text.
	Missing []Missing
	Help    []Help
}

// Help is a button that ends an emptiness.
type Help = widget.Help

// patience is how long a loading lasts before the screen says that it is loading.
const patience = 300 * time.Millisecond

// New makes a screen from its declaration. It listens to the workspace until Close, and loads when
// it is shown.
func New[O, D any](declared Screen[O, D]) *Screen[O, D] {
	s := &declared
	s.renewal = jobs.NewRenewal(s.Work, "refresh "+s.Key, s.read)
	s.renewal.Quiet = s.Quiet
	s.over = func() {}
	if s.Form != nil {
		s.Form.Host, s.Form.Key = s.Host, s.Key
		own := s.Form.OnChange
		s.Form.OnChange = func(o O) {
			if own != nil {
				own(o)
			}
			s.Changed()
		}
		s.Form.Make()
	}
	s.build()
	s.stop = s.Runs.Subscribe(func() {
		if s.emptyState.Visible() {
			s.emptyState.Renew()
		}
	})
	if s.OnRuns != nil {
		unheard, unwatch := s.stop, s.Runs.Watch(s.OnRuns)
		s.stop = func() { unheard(); unwatch() }
	}
	if s.Changes != nil && len(s.On) > 0 {
		unhear, deaf := s.stop, s.Changes(func(c store.Change) {
			if slices.Contains(s.On, c.Kind) && (s.Heeds == nil || s.Heeds(c)) {
				s.Work.Post(func() { s.changed(c.Kind) })
			}
		})
		s.stop = func() { unhear(); deaf() }
	}
	return s
}

func (s *Screen[O, D]) build() {
	s.line, s.bar, s.emptyState = fynewidget.NewLabel(""), widget.NewProgress(), widget.NewEmptyState()
	s.again = fynewidget.NewButtonWithIcon("Try again", theme.ViewRefreshIcon(), s.Refresh)
	head := container.NewHBox(slices.Concat([]fyne.CanvasObject{s.bar.Object(), s.again}, s.Tools, s.Head)...)
	s.row = container.NewBorder(nil, nil, nil, head, s.line)
	above := []fyne.CanvasObject{s.row}
	var below fyne.CanvasObject
	s.line.Truncation = fyne.TextTruncateEllipsis
	if s.Below {
		s.line.Truncation, s.line.Wrapping = fyne.TextTruncateOff, fyne.TextWrapWord
		s.line.SizeName = theme.SizeNameCaptionText
		above, below = nil, s.row
	}
	switch {
	case s.Form != nil && s.Beside:
		above = []fyne.CanvasObject{container.NewGridWithColumns(2, s.row, s.Form.Object())}
	case s.Form != nil:
		above = append(above, s.Form.Object())
	}
	if s.Body == nil {
		s.Body = s.Tabs.Object()
	}
	s.Body.Hide()
	body := container.NewStack(s.Body, s.emptyState.Object())
	if s.Line == nil && !s.Below && !s.Beside && len(s.Head)+len(s.Tools) == 0 {
		above = above[1:]
		onGround := container.NewStack(widget.NewGround(theme.ColorNameBackground), s.row)
		s.overlay = container.NewBorder(onGround, nil, nil, nil)
		body.Add(s.overlay)
	}
	if s.About != nil {
		s.question = s.About.Line(s.Host)
		above = slices.Insert(above, 0, s.question)
		if s.asks = s.Tabs != nil && s.Tabs.pages != nil; s.asks {
			s.Tabs.Beside(s.About.Line(s.Host))
		}
	}
	s.root = container.NewBorder(container.NewVBox(above...), below, nil, nil, body)
	s.object = s.root
	if s.Margin {
		s.object = container.New(layout.NewCustomPaddedLayout(4, 4, 8, 8), s.root)
	}
	s.arrange(nil, false)
}

// arrange shows or hides what stands in the line: how far a loading is, nil for none, and the
// button to try again. A line that never says anything takes no room.
func (s *Screen[O, D]) arrange(loading *jobs.Snapshot, again bool) {
	before := [3]bool{s.bar.Visible(), s.again.Visible(), len(s.Head) > 0 && s.Head[0].Visible()}
	head := s.Body.Visible()
	if loading != nil {
		s.bar.Show(loading.Fraction())
	} else {
		s.bar.Hide()
	}
	widget.Show(s.again, again)
	for _, o := range s.Head {
		widget.Show(o, head)
	}
	if s.asks {
		widget.Show(s.question, !head)
	}
	widget.Show(s.row, s.overlay == nil || loading != nil || again || s.line.Text != "")
	if before != [3]bool{loading != nil, again, len(s.Head) > 0 && head} {
		s.row.Refresh()
	}
	for range 2 { // the height of lines that are wrapped follows from their width
		s.root.Layout.Layout(s.root.Objects, s.root.Size())
	}
	if s.overlay != nil {
		s.overlay.Layout.Layout(s.overlay.Objects, s.overlay.Size())
	}
}

// Object is what the window shows.
func (s *Screen[O, D]) Object() fyne.CanvasObject { return s.object }

// Options are those that the next loading has.
func (s *Screen[O, D]) Options() O {
	if s.Form == nil {
		return defaults[O]()
	}
	return s.Form.Options()
}

// Data are those that were loaded last; false before the first.
func (s *Screen[O, D]) Data() (D, bool) { return s.data, s.known }

// Idle tells whether what is shown is what there is, and nothing is under way.
func (s *Screen[O, D]) Idle() bool { return s.renewal.Idle() }

// Shown says that the screen has come to the front. It loads what is out of date.
func (s *Screen[O, D]) Shown() {
	if s.closed {
		return
	}
	if s.OnShown != nil {
		s.OnShown()
	}
	s.renewal.Show()
	if s.Tabs != nil && s.Body.Visible() {
		s.Tabs.Shown()
	}
	for _, p := range s.Parts {
		p.Shown()
	}
	s.Focus()
}

// Hidden says that the screen has left the front. A loading under way goes on.
func (s *Screen[O, D]) Hidden() {
	s.renewal.Hide()
	if s.Tabs != nil {
		s.Tabs.Hidden()
	}
	for _, p := range s.Parts {
		p.Hidden()
	}
	s.Say("")
	if s.OnHidden != nil {
		s.OnHidden()
	}
}

// Focus gives the keyboard to what has it on this screen.
func (s *Screen[O, D]) Focus() {
	if !s.renewal.Shown() || !s.Body.Visible() {
		return
	}
	if s.Tabs != nil {
		s.Tabs.Focus()
		return
	}
	if s.Keys != nil {
		s.Keys()
	}
}

// Refresh loads because somebody asks for it.
func (s *Screen[O, D]) Refresh() {
	if !s.closed {
		s.told("")
		s.read()
	}
}

// Version counts the changes of the workspace that the screen has heard of, and what Refresh was
// called for: data of an older one are out of date.
func (s *Screen[O, D]) Version() int { return s.version }

func (s *Screen[O, D]) told(kind store.ChangeKind) {
	s.version++
	if s.OnChange != nil {
		s.OnChange(kind)
	}
}

// Changed says that the options are others now, or what Load captures: it loads at once where the
// screen is shown, otherwise when it is shown again.
func (s *Screen[O, D]) Changed() {
	switch {
	case s.closed:
	case s.Paced && s.renewal.Job() != nil:
		s.moved = true
	case s.renewal.Shown():
		s.read()
	default:
		s.renewal.Spoil()
	}
}

// Close ends the loading under way, whose answer is dropped, and listening. Its pages are closed,
// too. Nothing of the screen is called afterwards.
func (s *Screen[O, D]) Close() {
	s.closed = true
	s.stop()
	s.over()
	s.renewal.Hide()
	s.renewal.Drop()
	if s.Tabs != nil {
		s.Tabs.Close()
	}
	for _, p := range s.Parts {
		p.Close()
	}
	if s.OnClosed != nil {
		s.OnClosed()
	}
}
