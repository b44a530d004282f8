package dialogs

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// RemovalStore is what removing models needs; *store.Workspace is one.
type RemovalStore interface {
	PlanRemoval(hashes []string) (store.Removal, error)
	RemoveModels(hashes, busy []string) (store.Removal, error)
	BackUpFirst(ctx context.Context) error
}

// RemoveDialog names what goes with these models and removes them when that is confirmed: it
// cannot be undone. Busy are the models that runs have at work, asked when it matters; removed is
// called afterwards and may be nil.
func RemoveDialog(host *kit.Host, ws RemovalStore, hashes []string, busy func() []string, removed func()) {
	var plan store.Removal
	host.Quietly("plan removal", func() (err error) {
		plan, err = ws.PlanRemoval(hashes)
		return err
	}, func() {
		title := fmt.Sprintf("Remove %s", result.Counted(len(hashes), "model"))
		host.Confirm(title, RemovalText(plan), "Remove for good", widget.DangerImportance, func() {
			backUp := func(ctx context.Context, _ *jobs.Progress) error { return ws.BackUpFirst(ctx) }
			host.Work.Start("Back up", backUp, func(err error) {
				if err != nil {
					host.Fail(err)
					return
				}
				removeModels(host, ws, hashes, busy(), removed)
			})
		})
	})
}

// removeModels removes models for good. This cannot be cancelled: a model is removed whole or not
// at all.
func removeModels(host *kit.Host, ws RemovalStore, hashes, busy []string, removed func()) {
	host.Work.StartWhole("Remove models", func() error {
		_, err := ws.RemoveModels(hashes, busy)
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
		} else {
			host.Say(fmt.Sprintf("Removed %s", result.Counted(len(hashes), "model")))
		}
		if removed != nil {
			removed()
		}
	})
}

// RemovalText says what goes.
func RemovalText(plan store.Removal) string {
	const most = 60
	ids := strings.Join(plan.IDs[:min(most, len(plan.IDs))], ", ")
	if more := len(plan.IDs) - most; more > 0 {
		ids = fmt.Sprintf("%s and %s more", ids, result.Whole(more))
	}
	signals := "no signals"
	if plan.Sets > 0 {
		signals = fmt.Sprintf("%s of signals in %s, %s", result.Counted(plan.Sets, "set"),
			result.Counted(plan.Units, "file"), store.SizeText(plan.SignalBytes))
	}
	return fmt.Sprintf("This goes from the workspace and from the disk, and cannot be taken back:\n\n"+
		"Models: %s\nTheir files: %s\nTheir signals: %s\n\nThe files that they were imported from are not touched.",
		ids, store.SizeText(plan.ModelBytes), signals)
}
