package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestPreferences(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	open := func() *preferences {
		t.Helper()
		return testdata.Must(openPreferences())(t)
	}
	p := open()
	if p.StringWithFallback("workspace", "none") != "none" || p.FloatWithFallback("width", 7) != 7 {
		t.Error("new preferences must be empty")
	}
	p.SetString("workspace", "a.variscope")
	p.SetFloat("width", 1280)
	if again := open(); again.StringWithFallback("workspace", "") != "a.variscope" ||
		again.FloatWithFallback("width", 0) != 1280 {
		t.Errorf("not remembered: %v", again.values)
	}
	if p.FloatWithFallback("workspace", 3) != 3 || p.StringWithFallback("width", "x") != "x" {
		t.Error("a value of another kind must count as missing")
	}
	files, err := os.ReadDir(filepath.Dir(p.path))
	if err != nil || len(files) != 1 {
		t.Errorf("%d files beside the preferences, %v", len(files)-1, err)
	}
	if err := os.WriteFile(p.path, []byte(`{"half`), 0o600); err != nil {
		t.Fatal(err)
	}
	if open().StringWithFallback("workspace", "none") != "none" {
		t.Error("a broken file must count as empty")
	}
	if aside, err := os.ReadFile(p.path + brokenSuffix); err != nil || string(aside) != `{"half` {
		t.Errorf("the broken file is lost: %q, %v", aside, err)
	}
	testdata.OK(t, os.WriteFile(p.path, []byte(`null`), 0o600))
	open().SetString("look", "dark")
	if open().StringWithFallback("look", "") != "dark" {
		t.Error("a file without values must be usable")
	}
}
