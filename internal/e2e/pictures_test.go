package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// TestPictures draws the pictures of docs/pictures from the demo in the real window. It is asked
// for by `make pictures`; what it draws is looked at by a person. VARISCOPE_PICTURES names the
// parts of the tour to draw, 1 is all of them.
func TestPictures(t *testing.T) {
	asked := os.Getenv("VARISCOPE_PICTURES")
	if asked == "" || !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	d.home = filepath.Join(os.TempDir(), "variscope-guide") // its paths are in the pictures
	if err := os.RemoveAll(d.home); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(d.home, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(d.home) })
	workspace := filepath.Join(d.home, "demo.variscope")
	d.run("demo", workspace, "--out", filepath.Join(d.home, "results"))
	labelDemo(d, workspace)
	secondDesk(d, workspace)
	prefer(d, "light")
	w := d.start(workspace)
	for _, stop := range tour {
		if asked == "1" || slices.Contains(strings.Split(asked, ","), stop.part) {
			stop.draw(w)
		}
	}
	w.close()
	if asked == "1" || strings.Contains(asked, "dark") {
		prefer(d, "dark")
		w = d.start(workspace)
		w.drawDark()
		w.close()
	}
}

// settling is how long a picture waits at most for the screen to stand still; a cursor that blinks
// never does.
const settling = 6 * time.Second

// picture keeps a picture of the screen for the guide once it stands still. Matrices keep all their
// colours.
func (w *window) picture(name string) {
	w.reduce(w.still(name), "PNG24:", "-define", "png:compression-filter=1")
}

// dialog keeps a picture in 256 colours, which are enough for a dialog and what lies behind it out
// of focus, and for charts.
func (w *window) dialog(name string) { w.reduce(w.still(name), "PNG8:", "+dither", "-colors", "256") }

// still takes the picture and returns its path.
func (w *window) still(name string) string {
	w.t.Helper()
	w.tool("mousemove", "640", "799")
	path := filepath.Join(testdata.Root(), "docs", "pictures", name+".png")
	time.Sleep(600 * time.Millisecond)
	before, started := w.look(path), time.Now()
	for time.Since(started) < settling {
		time.Sleep(500 * time.Millisecond)
		now := w.look(path)
		if reflect.DeepEqual(now, before) {
			break
		}
		before = now
	}
	if colours(before, before.Bounds()) < 10 {
		w.t.Errorf("%s shows hardly any colour: the window is blank", path)
	}
	return path
}

// reduce writes a picture as small as it gets, without a time in it.
func (w *window) reduce(path, format string, how ...string) {
	w.t.Helper()
	args := append([]string{path, "-strip", "-define", "png:compression-level=9"}, how...)
	if out, err := exec.Command("convert", append(args, format+path)...).CombinedOutput(); err != nil {
		w.t.Fatalf("reduce %s: %v\n%s", path, err, out)
	}
}

// exampleRound is the demo's round without labels.
const exampleRound = "Example: rotation"

// demoItems are the models of the demo's example round.
var demoItems = []string{
	"s01", "s05", "s08", "s09", "s11", "s13", "s15", "s16", "s19", "s20", "s22", "s23", "s25", "s27",
}

// labelDemo labels the example round for two annotators wholly and for the third in part; they
// disagree on some.
func labelDemo(d *desk, workspace string) {
	d.t.Helper()
	for who, annotator := range exampleAnnotators(d, workspace) {
		for i, id := range demoItems[:14-4*(who/2)] {
			value := "invariant"
			if i%5 == 1 || i > 8 || i%4 == who {
				value = "variant"
			}
			args := []string{
				"label", workspace, "set", "--round", exampleRound, "--annotator", annotator, "--model",
				id, "--value", value,
			}
			if i%4 == who {
				args = append(args, "--unsure", "--note", "a cross in CONV-1")
			}
			d.run(args...)
		}
	}
}

// exampleAnnotators are the ids of the annotators of the demo's round.
func exampleAnnotators(d *desk, workspace string) []string {
	d.t.Helper()
	var rounds struct {
		Sheets []struct {
			Rows []struct{ Round, Annotators string }
		}
	}
	err := json.Unmarshal([]byte(d.run("label", workspace, "rounds", "--json")), &rounds)
	if err == nil && len(rounds.Sheets) == 1 {
		for _, row := range rounds.Sheets[0].Rows {
			if row.Round == exampleRound {
				return strings.Split(row.Annotators, ", ")
			}
		}
	}
	d.t.Fatalf("the demo has no round %s: %v", exampleRound, err)
	return nil
}

// secondDesk plays a desk that was invited: it labels what the third annotator has left and writes
// a file of labels.
func secondDesk(d *desk, workspace string) {
	d.t.Helper()
	annotator := exampleAnnotators(d, workspace)[2]
	invitation, desk := filepath.Join(d.home, "example.vround"), filepath.Join(d.home, "desk.variscope")
	d.run("label", workspace, "invite", "--round", exampleRound, "--out", invitation)
	d.run("label", desk, "open", invitation)
	for _, id := range demoItems[9:] {
		d.run("label", desk, "set", "--annotator", annotator, "--model", id, "--value", "variant")
	}
	d.run("label", desk, "send", "--out", filepath.Join(d.home, "annotator-3.vlabels"))
}

// prefer chooses light or dark before the window starts.
func prefer(d *desk, look string) { d.prefers(map[string]string{"look": look, "tour": "seen"}) }
