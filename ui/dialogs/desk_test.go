package dialogs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
)

func TestSplitDesk(t *testing.T) {
	packages, labels, rest := SplitDesk([]string{"a.vround", "b.onnx", "c.VLABELS", "labels_long.csv", "d.vround"})
	if !slices.Equal(packages, []string{"a.vround", "d.vround"}) || !slices.Equal(labels, []string{"c.VLABELS"}) ||
		!slices.Equal(rest, []string{"b.onnx", "labels_long.csv"}) {
		t.Errorf("%v %v %v", packages, labels, rest)
	}
}

func TestWithSuffix(t *testing.T) {
	for from, want := range map[string]string{"a": "a.vround", "a.vround": "a.vround", "a.VROUND": "a.VROUND", "a.b": "a.b.vround"} {
		if got := withSuffix(from, desk.RoundSuffix); got != want {
			t.Errorf("%s becomes %s, want %s", from, got, want)
		}
	}
}

func TestPreviewText(t *testing.T) {
	good := desk.FileReport{Path: "x/a.vlabels", Round: "first", Events: 5, New: 3, Known: 2, SHA256: "abc"}
	bad := desk.FileReport{Path: "b.vlabels", Refuse: "it is cut off"}
	for _, c := range []struct {
		plan   desk.Plan
		action string
		want   []string
	}{
		{desk.Plan{Files: []desk.FileReport{good}, Added: 3}, "Merge 3 events", []string{"a.vlabels: round first, 5 events, 3 new, 2 here already", "abc"}},
		{desk.Plan{Files: []desk.FileReport{good, bad}, Added: 3}, "Merge 1 of 2 files", []string{"b.vlabels: refused. It is cut off."}},
		{desk.Plan{Files: []desk.FileReport{bad}}, "", []string{"refused"}},
		{
			desk.Plan{Files: []desk.FileReport{good}, Conflicts: []desk.ConflictReport{{Model: "m1", Annotator: "a", Labels: []label.Value{label.Variant, label.Invariant}}}},
			"",
			[]string{"1 conflict between desks", "m1, a: variant, then invariant"},
		},
	} {
		text := previewText(c.plan)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %q", want, text)
			}
		}
		if got := mergeAction(c.plan); got != c.action {
			t.Errorf("button %q, want %q", got, c.action)
		}
	}
}

func TestMergedText(t *testing.T) {
	p := desk.Plan{Files: []desk.FileReport{{}, {Refuse: "x"}}}
	if got := mergedText(3, p); got != "Merged 3 events from 1 file." {
		t.Error(got)
	}
	p.Conflicts = make([]desk.ConflictReport, 2)
	if got := mergedText(3, p); !strings.Contains(got, "2 conflicts between desks") {
		t.Error(got)
	}
}

