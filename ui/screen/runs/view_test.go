package runs

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
)

const rotation = "rotation:-15:15:1;interpolation=bilinear;border=zero"

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func status(id string, phase engine.Phase, tasks ...engine.TaskStatus) engine.Status {
	s := engine.Status{ID: id, Suite: "scenes", Family: rotation, Phase: phase, Submitted: start, Tasks: tasks}
	for _, t := range tasks {
		s.Done, s.Total, s.Reused = s.Done+t.Done, s.Total+t.Total, s.Reused+t.Reused
		if t.Phase == engine.Failed {
			s.Failed++
		}
	}
	return s
}

func TestListOrder(t *testing.T) {
	statuses := []engine.Status{status("3", engine.Done), status("4", engine.Running), status("5", engine.Queued), status("6", engine.Paused)}
	records := []store.RunRecord{
		{ID: "1", Phase: engine.Done, Family: rotation}, {ID: "2", Phase: engine.Running, Family: rotation}, {ID: "4", Phase: engine.Queued},
	}
	var got []string
	for _, r := range List(statuses, records, Names{}) {
		got = append(got, r.ID+" "+string(r.State))
	}
	want := []string{"4 running", "5 queued", "6 paused", "2 interrupted", "3 done", "1 done"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestRowsSayWhatHappened(t *testing.T) {
	s := status("1", engine.Running,
		engine.TaskStatus{Model: "ha", ID: "a", Phase: engine.Done, Done: 3100, Total: 3100, Reused: 3100},
		engine.TaskStatus{Model: "hb", ID: "b", Phase: engine.Running, Done: 100, Total: 3100},
		engine.TaskStatus{Model: "hc", ID: "c", Phase: engine.Failed, Total: 3100, Err: errors.New("out of memory")})
	s.PerSecond, s.Left, s.Skipped = 1234, 90*time.Second, 2
	record := store.RunRecord{ID: "1", Models: []string{"ha", "hb", "hc"}, Failures: map[string]string{"hd": "7 classes"}}
	r := List([]engine.Status{s}, []store.RunRecord{record}, Names{Models: map[string]string{"hd": "d"}})[0]
	for _, want := range []string{"1 of 3 models", "1 failed", "images/s", "left", "2 corrupt images skipped"} {
		if !strings.Contains(r.Detail, want) {
			t.Errorf("%q does not say %q", r.Detail, want)
		}
	}
	if r.Title != "rotation -15..15° on scenes" || !r.CanPause || r.CanResume || !r.CanCancel || r.CanAgain() || r.Failed != 2 {
		t.Errorf("%+v", r)
	}
	var failed []string
	for _, m := range r.Models {
		if m.Failed {
			failed = append(failed, m.ID+": "+m.Detail)
		}
	}
	if !slices.Equal(failed, []string{"c: Out of memory.", "d: 7 classes"}) {
		t.Errorf("failed: %q", failed)
	}
}

func TestPausedRunPausesItsModels(t *testing.T) {
	r := List([]engine.Status{status("1", engine.Paused, engine.TaskStatus{ID: "a", Phase: engine.Running, Total: 2})}, nil, Names{})[0]
	if r.Models[0].Phase != "paused" || !r.CanResume || r.CanPause {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.Detail, "no images skipped") {
		t.Errorf("%q is silent about skipped images", r.Detail)
	}
}

func TestInterruptedRunCanGoOn(t *testing.T) {
	record := store.RunRecord{
		ID: "1", Suite: "abcdef0123456789", Family: rotation, Models: []string{"ha", "hb"}, Phase: engine.Queued,
		Started: start, Done: 1, Total: 4, Skipped: 1, Failures: map[string]string{"hb": "too large"},
	}
	r := List(nil, []store.RunRecord{record}, Names{Models: map[string]string{"ha": "a"}})[0]
	if r.State != Interrupted || !r.CanAgain() || r.CanCancel || r.Share != 0.25 || r.Failed != 1 {
		t.Errorf("%+v", r)
	}
	if r.Title != "rotation -15..15° on abcdef012345" || r.Models[0].ID != "a" || r.Models[1].ID != "hb" {
		t.Errorf("%q %+v", r.Title, r.Models)
	}
	if !strings.Contains(r.Detail, "1 corrupt image skipped") {
		t.Errorf("%q", r.Detail)
	}
	record.Phase = engine.Done
	if !List(nil, []store.RunRecord{record}, Names{})[0].CanAgain() {
		t.Error("a run with failed models cannot be repeated")
	}
	record.Failures = nil
	if List(nil, []store.RunRecord{record}, Names{})[0].CanAgain() {
		t.Error("a run without failures is offered again")
	}
}

func TestActive(t *testing.T) {
	for phase, want := range map[engine.Phase]bool{
		engine.Running: true, engine.Queued: true, engine.Paused: false, engine.Done: false, engine.Failed: false, engine.Cancelled: false,
	} {
		if Active([]engine.Status{status("1", phase)}) != want {
			t.Errorf("%s", phase)
		}
	}
}

func TestWhen(t *testing.T) {
	if when(time.Time{}, time.Time{}) != "" {
		t.Error("a run without a start")
	}
	if got := when(start, start.Add(75*time.Second)); !strings.Contains(got, "took 1 min 15 s") {
		t.Error(got)
	}
}

// TestRunsOnScenesHaveTheirName, as long as the selection is there; what processors of any kind computed is marked.
func TestRunsOnScenesHaveTheirName(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	names := Names{Suites: map[string]string{"s": "targets"}, Selections: map[string]string{hash: "seashore and forest"}}
	record := store.RunRecord{ID: "1", Suite: "s", Family: "scenes:" + hash + ":32", Phase: engine.Done, Mixed: true}
	r := List(nil, []store.RunRecord{record}, names)[0]
	if r.Title != "scenes seashore and forest on targets" || !strings.HasSuffix(r.Detail, ", mixed processors") {
		t.Errorf("%q, %q", r.Title, r.Detail)
	}
	s := status("1", engine.Running)
	s.Family = record.Family
	r = List([]engine.Status{s}, []store.RunRecord{record}, names)[0]
	if r.Title != "scenes seashore and forest on scenes" || !strings.HasSuffix(r.Detail, ", mixed processors") {
		t.Errorf("%q, %q", r.Title, r.Detail)
	}
	record.Mixed = false
	r = List(nil, []store.RunRecord{record}, Names{})[0]
	if r.Title != "scenes 01234567 x32 on s" || strings.Contains(r.Detail, "mixed") {
		t.Errorf("%q, %q", r.Title, r.Detail)
	}
}
