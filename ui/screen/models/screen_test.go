package models

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type shownScreen struct {
	*Screen
	stage    *stage.Stage
	ws       *sample.Workspace
	work     *background.Group
	window   fyne.Window
	opened   []string
	ran      [][]string
	steps    []history.Step
	labelled *label.Round // that somebody labels
	said     string
}

func show1(t *testing.T, models int) *shownScreen {
	t.Helper()
	s := &shownScreen{stage: stage.New(t), ws: sample.New(t, models)}
	s.work = background.New(fyne.Do)
	s.window = s.stage.Window(widget.NewLabel(""), fyne.NewSize(940, 600))
	s.Screen = New(Deps{
		Store: s.ws.Workspace, Work: s.work, Window: s.window, Did: func(step history.Step) { s.steps = append(s.steps, step) },
		Open:  func(hash string) { s.opened = append(s.opened, hash) },
		Run:   func(chosen []string) { s.ran = append(s.ran, chosen) },
		Blind: func() *label.Round { return s.labelled }, Say: func(text string) { s.said = text },
		ShowError: func(err error) {
			if !present.Cancelled(err) {
				t.Error(err)
			}
		},
	})
	s.window.SetContent(s.Object())
	s.Shown()
	t.Cleanup(func() {
		s.Close()
		s.work.Stop()
		s.work.Wait()
		s.stage.Pump()
	})
	s.stage.Until("models are read", func() bool { return s.loaded })
	return s
}

// cells are the cells that can be seen, by row and column.
func (s *shownScreen) cells() map[[2]int]*cell {
	found := map[[2]int]*cell{}
	stage.Walk(s.Object(), func(o fyne.CanvasObject) {
		if c, ok := o.(*cell); ok {
			found[[2]int{c.row, c.col}] = c
		}
	})
	return found
}

func (s *shownScreen) press(row, col int, modifier fyne.KeyModifier) {
	s.cells()[[2]int{row, col}].MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: modifier})
}

func TestListShowsStatesAndScores(t *testing.T) {
	s := show1(t, 6)
	first, _ := s.view.At(0)
	last, _ := s.view.At(5)
	s.stage.Until("the thumbnails are made", func() bool { return s.stripOf(first) != nil })
	if first.State != Ready || first.Text(keyAccuracy) == "" {
		t.Errorf("m00 is %s", first.StateText())
	}
	if last.State != NoSignals || s.stripOf(last) != nil || last.Text(keyAccuracy) != "" {
		t.Errorf("m05 is %s with accuracy %q", last.StateText(), last.Text(keyAccuracy))
	}
	fifth, _ := s.view.At(4)
	if !strings.Contains(fifth.Detail(), "absent: CONV-2") {
		t.Errorf("%q", fifth.Detail())
	}
	if got := s.cells()[[2]int{0, 2}].content.text; got != "m00" {
		t.Errorf("the first cell says %q", got)
	}
}

func TestMouseSelectsChecksAndOpens(t *testing.T) {
	s := show1(t, 6)
	s.press(2, 2, 0)
	if r, ok := s.view.Selected(); !ok || r.Model.ID != "m02" || !s.cells()[[2]int{2, 4}].content.selected {
		t.Error("a press does not select its row")
	}
	test.DoubleTap(s.cells()[[2]int{2, 2}])
	if len(s.opened) != 1 || s.opened[0] != s.ws.Imported[2].Hash {
		t.Errorf("opened %v", s.opened)
	}
	s.press(0, 0, 0)
	s.press(4, 2, fyne.KeyModifierShortcutDefault)
	if got := s.view.Caption(); got != "6 models, 2 checked" {
		t.Error(got)
	}
	s.press(2, 2, 0)
	s.press(4, 2, fyne.KeyModifierShift)
	test.Tap(s.run)
	if len(s.ran) != 1 || len(s.ran[0]) != 4 {
		t.Errorf("ran %v", s.ran)
	}
	test.DoubleTap(s.cells()[[2]int{1, 0}])
	if len(s.opened) != 1 {
		t.Error("a double tap on the check mark opens the model")
	}
}

func TestKeyboardMovesOpensAndFilters(t *testing.T) {
	s := show1(t, 6)
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeySpace, fyne.KeyReturn} {
		s.table.TypedKey(&fyne.KeyEvent{Name: key})
	}
	if len(s.opened) != 1 || s.opened[0] != s.ws.Imported[1].Hash || !s.view.Checked(s.opened[0]) {
		t.Errorf("opened %v", s.opened)
	}
	s.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if r, _ := s.view.Selected(); r.Model.ID != "m05" {
		t.Errorf("End selects %s", r.Model.ID)
	}
	s.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	s.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	s.table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	s.window.Canvas().Focus(s.table)
	for _, r := range "m03" {
		s.window.Canvas().Focused().TypedRune(r) // the first one moves the keyboard into the filter
	}
	if s.view.Len() != 1 || s.filter.Text != "m03" {
		t.Errorf("filter %q shows %d", s.filter.Text, s.view.Len())
	}
	s.filter.OnSubmitted("")
	if s.window.Canvas().Focused() != fyne.Focusable(s.table) {
		t.Error("Enter in the filter does not go back to the list")
	}
}

