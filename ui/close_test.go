package ui

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
)

// TestClosingAsksOnce: who presses Ctrl+Q again while the window asks gets no second question.
func TestClosingAsksOnce(t *testing.T) {
	o := open(t, 1, nil)
	o.work.Start("wait", func(ctx context.Context, _ *jobs.Progress) error { <-ctx.Done(); return ctx.Err() }, nil)
	o.Close()
	o.Close()
	overlays := o.Window.Window().Canvas().Overlays()
	if n := len(overlays.List()); n != 1 {
		t.Fatalf("%d questions", n)
	}
	o.press(t, "Stay")
	o.Close()
	if n := len(overlays.List()); n != 1 || o.closing {
		t.Errorf("%d questions the next time", n)
	}
	o.press(t, "Stop and close")
	o.stage.Until("the window closes", func() bool { return o.closed })
}

// TestOpeningAnotherClosesWithoutAQuestion: the opening itself is no work that closing would stop,
// however soon the window hears of its end.
func TestOpeningAnotherClosesWithoutAQuestion(t *testing.T) {
	o := open(t, 1, func(d *Deps) { d.OpenWorkspace = func(string) error { return nil } })
	o.idle()
	before := o.work
	t.Cleanup(func() { before.Stop(); before.Wait() })
	var slow atomic.Bool // whoever posts waits until it was run
	o.work = jobs.New(func(f func()) {
		if !slow.Load() {
			o.stage.Post(f)
			return
		}
		done := make(chan struct{})
		o.stage.Post(func() { f(); close(done) })
		<-done
	})
	o.startOpening("Open workspace", "another", func(string) error { slow.Store(true); return nil })
	o.stage.Until("the window gives way", func() bool {
		return o.closed || len(o.Window.Window().Canvas().Overlays().List()) > 0
	})
	if !o.closed {
		t.Error("it asks whether its own work may be stopped")
		o.work.Stop()
	}
}

// TestAnotherWorkspaceTakesTheWindow: what is at work is asked for before another workspace is
// opened; then that has the same window, with its size, title and keys.
func TestAnotherWorkspaceTakesTheWindow(t *testing.T) {
	tried := 0
	o := open(t, 1, func(d *Deps) { d.OpenWorkspace = func(string) error { tried++; return nil } })
	o.idle()
	window := o.Window.Window()
	window.Resize(fyne.NewSize(1100, 720))
	o.work.Start("wait", func(ctx context.Context, _ *jobs.Progress) error { <-ctx.Done(); return ctx.Err() }, nil)
	o.openPath("another")
	o.press(t, "Stay")
	if o.closing || tried > 0 {
		t.Fatal("it is opened although the person stays")
	}
	o.openPath("another")
	o.press(t, "Stop and open")
	o.stage.Until("the window gives way", func() bool { return o.closed })
	if o.left != window || len(window.Canvas().Overlays().List()) > 0 || tried != 1 {
		t.Fatalf("opened %d times; left is %v, with %d over it", tried, o.left, len(window.Canvas().Overlays().List()))
	}
	windows := len(o.deps.App.Driver().AllWindows())
	next := sample.New(t, 2)
	closed := false
	second := New(Deps{
		App: o.stage.App(), Workspace: next.Workspace, Window: o.left, Closed: func(fyne.Window) { closed = true },
	})
	second.Show()
	if n := len(o.deps.App.Driver().AllWindows()); n != windows || second.Window() != window ||
		!strings.Contains(window.Title(), next.Name()) {
		t.Errorf("%d windows, before %d; %q", n, windows, window.Title())
	}
	if size := window.Canvas().Size(); size.Width != 1100 {
		t.Errorf("the window has become %v", size)
	}
	(&opened{Window: second}).shortcut(t, fyne.Key0)
	if second.Place() != Background || o.Place() == Background {
		t.Errorf("the keys go to %v, and to %v of the workspace before", second.Place(), o.Place())
	}
	second.Leave()
	o.stage.Until("the second closes", func() bool { return closed })
}

// TestAWorkspaceOpensWhereItWasLeft: on the screen that was shown last there, whether the window
// was closed or the program told to end; any other workspace opens on its own, at first on Models.
func TestAWorkspaceOpensWhereItWasLeft(t *testing.T) {
	o := open(t, 1, nil)
	if o.Place() != Models {
		t.Errorf("at first %s", o.Place())
	}
	o.Go(Ranking)
	o.idle()
	o.Leave()
	o.stage.Until("the window closes", func() bool { return o.closed })
	again := New(Deps{App: o.deps.App, Preferences: o.deps.Preferences, Workspace: o.workspace.Workspace})
	if again.Place() != Ranking {
		t.Errorf("the next time %s", again.Place())
	}
	again.Go(DScore)
	again.Abandon()
	if got := rememberedPlace(o.deps.Preferences, o.workspace.Path()); got != DScore {
		t.Errorf("after the program was ended %s", got)
	}
	if got := rememberedPlace(o.deps.Preferences, "another.variscope"); got != Models {
		t.Errorf("another workspace opens on %s", got)
	}
}

// TestTheLastChoiceOfAFamilyStays: of choices in a row the last one is the workspace's.
func TestTheLastChoiceOfAFamilyStays(t *testing.T) {
	o := open(t, 1, nil)
	o.idle()
	families := o.toolbar.family.Options
	if len(families) < 3 {
		t.Fatal(families)
	}
	for round := range 6 {
		for k := range 3 {
			o.toolbar.family.SetSelected(families[(round+k)%3])
		}
		want := store.Current{Suite: o.workspace.Shapes.Hash, Family: o.toolbar.choices.texts[families[(round+2)%3]]}
		o.stage.Until("it is stored", func() bool { return !o.toolbar.storing })
		o.idle()
		if got := o.current(t); got != want || o.toolbar.family.Selected != families[(round+2)%3] {
			t.Fatalf("round %d: %+v, want %+v; the menu shows %s", round, got, want, o.toolbar.family.Selected)
		}
	}
}

// TestCheckWorkspace: the menu checks the workspace that is open, unless something changes its
// files.
func TestCheckWorkspace(t *testing.T) {
	o := open(t, 2, nil)
	o.idle()
	check := o.menuEntry(t, "Check workspace")
	wait := o.work.Start("wait",
		func(ctx context.Context, _ *jobs.Progress) error { <-ctx.Done(); return ctx.Err() }, nil)
	check.Action()
	if o.Window.Window().Canvas().Overlays().Top() != nil ||
		!strings.HasPrefix(o.status.message.Text(), "Something is running") {
		t.Errorf("it is checked beside a job: %q", o.status.message.Text())
	}
	wait.Cancel()
	o.idle()
	check.Action()
	o.stage.Until("it is checked", o.dialogSays("is healthy"))
	o.press(t, "Copy")
	if text := o.deps.App.Clipboard().Content(); !strings.Contains(text, "What was checked:") {
		t.Errorf("copied %q", text)
	}
	o.press(t, "Close")
}

// TestNothingIsPostedAfterTheEnd: a program that is told to end has no loop any more that would
// run what work posts.
func TestNothingIsPostedAfterTheEnd(t *testing.T) {
	o := open(t, 1, nil)
	told := false
	o.work.Start("wait", func(ctx context.Context, _ *jobs.Progress) error { <-ctx.Done(); return ctx.Err() },
		func(error) { told = true })
	o.Abandon()
	o.stage.Pump()
	if told {
		t.Error("the end of a job was posted")
	}
	o.closed = true // as Closed would say
}
