package kit

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
)

// memory keeps settings like the program's preferences.
type settings map[string]string

func (m settings) StringWithFallback(key, fallback string) string {
	if text, ok := m[key]; ok {
		return text
	}
	return fallback
}

func (m settings) SetString(key, value string) { m[key] = value }

// fixture is a window with what it gives screens, and what they have asked of it.
type fixture struct {
	*testing.T
	stage  *stage.Stage
	window fyne.Window
	host   *Host
	memory settings
	notify []func(store.Change)
	said   []string
	errs   []error
	loads  chan load
	asked  []int // the options of all loadings
	other  *fynewidget.Entry
}

// load is a loading that waits for its answer.
type load struct {
	n        int // its options
	answer   chan any
	progress engine.Progress
}

func newFixture(t *testing.T) *fixture {
	r := &fixture{T: t, stage: stage.New(t), memory: settings{}, loads: make(chan load, 20)}
	r.other = fynewidget.NewEntry()
	r.window = r.stage.Window(r.other, fyne.NewSize(900, 600))
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.host = &Host{
		Window: r.window, Work: work, Status: func(text string) { r.said = append(r.said, text) },
		ShowError: func(err error) { r.errs = append(r.errs, err) }, Memory: r.memory,
		Changes: func(notify func(store.Change)) func() {
			r.notify = append(r.notify, notify)
			at := len(r.notify) - 1
			return func() { r.notify[at] = func(store.Change) {} }
		},
	}
	return r
}

// change tells all listeners of a change, on a goroutine of its own, as the store does.
func (r *fixture) change(kind store.ChangeKind) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, notify := range r.notify {
			notify(store.Change{Kind: kind})
		}
	}()
	<-done
	r.stage.Pump()
}

type choice struct {
	N int `help:"How many." default:"1" min:"1" max:"100"`
}

// screen is one whose loadings wait until the test answers them, with data (a text) or an error.
type screen struct {
	*Screen[choice, string]
	fixture *fixture
	body    *fynewidget.Entry
	shows   []string
}

func (r *fixture) load(n int) Work[string] {
	r.asked = append(r.asked, n)
	l := load{n, make(chan any, 1), nil}
	return func(ctx context.Context, p engine.Progress) (string, error) {
		l.progress = p
		r.loads <- l
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case a := <-l.answer:
			if err, ok := a.(error); ok {
				return "", err
			}
			return a.(string), nil
		}
	}
}

func (r *fixture) screen(change func(*Screen[choice, string])) *screen {
	s := &screen{fixture: r, body: fynewidget.NewEntry()}
	declared := Screen[choice, string]{
		Host: r.host, Name: "Count sheep", Doing: "Counting sheep…", Key: "sheep", Form: &Form[choice]{},
		On: []store.ChangeKind{store.ModelChanged}, Body: s.body,
		Load: func(o choice) Work[string] { return r.load(o.N) },
		Empty: func(d string) (Empty, bool) {
			buy := Help{Text: "Buy", Do: func() { r.host.Say("bought") }}
			return Empty{Text: "No sheep.", Help: []Help{buy, {Text: "Borrow"}}}, d == ""
		},
		Show: func(d string) { s.shows = append(s.shows, d) },
		Line: func(d string) string { return "all " + d },
		Keys: func() { r.window.Canvas().Focus(s.body) },
	}
	if change != nil {
		change(&declared)
	}
	s.Screen = New(declared)
	r.Cleanup(s.Close)
	r.window.SetContent(s.Object())
	return s
}

// next is the next loading that has begun.
func (r *fixture) next() load {
	r.Helper()
	var l load
	r.stage.Until("a loading begins", func() bool {
		select {
		case l = <-r.loads:
			return true
		default:
			return false
		}
	})
	return l
}

func (s *screen) idle() {
	s.fixture.Helper()
	s.fixture.stage.Until("idle", s.Idle)
}

// known is the screen with its first data in sight.
func (r *fixture) known(change func(*Screen[choice, string])) *screen {
	r.Helper()
	s := r.screen(change)
	s.Shown()
	r.next().answer <- "one"
	s.idle()
	return s
}