func TestHeadingsSort(t *testing.T) {
	s := show1(t, 4)
	s.sortBy(2)
	if r, _ := s.view.At(0); r.Model.ID != "m03" {
		t.Errorf("turned round, %s is first", r.Model.ID)
	}
	s.sortBy(0)
	if !s.view.AllShownChecked() {
		t.Error("the head of the check column does not check all")
	}
	s.sortBy(99)
}

func TestRefreshKeepsThePosition(t *testing.T) {
	s := show1(t, 28)
	s.view.Select(s.ws.Imported[25].Hash)
	s.moveTo(25, -1)
	visible := func() bool { _, ok := s.cells()[[2]int{25, 2}]; return ok }
	if !visible() {
		t.Fatal("row 25 is not in sight")
	}
	err := s.ws.UpdateModel(s.ws.Imported[3].Hash, func(m *model.Model) error {
		m.Record = append(m.Record, model.Field{Name: "remark", Value: "new"})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.stage.Until("the remark is shown", func() bool {
		r, _ := s.view.At(3)
		return r.Model.Value("remark") == "new"
	})
	if r, _ := s.view.Selected(); r.Model.ID != "m25" || !visible() {
		t.Error("the list jumped")
	}
}

func TestRunsAtWorkAreShown(t *testing.T) {
	s := show1(t, 3)
	current, err := s.ws.Current()
	if err != nil {
		t.Fatal(err)
	}
	record := store.RunRecord{ID: "01R", Suite: current.Suite, Family: current.Family, Models: []string{s.ws.Imported[2].Hash}}
	if err := s.ws.PutRun(record); err != nil {
		t.Fatal(err)
	}
	s.stage.Until("the run is known", func() bool { return s.list.suites["01R"] != "" })
	at := func(run, task engine.Phase, done int64, err error) string {
		s.Follow([]engine.Status{{ID: "01R", Family: current.Family, Phase: run, Tasks: []engine.TaskStatus{
			{Model: s.ws.Imported[2].Hash, Phase: task, Done: done, Total: 100, Err: err},
		}}})
		r, _ := s.view.At(2)
		return strings.TrimSpace(r.StateText() + " " + r.Reason)
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
	if err := s.ws.PutRun(record); err != nil {
		t.Fatal(err)
	}
	s.Follow(nil)
	s.stage.Until("the recorded failure is shown", func() bool { r, _ := s.view.At(2); return r.State == Failed && r.Reason == "out of memory" })
}

func TestWithoutSuiteTheListSaysSo(t *testing.T) {
	s := show1(t, 2)
	if err := s.ws.SetCurrent(store.Current{}); err != nil {
		t.Fatal(err)
	}
	s.stage.Until("nothing is chosen", func() bool { return strings.HasPrefix(s.detail.Text, "Choose a test suite") })
	if r, _ := s.view.At(0); r.State != NoSignals || s.stripOf(r) != nil {
		t.Error("thumbnails without a suite")
	}
}

// TestThousandModels filters, sorts and scrolls a list of a thousand: it makes objects for the rows in sight only.
func TestThousandModels(t *testing.T) {
	s := show1(t, 2)
	rows := make([]Row, 1000)
	for i := range rows {
		rows[i] = row(fmt.Sprintf("m%04d", i), "architecture", "VGG4", "optimizer", "Adam", "seed", fmt.Sprint(i*7919%1000))
	}
	s.Hidden()
	s.view.SetRows(rows)
	s.apply()
	s.filter.SetText("seed=9")
	s.view.SortBy("seed")
	s.arranged()
	s.filter.SetText("")
	s.moveTo(900, -1)
	s.Follow(nil)
	if n := len(s.cells()); n > 600 {
		t.Errorf("%d cells exist: the list is not virtual", n)
	}
}

func TestEmptyWorkspaceInvites(t *testing.T) {
	s := &shownScreen{stage: stage.New(t)}
	ws, err := store.Create(t.TempDir() + "/empty")
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s.work = background.New(fyne.Do)
	defer func() { s.work.Stop(); s.work.Wait() }()
	asked := 0
	s.window = s.stage.Window(widget.NewLabel(""), fyne.NewSize(940, 600))
	s.Screen = New(Deps{Store: ws, Work: s.work, Window: s.window, Import: func() { asked++ }})
	s.window.SetContent(s.Object())
	s.Shown()
	defer s.Close()
	s.stage.Until("read", func() bool { return s.loaded })
	if !s.empty.Visible() || s.table.Visible() {
		t.Error("an empty list is shown")
	}
}
