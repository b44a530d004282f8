package dialogs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/docs"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

func TestExportWarnsOfBlindRounds(t *testing.T) {
	first := label.Round{ID: "01A", Name: "first", Blind: true}
	second := label.Round{ID: "01B", Name: "second", Blind: true, Closed: true}
	third := label.Round{ID: "01C", Name: "third", Blind: true}
	all := []label.Round{first, second, third}
	for chosen, want := range map[string]string{
		"": "first, third.", first.ID: "open: first.", second.ID: "", third.ID: "open: third.",
	} {
		got := secretText(all, chosen)
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", chosen, got)
		}
	}
}

func TestSections(t *testing.T) {
	list := Licences("# All\n\nfirst line\nsecond line\n\n## one v1\n\n```\nMIT\n\n  * a\n  * b\n```\n## two\n")
	want := []Section{{"All", "first line second line", false}, {"one v1", "MIT\n\n  * a\n  * b", true}}
	if !slices.Equal(list, want) {
		t.Errorf("%+v", list)
	}
	if n := len(Licences(docs.Licences)); n < 30 {
		t.Errorf("only %d licences", n)
	}
	pages := GuidePages("# Guide\n\n## Empty\n\n### Keys\n\nSee [them](keys.md#all) on [the " +
		"site](https://x).\n\n![x](y.png)\n\n| key | does |\n| --- | --- |\n| I | in\\|variant |\n")
	want = []Section{{"Keys", "See them on [the site](https://x).\n\n\n- **I** — in|variant", true}}
	if !slices.Equal(pages, want) {
		t.Errorf("%+v", pages)
	}
	for _, page := range GuidePages(docs.Guide) {
		if strings.Contains(page.Text, "](") || strings.Contains(page.Text, "| ---") {
			t.Errorf("page %s has a picture, a link or a table", page.Title)
		}
	}
}

