package dialogs

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/history"
)

// RecordStore is what editing records needs; *store.Workspace is one.
type RecordStore interface {
	Model(hash string) (model.Model, error)
	PutRecords(records []store.Record) (before []store.Record, err error)
}

// did reports a step where somebody wants to know.
func did(report func(history.Step), step history.Step) {
	if report != nil {
		report(step)
	}
}

// recordStep is the step of a change of records that was made.
func recordStep(ws RecordStore, title string, before, after []store.Record) history.Step {
	put := func(records []store.Record) func(context.Context) error {
		return func(context.Context) error {
			_, err := ws.PutRecords(records)
			return err
		}
	}
	return history.Step{Title: title, Undo: put(before), Redo: put(after)}
}

// foresee adds to a recognised table of records what its import would change; it reads table and
// workspace.
func foresee(ws *store.Workspace, item Item) Item {
	if item.Kind != Records || ws == nil {
		return item
	}
	plan, err := intake.PlanRecords(ws, item.Path)
	if err != nil {
		return Item{Path: item.Path, Err: err}
	}
	item.What = plan.String()
	return item
}

// records imports tables of records, each a step of its own.
func (i Importer) records(ctx context.Context, paths []string, report *Report) error {
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		plan, before, err := intake.Records(i.Workspace, path)
		if err != nil {
			report.Failed = append(report.Failed, sentence(err))
			continue
		}
		report.Lines = append(report.Lines, filepath.Base(path)+": "+plan.String())
		if len(before) > 0 {
			report.Steps = append(report.Steps, recordStep(i.Workspace, fmt.Sprintf("import of %s", filepath.Base(path)), before, plan.Changes))
		}
	}
	return nil
}
