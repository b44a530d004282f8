package ui

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/remote"
)

// helpers are other machines that do as the test says.
type helpers struct {
	mu      sync.Mutex
	state   remote.State
	err     error
	asked   []string
	changed chan struct{}
}

func newHelpers() *helpers { return &helpers{changed: make(chan struct{}, 1)} }

// do notes what was asked and changes the state.
func (h *helpers) do(what string, change func(*remote.State)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, what)
	if h.err != nil {
		return h.err
	}
	change(&h.state)
	select {
	case h.changed <- struct{}{}:
	default:
	}
	return nil
}

func (h *helpers) was(what ...string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Equal(h.asked, what)
}

func (h *helpers) Allow(_ context.Context, how remote.Settings) error {
	return h.do("allow "+how.Listen, func(s *remote.State) {
		s.Phase, s.Settings, s.Allowed, s.Join = remote.Open, how, true, joinLines
	})
}

func (h *helpers) Restore(ctx context.Context) (bool, error) {
	return true, h.Allow(ctx, remote.Settings{Listen: "again"})
}

func (h *helpers) Stop() error {
	return h.do("stop", func(s *remote.State) { *s = remote.State{Settings: s.Settings} })
}

func (h *helpers) Close()                   { _ = h.do("close", func(s *remote.State) { s.Phase = remote.Shut }) }
func (h *helpers) Remove(id string)         { _ = h.do("remove "+id, func(*remote.State) {}) }
func (h *helpers) SetWorkers(int)           { _ = h.do("workers", func(*remote.State) {}) }
func (h *helpers) Changed() <-chan struct{} { return h.changed }

func (h *helpers) State() remote.State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

var joinLines = []string{"variscope://" + strings.Repeat("0123456789abcdef", 3) +
	"@192.168.1.20:40123/0123456789ab?cert=00", "variscope://abc@127.0.0.1:40123/s?cert=00"}

// crowd are three workers: one at work, one with another processor and a long name, one that is
// lost and has failed.
func crowd(now time.Time) []cluster.Worker {
	like := func(id, name string) cluster.Worker {
		return cluster.Worker{
			Machine: cluster.Machine{ID: id, Name: name, Arch: "amd64", Level: "avx512", Cores: 16}, Seen: now,
		}
	}
	a, b, c := like("a", "alpha"), like("b", "laboratory-computer-with-a-rather-long-name.department.example.org"),
		like("c", "gamma")
	a.Units = []cluster.UnitInWork{{Model: "mnist-convolutional-network-number-301", Chunk: 11}, {Model: "302"}}
	a.Done = 1234
	b.Arch, b.Level, b.Mixed = "arm64", "neon", true
	c.Seen, c.Lost, c.Failed, c.Problem = now.Add(-3*time.Minute), true, 2, "model 301: out of memory"
	return []cluster.Worker{a, b, c}
}

// welcoming is a window on whose Runs screen other machines are let in.
func welcoming(t *testing.T) (*opened, *helpers) {
	t.Helper()
	h := newHelpers()
	o := open(t, 2, func(d *Deps) { d.Machines = h })
	o.Window.Window().Resize(fyne.NewSize(1280, 774))
	o.menuEntry(t, "Allow other machines…").Action()
	o.stage.Until("the dialog opens", o.dialogSays("other machines may compute parts of its runs"))
	o.press(t, "Allow")
	o.stage.Until("other machines are let in", func() bool { return o.over() == nil && o.Place() == Runs })
	return o, h
}

