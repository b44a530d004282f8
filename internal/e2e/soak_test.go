package e2e

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// soakTime says for how long the soak goes on; without it there is none.
const soakTime = "VARISCOPE_SOAK"

// turns are the least that a soak does, however slow the machine is.
const turns = 2

// soak is a window that is used over and over again.
type soak struct {
	*window
	models        string // folder of the model files
	first, second string // workspaces
	turn          int
}

// TestSoak uses the window in the same way again and again, and measures after each turn, on the
// same screen, what the program takes: after a warm-up nothing may grow beyond its limit.
func TestSoak(t *testing.T) {
	asked := os.Getenv(soakTime)
	if !wanted(t) || asked == "" {
		fmt.Println("soak: not asked for (make soak)")
		return
	}
	limit, err := time.ParseDuration(asked)
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, "1280x800")
	s := &soak{first: d.manyModels(12), second: d.small()}
	s.models = filepath.Join(testdata.Root(), "assets", "scenes", "models")
	s.window = d.start(s.first)
	begun := time.Now()
	var samples []vitals
	for ; s.turn < turns || time.Since(begun) < limit; s.turn++ {
		for _, use := range []func(){
			s.walks, s.inspects, s.labels, s.measuresFeatures, s.runs, s.imports, s.exports, s.asksAndLeaves,
			s.changesLooks, s.changesWorkspaces,
		} {
			use()
		}
		s.goes("ctrl+1", modelName(0))
		s.calm()
		v := s.vitals()
		v.at = time.Since(begun)
		samples = append(samples, v)
		fmt.Printf("soak: turn %d after %s: %.1f MB of heap, %.1f MB resident, %.0f goroutines, "+
			"%.0f files, %.0f threads\n",
			s.turn+1, v.at.Round(time.Second), v.Heap/megabyte, v.resident/megabyte, v.Goroutines, v.descriptors,
			v.threads)
	}
	table, problems := grown(samples)
	fmt.Printf("soak: %d turns in %s, %s\n", s.turn, time.Since(begun).Round(time.Second), table)
	for _, problem := range problems {
		t.Error(problem)
	}
	s.close()
}

// small is a second workspace, to change to.
func (d *desk) small() string {
	d.t.Helper()
	workspace := filepath.Join(d.t.TempDir(), "small.variscope")
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	d.run("import", workspace, filepath.Join(scenes, "models", "s01.onnx"), filepath.Join(scenes, "targets"))
	return workspace
}

// walks goes through all screens.
func (s *soak) walks() {
	for range 2 {
		for _, key := range []string{
			"ctrl+1", "ctrl+2", "ctrl+3", "ctrl+4", "ctrl+5", "ctrl+6", "ctrl+7", "ctrl+8",
			"ctrl+9", "ctrl+0", "ctrl+j",
		} {
			s.key(key)
			s.screen() // it answers
		}
	}
}

// inView is how many models the list shows without being scrolled.
const inView = 10

// inspects looks at a model in every way, another one each turn.
func (s *soak) inspects() {
	s.open(modelName(s.turn % inView))
	s.tap("Overview")
	for k := range 4 {
		s.element(0, 0.2+0.2*float64(k), 0.3)
	}
	s.key("Escape", "c", "minus", "minus", "a", "plus", "plus", "bracketright", "bracketleft")
	for _, pane := range []string{"Element", "Images", "Extremes", "Preview", "Cross-sections", "Graph", "Overview"} {
		s.tap(pane)
	}
}

// labels labels two models and takes both labels back, so that there is always one to label.
func (s *soak) labels() {
	s.goes("ctrl+3", "Who labels?")
	s.signsIn(string(rune('A' + s.turn%3)))
	s.labelKey("i")
	s.labelKey("v")
	for range 2 {
		before := s.stored("labels")
		s.again("a label taken back", func() { s.key("ctrl+z") }, func() bool { return s.stored("labels") > before })
	}
	s.goes("q", "Who labels?")
}

