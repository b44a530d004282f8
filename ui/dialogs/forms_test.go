package dialogs

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/job"
)

func TestSetPreview(t *testing.T) {
	for text, want := range map[string]string{
		"rot90":             "effective invariance, no variance matrix. It holds identity, rot90 90°, rot90 180°, rot90 270°.",
		"shift:3:5":         "It holds identity, shifted to region 1, shifted to region 2, …, shifted to region 9.",
		"mask:2":            "the images stay as they are. It holds identity, region 1 deleted, region 2 deleted, region 3 deleted, region 4 deleted.",
		"mask:16":           "It holds identity, region 1 deleted, region 2 deleted, …, region 256 deleted.",
		" rotation:-1:1:1 ": "3 values in °, the identity is number 2",
	} {
		if _, preview, err := SetPreview(text); err != nil || !strings.Contains(preview, want) {
			t.Errorf("%s: %q, %v; want %q", text, preview, err, want)
		}
	}
	if _, preview, _ := SetPreview("mask:3"); strings.Contains(preview, "invariance") {
		t.Errorf("masks say nothing about invariance: %q", preview)
	}
	if _, _, err := SetPreview("shift:3"); err == nil || !strings.Contains(err.Error(), "shift needs n and t: shift:3:5") {
		t.Errorf("%v", err)
	}
}

func TestFamilyPreview(t *testing.T) {
	family, preview, err := FamilyPreview(" brightness:-0.3:0.3:0.1 ")
	if err != nil || family.N() != 7 || !strings.Contains(preview, "7 values, the identity is number 4: -0.3  -0.2  -0.1  0  0.1") {
		t.Errorf("%v %q %v", family, preview, err)
	}
	_, preview, err = FamilyPreview("rotation:-90:90:1")
	if err != nil || !strings.Contains(preview, "…") || !strings.Contains(preview, "181 values in °") {
		t.Errorf("%q %v", preview, err)
	}
	for _, bad := range []string{"", "rotation", "rotation:-15:14:1", "whirl:-1:1:1"} {
		if _, _, err := FamilyPreview(bad); err == nil {
			t.Errorf("%q is taken for a family", bad)
		}
	}
}

func TestSuiteNamesAreUnique(t *testing.T) {
	names, hashes := SuiteNames([]suite.Manifest{{Name: "a", Hash: "0123456789"}, {Name: "a", Hash: "9876543210"}, {Name: "b", Hash: "55"}})
	if strings.Join(names, "|") != "a 01234567|a 98765432|b" || hashes["a 98765432"] != "9876543210" || hashes["b"] != "55" {
		t.Errorf("%q %v", names, hashes)
	}
}

func TestRefusalNamesEveryReason(t *testing.T) {
	if refusal(nil) != nil {
		t.Error("a refusal of nobody")
	}
	err := refusal([]job.Refused{{ID: "a", Err: errors.New("model a: 7 classes")}, {ID: "b", Err: errors.New("model b: no output")}})
	for _, want := range []string{"2 models", "7 classes", "no output"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestWorkspacePath(t *testing.T) {
	folder := t.TempDir()
	path, err := workspacePath(filepath.Join(folder, "new"), true)
	if err != nil || path != filepath.Join(folder, "new.variscope") {
		t.Errorf("%q %v", path, err)
	}
	write(t, filepath.Join(folder, "old.variscope", "x"), "")
	made := ""
	d := &workspaceDialog{ask: WorkspaceAsk{Create: true, Open: func(path string) error { made = path; return nil }}}
	if err := d.openOrCreate(filepath.Join(folder, "old.variscope")); err == nil || made != "" {
		t.Error("a workspace over another one")
	}
	if err := d.openOrCreate(path); err != nil || made != path {
		t.Errorf("%q %v", made, err)
	}
	if path, err := workspacePath(filepath.Join(folder, "old.variscope"), false); err != nil || filepath.Base(path) != "old.variscope" {
		t.Errorf("%q %v", path, err)
	}
	if _, err := workspacePath("a\nb", false); err == nil {
		t.Error("two paths for one workspace")
	}
}
