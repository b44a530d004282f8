package job

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

const rotation = "rotation:-15:15:1;interpolation=bilinear;border=zero"

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func statusOf(id string, phase engine.Phase, tasks ...engine.TaskStatus) engine.Status {
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
	statuses := []engine.Status{
		statusOf("3", engine.Done), statusOf("4", engine.Running), statusOf("5", engine.Queued),
		statusOf("6", engine.Paused),
	}
	records := []store.RunRecord{
		{ID: "1", Phase: engine.Done, Family: rotation},
		{ID: "2", Phase: engine.Running, Family: rotation},
		{ID: "4", Phase: engine.Queued},
	}
	var got []string
	for _, r := range List(statuses, records, Names{}, error.Error) {
		got = append(got, r.ID+" "+string(r.Phase))
	}
	want := []string{"4 running", "5 queued", "6 paused", "2 interrupted", "3 done", "1 done"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestRowsSayWhatHappened(t *testing.T) {
	s := statusOf("1", engine.Running,
		engine.TaskStatus{Model: "ha", ID: "a", Phase: engine.Done, Done: 3100, Total: 3100, Reused: 3100},
		engine.TaskStatus{Model: "hb", ID: "b", Phase: engine.Running, Done: 100, Total: 3100},
		engine.TaskStatus{Model: "hc", ID: "c", Phase: engine.Failed, Total: 3100, Err: errors.New("out of memory")})
	s.PerSecond, s.Left, s.Skipped = 1234, 90*time.Second, 2
	record := store.RunRecord{
		ID: "1", Models: []string{"ha", "hb", "hc"}, Failures: map[string]string{"hd": "7 classes"},
	}
	r := List([]engine.Status{s}, []store.RunRecord{record}, Names{Models: map[string]string{"hd": "d"}},
		error.Error)[0]
	if r.Title() != "rotation -15..15° on scenes" || !r.Open() || r.CanAgain() || r.Failed != 2 ||
		r.PerSecond != 1234 || r.Skipped != 2 {
		t.Errorf("%+v", r)
	}
	var failed []string
	for _, m := range r.Models {
		if m.Phase == engine.Failed {
			failed = append(failed, m.ID+": "+m.Reason)
		}
	}
	if !slices.Equal(failed, []string{"c: out of memory", "d: 7 classes"}) {
		t.Errorf("failed: %q", failed)
	}
}

func TestPausedRunPausesItsModels(t *testing.T) {
	r := List([]engine.Status{statusOf("1", engine.Paused,
		engine.TaskStatus{ID: "a", Phase: engine.Running, Total: 2})}, nil, Names{}, error.Error)[0]
	if r.Models[0].Phase != engine.Paused || !r.Open() {
		t.Errorf("%+v", r)
	}
}

func TestInterruptedRunCanGoOn(t *testing.T) {
	record := store.RunRecord{
		ID: "1", Suite: "abcdef0123456789", Family: rotation, Models: []string{"ha", "hb"}, Phase: engine.Queued,
		Started: start, Done: 1, Total: 4, Skipped: 1, Failures: map[string]string{"hb": "too large"},
	}
	r := List(nil, []store.RunRecord{record}, Names{Models: map[string]string{"ha": "a"}}, error.Error)[0]
	if r.Phase != Interrupted || !r.CanAgain() || r.Open() || r.Share() != 0.25 || r.Failed != 1 || r.Skipped != 1 {
		t.Errorf("%+v", r)
	}
	if r.Title() != "rotation -15..15° on abcdef012345" || r.Models[0].ID != "a" || r.Models[1].ID != "hb" {
		t.Errorf("%q %+v", r.Title(), r.Models)
	}
	record.Phase = engine.Done
	if !List(nil, []store.RunRecord{record}, Names{}, error.Error)[0].CanAgain() {
		t.Error("a run with failed models cannot be repeated")
	}
	record.Failures = nil
	if List(nil, []store.RunRecord{record}, Names{}, error.Error)[0].CanAgain() {
		t.Error("a run without failures is offered again")
	}
}

// TestCutOff: of the newest run of the same question, and of nothing that has ended or is left out
// already.
func TestCutOff(t *testing.T) {
	killed := store.RunRecord{Suite: "s", Family: "f", Phase: engine.Running, Working: []string{"a", "b"}}
	other, ended := killed, killed
	other.Family, ended.Phase = "g", engine.Done
	for _, c := range []struct {
		records []store.RunRecord
		models  []string
		without []string
		want    []string
	}{
		{records: []store.RunRecord{killed, other}, want: []string{"a", "b"}},
		{records: []store.RunRecord{killed}, without: []string{"a"}, want: []string{"b"}},
		{records: []store.RunRecord{killed}, models: []string{"a", "c"}, want: []string{"a"}},
		{records: []store.RunRecord{killed, ended}},
		{records: []store.RunRecord{other}},
	} {
		got := CutOff(c.records, Request{Suite: "s", Family: "f", Models: c.models}, c.without)
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if rest, ok := (Request{Models: []string{"a", "b"}}).Without([]string{"a"}); !ok ||
		!slices.Equal(rest.Models, []string{"b"}) {
		t.Error(rest, ok)
	}
	if _, ok := (Request{Models: []string{"a"}}).Without([]string{"a"}); ok {
		t.Error("nothing is left, and it says something is")
	}
}

// TestRunsOnScenesHaveTheirName, as long as the selection is there; what processors of any kind
// computed is marked.
func TestRunsOnScenesHaveTheirName(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	names := Names{Suites: map[string]string{"s": "targets"}, Selections: map[string]string{hash: "seashore"}}
	record := store.RunRecord{ID: "1", Suite: "s", Family: "scenes:" + hash + ":32", Phase: engine.Done, Mixed: true}
	for want, known := range map[string]Names{"scenes seashore on targets": names, "scenes 01234567 x32 on s": {}} {
		r := List(nil, []store.RunRecord{record}, known, error.Error)[0]
		if r.Title() != want || !r.Mixed {
			t.Errorf("%q in place of %q, mixed %v", r.Title(), want, r.Mixed)
		}
	}
}

// TestTablesOfRuns: every declaration is whole, and the columns say what the records hold.
func TestTablesOfRuns(t *testing.T) {
	testdata.OK(t, errors.Join(Runs.Check(), Models.Check(), Outcomes.Check()))
	s := statusOf("1", engine.Done, engine.TaskStatus{Phase: engine.Done, Done: 31, Total: 31, Reused: 31})
	sheet := Runs.Sheet(List([]engine.Status{s}, nil, Names{}, error.Error))
	for key, want := range map[string]string{
		"name": "rotation -15..15° on scenes", "state": "finished", "done": "100.0 %", "models": "1", "took": "-",
	} {
		testdata.Is(t, key, sheet.Fields[sheet.Field(key)].Say(0), want)
	}
}