// loading tells whether the screen says that it is loading.
func (s *screen) loading() bool {
	return s.emptyState.Visible() && s.emptyState.Text() == s.Doing || s.line.Text == s.Doing
}

// rest lets as much time go by as changes and lasting loadings need to be noticed.
func (r *fixture) rest() {
	end := time.Now().Add(2 * patience)
	r.stage.Until("time goes by", func() bool { return time.Now().After(end) })
}

func TestScreenLoadsWhenItIsShown(t *testing.T) {
	r := newFixture(t)
	s := r.screen(nil)
	r.rest()
	if len(r.asked) != 0 {
		t.Fatal("a screen loads before it is shown")
	}
	begun := time.Now()
	s.Shown()
	l := r.next()
	if s.Body.Visible() || s.emptyState.Visible() && time.Since(begun) < patience { // else the machine is busy
		t.Error("something is shown while nothing is known")
	}
	if jobs := r.host.Work.Jobs(); len(jobs) != 1 || jobs[0].Snapshot().Name != "Count sheep" {
		t.Errorf("%d jobs", len(jobs))
	}
	l.answer <- "two"
	s.idle()
	d, known := s.Data()
	if !known || d != "two" || !slices.Equal(s.shows, []string{d}) || s.line.Text != "all two" || !s.Body.Visible() {
		t.Errorf("%q, %v, %q", d, s.shows, s.line.Text)
	}
	if r.window.Canvas().Focused() != fyne.Focusable(s.body) {
		t.Error("the keyboard is not at the body")
	}
	s.Hidden()
	s.Shown()
	r.rest()
	if len(r.asked) != 1 || r.said[len(r.said)-1] != "" {
		t.Errorf("%d loadings, said %q", len(r.asked), r.said)
	}
}

func TestLastingLoadingIsSaidAndNeverAsEmptiness(t *testing.T) {
	r := newFixture(t)
	s := r.screen(nil)
	s.Shown()
	l := r.next()
	r.stage.Until("it says so", s.loading)
	bar := s.emptyState.Progress()
	if _, counted := bar.Share(); counted || !bar.Visible() || strings.Contains(s.emptyState.Text(), "No sheep") ||
		len(s.emptyState.Buttons()) != 0 {
		t.Errorf("%q with %d buttons, a bar: %v", s.emptyState.Text(), len(s.emptyState.Buttons()), bar.Visible())
	}
	l.progress.SetTotal(4)
	l.progress.Add(1)
	r.stage.Until("the bar shows a quarter", func() bool {
		share, counted := bar.Share()
		return counted && share == 0.25
	})
	l.answer <- "one"
	s.idle()
	if s.emptyState.Visible() || bar.Visible() || s.bar.Visible() || s.loading() {
		t.Error("it still says so")
	}
	begun := time.Now()
	s.Refresh()
	l = r.next()
	if s.line.Text != "all one" && time.Since(begun) < patience {
		t.Errorf("at once %q", s.line.Text)
	}
	r.stage.Until("it says so", s.loading)
	if !s.Body.Visible() || s.emptyState.Visible() || !s.bar.Visible() {
		t.Error("what was in sight is gone, or there is no bar")
	}
	l.answer <- "two"
	s.idle()
	if s.line.Text != "all two" {
		t.Errorf("%q", s.line.Text)
	}
}

func TestStaleAnswerIsDropped(t *testing.T) {
	r := newFixture(t)
	s := r.screen(nil)
	s.Shown()
	old := r.next()
	if err := s.Form.Put("n", "7"); err != nil {
		t.Fatal(err)
	}
	now := r.next()
	old.answer <- "old" // its context has ended; whichever it takes, nobody sees it
	now.answer <- "now"
	s.idle()
	r.rest()
	if !slices.Equal(r.asked, []int{1, 7}) || !slices.Equal(s.shows, []string{"now"}) || len(r.errs) > 0 {
		t.Errorf("asked %v, shown %v, errors %v", r.asked, s.shows, r.errs)
	}
}

