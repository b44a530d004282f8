package kit

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestPaths(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	got := Paths("  /a/b.onnx \n\n\"/with space/c\"\nfile:///d/\n/a/b.onnx\n~/e\n")
	want := []string{"/a/b.onnx", "/with space/c", "/d", filepath.Join(home, "e")}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q", got)
	}
	got = Paths("file:///with%20space/100%25.csv\nfile:///50%/x\n~backup.onnx\n~\n")
	want = []string{"/with space/100%.csv", "/50%/x", "~backup.onnx", home}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	if got := Paths(" \n"); got != nil {
		t.Errorf("nothing typed gives %q", got)
	}
}

func FuzzPaths(f *testing.F) {
	f.Add("~\n/a")
	f.Add("'\"")
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, path := range Paths(text) {
			if path == "" || seen[path] {
				t.Fatalf("%q gives an empty or repeated path %q", text, path)
			}
			seen[path] = true
		}
	})
}
