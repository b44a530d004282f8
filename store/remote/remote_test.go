package remote

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/cluster"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// attached is an engine that notes what is asked of it.
type attached struct {
	mu      sync.Mutex
	workers int
	there   int
}

func (a *attached) Attach(engine.Executor) func() {
	a.note(func() { a.there++ })
	return func() { a.note(func() { a.there-- }) }
}

func (a *attached) note(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
}

func (a *attached) Limits() (l engine.Limits) {
	a.note(func() { l.Workers = a.workers })
	return l
}

func (a *attached) SetWorkers(n int) { a.note(func() { a.workers = n }) }

func (a *attached) members() (n int) {
	a.note(func() { n = a.there })
	return n
}

func self() cluster.Machine {
	return cluster.Machine{Name: "desk", Program: "1", Runtime: "1.0", Arch: "amd64", Level: "avx2", Cores: 8}
}

// made is a switch over a folder that is closed at the test's end.
func made(t *testing.T, folder string) (*Switch, *attached) {
	t.Helper()
	e := &attached{workers: 4}
	s, err := New(Options{
		Folder: folder, Engine: e, Self: self(), Pace: cluster.Pace{Beat: 50 * time.Millisecond, AckWait: time.Second},
	})
	must(t, err)
	t.Cleanup(s.Close)
	return s, e
}

func TestAtFirstNobodyIsLetIn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "queue")
	s, e := made(t, folder)
	now := s.State()
	if now.Phase != Shut || now.Join != nil || now.Workers != nil || now.Self.Cores != 4 || now.Self.Name != "desk" ||
		e.members() != 0 {
		t.Errorf("%+v", now)
	}
	again := testdata.Must(s.Restore(t.Context()))(t)
	if again || s.State().Phase != Shut {
		t.Error("somebody is let in")
	}
	must(t, s.Stop())
	s.Remove("nobody")
	testdata.ErrorIs(t, "a folder for nothing", testdata.Err(os.Stat(folder)), os.ErrNotExist)
}

// TestWhatWasAllowedIsAllowedAgain after the workspace was closed, under the same line, and is not
// after it was turned off.
func TestWhatWasAllowedIsAllowedAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "queue")
	s, e := made(t, folder)
	how := Settings{Listen: "127.0.0.1:0", Mixed: true}
	must(t, s.Allow(t.Context(), how))
	now := s.State()
	if now.Phase != Open || now.Settings != how || len(now.Join) != 1 || now.Trouble != nil || e.members() != 1 {
		t.Fatalf("%+v, %d attached", now, e.members())
	}
	testdata.Refused(t, "Allow", s.Allow(t.Context(), how), "turn them away first")
	s.Close()
	s.Close()
	if err := s.Allow(t.Context(), how); err == nil || s.State().Phase != Shut || e.members() != 0 {
		t.Errorf("%v, %+v", err, s.State())
	}

	s, e = made(t, folder)
	if got := s.State(); got.Phase != Shut || got.Settings != how {
		t.Errorf("%+v", got)
	}
	again, err := s.Restore(t.Context())
	must(t, err)
	if line := s.State().Join; !again || !slices.Equal(line, now.Join) || e.members() != 1 {
		t.Errorf("%v in place of %v", line, now.Join)
	}
	must(t, s.Stop())
	if got := s.State(); got.Phase != Shut || got.Join != nil || e.members() != 0 {
		t.Errorf("%+v", got)
	}
	s, _ = made(t, folder)
	if again, err = s.Restore(t.Context()); err != nil || again || s.State().Settings != how {
		t.Errorf("%t, %v, %+v", again, err, s.State())
	}
}

// TestOnlyOthers: this computer's own workers come back when nobody else is let in any more, as
// many as were asked for meanwhile.
func TestOnlyOthers(t *testing.T) {
	s, e := made(t, filepath.Join(t.TempDir(), "queue"))
	s.SetWorkers(3)
	if e.Limits().Workers != 3 {
		t.Error("a change without others waits")
	}
	must(t, s.Allow(t.Context(), Settings{Listen: "127.0.0.1:0", Only: true}))
	s.SetWorkers(2)
	if e.Limits().Workers != engine.NoWorkers || s.State().Self.Cores != 0 {
		t.Errorf("%+v, %+v", e.Limits(), s.State().Self)
	}
	must(t, s.Stop())
	if e.Limits().Workers != 2 || s.State().Self.Cores != 2 {
		t.Errorf("%+v", e.Limits())
	}
}