func TestDiscreet(t *testing.T) {
	names := []string{"ann", "ann b", "a", ""}
	for line, want := range map[string]string{
		`msg="read /data/people/x.onnx: gone"`:  `msg="read PATH: gone"`,
		`file="/data/my models/x.onnx" n=3`:     `file=PATH n=3`,
		`open C:\data\x.onnx: denied`:           `open PATH: denied`,
		`read ~/x/y, then /z (and /q)`:          `read PATH, then PATH (and PATH)`,
		`annotator ann b labelled, ann did not`: `annotator ANNOTATOR labelled, ANNOTATOR did not`,
		`ann ann,ann: a a a`:                    `ANNOTATOR ANNOTATOR,ANNOTATOR: ANNOTATOR ANNOTATOR ANNOTATOR`,
		`12 of 31 models, 7 and 8, bananas`:     `12 of 31 models, 7 and 8, bananas`,
	} {
		if got := Discreet(line, names); got != want {
			t.Errorf("%s\n became %s\n in place of %s", line, got, want)
		}
	}
	for _, line := range []string{"x=/home/someone/quiet.variscope/models/1.onnx", `"/home/some one/y"`} {
		if got := Discreet(line, nil); strings.Contains(got, "some") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestDiagnosticsSayWhatHelpsAndNothingElse(t *testing.T) {
	d := Diagnostics{
		Version: "1.2.3", Library: "9.9", Scale: 1.5, Workspace: "quiet",
		Counts: Counts{Models: 12, names: []string{"annotator 1"}},
		Log:    []string{"level=INFO msg=stored", `level=ERROR msg="annotator 1 at /secret/place"`},
	}
	text := d.Text()
	for _, want := range []string{"1.2.3", "9.9", "scale 1.5", "quiet", "models 12", "msg=stored", "level=ERROR"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "annotator 1") {
		t.Error(text)
	}
}

func TestRecentWorkspaces(t *testing.T) {
	folder := t.TempDir()
	here := filepath.Join(folder, "x.variscope")
	if err := os.Mkdir(here, 0o755); err != nil {
		t.Fatal(err)
	}
	list := RecentWorkspaces([]string{
		here, filepath.Join(folder, "below", "x.variscope"), filepath.Join(folder, "open.variscope"),
	},
		filepath.Join(folder, "open.variscope"))
	if len(list) != 2 || list[0].Gone || list[1].Gone {
		t.Fatalf("%+v", list) // the disk is not asked here
	}
	if got := list[0].Title(); got != "x — "+folder {
		t.Error(got)
	}
	r := newRig(t, 0)
	var gone []Recent
	LookForRecent(r.host.Work, list, func(r Recent) { gone = append(gone, r) })
	r.stage.Until("one is gone", func() bool { return len(gone) > 0 })
	if got := gone[0].Title(); gone[0].Path != list[1].Path || !strings.HasSuffix(got, "(not there)") {
		t.Error(gone)
	}
	if got := (Recent{Path: here}).Title(); got != "x" {
		t.Error(got)
	}
}

// TestServersThatDoNotAnswer: a look that does not end is left behind when the window closes.
func TestServersThatDoNotAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked, never := make(chan struct{}), make(chan error)
	defer close(never) // the test leaves nothing behind
	go func() { <-asked; cancel() }()
	_, err := abandoned(ctx, func() error { close(asked); return <-never })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if said, err := abandoned(t.Context(), func() error { return os.ErrNotExist }); said != os.ErrNotExist ||
		err != nil {
		t.Error(said, err)
	}
}

func TestPlacePath(t *testing.T) {
	folder := t.TempDir()
	if got, err := (place{" study.variscope ", folder}).path(); err != nil ||
		got != filepath.Join(folder, "study.variscope") {
		t.Error(got, err)
	}
	for _, bad := range []place{{"x", ""}, {"", folder}, {"a/b", folder}, {".x", folder}} {
		if option.Check(&bad) == nil {
			t.Errorf("%+v is a place", bad)
		}
	}
}

func TestAnnotatorStep(t *testing.T) {
	a, renamed := store.Annotator{ID: "a", Name: "annotator 1"}, store.Annotator{ID: "a", Name: "annotator 2"}
	retired := store.Annotator{ID: "a", Name: "annotator 1", Retired: true}
	for want, c := range map[string][2]store.Annotator{
		"retirement of annotator 1": {a, retired},
		"return of annotator 1":     {retired, a},
		"new name of annotator 1":   {a, renamed},
	} {
		if got := annotatorStep(c[0], c[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFamilyMeaning(t *testing.T) {
	for text, want := range map[string]string{
		"rot90": "effective invariance, no variance matrix. It holds identity, rot90 90°, rot90 180°, rot90 270°.",
		"shift:3:5": "Shift to each of 3 × 3 regions, t = 5. A transformation set: predictions, " +
			"accuracies and effective invariance, no variance matrix. It holds identity, shifted to region 1, " +
			"shifted to region 2, …, shifted to region 9.",
		"mask:2": "the images stay as they are. It holds identity, region 1 deleted, region 2 " +
			"deleted, region 3 deleted, region 4 deleted.",
		"rotation:-1:1:1": "Rotation by -1 to 1 degrees, in steps of 1: 3 values in °, the identity is number 2",

		"brightness:-0.3:0.3:0.1": "7 values, the identity is number 4: -0.3  -0.2  -0.1  0  0.1",
		"rotation:-90:90:1": "181 values in °, the identity is number 91: -90  -89  -88  -87  -86  -85  -84  " +
			"-83  -82  -81  -80  -79  -78  -77  -76  -75  -74  -73  -72  -71  …  71",
		"mask:16": "It holds identity, region 1 deleted, region 2 deleted, …, region 256 deleted.",
	} {
		if got := familyMeaning(text); !strings.Contains(got, want) || strings.HasPrefix(text, "mask") &&
			strings.Contains(got, "invariance") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, bad := range []string{"", "rotation", "rotation:-15:14:1", "whirl:-1:1:1", "shift:3"} {
		if got := familyMeaning(bad); got != "" {
			t.Errorf("%q is taken for a family: %q", bad, got)
		}
	}
}

func TestSuiteNamesAreUnique(t *testing.T) {
	names, hashes := SuiteNames([]suite.Manifest{
		{Name: "a", Hash: "0123456789"}, {Name: "a", Hash: "9876543210"}, {Name: "b", Hash: "55"},
	})
	if strings.Join(names, "|") != "a 01234567|a 98765432|b" || hashes["a 98765432"] != "9876543210" ||
		hashes["b"] != "55" {
		t.Errorf("%q %v", names, hashes)
	}
}

func TestRefusalNamesEveryReason(t *testing.T) {
	if refusal(nil) != nil {
		t.Error("a refusal of nobody")
	}
	err := refusal([]job.Refused{
		{ID: "a", Err: errors.New("model a: 7 classes")}, {ID: "b", Err: errors.New("model b: no output")},
	})
	for _, want := range []string{"2 models", "7 classes", "no output"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestDefaultsNameWhatARunNeeds(t *testing.T) {
	w := RunDefaults{Modalities: []string{
		"max@CONF", "mean@HEAD", "relu1/mean", "L2@CONV-1", "L2.CONV-1", "nonsense", "max@CONV-2",
	}}
	if got := w.beyond(); !slices.Equal(got, []string{"mean@HEAD", "mean@relu1", "L2@CONV-1"}) {
		t.Errorf("%q", got)
	}
	if got := (RunDefaults{}).beyond(); len(got) > 0 {
		t.Errorf("no defaults needs %q", got)
	}
}

// TestFreeFolder: a name that is taken gets a number; a place that cannot be looked at is an error
// and not looked at for ever.
func TestFreeFolder(t *testing.T) {
	name := filepath.Join(t.TempDir(), "w-masks")
	for _, want := range []string{name, name + "-2", name + "-3"} {
		got, err := freeFolder(name)
		if err != nil || got != want {
			t.Fatalf("%s, %v, want %s", got, err, want)
		}
		if err := os.Mkdir(got, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if got, err := freeFolder(filepath.Join(file, "w-masks")); err == nil {
		t.Errorf("%s lies in a file", got)
	}
}
