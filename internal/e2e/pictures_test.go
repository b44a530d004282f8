package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// TestPictures draws the pictures of docs/pictures: every screen of the demo in the real window, light and dark. It is
// asked for by `make pictures`; what it draws is looked at by a person.
func TestPictures(t *testing.T) {
	if os.Getenv("VARISCOPE_PICTURES") == "" || !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	d.shots = filepath.Join(testdata.Root(), "docs", "pictures")
	if err := os.MkdirAll(d.shots, 0o755); err != nil {
		t.Fatal(err)
	}
	workspace := filepath.Join(t.TempDir(), "demo.variscope")
	d.run("demo", workspace, "--out", t.TempDir())
	labelDemo(d, workspace)
	for _, look := range []string{"light", "dark"} {
		prefer(d, look)
		w := d.start(workspace)
		for key, screen := range map[string]string{"1": "models", "2": "inspect", "4": "agreement", "5": "runs"} {
			w.key("ctrl+" + key)
			time.Sleep(1500 * time.Millisecond)
			w.tool("mousemove", "640", "790")
			time.Sleep(300 * time.Millisecond)
			w.shot(screen + "-" + look)
		}
		w.key("ctrl+3")
		time.Sleep(time.Second)
		w.tap("annotator 3")
		time.Sleep(1500 * time.Millisecond)
		w.shot("label-" + look)
		w.key("ctrl+r")
		time.Sleep(time.Second)
		w.shot("run-dialog-" + look)
		w.tap("Cancel")
		w.close()
	}
}

// labelDemo labels the example round for two annotators wholly and for the third in part; they disagree on some.
func labelDemo(d *desk, workspace string) {
	d.t.Helper()
	var rounds []struct {
		Annotators []string `json:"annotators"`
	}
	if err := json.Unmarshal([]byte(d.run("label", workspace, "rounds", "--json")), &rounds); err != nil || len(rounds) != 1 {
		d.t.Fatalf("the demo has no example round: %v", err)
	}
	ids := []string{"s01", "s05", "s08", "s09", "s11", "s13", "s15", "s16", "s19", "s20", "s22", "s23", "s25", "s27"}
	for who, annotator := range rounds[0].Annotators {
		for i, id := range ids[:14-4*(who/2)] {
			value := "invariant"
			if i%5 == 1 || i > 8 || i%4 == who {
				value = "variant"
			}
			d.run("label", workspace, "set", "--annotator", annotator, "--model", id, "--value", value)
		}
	}
}

// prefer chooses light or dark before the window starts.
func prefer(d *desk, look string) {
	d.t.Helper()
	folder := filepath.Join(d.home, "config", "variscope")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "preferences.json"), fmt.Appendf(nil, "{%q: %q}\n", "look", look), 0o600); err != nil {
		d.t.Fatal(err)
	}
}