// TestOtherMachinesAreLetInAndTurnedAway: the Runs screen shows them, and the status line says so
// wherever the window is.
func TestOtherMachinesAreLetInAndTurnedAway(t *testing.T) {
	o, h := welcoming(t)
	if !h.was("allow :0") || o.status.message.Text() != "Other machines may compute now. Run the line on them." {
		t.Errorf("asked %q; %q", h.asked, o.status.message.Text())
	}
	o.Go(Models)
	o.stage.Until("the status line says so", func() bool {
		return o.status.others.Text == "no other machine has joined yet" && o.status.beside.Visible()
	})
	if err := h.do("join", func(s *remote.State) { s.Workers = crowd(time.Now()) }); err != nil {
		t.Fatal(err)
	}
	o.stage.Until("the status line counts them", func() bool {
		return o.status.others.Text == "1 other machine computes, 1 waits for a run"
	})
	o.menuEntry(t, "Allow other machines…").Action() // they are: it shows them
	if o.Place() != Runs || o.over() != nil {
		t.Errorf("it shows %s", o.Place())
	}
	o.press(t, "Disconnect") // one has units in work
	o.stage.Until("a question", o.dialogSays("What they have begun comes back"))
	o.press(t, "Disconnect")
	o.stage.Until("nothing is left of them", func() bool {
		return !o.status.beside.Visible() && o.status.others.Text == ""
	})
	if !h.was("allow :0", "join", "stop") {
		t.Errorf("asked %q", h.asked)
	}
	o.stage.Until("the screen offers it again", func() bool {
		return slices.ContainsFunc(o.buttons(), func(b *widget.Button) bool {
			return b.Text == "Allow other machines…"
		})
	})
	o.press(t, "Allow other machines…")
	o.stage.Until("the dialog opens", o.dialogSays("other machines may compute parts of its runs"))
	o.dismiss()
}

// TestOtherMachinesAreLetInAgain when the workspace is opened, and that it does not work is said.
func TestOtherMachinesAreLetInAgain(t *testing.T) {
	h := newHelpers()
	h.state.Allowed = true
	o := open(t, 1, func(d *Deps) { d.Machines = h })
	o.stage.Until("it is said", func() bool {
		return strings.HasPrefix(o.status.message.Text(), "Other machines may compute again")
	})
	o.Leave()
	o.stage.Until("the window closes", func() bool { return o.closed })
	if !h.was("allow again", "close") {
		t.Errorf("asked %q", h.asked)
	}
	h = newHelpers()
	h.state.Allowed, h.err = true, errors.New("listen on 10.0.0.7:4222: no such address")
	failing := open(t, 1, func(d *Deps) { d.Machines = h })
	failing.stage.Until("it is said", func() bool {
		return strings.Contains(failing.banner.text.Text,
			"cannot compute as they could before: listen on 10.0.0.7:4222")
	})
	h.mu.Lock()
	h.err = nil
	h.mu.Unlock()
	failing.press(t, "Do not allow them again")
	failing.stage.Until("it is forgotten", func() bool {
		return failing.status.message.Text() == "Other machines are not allowed any more."
	})
	if !h.was("allow again", "stop") || failing.banner.object.Visible() {
		t.Errorf("asked %q", h.asked)
	}
}

// TestOtherMachinesAreLetInAgainUnderAnotherLine: it is said that the old one leads nowhere.
func TestOtherMachinesAreLetInAgainUnderAnotherLine(t *testing.T) {
	h := newHelpers()
	h.state.Allowed, h.state.Moved = true, true
	o := open(t, 1, func(d *Deps) { d.Machines = h })
	o.stage.Until("the line is another one", func() bool {
		return strings.Contains(o.status.message.Text(), "with another line")
	})
}

// TestWithoutOtherMachinesThisComputerComputes although it was not to, which is said. Who has let
// them in meanwhile does not turn them away.
func TestWithoutOtherMachinesThisComputerComputes(t *testing.T) {
	h := newHelpers()
	h.state.Allowed, h.state.Settings.Only, h.err = true, true, errors.New("no answer")
	o := open(t, 1, func(d *Deps) { d.Machines = h })
	o.stage.Until("this computer computes", func() bool {
		return strings.Contains(o.banner.text.Text, "this computer computes in their place: no answer")
	})
	h.mu.Lock()
	h.state.Phase = remote.Open // somebody has asked for them meanwhile
	h.mu.Unlock()
	o.press(t, "Do not allow them again")
	if o.Place() != Runs || !h.was("allow again") {
		t.Errorf("%s, asked %q", o.Place(), h.asked)
	}
}

// TestTheMachinesDialogOpensOnce, however often it is asked for while the addresses are read, and
// not while they are let in already.
func TestTheMachinesDialogOpensOnce(t *testing.T) {
	h := newHelpers()
	o := open(t, 1, func(d *Deps) { d.Machines = h })
	for range 2 { // as after two presses
		o.askForMachines([]string{"127.0.0.1"})
	}
	if n := len(o.Window.Window().Canvas().Overlays().List()); n != 1 {
		t.Errorf("%d dialogs", n)
	}
	o.dismiss()
	h.mu.Lock()
	h.state.Phase = remote.Open
	h.mu.Unlock()
	if o.askForMachines([]string{"127.0.0.1"}); o.over() != nil || o.Place() != Runs {
		t.Error("it asks for what is there")
	}
}

