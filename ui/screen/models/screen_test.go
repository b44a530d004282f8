package models

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type shownScreen struct {
	*Screen
	stage    *stage.Stage
	ws       *sample.Workspace
	work     *jobs.Group
	window   fyne.Window
	opened   []string
	ran      [][]string
	compared [][]string
	steps    []history.Step
	labelled *label.Round // that somebody labels
	said     string
}

func show1(t *testing.T, models int) *shownScreen { return showOf(t, sample.New(t, models), nil) }

// showOf shows the models of a workspace; from, which may be nil, stands between the screen and it.
func showOf(t *testing.T, ws *sample.Workspace, from Store) *shownScreen {
	t.Helper()
	s := &shownScreen{stage: stage.New(t), ws: ws, work: jobs.New(fyne.Do)}
	if from == nil {
		from = ws.Workspace
	}
	s.window = s.stage.Window(widget.NewLabel(""), fyne.NewSize(1130, 640))
	host := &kit.Host{
		Runs: &kit.Runs{},
		Work: s.work, Window: s.window, Changes: ws.Subscribe, Status: func(text string) { s.said = text },
		Inspect: func(hash string) { s.opened = append(s.opened, hash) },
		Run:     func(chosen []string) { s.ran = append(s.ran, chosen) },
		ShowError: func(err error) {
			if !present.Cancelled(err) {
				t.Error(err)
			}
		},
	}
	s.Screen = New(host, from, Ways{
		Did:     func(step history.Step) { s.steps = append(s.steps, step) },
		Blind:   func() *label.Round { return s.labelled },
		Compare: func(hashes []string) { s.compared = append(s.compared, hashes) },
	})
	s.window.SetContent(s.Object())
	s.Shown()
	t.Cleanup(func() {
		s.Close()
		s.work.Stop()
		s.work.Wait()
		s.stage.Pump()
	})
	s.idle()
	return s
}

func (s *shownScreen) idle() { s.stage.Until("models are read", s.Idle) }

// at is the row at a place of the table.
func (s *shownScreen) at(row int) inventory.Row {
	r, _ := s.list.At(row)
	return r
}

func (s *shownScreen) cell(row int, key string) string {
	sheet := inventory.Models.Sheet(s.list.Shown())
	if at := sheet.Field(key); at >= 0 {
		return sheet.Fields[at].Say(row)
	}
	return "no such column"
}

func (s *shownScreen) key(names ...fyne.KeyName) {
	for _, name := range names {
		s.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (s *shownScreen) selectedID() string {
	r, _ := s.list.Selected()
	return r.Model.ID
}

// button finds a button of the topmost dialog or, without one, of the screen.
func (s *shownScreen) button(text string) *widget.Button {
	var found *widget.Button
	top := s.window.Canvas().Overlays().Top()
	if top == nil {
		top = s.Object()
	}
	stage.Walk(top, func(o fyne.CanvasObject) {
		if b, ok := o.(*widget.Button); ok && b.Text == text {
			found = b
		}
	})
	return found
}

func TestActionsAreAboutTheChosenModels(t *testing.T) {
	s := show1(t, 6)
	if !s.button("Inspect").Disabled() || !s.button("Run chosen…").Disabled() {
		t.Error("something is chosen already")
	}
	s.key(fyne.KeyDown, fyne.KeySpace, fyne.KeyDown, fyne.KeyReturn)
	test.Tap(s.button("Inspect"))
	if want := s.ws.Imported[1].Hash; !slices.Equal(s.opened, []string{want, want}) ||
		!strings.HasPrefix(s.detail.Text, "m01: ready") {
		t.Errorf("opened %v, %q", s.opened, s.detail.Text)
	}
	test.Tap(s.button("Run chosen…"))
	if len(s.ran) != 1 || !slices.Equal(s.ran[0], []string{s.ws.Imported[0].Hash}) {
		t.Errorf("ran %v", s.ran)
	}
	var names []string
	for _, a := range s.list.Actions {
		names = append(names, a.Name)
	}
	want := []string{"Inspect", "Run chosen…", "Compare (2 to 4)", "Edit record…", "Remove…"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	compare := s.list.Actions[2]
	for n, want := range map[int]bool{1: false, 2: true, 4: true, 5: false} {
		if compare.Can(s.list.Shown()[:n]) != want {
			t.Errorf("compares %d: %v", n, !want)
		}
	}
	if compare.Do(s.list.Shown()[:2]); len(s.compared) != 1 || len(s.compared[0]) != 2 {
		t.Errorf("compared %v", s.compared)
	}
	s.list.SetFilter("m02")
	if got := s.Filtered(); !slices.Equal(got, []string{s.ws.Imported[2].Hash}) || len(s.Chosen()) != 1 {
		t.Errorf("filtered %v, chosen %v", got, s.Chosen())
	}
}

func TestRunsAtWorkAreShown(t *testing.T) {
	s := show1(t, 3)
	current, err := s.ws.Current()
	if err != nil {
		t.Fatal(err)
	}
	record := store.RunRecord{
		ID: "01R", Suite: current.Suite, Family: current.Family, Models: []string{s.ws.Imported[2].Hash},
	}
	testdata.OK(t, s.ws.PutRun(record))
	s.stage.Until("the run is known", func() bool { return s.data.suites["01R"] != "" })
	at := func(run, task engine.Phase, done int64, err error) string {
		s.Runs.Follow([]engine.Status{{ID: "01R", Family: current.Family, Phase: run, Tasks: []engine.TaskStatus{
			{Model: s.ws.Imported[2].Hash, Phase: task, Done: done, Total: 100, Err: err},
		}}})
		return strings.TrimSpace(s.at(2).Said() + " " + s.at(2).Reason)
	}
	for _, c := range []struct {
		run, task engine.Phase
		done      int64
		err       error
		want      string
	}{
		{engine.Queued, engine.Queued, 0, nil, "queued"},
		{engine.Running, engine.Running, 43, nil, "running 43 %"},
		{engine.Paused, engine.Running, 43, nil, "paused 43 %"},
		{engine.Done, engine.Failed, 43, fmt.Errorf("model m02: crashed"), "failed Model m02: crashed."},
		{engine.Cancelled, engine.Cancelled, 43, nil, "no signals"},
	} {
		if got := at(c.run, c.task, c.done, c.err); got != c.want {
			t.Errorf("run %s, model %s: %q, not %q", c.run, c.task, got, c.want)
		}
	}
	record.Phase, record.Failures = engine.Done, map[string]string{s.ws.Imported[2].Hash: "out of memory"}
	testdata.OK(t, s.ws.PutRun(record))
	s.Runs.Follow(nil)
	s.stage.Until("the recorded failure is shown",
		func() bool { return s.at(2).State == inventory.Failed && s.at(2).Reason == "out of memory" })
}

func TestWithoutSuiteTheListSaysSo(t *testing.T) {
	s := show1(t, 2)
	testdata.OK(t, s.ws.SetCurrent(store.Current{}))
	s.stage.Until("nothing is chosen", func() bool { return strings.HasPrefix(s.data.line(), "Choose a test suite") })
	if r := s.at(0); r.State != inventory.NoSignals || s.stripOf(r) != nil {
		t.Error("thumbnails without a suite")
	}
}
