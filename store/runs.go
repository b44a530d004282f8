package store

import (
	"errors"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
)

// RunRecord says what a run was asked to do, so that one that was killed can be resumed with the
// same question; what it had finished is found on disk. Phase and the counts are as of the last
// PutRun or Ended.
type RunRecord struct {
	ID      string    `json:"id"` // ULID, from NewID
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	// What was asked.
	Models    []string          `json:"models"` // hashes, in order
	Suite     string            `json:"suite"`  // content hash
	Family    string            `json:"family"` // canonical text
	Positions []string          `json:"positions"`
	Vectors   []string          `json:"vectors,omitempty"`
	ClassMap  map[string]string `json:"class_map,omitempty"`
	Batch     int               `json:"batch"`
	// Mixed says that processors of any kind may compute the units (signal.Mixed).
	Mixed         bool   `json:"mixed,omitempty"`
	Device        string `json:"device,omitempty"` // device.Pick
	AnyDifference bool   `json:"any_difference,omitempty"`
	// Devices are, by hash, the models that are not computed on the processor.
	Devices map[string]OnDevice `json:"devices,omitempty"`
	// What became of it. Done, Total and Reused are inferences: images x transformations.
	Phase    engine.Phase      `json:"phase"`
	Done     int64             `json:"done"`
	Total    int64             `json:"total"`
	Reused   int64             `json:"reused"`
	Skipped  int               `json:"skipped"`            // corrupt images that the suite left out
	Failures map[string]string `json:"failures,omitempty"` // model hash -> sentence
	// Working are the hashes of the models that are being computed, while the run is at work:
	// after a crash, those that were.
	Working []string `json:"working,omitempty"`
}

// OnDevice says on what a model is computed.
type OnDevice struct {
	Device string `json:"device"` // its kind
	// Difference is the largest one of its softmax from the processor's, over some images.
	Difference float64 `json:"difference"`
}

// Unfinished says whether the run had not ended when it was recorded last. A run of this kind that
// the engine does not know was killed with its process.
func (r RunRecord) Unfinished() bool {
	return r.Phase != engine.Done && r.Phase != engine.Failed && r.Phase != engine.Cancelled
}

// PutRun stores a run's record under its id, new or again.
func (w *Workspace) PutRun(r RunRecord) error {
	if r.ID == "" {
		return errors.New("a run's record needs an id")
	}
	return w.updateAndTell(RunChanged, r.ID, func(tx *bbolt.Tx) error { return bucketRuns.put(tx, r.ID, r) })
}

// Working notes which models of a run are being computed. It is no change that anybody is told of.
func (w *Workspace) Working(run string, models []string) error {
	return w.update(func(tx *bbolt.Tx) error {
		r, found, err := bucketRuns.get(tx, run)
		if err != nil || !found {
			return err
		}
		r.Working = models
		return bucketRuns.put(tx, run, r)
	})
}

// Ended notes how a run ended. A run that was not recorded before is recorded with what its status
// says.
func (w *Workspace) Ended(status engine.Status) error {
	return w.updateAndTell(RunChanged, status.ID, func(tx *bbolt.Tx) error {
		r := RunRecord{ID: status.ID, Started: status.Submitted, Family: status.Family}
		found, err := bucketRuns.into(tx, status.ID, &r)
		if err != nil {
			return err
		}
		r.Phase, r.Ended, r.Working = status.Phase, status.Ended, nil
		r.Done, r.Total, r.Reused, r.Skipped = status.Done, status.Total, status.Reused, status.Skipped
		if r.Failures == nil {
			r.Failures = map[string]string{}
		}
		for _, task := range status.Tasks { // models that were refused before the run keep their reasons
			if !found {
				r.Models = append(r.Models, task.Model)
			}
			delete(r.Failures, task.Model)
			if task.Err != nil {
				r.Failures[task.Model] = task.Err.Error()
			}
		}
		return bucketRuns.put(tx, r.ID, r)
	})
}

// Runs returns the records of all runs, oldest first.
func (w *Workspace) Runs() ([]RunRecord, error) {
	return viewed(w, bucketRuns.all)
}
