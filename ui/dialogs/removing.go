package dialogs

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// RemovalStore is what removing models needs; *store.Workspace is one.
type RemovalStore interface {
	PlanRemoval(hashes []string) (store.Removal, error)
	RemoveModels(hashes, busy []string) (store.Removal, error)
	Backup(ctx context.Context) (made bool, err error)
}

// RemoveDialog names what goes with these models and removes them when that is confirmed: it
// cannot be undone. Busy are the models that runs have at work, asked when it matters; removed is
// called afterwards and may be nil.
func RemoveDialog(host *kit.Host, ws RemovalStore, hashes []string, busy func() []string, removed func()) {
	var plan store.Removal
	host.Work.Quiet("plan removal", func(context.Context) (err error) {
		plan, err = ws.PlanRemoval(hashes)
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		s := host.NewDialog(fmt.Sprintf("Remove %s", present.Counted(int64(len(hashes)), "model")), fyne.NewSize(560, 320))
		text := widget.NewLabel(RemovalText(plan))
		text.Wrapping = fyne.TextWrapWord
		remove := widget.NewButton("Remove for good", func() {
			s.Work("Back up", func(ctx context.Context, _ *background.Progress) error { return backUpFirst(ctx, ws) }, func(err error) {
				if err != nil {
					s.Close()
					host.Fail(err)
					return
				}
				removeModels(s, ws, hashes, busy(), removed)
			})
		})
		remove.Importance = widget.DangerImportance
		scroll := container.NewVScroll(text)
		scroll.SetMinSize(fyne.NewSize(0, 180))
		s.Show(scroll, s.CloseButton("Cancel"), remove)
		s.Present(nil)
	})
}

// removeModels removes models for good. This cannot be cancelled: a model is removed whole or not
// at all.
func removeModels(s *kit.Dialog, ws RemovalStore, hashes, busy []string, removed func()) {
	s.WorkWhole("Remove models", func() error {
		_, err := ws.RemoveModels(hashes, busy)
		return err
	}, func(err error) {
		s.Close()
		if err != nil {
			s.Host.Fail(err)
		} else {
			s.Host.Say(fmt.Sprintf("Removed %s", present.Counted(int64(len(hashes)), "model")))
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
		ids = fmt.Sprintf("%s and %s more", ids, present.Count(int64(more)))
	}
	signals := "no signals"
	if plan.Sets > 0 {
		signals = fmt.Sprintf("%s of signals in %s, %s", present.Counted(int64(plan.Sets), "set"),
			present.Counted(int64(plan.Units), "file"), store.SizeText(plan.SignalBytes))
	}
	return fmt.Sprintf("This goes from the workspace and from the disk, and cannot be taken back:\n\n"+
		"Models: %s\nTheir files: %s\nTheir signals: %s\n\nThe files that they were imported from are not touched.", ids, store.SizeText(plan.ModelBytes), signals)
}
