package scenestest_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/report"
)

// aRound is a round on the workspace's selection, whose models all have signals but for the last.
func aRound(t *testing.T, ws *scenestest.Workspace, change func(*label.Round)) label.Round {
	t.Helper()
	r := label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: ws.Targets.Hash, Selection: ws.Selection.Hash,
		Annotators: []string{"a", "b"}, Classes: 3, Modalities: []string{"max@CONF", "true@CONF"},
	}
	for _, m := range ws.Models[:len(ws.Models)-1] {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	r, err := ws.CreateRound(t.Context(), r)
	must(t, err)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, ws *store.Workspace, r label.Round, annotator string, item int, v label.Value) {
	t.Helper()
	_, err := ws.Append(label.Event{
		Round: r.ID, Model: r.Models[item], Annotator: annotator, Kind: label.Label, Pass: 1, Value: v, Sure: true,
	})
	must(t, err)
}

// A package shows another desk what the desk that invited sees, and what is labelled there comes
// back.
func TestABackgroundRoundOnAnotherDesk(t *testing.T) {
	ws := scenestest.New(t, 3)
	r := aRound(t, ws, nil)
	folder := t.TempDir()
	file := filepath.Join(folder, "scenes"+desk.RoundSuffix)
	written, err := desk.Invite(t.Context(), ws.Workspace, r.ID, file, false, nil)
	must(t, err)
	if written.Models != 2 {
		t.Errorf("%+v", written)
	}
	there, err := store.Create(filepath.Join(folder, "there.variscope"))
	must(t, err)
	defer func() { must(t, there.Close()) }()
	opened, err := desk.Open(t.Context(), there, file, nil)
	must(t, err)
	if diff := cmp.Diff(r, opened.Round); diff != "" || opened.Models != 2 {
		t.Errorf("%d models: %s", opened.Models, diff)
	}
	for _, hash := range r.Models {
		m, err := ws.Model(hash)
		must(t, err)
		want, reason, err := background.RoundEvidence(t.Context(), ws.Workspace, r, m)
		if err != nil || reason != "" || len(want.Matrices) != 8 || want.Scenes.Selection != "near" ||
			want.Scenes.Labelled != scenestest.Targets {
			t.Fatalf("%v %q %d %+v", err, reason, len(want.Matrices), want.Scenes)
		}
		got, reason, err := background.RoundEvidence(t.Context(), there, r, m)
		if err != nil || reason != "" {
			t.Fatalf("%v %s", err, reason)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(store.Evidence{}, "Key"), cmpopts.EquateNaNs(),
			cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("model %s differs: %s", m.ID, diff)
		}
	}
	put(t, there, r, "b", 0, label.Borderline)
	mine := filepath.Join(folder, "mine"+desk.LabelsSuffix)
	_, err = desk.Send(t.Context(), there, r.ID, "b", mine)
	must(t, err)
	plan, err := desk.Preview(t.Context(), ws.Workspace, []string{mine}, desk.Reading{}, nil)
	must(t, err)
	if added, err := desk.Merge(ws.Workspace, plan); err != nil || added != 1 {
		t.Errorf("%d labels, %v", added, err)
	}
	// A round that shows more than the package holds says so of what is missing.
	more := opened.Round
	more.Interpolants = append([]string{"16,4,32"}, r.Interpolants...)
	m, err := there.Model(r.Models[0])
	must(t, err)
	e, _, err := background.RoundEvidence(t.Context(), there, more, m)
	if err != nil || e.Absent["max@CONF.16,4,32"] != store.NotInPackage || len(e.Matrices) != 8 {
		t.Errorf("%v, absent %v", err, e.Absent)
	}
}

// Without matrices of all models no package is written.
func TestABackgroundRoundWithoutSignalsIsNotPacked(t *testing.T) {
	ws := scenestest.New(t, 2)
	r := aRound(t, ws, func(x *label.Round) { x.Models = append(x.Models, ws.Models[1].Hash) })
	file := filepath.Join(t.TempDir(), "scenes"+desk.RoundSuffix)
	_, err := desk.Invite(t.Context(), ws.Workspace, r.ID, file, false, nil)
	if err == nil || !strings.Contains(err.Error(), "model m01 has no matrices for the round") {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestAReportOfABackgroundRound(t *testing.T) {
	ws := scenestest.New(t, 4)
	r := aRound(t, ws, nil)
	for k, values := range [][2]label.Value{
		{label.Invariant, label.Borderline},
		{label.Variant, label.Variant},
		{label.Invariant, label.Variant},
	} {
		put(t, ws.Workspace, r, "a", k, values[0])
		put(t, ws.Workspace, r, "b", k, values[1])
	}
	var page bytes.Buffer
	d, err := report.Make(t.Context(), ws.Workspace,
		report.Request{Round: r.ID, Written: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, nil)
	must(t, err)
	must(t, d.HTML(&page))
	for _, want := range []string{
		"max@CONF, true@CONF", "I1, I2, I3", "max@CONF scatter", "true@CONF I3", "worst case ", "kappa, quadratic",
		"0 to 0.3", r.Selection,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(page.String(), "magenta") {
		t.Error("elements outside the range are said to be marked")
	}
}