// measuresFeatures goes through the forms of the Features screen.
func (s *soak) measuresFeatures() {
	s.goes("ctrl+5", "Scatter")
	for _, form := range []string{"Scatter", "Looks like", "Histogram"} {
		s.tap(form)
		s.screen()
	}
}

// runs starts a run, cancels it where it has not ended by itself, and waits until it is kept.
// Families come again, so that the workspace does not grow.
func (s *soak) runs() {
	before := s.stored("run")
	s.asks("ctrl+r")
	s.typesInto("the family", named("rotation:"), fmt.Sprintf("rotation:-%[1]d:%[1]d:%[1]d", 5+5*(s.turn%6)))
	s.tapUntil("Start", "the start of the run", func() bool { return s.stored("run") > before })
	s.key("ctrl+j")
	if n, ok := named("Cancel")(s.screen()); ok {
		s.at(n.middle())
	}
	s.until("the end of the run", toil, func() bool { return s.stored("run") >= before+2 })
	// A run makes its family the current one, of which the other models have no signals.
	s.goes("ctrl+1", modelName(0))
	s.choose("rotation -", "rotation -20..20° step 10")
}

// imports brings models that are there already.
func (s *soak) imports() {
	before := s.stored("model")
	s.asks("ctrl+i")
	s.text(filepath.Join(s.models, "s11.onnx"))
	s.key("Return")
	s.hits("the import", exactly("Import"), node.middle, func() bool { return s.stored("model") > before })
	s.closes("Close")
}

// exports writes the labelled set into a folder and removes that.
func (s *soak) exports() {
	folder := filepath.Join(s.home, fmt.Sprint("set-", s.turn))
	s.asks("ctrl+e")
	s.until("the line for the folder", patience, func() bool {
		if !s.typing() {
			s.key("Tab")
		}
		return s.typing()
	})
	s.key("ctrl+a")
	s.text(folder)
	s.hits("the end of the export", exactly("Export"), node.middle, func() bool {
		_, err := os.Stat(filepath.Join(folder, "README.md"))
		return err == nil
	})
	s.closes("Close")
	if err := os.RemoveAll(folder); err != nil {
		s.t.Error(err)
	}
}

// asksAndLeaves opens dialogs and leaves them again.
func (s *soak) asksAndLeaves() {
	for _, key := range []string{"ctrl+comma", "ctrl+n", "ctrl+r", "ctrl+i", "ctrl+e"} {
		s.asks(key)
		s.key("Tab", "Tab")
		s.leaves()
	}
}

// looksChange is in how many turns the look changes. The library reads all fonts anew for each look
// and never lets go of those that it had: 6 MB each time, which are not ours to free and would hide
// what is.
const looksChange = 2

// changesLooks makes the window dark and light again, and smaller and larger. The language is that
// of the start.
func (s *soak) changesLooks() {
	for _, size := range [][2]string{{"1000", "700"}, {"1280", "800"}} {
		if s.turn < looksChange {
			s.key("ctrl+d")
		}
		s.tool("windowsize", s.id, size[0], size[1])
		s.screen()
	}
}

// betweenWorkspaces is in which turns the workspace changes.
const betweenWorkspaces = 5

// changesWorkspaces opens the other workspace and comes back.
func (s *soak) changesWorkspaces() {
	if s.turn%betweenWorkspaces != 0 {
		return
	}
	for _, to := range []string{s.second, s.first} {
		want := cmp.Or(map[string]string{s.second: "s01"}[to], modelName(0))
		s.asks("ctrl+o")
		s.text(to)
		s.until("the button for the other workspace", patience,
			func() bool { _, there := s.reach(exactly("Open"), node.middle); return there })
		frames := s.frames()
		s.click()
		s.until("the other workspace in the window", patience, func() bool { return s.frames() > frames })
		s.goes("ctrl+1", want)
	}
}

// frames counts the workspaces that have been drawn in the window.
func (s *soak) frames() int { return strings.Count(s.log.String(), "first frame") }
