package runs

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// steered notes what the buttons ask of the engine.
type steered struct {
	asked []string
	err   error
}

func (e *steered) Pause(id string) error  { e.asked = append(e.asked, "pause "+id); return e.err }
func (e *steered) Resume(id string) error { e.asked = append(e.asked, "resume "+id); return e.err }
func (e *steered) Cancel(id string) error { e.asked = append(e.asked, "cancel "+id); return e.err }

type shown struct {
	*Screen
	stage  *stage.Stage
	ws     *sample.Workspace
	engine *steered
	work   *jobs.Group
	again  []string
	errs   []error
}

func show(t *testing.T, records ...store.RunRecord) *shown {
	t.Helper()
	s := &shown{stage: stage.New(t), ws: sample.New(t, 2), engine: &steered{}}
	s.work = jobs.New(fyne.Do)
	for _, r := range records {
		r.Suite, r.Models = s.ws.Shapes.Hash, []string{s.ws.Imported[0].Hash}
		testdata.OK(t, s.ws.PutRun(r))
	}
	window := s.stage.Window(widget.NewLabel(""), fyne.NewSize(1130, 640))
	host := &kit.Host{
		Runs:   &kit.Runs{},
		Window: window, Work: s.work, Changes: s.ws.Subscribe,
		ShowError: func(err error) { s.errs = append(s.errs, err) }, Inspect: func(string) {},
	}
	s.Screen = New(host, s.ws.Workspace, s.engine,
		Ways{Again: func(r store.RunRecord) { s.again = append(s.again, r.ID) }})
	window.SetContent(s.Object())
	s.Shown()
	t.Cleanup(func() {
		s.Close()
		s.work.Stop()
		s.work.Wait()
		s.stage.Pump()
	})
	s.stage.Until("runs are read", s.Idle)
	return s
}

// pick selects a run as a person does.
func (s *shown) pick(row int) { s.list.Move(row, false) }

func TestButtonsSteerTheSelectedRun(t *testing.T) {
	s := show(t)
	s.Runs.Follow([]engine.Status{
		status("1", engine.Running, engine.TaskStatus{ID: "a", Total: 10}), status("2", engine.Paused),
	})
	if len(s.runs) != 2 || s.details.run.ID != "1" {
		t.Fatalf("%d runs, details of %q", len(s.runs), s.details.run.ID)
	}
	test.Tap(s.details.pause)
	s.pick(1)
	if s.details.pause.Visible() || !s.details.resume.Visible() {
		t.Error("a paused run offers pause in place of resume")
	}
	test.Tap(s.details.resume)
	s.engine.err = errors.New("the run has ended")
	test.Tap(s.details.cancel)
	if !slices.Equal(s.engine.asked, []string{"pause 1", "resume 2", "cancel 2"}) || len(s.errs) != 1 {
		t.Errorf("asked %q, errors %v", s.engine.asked, s.errs)
	}
}

// TestAllRunsAreCancelledFromTheBack: no waiting run begins because the one before it was
// cancelled.
func TestAllRunsAreCancelledFromTheBack(t *testing.T) {
	s := show(t)
	s.Runs.Follow([]engine.Status{
		status("1", engine.Running), status("2", engine.Queued), status("3", engine.Queued), status("0", engine.Done),
	})
	if !s.details.cancelAll.Visible() || s.details.cancelAll.Text != "Cancel all 3" {
		t.Fatalf("the button says %q", s.details.cancelAll.Text)
	}
	s.engine.err = fmt.Errorf("cancel run: %w", engine.ErrEnded)
	test.Tap(s.details.cancelAll)
	s.stage.Until("all are asked to end", func() bool { return len(s.engine.asked) == 3 })
	if !slices.Equal(s.engine.asked, []string{"cancel 3", "cancel 2", "cancel 1"}) || len(s.errs) != 0 {
		t.Errorf("asked %q, errors %v", s.engine.asked, s.errs)
	}
	s.Runs.Follow([]engine.Status{status("1", engine.Running), status("0", engine.Done)})
	if s.details.cancelAll.Visible() {
		t.Error("a single run can be cancelled with the others")
	}
}

func TestInterruptedRunIsOfferedForResume(t *testing.T) {
	s := show(t, store.RunRecord{ID: "01A", Family: rotation, Phase: engine.Running, Started: start})
	if s.details.again.Text != "Resume" || !s.details.again.Visible() {
		t.Fatalf("the button says %q", s.details.again.Text)
	}
	test.Tap(s.details.again)
	if !slices.Equal(s.again, []string{"01A"}) {
		t.Errorf("resumed %q", s.again)
	}
}

// TestTheNextRunOfAQueueIsShown: who looks at the run at work sees the next one when it has ended,
// and who has chosen a run keeps it.
func TestTheNextRunOfAQueueIsShown(t *testing.T) {
	s := show(t)
	statuses := []engine.Status{status("1", engine.Running), status("2", engine.Queued), status("3", engine.Queued)}
	s.Select("1")
	s.Runs.Follow(statuses)
	statuses[0].Phase, statuses[1].Phase = engine.Done, engine.Running
	s.Runs.Follow(statuses)
	if s.selected != "2" || s.details.run.ID != "2" {
		t.Errorf("shown is run %s", s.selected)
	}
	s.pick(2) // run 1, which has ended
	statuses[1].Phase, statuses[2].Phase = engine.Done, engine.Running
	s.Runs.Follow(statuses)
	if s.selected != "1" {
		t.Errorf("the chosen run gave way to run %s", s.selected)
	}
	s.Select("2")
	s.Runs.Follow(statuses)
	if s.selected != "2" {
		t.Errorf("an ended run that was asked for gave way to run %s", s.selected)
	}
	s.Select("3")
	statuses[2].Phase = engine.Done
	s.Runs.Follow(statuses)
	if s.selected != "3" {
		t.Errorf("the last run of the queue gave way to run %s", s.selected)
	}
}

func TestNewRecordAppears(t *testing.T) {
	s := show(t)
	if s.Body.Visible() || s.allow.Visible() {
		t.Error("an empty list of runs is shown, or machines are offered where there are none")
	}
	record := store.RunRecord{ID: "01B", Family: rotation, Phase: engine.Done, Suite: s.ws.Shapes.Hash}
	testdata.OK(t, s.ws.PutRun(record))
	s.stage.Until("the record is listed", func() bool { return len(s.runs) == 1 && s.runs[0].Phase == engine.Done })
}

func TestFailureIsExplained(t *testing.T) {
	s := show(t)
	s.Runs.Follow([]engine.Status{status("1", engine.Done,
		engine.TaskStatus{Model: "a", ID: "a", Phase: engine.Done},
		engine.TaskStatus{Model: "b", ID: "b", Phase: engine.Failed, Err: errors.New("the model crashed")})})
	if !s.details.reason.Visible() || s.details.reason.Text != "b: The model crashed." {
		t.Errorf("%q", s.details.reason.Text)
	}
	s.details.models.Move(0, false)
	if s.details.reason.Visible() {
		t.Error("the reason of another model stays")
	}
}