// TestPacedScreenFollows: what changes during a loading waits for its answer, which is shown, and
// is loaded once then.
func TestPacedScreenFollows(t *testing.T) {
	r := newFixture(t)
	s := r.screen(func(s *Screen[choice, string]) { s.Paced = true })
	s.Shown()
	first := r.next()
	for _, n := range []string{"7", "8", "9"} {
		if err := s.Form.Put("n", n); err != nil {
			t.Fatal(err)
		}
	}
	first.answer <- "first"
	last := r.next()
	last.answer <- "last"
	s.idle()
	if !slices.Equal(r.asked, []int{1, 9}) || !slices.Equal(s.shows, []string{"first", "last"}) {
		t.Errorf("asked %v, shown %v", r.asked, s.shows)
	}
}

// TestBarApartFromItsPages: the page in front alone is seen, and whoever lies between hears of it.
func TestBarApartFromItsPages(t *testing.T) {
	r := newFixture(t)
	a, b := &Panel{Body: fynewidget.NewLabel("a")}, &Panel{Body: fynewidget.NewLabel("b")}
	tabs, pages := NewTabBar(r.host, "sheep", Tab{"a", "A", a}, Tab{"b", "B", b})
	var heard []string
	tabs.OnTurned = func(key string) { heard = append(heard, key) }
	seen := func() (list [2]bool) {
		for k, page := range pages.(*fyne.Container).Objects {
			list[k] = page.Visible()
		}
		return list
	}
	if seen() != [2]bool{true, false} {
		t.Errorf("at first %v", seen())
	}
	tabs.Select("b")
	if again, _ := NewTabBar(r.host, "sheep", Tab{"a", "A", a}, Tab{"b", "B", b}); seen() != [2]bool{false, true} ||
		again.Front() != "b" || !slices.Equal(heard, []string{"b"}) {
		t.Errorf("%v, heard %v", seen(), heard)
	}
}

// TestPartsAreShownUntilAllIsThere: parts of data that were overtaken are dropped.
func TestPartsAreShownUntilAllIsThere(t *testing.T) {
	r := newFixture(t)
	var parts []func(string)
	var s *screen
	s = r.screen(func(declared *Screen[choice, string]) {
		declared.Load = func(o choice) Work[string] {
			parts = append(parts, s.Part())
			return r.load(o.N)
		}
	})
	s.Shown()
	l := r.next()
	parts[0]("half")
	r.stage.Until("a part is shown", func() bool { return len(s.shows) == 1 && s.Body.Visible() })
	if s.Idle() || len(r.host.Work.Jobs()) != 1 {
		t.Error("the loading is over")
	}
	r.stage.Until("it says that it is loading", s.loading)
	l.answer <- "whole"
	s.idle()
	parts[0]("late")
	s.Refresh()
	l = r.next()
	parts[0]("of before")
	l.answer <- "again"
	s.idle()
	if !slices.Equal(s.shows, []string{"half", "whole", "again"}) || s.line.Text != "all again" {
		t.Errorf("%v, %q", s.shows, s.line.Text)
	}
}

func TestToolsStandAlsoWhereNothingIs(t *testing.T) {
	r := newFixture(t)
	tool, head := fynewidget.NewButton("Buy", nil), fynewidget.NewButton("Sell", nil)
	s := r.screen(func(declared *Screen[choice, string]) {
		declared.Tools, declared.Head = []fyne.CanvasObject{tool}, []fyne.CanvasObject{head}
	})
	s.Shown()
	r.next().answer <- ""
	s.idle()
	if !tool.Visible() || head.Visible() || !s.row.Visible() {
		t.Error("the tools are hidden, or the head is not")
	}
}

func TestChangesThatDoNotCount(t *testing.T) {
	r, counts := newFixture(t), false
	s := r.known(func(declared *Screen[choice, string]) {
		declared.Heeds = func(c store.Change) bool { return counts && c.Kind == store.ModelChanged }
	})
	r.change(store.ModelChanged)
	r.rest()
	if len(r.asked) != 1 || !s.Idle() {
		t.Errorf("%d loadings", len(r.asked))
	}
	counts = true
	r.change(store.ModelChanged)
	r.next().answer <- "two"
	s.idle()
}

