package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func TestRunRecords(t *testing.T) {
	w := fresh(t)
	r := database.RunRecord{
		ID: w.NewID(), Started: time.Now().UTC().Truncate(time.Second), Models: []string{"a", "b"}, Suite: "s",
		Family: "f", Positions: []string{"CONF"}, Vectors: []string{"L2@CONF"}, ClassMap: map[string]string{"cat": "0"},
		Batch: 16, Phase: engine.Running, Failures: map[string]string{
			"a": "an earlier attempt",
			"c": "refused before the run",
		},
	}
	must(t, w.PutRun(r))
	second := database.RunRecord{ID: w.NewID(), Phase: engine.Done}
	must(t, w.PutRun(second))
	w = reopened(t, w)
	list, err := w.Runs()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if diff := cmp.Diff(r, list[0]); diff != "" || !list[0].Unfinished() || list[1].Unfinished() {
		t.Error(diff)
	}
	ended := time.Now().UTC().Truncate(time.Second)
	status := engine.Status{
		ID: r.ID, Phase: engine.Done, Done: 5, Total: 9, Reused: 2, Skipped: 1, Ended: ended, Failed: 1,
		Tasks: []engine.TaskStatus{
			{Model: "a", Phase: engine.Done}, {Model: "b", Phase: engine.Failed, Err: errors.New("no")},
		},
	}
	must(t, w.Ended(status))
	status.ID = w.NewID()
	if err := w.Ended(status); err != nil { // of a run that was not recorded
		t.Fatal(err)
	}
	want := r
	want.Phase, want.Ended, want.Done, want.Total, want.Reused, want.Skipped = engine.Done, ended, 5, 9, 2, 1
	want.Failures = map[string]string{"b": "no", "c": "refused before the run"}
	if list, err = w.Runs(); err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	testdata.NoDiff(t, "ended", cmp.Diff(want, list[0]))
	testdata.NoDiff(t, "models", cmp.Diff([]string{"a", "b"}, list[2].Models))
	testdata.Refused(t, "took a run without id", w.PutRun(database.RunRecord{}))
}
