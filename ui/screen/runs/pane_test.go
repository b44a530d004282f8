package runs

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// turned notes what is asked of the other machines.
type turned struct {
	mu    sync.Mutex
	asked []string
	err   error
}

func (o *turned) Remove(id string) { o.note("remove " + id) }

func (o *turned) Stop() error {
	o.note("stop")
	return o.err
}

func (o *turned) note(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = append(o.asked, what)
}

type peopled struct {
	*Screen
	stage   *stage.Stage
	window  fyne.Window
	work    *jobs.Group
	others  *turned
	allowed int
	copied  string
	said    []string
	errs    []error
}

func people(t *testing.T) *peopled {
	t.Helper()
	s := &peopled{stage: stage.New(t), others: &turned{}}
	s.work = jobs.New(fyne.Do)
	s.window = s.stage.Window(nil, fyne.NewSize(1190, 690))
	ws := sample.New(t, 2)
	host := &kit.Host{
		Runs:   &kit.Runs{},
		Window: s.window, Work: s.work, Changes: ws.Subscribe,
		ShowError: func(err error) { s.errs = append(s.errs, err) }, Inspect: func(string) {},
		Status: func(text string) {
			if text != "" {
				s.said = append(s.said, text)
			}
		},
	}
	s.Screen = New(host, ws.Workspace, &steered{}, Ways{
		Others: s.others, Allow: func() { s.allowed++ }, Copy: func(text string) { s.copied = text }, New: func() {},
	})
	s.window.SetContent(s.Object())
	s.Shown()
	t.Cleanup(func() {
		s.Close()
		s.work.Stop()
		s.work.Wait()
		s.stage.Pump()
	})
	s.stage.Until("runs are read", s.Idle)
	return s
}

// idle waits for what was begun.
func (s *peopled) idle() {
	s.stage.Until("what is read", s.Idle)
	s.work.Wait()
	s.stage.Pump()
}

var lines = []string{"variscope://abc@192.168.1.20:4222/s?cert=00", "variscope://abc@127.0.0.1:4222/s?cert=00"}

// open lets three workers in, one of which is lost, beside a run.
func (s *peopled) open() remote.State {
	now, statuses := machines()
	now.Join = lines
	s.Runs.Follow(statuses)
	s.FollowOthers(now, start)
	return now
}

func TestThePaneShowsWhoComputes(t *testing.T) {
	s := people(t)
	s.stage.Press(s.window, "Allow other machines…")
	if s.pane.object.Visible() || s.allowed != 1 {
		t.Errorf("the pane takes room %v, asked %d times", s.pane.object.Visible(), s.allowed)
	}
	s.open()
	p := s.pane
	if !p.object.Visible() ||
		p.summary.Text != "1 other machine computes, 1 waits for a run, 18 cores, 111 images/s, about 35 s left" ||
		p.rows != 5 {
		t.Errorf("%q, %d lines", p.summary.Text, p.rows)
	}
	if high := p.object.Size().Height; high < 200 || high > 300 {
		t.Errorf("the pane is %v high", high)
	}
	if p.line.Text != "variscope worker '"+lines[0]+"'" || p.addresses.Disabled() {
		t.Errorf("%q", p.line.Text)
	}
	s.stage.Press(s.window, "Copy")
	if s.copied != "variscope worker '"+lines[0]+"'" {
		t.Errorf("copied %q", s.copied)
	}
	p.addresses.SetSelectedIndex(1)
	s.open() // the choice stays
	s.stage.Press(s.window, "Copy")
	if s.copied != "variscope worker '"+lines[1]+"'" || len(s.said) != 2 {
		t.Errorf("copied %q, said %q", s.copied, s.said)
	}
	s.stage.Draw(s.window, "", "")
	before := p.object.Size().Height
	test.Tap(p.fold)
	if p.body.Visible() || p.object.Size().Height > before/3 {
		t.Errorf("folded, it is %v high", p.object.Size().Height)
	}
	s.Unfold()
	if !p.body.Visible() || p.object.Size().Height != before {
		t.Errorf("unfolded, it is %v high in place of %v", p.object.Size().Height, before)
	}
	s.FollowOthers(remote.State{}, start)
	if p.object.Visible() || !s.allow.Visible() {
		t.Error("the pane stays")
	}
}

// TestThePaneSaysWhatTheRunSays: its speeds are of the same moment as the run's line.
func TestThePaneSaysWhatTheRunSays(t *testing.T) {
	s := people(t)
	s.open()
	_, statuses := machines()
	statuses[1].PerSecond, statuses[1].Shares = 50, []engine.Share{{Who: "", PerSecond: 20}, {Who: "a", PerSecond: 30}}
	s.Runs.Follow(statuses)
	for _, text := range []string{counts(s.runs[0]) + counts(s.runs[1]), s.pane.summary.Text} {
		if !strings.Contains(text, ", 50.0 images/s, ") {
			t.Errorf("%q", text)
		}
	}
}