func TestOpenedText(t *testing.T) {
	r := label.Round{Name: "first"}
	for want, report := range map[string]store.PackageReport{
		"with 2 models":   {Round: r, Created: true, Models: 2},
		"first was added": {Round: r, Created: true},
		"up to date":      {Round: r, Changed: true},
		"nothing changed": {Round: r},
	} {
		if got := openedText(report); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestACancelHidesNoOpenedPackage(t *testing.T) {
	if text, err := openedAll([]string{"Round a was added."}, context.Canceled); err != nil || !strings.HasPrefix(text, "Round a was added.\nThen it was cancelled") {
		t.Errorf("%q, %v", text, err)
	}
	for _, err := range []error{nil, context.Canceled, errors.New("the disk is full")} {
		if text, got := openedAll(nil, err); text != "" || !errors.Is(got, err) {
			t.Errorf("%v: %q, %v", err, text, got)
		}
	}
	if text, err := openedAll([]string{"a", "b"}, nil); text != "a\nb" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestSenders(t *testing.T) {
	f := deskRound{round: label.Round{Annotators: []string{"a", "b", "c"}}, names: map[string]string{"b": "annotator 2"}, own: map[string]int{"b": 1}}
	b := kit.Option{Key: "b", Name: "annotator 2 (1 event)"}
	if got := f.senders(); !slices.Equal(got, []kit.Option{b}) {
		t.Errorf("%v", got)
	}
	f.own["c"] = 2
	if got := f.senders(); !slices.Equal(got, []kit.Option{{Name: "everybody at this desk"}, b, {Key: "c", Name: "c (2 events)"}}) {
		t.Errorf("%v", got)
	}
}

// scene is a window with a workspace in which dialogs open.
type scene struct {
	*testing.T
	stage *stage.Stage
	host  *kit.Host
	said  string
	fault error
}

func newScene(t *testing.T) *scene {
	s := &scene{T: t, stage: stage.New(t)}
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	s.host = &kit.Host{
		Window: s.stage.Window(widget.NewLabel(""), fyne.NewSize(1000, 700)), Work: work,
		ShowError: func(err error) { s.fault = err }, Status: func(text string) { s.said = text },
	}
	return s
}

// press waits for a button that can be pressed and presses it.
func (s *scene) press(text string) {
	s.Helper()
	s.stage.Until(text, func() bool {
		if b := s.button(text); b != nil && !b.Disabled() {
			test.Tap(b)
			return true
		}
		return false
	})
}

func (s *scene) button(text string) (found *widget.Button) {
	stage.Walk(s.host.Window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if b, ok := o.(*widget.Button); ok && b.Text == text {
			found = b
		}
	})
	return found
}

// shows waits until a text is on the dialog.
func (s *scene) shows(text string) {
	s.Helper()
	s.stage.Until(text, func() (found bool) {
		stage.Walk(s.host.Window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
			if l, ok := o.(*widget.Label); ok && strings.Contains(l.Text, text) {
				found = true
			}
		})
		return found
	})
}

// One desk invites, another opens, labels and sends, the first merges: by the dialogs alone.
func TestDeskDialogs(t *testing.T) {
	s := newScene(t)
	ws := sample.New(t, 3)
	round := ws.NewRound(t, func(r *label.Round) { r.Models, r.Annotators = r.Models[:2], []string{"a", "b"} })
	InviteDialog(s.host, ws.Workspace, round.ID)
	s.press("Write package")
	s.shows("first look.vround with 2 models")
	s.press("Close")
	path := filepath.Join(filepath.Dir(ws.Path()), "first look.vround")
	if !strings.Contains(s.said, path) {
		t.Errorf("the status line says %q", s.said)
	}

	there, err := store.Create(filepath.Join(t.TempDir(), "there"))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	SendLabelsDialog(s.host, ws.Workspace, round.ID)
	s.shows("Nobody has labelled anything")
	s.press("Close")
	went := ""
	OpenPackageDialog(s.host, there, []string{path}, func(id string) { went = id })
	s.shows("round first look, 2 models, annotators a, b")
	s.press("Open")
	s.shows("Round first look was added, with 2 models")
	if went != round.ID {
		t.Errorf("went to round %q", went)
	}
	s.press("Close")
	for _, hash := range round.Models {
		if _, err := there.Append(label.Event{Round: round.ID, Model: hash, Annotator: "a", Kind: label.Label, Value: label.Variant}); err != nil {
			t.Fatal(err)
		}
	}
	SendLabelsDialog(s.host, there, round.ID)
	s.press("Write file")
	s.shows("with 2 events")
	s.press("Close")
	file := filepath.Join(filepath.Dir(there.Path()), "first look-there.vlabels")
	damaged := filepath.Join(t.TempDir(), "bad.vlabels")
	if err := os.WriteFile(damaged, []byte("PK"), 0o644); err != nil {
		t.Fatal(err)
	}

	MergeDialog(s.host, ws.Workspace, []string{file, damaged})
	s.shows("bad.vlabels: refused")
	if events, err := ws.Events(round.ID); err != nil || len(events) != 0 {
		t.Fatalf("a preview merged %d events, %v", len(events), err)
	}
	s.press("Merge 1 of 2 files")
	s.shows("Merged 2 events from 1 file.")
	if backups(t, ws.Workspace) != 1 {
		t.Error("the database was not backed up before")
	}
	s.press("Close")
	MergeDialog(s.host, ws.Workspace, []string{file})
	s.shows("there is nothing to merge")
	s.press("Cancel")
	if s.fault != nil || s.host.Window.Canvas().Overlays().Top() != nil {
		t.Errorf("left: %v", s.fault)
	}
}

// TestMergeTakesTablesOfOthers: words that are no labels are refused until the dialog's options say
// what they stand for, and the round can be chosen.
func TestMergeTakesTablesOfOthers(t *testing.T) {
	s := newScene(t)
	ws := sample.New(t, 2)
	first := ws.NewRound(t, func(r *label.Round) { r.Name, r.Annotators = "older", []string{"a", "b"} })
	ws.NewRound(t, func(r *label.Round) { r.Name, r.Annotators = "newer", []string{"a"} })
	table := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(table, []byte("item,a,b\nm00,ok,bad\nm01,bad,\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	MergeDialog(s.host, ws.Workspace, []string{table})
	s.shows("say what it stands for with --map ok=LABEL (in the window: under Words)")
	looks(s.stage, s.host.Window, "merge-table")
	for _, e := range stage.Entries(s.host.Window.Canvas().Overlays().Top()) {
		if e.PlaceHolder == "WORD=LABEL" {
			e.SetText("ok=invariant,bad=variant")
		}
	}
	s.shows("B is not an annotator of round newer")
	stage.Walk(s.host.Window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if menu, ok := o.(*widget.Select); ok {
			menu.SetSelected("older")
		}
	})
	s.shows("table.csv: round older, 3 events, 3 new")
	looks(s.stage, s.host.Window, "merge-table-read")
	s.press("Merge 3 events")
	s.shows("Merged 3 events from 1 file.")
	events, err := ws.Events(first.ID)
	if err != nil || len(events) != 3 || events[0].Value != label.Invariant {
		t.Errorf("%+v %v", events, err)
	}
}