// TestWhyNobodyIsLetIn is said in words, and another attempt may succeed.
func TestWhyNobodyIsLetIn(t *testing.T) {
	taken := hold(t)
	folder := filepath.Join(t.TempDir(), "queue")
	s, e := made(t, folder)
	for name, tt := range map[string]struct {
		how  Settings
		says []string
	}{
		"address in use": {
			Settings{Listen: taken.Addr().String()}, []string{taken.Addr().String(), "in use", "choose another"},
		},
		"no such address": {
			Settings{Listen: "203.0.113.7:4222"}, []string{"203.0.113.7:4222", "choose another address"},
		},
		"no address":    {Settings{Listen: "house"}, []string{`"house"`, "use HOST:PORT"}},
		"no port":       {Settings{Listen: "127.0.0.1:99999"}, []string{"no port between"}},
		"no server":     {Settings{On: "nats://127.0.0.1:1"}, []string{"cannot reach 127.0.0.1:1"}},
		"not encrypted": {Settings{On: "nats://203.0.113.7:4222"}, []string{"not encrypted", "tls://"}},
		"no server at all": {
			Settings{On: "ftp://user:secret@house"},
			[]string{"no address of a NATS server", "tls://USER"},
		},
	} {
		err := s.Allow(t.Context(), tt.how)
		testdata.Refused(t, name, err, tt.says...)
		if strings.Contains(fmt.Sprint(err), "secret") || s.State().Phase != Shut || e.members() != 0 {
			t.Errorf("%s: %q, %+v", name, err, s.State())
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "cancelled", s.Allow(ended, Settings{Listen: "127.0.0.1:0"}), context.Canceled)
	testdata.Is(t, "phase", s.State().Phase, Shut)
	testdata.Is(t, "remembered", testdata.Must(remembered(folder))(t), memory{})
	must(t, s.Allow(t.Context(), Settings{Listen: "127.0.0.1:0"}))
}

// idle is a runtime that is never asked for anything.
type idle struct{ engine.Runtime }

// Work implements engine.Runtime.
func (idle) Work(ctx context.Context, _ int, _ engine.Next) { <-ctx.Done() }

// TestWorkersAreSeenAndRemoved: who joins is in the list, with a word to who watches, until it is
// removed.
func TestWorkersAreSeenAndRemoved(t *testing.T) {
	s, _ := made(t, filepath.Join(t.TempDir(), "queue"))
	must(t, s.Allow(t.Context(), Settings{Listen: "127.0.0.1:0"}))
	line := testdata.Must(cluster.ParseJoin(s.State().Join[0]))(t)
	machine := self()
	machine.Name, machine.Cores = "helper", 2
	gone := make(chan error, 1)
	cache := t.TempDir()
	go func() {
		gone <- cluster.Work(t.Context(), line, cluster.WorkOptions{Self: machine, Runtime: idle{}, Cache: cache})
	}()
	seen := heard(t, s, func(now State) bool { return len(now.Workers) == 1 }).Workers[0]
	if seen.Name != "helper" || seen.Cores != 2 || seen.Mixed || seen.Lost {
		t.Errorf("%+v", seen)
	}
	s.Remove(seen.ID)
	heard(t, s, func(now State) bool { return len(now.Workers) == 0 })
	if err := <-gone; err == nil || !strings.Contains(err.Error(), "needs this worker no more") {
		t.Error(err)
	}
}

// heard waits for a state by listening to changes alone.
func heard(t *testing.T, s *Switch, is func(State) bool) State {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		if now := s.State(); is(now) {
			return now
		}
		select {
		case <-s.Changed():
		case <-limit:
			t.Fatalf("nobody said so within a minute: %+v", s.State())
		}
	}
}