func TestCancelledLoadingCanBeTriedAgain(t *testing.T) {
	r := newFixture(t)
	s := r.screen(nil)
	s.Shown()
	r.next()
	r.host.Work.Jobs()[0].Cancel()
	r.stage.Until("cancelled", func() bool { return s.emptyState.Text() == "Count sheep was cancelled." })
	if len(r.errs) > 0 {
		t.Fatal(r.errs)
	}
	r.change(store.ModelChanged)
	r.rest()
	if len(r.asked) != 1 {
		t.Error("what a person has cancelled begins again by itself")
	}
	test.Tap(s.emptyState.Buttons()[0])
	r.next().answer <- "one"
	s.idle()
	if s.line.Text != "all one" || s.emptyState.Visible() {
		t.Errorf("%q", s.line.Text)
	}
	s.Refresh()
	r.next()
	r.host.Work.Jobs()[0].Cancel()
	r.stage.Until("cancelled", s.again.Visible)
	if !s.Body.Visible() || s.line.Text != "Count sheep was cancelled." {
		t.Errorf("%q", s.line.Text)
	}
	s.Hidden()
	s.Shown() // loads what is out of date
	r.next().answer <- "two"
	s.idle()
	if s.again.Visible() || s.line.Text != "all two" {
		t.Errorf("%q", s.line.Text)
	}
}

func TestFailedLoadingCanBeTriedAgain(t *testing.T) {
	r := newFixture(t)
	s := r.screen(nil)
	s.Shown()
	r.next().answer <- errors.New("disk on fire")
	r.stage.Until("failed", func() bool { return strings.Contains(s.emptyState.Text(), "isk on fire") })
	if len(r.errs) != 1 {
		t.Fatal(r.errs)
	}
	test.Tap(s.emptyState.Buttons()[0])
	r.next().answer <- "one"
	s.idle()
	s.Refresh()
	r.next().answer <- errors.New("disk on fire")
	r.stage.Until("failed", s.again.Visible)
	if !s.Body.Visible() || !strings.Contains(s.line.Text, "isk on fire") {
		t.Errorf("%q", s.line.Text)
	}
	test.Tap(s.again)
	r.next().answer <- "two"
	s.idle()
	if !slices.Equal(s.shows, []string{"one", "two"}) || s.again.Visible() {
		t.Errorf("%v", s.shows)
	}
}

func TestHiddenWhileLoading(t *testing.T) {
	r := newFixture(t)
	s := r.screen(nil)
	s.Shown()
	l := r.next()
	s.Hidden()
	r.window.SetContent(r.other)
	r.window.Canvas().Focus(r.other)
	l.answer <- "one"
	s.idle()
	if !slices.Equal(s.shows, []string{"one"}) || r.window.Canvas().Focused() != fyne.Focusable(r.other) {
		t.Errorf("%v", s.shows)
	}
	s.Shown()
	r.rest()
	if len(r.asked) != 1 {
		t.Errorf("%d loadings", len(r.asked))
	}
}

func TestChangesWhileHiddenAreLoadedOnceWhenShown(t *testing.T) {
	r := newFixture(t)
	s := r.known(nil)
	s.Hidden()
	r.change(store.ModelChanged)
	r.change(store.ModelChanged)
	s.Changed()
	r.rest()
	if len(r.asked) != 1 {
		t.Fatal("a hidden screen loads")
	}
	s.Shown()
	r.next().answer <- "two"
	s.idle()
	r.rest()
	if len(r.asked) != 2 || s.line.Text != "all two" {
		t.Errorf("%d loadings, %q", len(r.asked), s.line.Text)
	}
}

func TestChangesWhileLoadingAreLoadedOnceAfterIt(t *testing.T) {
	r := newFixture(t)
	var heard []store.ChangeKind
	s := r.screen(func(s *Screen[choice, string]) {
		s.OnChange = func(k store.ChangeKind) { heard = append(heard, k) }
	})
	s.Shown()
	first := r.next()
	r.change(store.ModelChanged)
	r.change(store.ModelChanged)
	r.change(store.RunChanged) // none of On
	first.answer <- "one"
	r.stage.Until("shown", func() bool { return len(s.shows) == 1 })
	r.next().answer <- "two"
	s.idle()
	r.rest()
	if !slices.Equal(s.shows, []string{"one", "two"}) || len(heard) != 2 {
		t.Errorf("%v, heard %v", s.shows, heard)
	}
	r.change(store.RunChanged)
	r.rest()
	if len(r.asked) != 2 {
		t.Error("it loads after a change that it does not listen to")
	}
}