// TestTroubleIsSaid as long as it lasts.
func TestTroubleIsSaid(t *testing.T) {
	s := people(t)
	now := s.open()
	high := s.pane.object.Size().Height
	now.Trouble = errors.New("the queue does not answer as it should: timeout")
	s.FollowOthers(now, start)
	if !s.pane.trouble.Visible() || s.pane.trouble.Text != "The queue does not answer as it should: timeout." ||
		s.pane.object.Size().Height <= high {
		t.Errorf("%t, %q", s.pane.trouble.Visible(), s.pane.trouble.Text)
	}
	s.open()
	if s.pane.trouble.Visible() || s.pane.object.Size().Height != high {
		t.Error("the trouble stays")
	}
}

// TestAWorkerIsRemoved, after a question where it is at work, and its failure is explained.
func TestAWorkerIsRemoved(t *testing.T) {
	s := people(t)
	now := s.open()
	p := s.pane
	if !p.remove.Disabled() {
		t.Error("nobody is selected, and can be removed")
	}
	choose := func(row int) { p.list.Move(row, false) }
	choose(0)
	if !p.remove.Disabled() {
		t.Error("this computer can be removed")
	}
	choose(2)
	if p.problem.Text != "beta: out of memory" {
		t.Errorf("%q", p.problem.Text)
	}
	test.Tap(p.remove) // idle
	if len(s.said) != 0 {
		t.Errorf("%q before anything was done", s.said)
	}
	s.idle()
	if !slices.Equal(s.others.asked, []string{"remove b"}) {
		t.Fatalf("%q", s.others.asked)
	}
	now.Workers = []cluster.Worker{now.Workers[1], now.Workers[0]} // the selection follows its worker
	choose(1)
	s.FollowOthers(now, start)
	now.Workers = []cluster.Worker{now.Workers[1], now.Workers[0]}
	choose(1)
	if m, ok := p.member(); !ok || m.ID != "b" {
		t.Errorf("%+v", m)
	}
	s.FollowOthers(now, start)
	if p.problem.Text != "beta: out of memory" {
		t.Errorf("%q", p.problem.Text)
	}
	if m, ok := p.member(); !ok || m.ID != "b" || p.list.Place() != 2 {
		t.Errorf("line %d, %+v", p.list.Place(), m)
	}
	choose(1)
	if p.problem.Text != "alpha: s01 part 3, s02 part 1" {
		t.Errorf("%q", p.problem.Text)
	}
	press(p, fyne.KeyDelete, 1)
	s.stage.Press(s.window, "Cancel")
	press(p, fyne.KeyDelete, 1)
	s.stage.Press(s.window, "Remove")
	s.idle()
	if !slices.Equal(s.others.asked, []string{"remove b", "remove a"}) {
		t.Errorf("%q", s.others.asked)
	}
	now.Workers = nil
	s.FollowOthers(now, start)
	if !p.remove.Disabled() || p.problem.Text != "" {
		t.Error("who is gone can be removed")
	}
}

func press(p *pane, key fyne.KeyName, times int) {
	for range times {
		p.list.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

// TestTurningAway asks once while something is at work, and shows what goes wrong.
func TestTurningAway(t *testing.T) {
	s := people(t)
	now := s.open()
	s.stage.Press(s.window, "Disconnect")
	s.stage.Press(s.window, "Cancel")
	s.stage.Press(s.window, "Disconnect")
	if n := len(s.window.Canvas().Overlays().List()); n != 1 || len(s.others.asked) != 0 {
		t.Fatalf("%d questions, asked %q", n, s.others.asked)
	}
	s.stage.Press(s.window, "Disconnect") // of the question, which lies on top
	now.Phase = remote.Closing
	s.FollowOthers(now, start.Add(time.Second))
	if !s.pane.stop.Disabled() {
		t.Error("it can be asked for twice")
	}
	s.idle()
	if !slices.Equal(s.others.asked, []string{"stop"}) || !strings.Contains(strings.Join(s.said, " "), "disconnected") {
		t.Errorf("asked %q, said %q", s.others.asked, s.said)
	}
	s.others.err, s.said = errors.New("disk full"), nil
	s.Runs.Follow(nil)
	s.FollowOthers(remote.State{Phase: remote.Open, Join: lines}, start)
	s.stage.Press(s.window, "Disconnect") // nobody is at work: no question
	s.idle()
	if len(s.errs) != 1 || len(s.said) != 0 {
		t.Errorf("%v, %q", s.errs, s.said)
	}
}
