package engine

import (
	"testing"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// TestModelsOfOneSizeShareTables: a hundred models need the tables of a family once, and a run that
// waits not at all.
func TestModelsOfOneSizeShareTables(t *testing.T) {
	large := fakeTask("large", 4)
	large.Spec.Height, large.Feed.Input.Height = 9, 9
	j := testdata.Must(jobOf(fakeRun("r", newSource(4), fakeTask("a", 4), large, fakeTask("b", 4))))(t)
	defer j.cancel(nil)
	tables := []*tables{j.tasks[0].prepared.tables, j.tasks[1].prepared.tables, j.tasks[2].prepared.tables}
	if tables[0] != tables[2] || tables[0] == tables[1] {
		t.Error("models of one input size have tables of their own")
	}
	for i, height := range []int{6, 9, 6} {
		plan := testdata.Must(tables[i].plan())(t)
		if h, w := plan.Size(); h != height || w != 5 {
			t.Errorf("model %d has tables for %d x %d pixels", i, h, w)
		}
		if again, _ := tables[i].plan(); again != plan {
			t.Error("tables are made twice")
		}
	}
}

// TestWrongSizesAreRefusedWhenSubmitted, not when the run's turn comes.
func TestWrongSizesAreRefusedWhenSubmitted(t *testing.T) {
	for name, change := range map[string]func(*Task){
		"turns of oblong images": func(t *Task) { t.Spec.Family = transform.Rot90 },
		"tables above 2 GiB": func(t *Task) {
			t.Spec.Family = "rotation:-90:90:0.5"
			t.Spec.Height, t.Spec.Width = 4000, 4000
		},
	} {
		task := fakeTask("a", 4)
		change(&task)
		testdata.Refused(t, name, testdata.Err(jobOf(fakeRun("r", newSource(4), task))))
	}
}
