package remote

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
)

func TestMemory(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, memoryName)
	m := memory{
		Settings: Settings{Listen: ":4222", On: "tls://user:secret@house:4222", Mixed: true, Only: true},
		Allowed:  true, place: placeOf(folder),
	}
	must(t, m.keep(folder))
	if got, err := remembered(folder); err != nil || got != m {
		t.Errorf("%+v, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("%v, %v: others may read the password", info.Mode(), err)
	}
	for _, text := range []string{
		"", "[]", `{"listen": 5}`, `{"listen": "` + strings.Repeat("x", maxMemory) + `"}`,
		`{"host": 1}`,
	} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		s, err := New(Options{Folder: folder, Engine: &attached{}})
		if err == nil || !strings.Contains(err.Error(), path) || s == nil || s.State().Settings != (Settings{}) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestAWorkspaceFromElsewhereLetsNobodyIn by itself: how it was asked for is offered, and somebody
// has to ask.
func TestAWorkspaceFromElsewhereLetsNobodyIn(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "queue"), filepath.Join(t.TempDir(), "queue")
	how := Settings{Listen: "127.0.0.1:0", Mixed: true}
	s, _ := made(t, from)
	must(t, s.Allow(t.Context(), how))
	s.Close()
	must(t, os.CopyFS(to, os.DirFS(from)))
	other := t.TempDir()
	must(t, os.WriteFile(filepath.Join(other, memoryName),
		[]byte(`{"listen":"127.0.0.1:0","mixed":true,"allowed":true}`), 0o600))
	host := t.TempDir()
	m := memory{Settings: how, Allowed: true}
	must(t, m.keep(host))
	text := testdata.Must(os.ReadFile(filepath.Join(host, memoryName)))(t)
	name, err := os.Hostname()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(host, memoryName),
		[]byte(strings.Replace(string(text), `"`+name+`"`, `"elsewhere"`, 1)), 0o600))
	for what, folder := range map[string]string{"another folder": to, "no place": other, "another computer": host} {
		s, e := made(t, folder)
		again, err := s.Restore(t.Context())
		if now := s.State(); again || err != nil || now.Phase != Shut || now.Allowed || now.Settings != how ||
			e.members() != 0 {
			t.Errorf("%s: %t, %v, %+v", what, again, err, now)
		}
	}
	s, _ = made(t, to) // once it was asked for there, it is as anywhere
	must(t, s.Allow(t.Context(), how))
	s.Close()
	s, _ = made(t, to)
	if again, err := s.Restore(t.Context()); !again || err != nil {
		t.Errorf("%t, %v", again, err)
	}
}

// TestASymlinkToTheFolderIsTheSamePlace, however the workspace is opened.
func TestASymlinkToTheFolderIsTheSamePlace(t *testing.T) {
	folder := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		return // the system has none for everybody
	}
	must(t, memory{Allowed: true}.keep(folder))
	if m, err := remembered(link); err != nil || !m.Allowed {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestWhatCannotBeRestoredCanBeForgotten: it is tried again at every opening until then.
func TestWhatCannotBeRestoredCanBeForgotten(t *testing.T) {
	folder := t.TempDir()
	must(t, memory{Settings: Settings{Listen: hold(t).Addr().String(), Only: true}, Allowed: true}.keep(folder))
	s, e := made(t, folder)
	for range 2 {
		if again, err := s.Restore(t.Context()); !again || err == nil || !s.State().Allowed || e.Limits().Workers != 4 {
			t.Fatalf("%t, %v, %+v", again, err, s.State())
		}
		s.Close()
		s, e = made(t, folder)
	}
	must(t, s.Stop())
	if s.State().Allowed {
		t.Error("it is not forgotten")
	}
	s, _ = made(t, folder)
	if again, err := s.Restore(t.Context()); again || err != nil || !s.State().Settings.Only {
		t.Errorf("%t, %v, %+v", again, err, s.State())
	}
}

// TestNothingIsComputedHereMeanwhile: an answer may take long, and runs go on.
func TestNothingIsComputedHereMeanwhile(t *testing.T) {
	s, e := made(t, t.TempDir())
	l := hold(t)
	gone := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { gone <- s.Allow(ctx, Settings{On: "nats://" + l.Addr().String(), Only: true}) }()
	guest, err := l.Accept() // the switch waits for what the server says first
	must(t, err)
	if s.SetWorkers(2); e.Limits().Workers != engine.NoWorkers || s.State().Phase != Opening {
		t.Errorf("%+v, %+v", e.Limits(), s.State())
	}
	must(t, guest.Close())
	must(t, l.Close())
	if err := <-gone; err == nil || e.Limits().Workers != 2 || s.State().Phase != Shut {
		t.Errorf("%v, %+v, %+v", err, e.Limits(), s.State())
	}
}

// hold listens as a server that says nothing.
func hold(t *testing.T) net.Listener {
	t.Helper()
	l := testdata.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// TestTurnedAwayButNotNoted: nobody is in any more, and it is said that they will be.
func TestTurnedAwayButNotNoted(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "queue")
	s, e := made(t, folder)
	must(t, s.Allow(t.Context(), Settings{Listen: "127.0.0.1:0"}))
	path := filepath.Join(folder, memoryName)
	must(t, os.Remove(path))
	must(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o700))
	err := s.Stop()
	if err == nil || !strings.Contains(err.Error(), "will be let in again when") || e.members() != 0 ||
		s.State().Phase != Shut || !s.State().Allowed {
		t.Fatalf("%v, %+v", err, s.State())
	}
	must(t, os.RemoveAll(path))
	must(t, s.Stop())
	if m, err := remembered(folder); err != nil || m.Allowed || s.State().Allowed {
		t.Errorf("%+v, %v", m, err)
	}
}