func TestClosedInTheMiddle(t *testing.T) {
	r := newFixture(t)
	closed := 0
	s := r.screen(func(s *Screen[choice, string]) { s.OnClosed = func() { closed++ } })
	s.Shown()
	l := r.next()
	s.Close()
	l.answer <- "one"
	r.stage.Until("the work is over", func() bool { return len(r.host.Work.Jobs()) == 0 })
	r.change(store.ModelChanged)
	s.Shown()
	s.Refresh()
	s.Changed()
	r.rest()
	if len(s.shows) > 0 || len(r.asked) != 1 || len(r.errs) > 0 || closed != 1 {
		t.Errorf("shown %v after %d loadings, errors %v", s.shows, len(r.asked), r.errs)
	}
}

func TestEmptinessOffersWhatHelps(t *testing.T) {
	r := newFixture(t)
	save := fynewidget.NewButton("Save", nil)
	s := r.screen(func(s *Screen[choice, string]) { s.Head = []fyne.CanvasObject{save} })
	s.Shown()
	r.next().answer <- ""
	s.idle()
	if s.emptyState.Text() != "No sheep." || s.Body.Visible() || save.Visible() || len(s.shows) > 0 {
		t.Fatalf("%q, shown %v", s.emptyState.Text(), s.shows)
	}
	if buttons := s.emptyState.Buttons(); len(buttons) != 1 {
		t.Fatalf("%d buttons", len(buttons))
	}
	r.stage.Press(r.window, "Buy")
	if r.said[len(r.said)-1] != "bought" {
		t.Errorf("said %q", r.said)
	}
	r.change(store.ModelChanged)
	r.next().answer <- "one"
	s.idle()
	if s.emptyState.Visible() || !s.Body.Visible() || !save.Visible() || s.line.Text != "all one" {
		t.Error("it is still empty")
	}
	s.Refresh()
	r.next().answer <- ""
	s.idle()
	if s.Body.Visible() || s.line.Text != "" {
		t.Error("what is gone is still in sight")
	}
}

func TestNothingToLoad(t *testing.T) {
	r := newFixture(t)
	nothing := true
	s := r.screen(func(s *Screen[choice, string]) {
		s.Empty = nil
		s.Load = func(o choice) Work[string] {
			if nothing {
				return nil
			}
			return r.load(o.N)
		}
	})
	s.Shown()
	if !slices.Equal(s.shows, []string{""}) || !s.Idle() || len(r.host.Work.Jobs()) > 0 {
		t.Errorf("shown %q", s.shows)
	}
	nothing = false
	s.Changed()
	l := r.next()
	nothing = true
	s.Changed()
	l.answer <- "late"
	r.rest()
	if !slices.Equal(s.shows, []string{"", ""}) || !s.Idle() {
		t.Errorf("shown %q", s.shows)
	}
}

func TestQuietLoadingIsNoJob(t *testing.T) {
	r := newFixture(t)
	s := r.screen(func(s *Screen[choice, string]) {
		s.Quiet, s.Line, s.Below = true, func(d string) string { return d + "\nand\nmore" }, true
	})
	s.Shown()
	l := r.next()
	if len(r.host.Work.Jobs()) > 0 {
		t.Error("a quiet loading is among the jobs")
	}
	l.answer <- "one"
	s.idle()
	s.Changed()
	l = r.next()
	r.stage.Until("it says so", func() bool { return strings.HasPrefix(s.line.Text, s.Doing) })
	if strings.Count(s.line.Text, "\n") != 2 {
		t.Errorf("%q has not the lines that there were", s.line.Text)
	}
	s.Changed() // ends the one under way
	r.next().answer <- "two"
	s.idle()
	if !slices.Equal(s.shows, []string{"one", "two"}) || len(r.errs) > 0 {
		t.Errorf("%v, %v", s.shows, r.errs)
	}
	_ = l
}

