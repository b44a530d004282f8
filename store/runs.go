package store

import (
	"errors"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/database"
)

// PutRun stores a run's record under its id, new or again.
func (w *Workspace) PutRun(r database.RunRecord) error {
	if r.ID == "" {
		return errors.New("a run's record needs an id")
	}
	return w.updateAndTell(RunChanged, r.ID, func(tx *database.Tx) error { return database.Runs.Put(tx, r.ID, r) })
}

// Working notes which models of a run are being computed. It is no change that anybody is told of.
func (w *Workspace) Working(run string, models []string) error {
	return w.Update(func(tx *database.Tx) error {
		r, found, err := database.Runs.Get(tx, run)
		if err != nil || !found {
			return err
		}
		r.Working = models
		return database.Runs.Put(tx, run, r)
	})
}

// Ended notes how a run ended. A run that was not recorded before is recorded with what its status
// says.
func (w *Workspace) Ended(status engine.Status) error {
	return w.updateAndTell(RunChanged, status.ID, func(tx *database.Tx) error {
		r := database.RunRecord{ID: status.ID, Started: status.Submitted, Family: status.Family}
		found, err := database.Runs.Into(tx, status.ID, &r)
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
		return database.Runs.Put(tx, r.ID, r)
	})
}

// Runs returns the records of all runs, oldest first.
func (w *Workspace) Runs() ([]database.RunRecord, error) {
	return viewed(w, database.Runs.All)
}
