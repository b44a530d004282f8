package dialogs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/kit"
)

func TestEndingsOfDesks(t *testing.T) {
	packages, labels, rest := SplitDesk([]string{"a.vround", "b.onnx", "c.VLABELS", "labels_long.csv", "d.vround"})
	if !slices.Equal(packages, []string{"a.vround", "d.vround"}) || !slices.Equal(labels, []string{"c.VLABELS"}) ||
		!slices.Equal(rest, []string{"b.onnx", "labels_long.csv"}) {
		t.Errorf("%v %v %v", packages, labels, rest)
	}
	for from, want := range map[string]string{
		"a": "a.vround", "a.vround": "a.vround", "a.VROUND": "a.VROUND", "a.b": "a.b.vround",
	} {
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
		{
			desk.Plan{Files: []desk.FileReport{good}, Added: 3},
			"Merge 3 events",
			[]string{"a.vlabels: round first, 5 events, 3 new, 2 here already", "abc"},
		},
		{
			desk.Plan{Files: []desk.FileReport{good, bad}, Added: 3},
			"Merge 1 of 2 files",
			[]string{"b.vlabels: refused. It is cut off."},
		},
		{desk.Plan{Files: []desk.FileReport{bad}}, "", []string{"refused"}},
		{
			desk.Plan{
				Files: []desk.FileReport{good},
				Conflicts: []desk.ConflictReport{{
					Model: "m1", Annotator: "a", Labels: []label.Value{label.Variant, label.Invariant},
				}},
			},
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
	p := desk.Plan{Files: []desk.FileReport{{Path: "x/a.vlabels", Unassigned: 1, Whom: []string{"b"}}, {Refuse: "x"}}}
	p.Conflicts = make([]desk.ConflictReport, 2)
	title, text := mergedText(3, p)
	if title != "Merged 3 events from 1 file." ||
		!strings.HasPrefix(text, "a.vlabels: "+p.Files[0].Uncounted()+".\n2 conflicts between desks") ||
		!strings.Contains(previewText(p), "1 label by b, of models") {
		t.Errorf("%s\n%s\n%s", title, text, previewText(p))
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

func TestSenders(t *testing.T) {
	f := deskRound{
		round: label.Round{Annotators: []string{"a", "b", "c"}},
		names: map[string]string{"b": "annotator 2"}, own: map[string]int{"b": 1},
	}
	want := []kit.Option{{Key: "b", Name: "annotator 2 (1 event)"}}
	if got := f.senders(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	f.own["c"] = 2
	want = []kit.Option{{Name: "everybody at this desk"}, want[0], {Key: "c", Name: "c (2 events)"}}
	if got := f.senders(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// One desk invites, another opens, labels and sends, the first merges: by the dialogs alone.
func TestDeskDialogs(t *testing.T) {
	s := newRig(t, 3)
	ws := s.ws
	round := ws.NewRound(t, func(r *label.Round) { r.Models, r.Annotators = r.Models[:2], []string{"a", "b"} })
	InviteDialog(s.host, ws.Workspace, round.ID)
	s.press("Write package")
	s.saying("first look.vround with 2 models")
	s.looks("wrote")
	s.press("Close")
	path := filepath.Join(filepath.Dir(ws.Path()), "first look.vround")
	if !strings.Contains(s.last(), path) {
		t.Errorf("the status line says %q", s.last())
	}

	there, err := store.Create(filepath.Join(t.TempDir(), "there"))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	SendLabelsDialog(s.host, ws.Workspace, round.ID)
	s.saying("Nobody has labelled anything")
	s.press("Close")
	went := ""
	OpenPackageDialog(s.host, there, []string{path}, func(id string) { went = id })
	s.saying("round first look, 2 models, annotators a, b")
	s.press("Open")
	s.saying("Round first look was added, with 2 models")
	s.press("Close")
	if went != round.ID {
		t.Errorf("went to round %q", went)
	}
	for _, hash := range round.Models {
		if _, err := there.Append(label.Event{
			Round: round.ID, Model: hash, Annotator: "a", Kind: label.Label,
			Value: label.Variant,
		}); err != nil {
			t.Fatal(err)
		}
	}
	SendLabelsDialog(s.host, there, round.ID)
	s.press("Write file")
	s.saying("with 2 events")
	s.press("Close")
	file := filepath.Join(filepath.Dir(there.Path()), "first look-there.vlabels")
	damaged := write(t, filepath.Join(t.TempDir(), "bad.vlabels"), "PK")

	MergeDialog(s.host, ws.Workspace, []string{file, damaged})
	s.saying("bad.vlabels: refused")
	if events, err := ws.Events(round.ID); err != nil || len(events) != 0 {
		t.Fatalf("a preview merged %d events, %v", len(events), err)
	}
	s.press("Merge 1 of 2 files")
	s.saying("Merged 2 events from 1 file.")
	if backups(t, ws.Workspace) != 1 {
		t.Error("the database was not backed up before")
	}
	s.press("Close")
	MergeDialog(s.host, ws.Workspace, []string{file})
	s.saying("there is nothing to merge")
	s.press("Cancel")
	if len(s.failed) > 0 || s.open() {
		t.Errorf("left: %v", s.failed)
	}
}

// TestMergeTakesTablesOfOthers: words that are no labels are refused until the dialog's options say
// what they stand for, and the round can be chosen.
func TestMergeTakesTablesOfOthers(t *testing.T) {
	s := newRig(t, 2)
	ws := s.ws
	first := ws.NewRound(t, func(r *label.Round) { r.Name, r.Annotators = "older", []string{"a", "b"} })
	ws.NewRound(t, func(r *label.Round) { r.Name, r.Annotators = "newer", []string{"a"} })
	table := write(t, filepath.Join(t.TempDir(), "table.csv"), "item,a,b\nm00,ok,bad\nm01,bad,\n")
	MergeDialog(s.host, ws.Workspace, []string{table})
	s.saying("say what it stands for with --map ok=LABEL (in the window: under Words)")
	s.looks("merge-table")
	s.entry("such as ok=invariant").SetText("ok=invariant,bad=variant")
	s.saying("B is not an annotator of round newer")
	s.menu("older").SetSelected("older")
	s.saying("table.csv: round older, 3 events, 3 new")
	s.looks("merge-table-read")
	s.press("Merge 3 events")
	s.saying("Merged 3 events from 1 file.")
	events, err := ws.Events(first.ID)
	if err != nil || len(events) != 3 || events[0].Value != label.Invariant {
		t.Errorf("%+v %v", events, err)
	}
}