func TestScreenWithoutALineTakesNoRoomForIt(t *testing.T) {
	r := newFixture(t)
	s := r.known(func(s *Screen[choice, string]) { s.Line, s.Form = nil, nil })
	if s.row.Visible() || s.Options().N != 1 {
		t.Error("the line is in sight")
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.body)
	size := s.body.Size()
	stays := func(when string) {
		t.Helper()
		if now := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.body); now != at || s.body.Size() != size ||
			!s.row.Visible() {
			t.Errorf("%s the body is at %v in %v, before at %v in %v; said: %v", when, now, s.body.Size(), at, size,
				s.row.Visible())
		}
	}
	s.Refresh()
	l := r.next()
	r.stage.Until("it says so", s.loading)
	stays("while it loads")
	if s.row.Size().Height < s.bar.Object().MinSize().Height {
		t.Errorf("the line has %v", s.row.Size())
	}
	l.answer <- errors.New("disk on fire")
	r.stage.Until("failed", s.again.Visible)
	stays("after a failure")
}

// TestPartOfAPage: its form stands beside its line.
func TestPartOfAPage(t *testing.T) {
	r := newFixture(t)
	s := r.known(func(s *Screen[choice, string]) { s.Beside = true })
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	if line, form := at(s.line), at(s.Form.Object()); line.Y != form.Y || form.X < 400 || line.X > 10 {
		t.Errorf("the line stands at %v, the form at %v", line, form)
	}
}

// TestLinesBelowAreSeen: also where there are more of them than before.
func TestLinesBelowAreSeen(t *testing.T) {
	r := newFixture(t)
	text := "one"
	s := r.known(func(s *Screen[choice, string]) { s.Below, s.Line = true, func(string) string { return text } })
	text = "one\ntwo\nthree"
	s.Refresh()
	r.next().answer <- "x"
	s.idle()
	foot, height := s.line.Position().Y+s.row.Position().Y+s.line.MinSize().Height, r.window.Canvas().Size().Height
	if foot > height {
		t.Errorf("the lines end at %v of %v", foot, height)
	}
}

func TestOptionsAreRememberedByName(t *testing.T) {
	r := newFixture(t)
	s := r.known(nil)
	if err := s.Form.Put("n", "33"); err != nil {
		t.Fatal(err)
	}
	if s.Form.Put("n", "101") == nil || s.Options().N != 33 {
		t.Error("a value beyond the bounds is taken")
	}
	r.next().answer <- "x"
	s.idle()
	s.Close()
	for stored, want := range map[string]int{
		r.memory["options.sheep"]: 33, `{"n":"500"}`: 1, `{"n":"many"}`: 1, `{"m":"3"}`: 1,
		`{"n":"5","m":"3"}`: 5, `nonsense`: 1, `[]`: 1, "": 1,
	} {
		r.memory["options.sheep"] = stored
		if got := r.screen(nil).Options().N; got != want {
			t.Errorf("%s: %d, want %d", stored, got, want)
		}
	}
}