// TestStatesDoNotPileUp where the main goroutine has no time: one waits, and it is the last one
// that is shown.
func TestStatesDoNotPileUp(t *testing.T) {
	var waiting []func()
	var shown []string
	var l latestMachines
	post := func(f func()) { waiting = append(waiting, f) }
	show := func(now remote.State) { shown = append(shown, now.Settings.Listen) }
	for i := range 1000 {
		l.pass(remote.State{Settings: remote.Settings{Listen: strconv.Itoa(i)}}, post, show)
	}
	if len(waiting) != 1 {
		t.Fatalf("%d wait", len(waiting))
	}
	waiting[0]()
	l.pass(remote.State{Settings: remote.Settings{Listen: "then"}}, post, show)
	if len(waiting) != 2 {
		t.Fatalf("%d were posted", len(waiting))
	}
	waiting[1]()
	if !slices.Equal(shown, []string{"999", "then"}) {
		t.Errorf("%q", shown)
	}
}

// TestMixedRunsNeedTheirMachines: the run form offers other kinds of processors as long as some
// are let in.
func TestMixedRunsNeedTheirMachines(t *testing.T) {
	h := newHelpers()
	o := open(t, 1, func(d *Deps) { d.Machines = h })
	for _, state := range []remote.State{
		{},
		{Phase: remote.Open},
		{Phase: remote.Open, Settings: remote.Settings{Mixed: true}},
	} {
		h.mu.Lock()
		h.state = state
		h.mu.Unlock()
		if want := state.Phase == remote.Open && state.Settings.Mixed; o.runner().MayMix != want {
			t.Errorf("%+v: %t", state, !want)
		}
	}
}

// TestProcessorsGoThroughTheOthers: where these do all the work, a change of the settings must not
// bring this computer's own back.
func TestProcessorsGoThroughTheOthers(t *testing.T) {
	h := newHelpers()
	o := open(t, 1, func(d *Deps) { d.Machines = h })
	o.setWorkers(2)
	if !h.was("workers") || o.engine.Limits().Workers != 1 {
		t.Errorf("asked %q, %+v", h.asked, o.engine.Limits())
	}
}

func TestWithoutMachinesTheMenuOffersNone(t *testing.T) {
	o := open(t, 1, nil)
	for _, menu := range o.menu.Items {
		for _, item := range menu.Items {
			if strings.HasPrefix(item.Label, "Allow other machines") {
				t.Error("an entry without a use")
			}
		}
	}
	o.setWorkers(3)
	if o.engine.Limits().Workers != 3 {
		t.Errorf("%+v", o.engine.Limits())
	}
}

// TestThePaneOfOtherMachinesFits in the smallest window and at every size of text and can be read.
// With VARISCOPE_SCREENS it keeps pictures in that folder.
func TestThePaneOfOtherMachinesFits(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	folder := os.Getenv("VARISCOPE_SCREENS")
	o, h := welcoming(t)
	trouble := errors.New("the queue does not answer as it should: timeout")
	if err := h.do("join", func(s *remote.State) { s.Workers, s.Trouble = crowd(time.Now()), trouble }); err != nil {
		t.Fatal(err)
	}
	o.stage.Until("the workers are listed", func() bool {
		return o.status.others.Text == "1 other machine computes, 1 waits for a run"
	})
	for _, look := range []Look{LookLight, LookDark} {
		o.SetLook(look)
		for _, one := range scales {
			if folder == "" && one.name != "half" && one.name != "100" && one.name != "200" {
				continue
			}
			o.deps.Preferences.SetFloat(keyScale, one.scale)
			o.applyTheme()
			o.Window.Window().Resize(one.size)
			o.settle()
			o.fits(t, "other machines, "+one.name, one.size)
			picture := o.stage.Capture(o.Window.Window(), folder, "machines-"+string(look)+"-"+one.name)
			if one.name == "100" {
				o.readableTexts(t, "other machines", picture)
			}
		}
	}
}
