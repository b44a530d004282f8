package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
)

// Relocator knows where suites lie; *store.Workspace is one.
type Relocator interface {
	Suite(hash string) (suite.Manifest, error)
	RelocateSuite(ctx context.Context, hash, root string) error
}

// LocateDialog asks where the images of a suite are now and notes it in the workspace, if they are
// the same images. Did gets the change and may be nil. For a suite that is made from another one
// it is that one's images that are looked for.
func LocateDialog(host *kit.Host, ws Relocator, suiteHash string, did func(history.Step)) {
	m, err := ws.Suite(suiteHash)
	if err == nil && m.Derived != nil {
		m, err = ws.Suite(m.Derived.Of)
	}
	if err != nil {
		host.Fail(err)
		return
	}
	ask := &kit.Ask[foundAt]{
		Title: "Locate images", Button: "Locate", Size: fyne.NewSize(600, 240), Form: &kit.Form[foundAt]{Host: host},
		Above: wrapped(fmt.Sprintf("The images of suite %s were in %s. Choose the folder that they are in now; they are compared with those of the import.",
			m.Name, m.Root)),
	}
	ask.Do = func(d *kit.Dialog, now foundAt) {
		d.Work(fmt.Sprintf("locate the images of suite %s", m.Name), func(ctx context.Context, _ *background.Progress) error {
			return ws.RelocateSuite(ctx, m.Hash, now.Folder)
		}, func(err error) {
			if err != nil {
				ask.Refuse(err)
				return
			}
			d.Close()
			host.Say(fmt.Sprintf("the images of suite %s are found", m.Name))
			if did == nil {
				return
			}
			did(history.Step{
				Title: fmt.Sprintf("place of suite %s", m.Name),
				Undo:  func(ctx context.Context) error { return ws.RelocateSuite(ctx, m.Hash, m.Root) },
				Redo:  func(ctx context.Context) error { return ws.RelocateSuite(ctx, m.Hash, now.Folder) },
			})
		})
	}
	ask.Open()
}

// foundAt is where the images of a suite are now.
type foundAt struct {
	Folder string `required:"" help:"Folder that the images are in now." placeholder:"DIR" type:"path"`
}