// TestPagesLoadInFront: a page loads when it is in front and its screen is; what its screen has
// loaded makes all pages out of date.
func TestPagesLoadInFront(t *testing.T) {
	r := newFixture(t)
	type page = Screen[struct{}, string]
	var from string
	var parent *Screen[struct{}, string]
	made := map[string]int{}
	newPage := func(name string) *page {
		return New(page{
			Host: r.host, Name: "Shear " + name, Doing: "Shearing…", Key: "sheep." + name, Quiet: true,
			Body: fynewidget.NewLabel(""),
			Load: func(struct{}) Work[string] {
				of, _ := parent.Data()
				return func(context.Context, engine.Progress) (string, error) { return of + name, nil }
			},
			Show: func(d string) { from, made[name] = d, made[name]+1 },
		})
	}
	a, b, shows, fronts := newPage("a"), newPage("b"), 0, 0
	closed := false
	still := &Panel{Body: fynewidget.NewLabel(""), Show: func() { shows++ }}
	still.OnShown, still.OnClosed = func() { fronts++ }, func() { closed = true }
	tabs := NewTabs(r.host, "sheep", Tab{"a", "A", a}, Tab{"b", "B", b}, Tab{"c", "C", still})
	parent = New(page{
		Host: r.host, Name: "Count", Doing: "Counting…", Key: "sheep", Tabs: tabs,
		On:   []store.ChangeKind{store.ModelChanged},
		Load: func(struct{}) Work[string] { return r.load(0) },
	})
	r.window.SetContent(parent.Object())
	idle := func() { t.Helper(); r.stage.Until("idle", func() bool { return parent.Idle() }); r.rest() }
	parent.Shown()
	if made["a"] != 0 {
		t.Error("a page is shown before its screen has data")
	}
	r.next().answer <- "1"
	idle()
	if from != "1a" || made["a"] != 1 || made["b"] != 0 || shows != 0 {
		t.Fatalf("%q, %v, %d", from, made, shows)
	}
	tabs.Select("b")
	idle()
	tabs.Select("c")
	tabs.Select("b")
	idle()
	if from != "1b" || made["b"] != 1 || shows != 1 || tabs.Front() != "b" {
		t.Errorf("%q, %v, %d", from, made, shows)
	}
	parent.Hidden()
	r.change(store.ModelChanged)
	r.rest()
	parent.Shown()
	r.next().answer <- "2"
	idle()
	if from != "2b" || made["a"] != 1 || made["b"] != 2 || shows != 1 {
		t.Errorf("%q, %v, %d", from, made, shows)
	}
	tabs.Select("c")
	tabs.Select("nowhere")
	tabs.Count("c", 3)
	if shows != 2 || tabs.Front() != "c" || tabs.bar.Items[2].Text != "C 3" {
		t.Errorf("%d, %q", shows, tabs.Front())
	}
	fronts = 0
	parent.Refresh()
	r.next().answer <- "3"
	idle()
	if shows != 3 || fronts != 0 {
		t.Errorf("the page in front is brought up to date %d times and shown %d times by new data", shows, fronts)
	}
	parent.Close()
	if again := NewTabs(r.host, "sheep", Tab{"a", "A", still}, Tab{"c", "C", still}); again.Front() != "c" || !closed {
		t.Errorf("remembered %q", again.Front())
	}
}

// TestPartsGoWithTheirPage: they are shown, hidden and closed with a screen or a panel; new data of
// a screen are no business of pages that stand apart.
func TestPartsGoWithTheirPage(t *testing.T) {
	r := newFixture(t)
	var told []string
	part := func(name string) *Panel {
		tell := func(what string) func() { return func() { told = append(told, name+" "+what) } }
		return &Panel{
			Body: fynewidget.NewLabel(""), Show: tell("fresh"), OnShown: tell("shown"), OnHidden: tell("hidden"),
			OnClosed: tell("closed"),
		}
	}
	page := part("page")
	page.Parts = []Page{part("inner")}
	version := 0
	s := r.screen(func(s *Screen[choice, string]) {
		s.Body, s.Tabs, s.Apart, s.Parts, s.Margin = nil, NewTabs(r.host, "sheep", Tab{"a", "A", page}), true,
			[]Page{part("part")}, true
		s.OnShown = func() { told = append(told, "screen") }
		s.OnChange = func(store.ChangeKind) { version++ }
	})
	check := func(want ...string) {
		t.Helper()
		if !slices.Equal(told, want) {
			t.Errorf("%v, want %v", told, want)
		}
		told = nil
	}
	s.Shown()
	r.next().answer <- "one"
	s.idle()
	check("screen", "part fresh", "part shown", "page fresh", "inner fresh", "inner shown", "page shown")
	s.Refresh()
	r.next().answer <- "two"
	s.idle()
	r.change(store.ModelChanged)
	r.next().answer <- "three"
	s.idle()
	if check(); version != 2 || s.Version() != 2 {
		t.Errorf("version %d", s.Version())
	}
	s.Hidden()
	check("inner hidden", "page hidden", "part hidden")
	s.Close()
	check("inner closed", "page closed", "part closed")
}

// TestKeyboardStays: data that come do not take the keyboard from who has it.
func TestKeyboardStays(t *testing.T) {
	r := newFixture(t)
	s := r.known(nil)
	n := s.Form.items[0].entry
	r.window.Canvas().Focus(n)
	s.Refresh()
	r.next().answer <- "two"
	s.idle()
	if r.window.Canvas().Focused() != fyne.Focusable(n) {
		t.Error("the keyboard was taken away")
	}
}
